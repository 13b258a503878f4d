"use strict";
/*
 * Two lines on two boards, stepped through together. `halbzug.explain.horizon_page` has played them.
 *
 * data.lines: those of the search without quiescence and of the engine: { steps: [name, placement,
 * from, to, king in check or "", material], seen: how many of them the search saw, value, judged }.
 */
(function () {
  const { data, byId, text, phrase, pieces, make } = Theory;
  const sides = Array.from(document.querySelectorAll(".side")), start = data.fen.split(" ")[0];
  const most = Math.max(...data.lines.map((line) => line.steps.length));
  const boards = sides.map(function (side) {
    const board = new HalbzugBoard.Board(side.querySelector(".board"), {});
    if (!data.white) { board.flip(true); }
    return board;
  });
  let at = 0;

  function indexOf(name) { return name ? "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1) : -1; }

  function signed(number) { return number > 0 ? "+" + number : String(number).replace("-", "−"); }

  function show(place) {
    const slides = place === at + 1;
    at = Math.max(0, Math.min(place, most));
    data.lines.forEach(function (line, number) {
      const ply = Math.min(at, line.steps.length), step = line.steps[ply - 1];
      boards[number].show(step ? { squares: HalbzugBoard.readPlacement(step[1]),
        last: [indexOf(step[2]), indexOf(step[3])], check: indexOf(step[4]),
        slide: slides && ply === at ? [indexOf(step[2]), indexOf(step[3])] : null }
        : { squares: HalbzugBoard.readPlacement(start) });
      sides[number].querySelector(".board").classList.toggle("behind", ply > data.depth);
      sides[number].querySelectorAll("tr[data-ply]").forEach(function (row) {
        row.classList.toggle("now", Number(row.dataset.ply) === ply);
      });
    });
    byId("place").value = at;
    byId("where").textContent = !at ? text("start") : at > data.depth ? text("behind")
      : text("at", { ply: at, depth: data.depth });
    byId("first").disabled = byId("previous").disabled = at === 0;
    byId("next").disabled = byId("last").disabled = at === most;
  }

  function fillTable(side, line) {
    const head = make("tr"), rows = [];
    ["ply", "move", "material"].forEach(function (name) { make("th", head, text(name)); });
    side.querySelector("thead").replaceChildren(head);
    rows.push(moveRow(0, text("start"), data.material));
    line.steps.forEach(function (step, number) {
      if (number === data.depth) { rows.push(horizonRow()); }
      rows.push(moveRow(number + 1, pieces(step[0]), step[5]));
    });
    if (line.steps.length <= data.depth) { rows.push(horizonRow()); }
    side.querySelector("tbody").replaceChildren(...rows);
  }

  function moveRow(ply, name, material) {
    const row = make("tr");
    row.dataset.ply = ply;
    make("td", row, ply || "");
    const button = make("button", make("td", row), name);
    button.type = "button";
    button.dataset.ply = ply;
    make("td", row, signed(material));
    return row;
  }

  function horizonRow() {
    const row = make("tr", null, undefined, "horizon");
    make("td", row, "— " + text("horizon") + " —").colSpan = 3;
    return row;
  }

  function bare(name) { return name.replace(/^\d+\.+\s*/, ""); }

  function say() {
    const moves = data.lines.map((line) => pieces(bare(line.steps[0][0])));
    data.lines.forEach(function (line, number) {
      sides[number].querySelector(".seems").textContent = phrase(number ? "seems_with" : "seems_without",
        { move: moves[number], value: line.value, judge: data.judge, judged: line.judged });
    });
    byId("verdict").textContent = moves[0] === moves[1] ? text("same_move", { move: moves[0] })
      : text(data.mistake ? "mistake" : "no_mistake", { move: moves[0] });
    const found = data.quiescence, values = { static: signed(found.static), value: signed(found.value),
      plies: found.plies };
    byId("below").textContent = text(found.quiet ? "below_quiet" : "below_text", values) +
      (found.whole ? "" : " " + text("below_part", values));
  }

  Theory.onLanguage(function (language) {
    document.title = document.querySelector("h1").textContent = text("title");
    byId("note").textContent = text("note", { depth: data.depth });
    const story = data.stories[language] || [];
    byId("story-title").textContent = story[0] || "";
    byId("story").textContent = story[1] || "";
    byId("fen").textContent = data.fen;
    sides.forEach(function (side, number) { fillTable(side, data.lines[number]); });
    const drawing = new DOMParser().parseFromString(data.drawings[language], "image/svg+xml");
    byId("tree").replaceChildren(document.importNode(drawing.documentElement, true));
    say();
    show(at);
  });
  byId("place").max = most;
  byId("first").addEventListener("click", () => show(0));
  byId("previous").addEventListener("click", () => show(at - 1));
  byId("next").addEventListener("click", () => show(at + 1));
  byId("last").addEventListener("click", () => show(most));
  byId("place").addEventListener("input", function () { show(Number(this.value)); });
  document.querySelector(".two").addEventListener("click", function (event) {
    const button = event.target.closest("button[data-ply]");
    if (button) { show(Number(button.dataset.ply)); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) { return; }
    if (event.target.closest(".wide") && event.target.id === "tree") { return; }
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: most };
    if (event.key in places) {
      event.preventDefault();
      show(places[event.key]);
    }
  });
}());
