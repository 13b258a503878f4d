(function () {
  const puzzles = JSON.parse(document.querySelector("#puzzles").textContent);
  const find = (name) => document.querySelector("#" + name);
  const results = puzzles.map(() => ""); // "", "solved" or "failed"; the first try counts
  let current = 0, at = 0, isOver = false, hadHelp = false;

  if (!puzzles.length) { return; }
  document.querySelector(".desk").hidden = false;
  const player = new HalbzugBoard.Player({ board: find("board") }, { onMove: tried });

  const buttons = puzzles.map((puzzle, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = String(number + 1);
    button.title = "Elo " + puzzle.level;
    button.addEventListener("click", () => show(number));
    find("list").append(button);
    return button;
  });

  function say(text, kind) {
    find("verdict").textContent = text;
    find("verdict").className = kind || "";
  }

  function task(number) {
    return (number + 1) + ". " + (puzzles[number].white ? "White" : "Black") + " to move and win";
  }

  function show(number) {
    const puzzle = puzzles[current = (number + puzzles.length) % puzzles.length];
    at = 0;
    isOver = false;
    hadHelp = false;
    const root = { legal: puzzle.legal[0] };
    if (puzzle.check) { root.check = true; }
    player.load({ fen: puzzle.fen, nodes: [root] });
    player.flip(!puzzle.white);
    find("task").textContent = task(current);
    find("facts").textContent = puzzle.source + " · Elo " + puzzle.level;
    say("Only one move wins.");
    location.replace("#" + (current + 1));
    mark();
  }

  function mark() {
    buttons.forEach((button, number) => {
      button.className = results[number] + (number === current ? " current" : "");
      button.setAttribute("aria-current", number === current ? "true" : "false");
      const word = results[number] ? ", " + results[number] : "";
      button.setAttribute("aria-label", "Exercise " + (number + 1) + word);
    });
    const solved = results.filter((result) => result === "solved").length;
    find("count").textContent = solved + " of " + puzzles.length + " solved";
  }

  function settle(result) {
    results[current] = results[current] || result;
    mark();
  }

  function uciOf(step) { return step.split(" ")[0]; }

  function tried(node, step) {
    const puzzle = puzzles[current];
    if (isOver) { return; }
    if (step.uci !== uciOf(puzzle.steps[at])) {
      hadHelp = true;
      settle("failed");
      say(step.san + " is not the solution. Try again.", "wrong");
      return;
    }
    const reply = puzzle.steps[at + 1];
    player.playLine(node, reply ? [step, reply] : [step]);
    at += 2;
    if (at < puzzle.steps.length) {
      player.setLegal(puzzle.legal[at / 2]);
      say(step.san + " is right. Go on.", "right");
    } else {
      finish();
    }
  }

  function finish() {
    isOver = true;
    settle(hadHelp ? "failed" : "solved");
    say("Solved: " + puzzles[current].line, "right");
  }

  /** The printed sheet: all exercises with space for the answers, and the solutions on a separate page. */
  function printed() {
    if (find("sheet").firstChild) { return; }
    const { diagram, make, readPlacement } = HalbzugBoard;
    const exercises = make("div", "exercises", find("sheet"));
    const solutions = make("div", "solutions", find("sheet"));
    make("h2", "", solutions, "Solutions");
    puzzles.forEach((puzzle, number) => {
      const figure = make("figure", "", exercises);
      figure.append(diagram(readPlacement(puzzle.fen), [], !puzzle.white));
      make("figcaption", "", figure, task(number));
      make("p", "", solutions, (number + 1) + ". " + puzzle.line + " (" + puzzle.source + ", Elo " + puzzle.level + ")");
    });
  }

  window.addEventListener("beforeprint", printed);
  find("hint").addEventListener("click", () => {
    hadHelp = true;
    say("Hint: " + puzzles[current].hint + ".");
  });
  find("solution").addEventListener("click", () => {
    const puzzle = puzzles[current];
    isOver = true;
    settle("failed");
    player.playLine(player.tree.root, puzzle.steps);
    say("Solution: " + puzzle.line);
  });
  find("again").addEventListener("click", () => show(current));
  find("previous").addEventListener("click", () => show(current - 1));
  find("next").addEventListener("click", () => { show(current + 1); find("task").focus(); });
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
})();
