"use strict";
/* One game of the report: the board with its moves and lines, and the comments on them. */
const HalbzugGame = (function () {
  const DIAGRAMS = 6;
  const WORST = ["blunder", "mistake", "inaccuracy"];
  const SYMBOLS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
  const AT_LICHESS = "https://lichess.org/analysis/";

  const { make } = HalbzugBoard;

  function percent(value) { return value === null || Number.isNaN(value) ? "–" : value.toFixed(1) + " %"; }

  /** Sums of rows of numbers: [moves, accuracy, loss, inaccuracies, mistakes, blunders]. */
  function sum(rows) {
    return rows.reduce((total, row) => total.map((value, place) => value + row[place]), [0, 0, 0, 0, 0, 0]);
  }

  /** Cells for such a row; `accuracy` replaces the mean of the moves' accuracies. */
  function cells(row, accuracy) {
    const [moves, total, loss, ...judged] = row;
    const mean = accuracy === undefined ? total / moves : accuracy;
    return [percent(moves ? mean : null), moves ? (loss / moves).toFixed(0) : "–", ...judged];
  }

  function table(parent, head, rows) {
    const box = make("div", "scrolled", parent), element = make("table", "", box);
    const line = make("tr", "", make("thead", "", element));
    element.style.setProperty("--columns", head.length - 1);
    head.forEach(function (title) {
      const cell = make("th", SYMBOLS[title] ? "nag " + title : "", line, SYMBOLS[title] || title);
      cell.scope = "col";
      if (SYMBOLS[title]) { cell.title = title === "inaccuracy" ? "inaccuracies" : title + "s"; }
    });
    const body = make("tbody", "", element);
    for (const row of rows) {
      const one = make("tr", row.kind || "", body);
      row.cells.forEach(function (value, place) {
        const cell = make(place ? "td" : "th", "", one);
        if (!place) { cell.scope = "row"; }
        if (value instanceof Node) { cell.append(value); } else { cell.textContent = value; }
      });
    }
    return element;
  }

  const HEAD = ["Accuracy", "Loss", "inaccuracy", "mistake", "blunder"];

  class Game {
    /** `onNode(id)` is called with the shown node of the game itself. */
    constructor(article, phases, onNode) {
      this.article = article;
      this.phases = phases;
      this.onNode = onNode;
      this.find = (selector) => article.querySelector(selector);
      this.player = new HalbzugBoard.Player({
        board: this.find(".table"), moves: this.find(".moves"), lines: this.find(".onward"),
      }, {
        onSelect: () => this.changed(),
        onMove: (node, step) => this.exercise.attempt(step),
        onLine: (node, steps) => this.playLine(node, steps),
        empty: "This game has no moves",
        sides: true,
      });
      this.player.addControl("critical", "Next mistake (c)", "?!").addEventListener("click", () => this.toCritical());
      this.better = new HalbzugBoard.LineList(this.find(".better"), {
        label: "Better was", onLine: (node, steps) => this.playLine(node, steps),
      });
      this.graph = new HalbzugGraph(this.find(".graph"), (ply) => this.player.show(this.mainLine[Math.max(0, Math.min(ply, this.mainLine.length - 1))]));
      this.exercise = new HalbzugExercise(this);
      this.listen();
    }

    listen() {
      const share = this.find(".share"), copied = this.find(".copied");
      this.find(".try").addEventListener("click", () => this.exercise.begin(this.player.node));
      this.find(".return").addEventListener("click", () => this.player.show(this.lastOfGame()));
      share.addEventListener("toggle", () => this.share());
      for (const name of ["fen", "pgn"]) {
        this.find(".copy-" + name).addEventListener("click", async () => {
          const field = this.find("." + name);
          field.select();
          let isDone = false;
          try {
            await navigator.clipboard.writeText(field.value);
            isDone = true;
          } catch {
            isDone = document.execCommand("copy");
          }
          copied.textContent = isDone ? `The ${name.toUpperCase()} is copied.` : "Press Ctrl-C to copy.";
        });
      }
      document.addEventListener("keydown", (event) => {
        if (this.article.hidden || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) { return; }
        if (event.target.closest && event.target.closest("input, textarea, select")) { return; }
        if (event.key === "c") { this.toCritical(); event.preventDefault(); }
      });
    }

    /** Show a game. */
    load(number, row, data, at, flipped) {
      this.exercise.end();
      this.number = number;
      this.row = row;
      this.isChess960 = data.chess960;
      this.prepare(data);
      this.isLoading = true;
      this.player.load(data, at);
      this.mainLine = [this.player.tree.root];
      for (let node = this.player.tree.root; node.children.length; node = node.children[0]) { this.mainLine.push(node.children[0]); }
      this.ofGame = new Set(this.player.tree.nodes.values());
      this.player.flip(flipped);
      this.graph.load(data, this.mainLine.length - 1);
      this.isLoading = false;
      this.showHead();
      this.showSummary();
      this.showDiagrams();
      this.exercise.load();
      this.changed();
    }

    /** The steps of the best line that the board draws: computed once and kept in the data. */
    prepare(data) {
      if (data.isPrepared) { return; }
      data.isPrepared = true;
      for (const record of data.nodes) {
        if (!record.line || !record.line.length) { continue; }
        const best = record.line[0];
        record.lines = [{ eval: record.eval, steps: record.line }];
        record.arrows = [...(record.arrows || []), { from: best.slice(0, 2), to: best.slice(2, 4), kind: "best" }];
      }
    }

    showHead() {
      const row = this.row, tags = this.player.tree.tags;
      const names = [row.white, row.black].map((name, side) => row.elo[side] ? `${name} (${row.elo[side]})` : name);
      const results = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };
      this.find(".white-name").textContent = names[0];
      this.find(".black-name").textContent = names[1];
      this.find(".score").textContent = results[row.result] || "–";
      this.player.sides.forEach(function (player, side) {
        player.name.textContent = names[side];
        player.note.textContent = row.accuracy[side] === null ? "" : percent(row.accuracy[side]);
      });
      const known = (value) => value && value !== "?" && value !== "-" ? value : "";
      this.find(".facts").textContent = [
        row.event, known(tags.Site), known(tags.Round) ? "round " + tags.Round : "", row.date, row.opening.filter(Boolean).join(" "),
      ].filter(Boolean).join(" · ");
    }

    showSummary() {
      const rows = [];
      this.row.numbers.forEach((phases, side) => {
        const name = side ? this.row.black : this.row.white;
        rows.push({ kind: "whole", cells: [name, ...cells(sum(phases), this.row.accuracy[side])] });
        phases.forEach((numbers, phase) => {
          if (numbers[0]) { rows.push({ kind: "part", cells: [this.phases[phase], ...cells(numbers)] }); }
        });
      });
      const body = this.find(".summary-body");
      body.replaceChildren();
      table(body, ["Player", ...HEAD], rows);
    }

    showDiagrams() {
      const judged = this.mainLine.filter((node) => node.data.judgement);
      const drop = (node) => Math.abs(node.data.chances - node.parent.data.chances);
      const worst = judged.slice().sort((a, b) => WORST.indexOf(a.data.judgement) - WORST.indexOf(b.data.judgement) ||
        drop(b) - drop(a)).slice(0, DIAGRAMS);
      this.find(".critical").hidden = !worst.length;
      this.find(".diagrams").replaceChildren(...judged.filter((node) => worst.includes(node)).map((node) => this.diagram(node)));
    }

    diagram(node) {
      const figure = make("figure"), tree = this.player.tree, before = node.parent;
      const button = make("button", "to-diagram", figure);
      const flipped = !tree.isWhiteToMove(before);
      button.type = "button";
      button.setAttribute("aria-label", "Show " + this.nameOf(node));
      button.dataset.node = node.id;
      button.append(HalbzugBoard.diagram(tree.squares(before), [node.step.from, node.step.to], flipped, this.arrows(node)));
      button.addEventListener("click", () => {
        this.player.show(node);
        this.find(".table").scrollIntoView({ block: "nearest" });
      });
      const caption = make("figcaption", "", figure);
      make("span", "number", caption, this.nameOf(node));
      make("span", "nag " + node.data.judgement, caption, SYMBOLS[node.data.judgement]);
      caption.append(` ${before.data.eval} → ${node.data.eval}`);
      make("p", "", caption, `${flipped ? "Black" : "White"} to move. ${node.data.verdict}`);
      return figure;
    }

    /** The move that was played and the better one. */
    arrows(node) {
      const line = node.parent.data.line, bad = { from: node.step.from, to: node.step.to, kind: "bad" };
      return line ? [bad, { from: line[0].slice(0, 2), to: line[0].slice(2, 4), kind: "best" }] : [bad];
    }

    nameOf(node) { return this.player.tree.number(node) + node.step.san; }

    /** The last move of the game itself on the path to the shown node. */
    lastOfGame() {
      let node = this.player.node;
      while (!this.ofGame.has(node)) { node = node.parent; }
      while (!this.player.tree.isMainLine(node)) { node = node.parent; }
      return node;
    }

    /** A line of the engine was clicked: its moves contain what the board needs for a FEN. */
    playLine(node, steps) {
      if (this.exercise.isOn) { this.exercise.end(); }
      const end = this.player.playLine(node, steps);
      const states = node.data.states || {};
      let at = end;
      for (let number = steps.length - 1; number >= 0; number -= 1, at = at.parent) {
        if (this.ofGame.has(at)) { continue; }
        at.data.state = states[number] || "";
        at.data.chances = node.data.chances;
        at.data.eval = node.data.eval;
      }
      this.player.refresh();
      this.changed();
      return end;
    }

    changed() {
      if (this.isLoading || !this.mainLine) { return; }
      const node = this.player.node, data = node.data, tree = this.player.tree;
      if (this.exercise.isOn && !this.exercise.isAt(node)) { this.exercise.end(); }
      const isOfGame = this.ofGame.has(node), isMain = isOfGame && tree.isMainLine(node);
      this.find(".evaluation").textContent = data.eval || "";
      this.find(".played").textContent = node.step
        ? this.nameOf(node) + (SYMBOLS[data.judgement] || "") : "Before the first move";
      this.find(".marks").textContent = isMain ? data.mark || "" : isOfGame ? "variation of the game" : "line of the engine";
      this.find(".verdict").textContent = data.verdict || "";
      this.find(".verdict").className = "verdict " + (data.judgement || "");
      this.find(".try").hidden = !data.exercise;
      this.find(".return").hidden = isMain;
      this.find(".better").hidden = !(data.judgement && node.parent.data.lines);
      if (data.judgement && node.parent.data.lines) {
        this.better.show(tree, node.parent, node.parent.data.lines, this.player.board.flipped);
      }
      this.find(".onward").hidden = !data.lines;
      this.find(".onward h2").textContent = data.judgement ? "The refutation" : "Best line";
      this.showClocks(node);
      this.graph.show(this.mainLine.indexOf(this.lastOfGame()));
      this.share();
      this.onNode(isOfGame ? node.id : this.lastOfGame().id);
    }

    showClocks(node) {
      for (const side of [0, 1]) {
        let at = node;
        while (at && !(at.step && at.ply % 2 === 1 - side && at.data.clock)) { at = at.parent; }
        this.player.sides[side].clock.textContent = at ? at.data.clock : "";
      }
    }

    share() {
      if (!this.find(".share").open) { return; }
      const tree = this.player.tree, fen = HalbzugExport.fenOf(tree, this.player.node);
      this.find(".fen").value = fen;
      this.find(".elsewhere").href = AT_LICHESS + (this.isChess960 ? "chess960/" : "standard/") +
        encodeURI(fen.replaceAll(" ", "_"));
      this.find(".pgn").value = HalbzugExport.pgnOf(tree);
      this.find(".copied").textContent = "";
    }

    toCritical() {
      const from = this.mainLine.indexOf(this.lastOfGame()), all = this.mainLine.length;
      for (let step = 1; step <= all; step += 1) {
        const node = this.mainLine[(from + step) % all];
        if (node.data.judgement) {
          this.player.show(node);
          return;
        }
      }
    }
  }

  return { Game, HEAD, SYMBOLS, cells, make, percent, sum, table };
})();
