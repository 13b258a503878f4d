"use strict";
/* Mistakes of a game as exercises: the page contains the legal moves and the solutions. */
class HalbzugExercise {
  constructor(game) {
    this.game = game;
    this.isOn = false;
    this.results = new Map(); // "game/node" to "solved" or "shown"
    const act = (name, run) => game.find("." + name).addEventListener("click", run);
    act("hint", () => this.hint());
    act("solution", () => this.solve("shown"));
    act("another", () => this.next());
    act("leave", () => this.leave());
  }

  load() {
    this.all = this.game.mainLine.filter((node) => node.data.exercise);
    this.game.find(".exercises").hidden = !this.all.length;
    this.list();
  }

  key(node) { return this.game.number + "/" + node.id; }

  list() {
    const { make, SYMBOLS } = HalbzugGame;
    this.game.find(".exercise-list").replaceChildren(...this.all.map((node) => {
      const button = make("button", "exercise-item " + (this.results.get(this.key(node)) || ""));
      button.type = "button";
      button.dataset.node = node.id;
      const side = this.game.player.tree.isWhiteToMove(node.parent) ? "White" : "Black";
      const said = { solved: "✓ solved", shown: "solution seen" }[this.results.get(this.key(node))] || "";
      button.textContent = `${this.game.player.tree.number(node)} ${side} to move`;
      if (said) { make("span", "result", button, said); }
      button.addEventListener("click", () => {
        this.begin(node);
        this.game.find(".table").scrollIntoView({ block: "nearest" });
      });
      return button;
    }));
  }

  isAt(node) { return node === this.before || node === this.answer; }

  begin(node) {
    const player = this.game.player;
    this.end();
    this.node = node;
    this.before = node.parent;
    this.answer = null;
    this.hints = 0;
    this.tried = new Set();
    this.isOn = true;
    this.wasFlipped = player.board.flipped;
    player.flip(!player.tree.isWhiteToMove(this.before));
    player.show(this.before, true);
    player.setLegal(node.data.exercise.legal);
    player.setArrows([]);
    this.game.article.classList.add("is-exercise");
    this.game.find(".exercise").hidden = false;
    this.game.find(".now").hidden = true;
    const side = player.tree.isWhiteToMove(this.before) ? "White" : "Black";
    this.game.find(".task").textContent = `Find the better move for ${side}`;
    this.buttons(false);
    this.say(`${this.game.nameOf(node)} was played in the game. Make a better move on the board.`);
  }

  say(text, kind) {
    const place = this.game.find(".answer");
    place.textContent = text;
    place.className = "answer " + (kind || "");
  }

  buttons(isDone) {
    this.game.find(".hint").hidden = isDone;
    this.game.find(".solution").hidden = isDone;
    this.game.find(".another").hidden = !isDone || !this.following();
  }

  attempt(step) {
    if (!this.isOn || this.answer) { return; }
    const name = this.game.player.tree.number({ ply: this.before.ply + 1 }) + step.san;
    if (step.uci in this.node.data.exercise.good) {
      this.finish("solved", step, this.tried.size ? `${name} is right, on attempt ${this.tried.size + 1}.` : `${name} is right.`);
      return;
    }
    this.tried.add(step.uci);
    this.game.player.setLegal(this.node.data.exercise.legal);
    this.say(step.uci === this.node.step.uci
      ? `${name} is the mistake that was played. Try another move.`
      : `${name} is not the move that the engine would choose. Try another one.`, "wrong");
  }

  hint() {
    const best = this.bestStep();
    this.hints += 1;
    if (this.hints === 1) {
      const letter = this.game.player.tree.squares(this.before)[best.from];
      const names = { p: "a pawn", n: "a knight", b: "a bishop", r: "a rook", q: "the queen", k: "the king" };
      this.say(`Move ${names[letter.toLowerCase()]}.`);
    } else {
      const from = HalbzugBoard.nameOf(best.from);
      this.game.player.setArrows([{ from, to: from, kind: "best" }]);
      this.say(`Move the piece on ${from}.`);
    }
  }

  bestStep() { return HalbzugBoard.readStep(this.before.data.line[0]); }

  solve(result) {
    const best = this.bestStep();
    this.finish(result, best, `The better move was ${this.game.player.tree.number({ ply: this.before.ply + 1 })}${best.san}.`);
  }

  finish(result, step, text) {
    const player = this.game.player, data = this.before.data;
    player.setLegal([]);
    delete data.legal;
    if (this.results.get(this.key(this.node)) !== "solved") { this.results.set(this.key(this.node), result); }
    // The answer is known before it is shown, so that showing it does not end the exercise.
    this.answer = player.follow(this.before, step);
    if (!this.game.ofGame.has(this.answer)) {
      this.answer.data.state = this.node.data.exercise.good[step.uci] || "";
    }
    if (!this.game.ofGame.has(this.answer) && step.uci === this.bestStep().uci) {
      Object.assign(this.answer.data, {
        eval: data.eval, chances: data.chances,
        lines: data.line.length > 1 ? [{ eval: data.eval, steps: data.line.slice(1) }] : undefined,
        line: data.line.slice(1), states: shiftedStates(data.states),
      });
    }
    player.playLine(this.before, [step]);
    if (player.moveList) {
      player.moveList.render(player.tree);
      player.moveList.select(player.node, true);
    }
    this.game.article.classList.remove("is-exercise");
    const side = player.tree.isWhiteToMove(this.before) ? "White" : "Black";
    const game = `In the game, ${side} played ${this.game.nameOf(this.node)}. ${this.node.data.verdict || ""}`;
    this.say(`${text} ${game}`, result === "solved" ? "right" : "");
    this.buttons(true);
    this.list();
  }

  following() {
    const at = this.all.indexOf(this.node);
    const order = [...this.all.slice(at + 1), ...this.all.slice(0, at)];
    return order.find((node) => !this.results.has(this.key(node)));
  }

  next() { this.begin(this.following()); }

  /** Back to the mistake in the game. */
  leave() {
    const node = this.node;
    this.end();
    this.game.player.show(node);
  }

  /** Restore everything except the position that is shown. */
  end() {
    if (!this.isOn) { return; }
    this.isOn = false;
    delete this.before.data.legal;
    this.game.player.flip(this.wasFlipped);
    this.game.player.refresh();
    this.game.article.classList.remove("is-exercise");
    this.game.find(".exercise").hidden = true;
    this.game.find(".now").hidden = false;
  }
}

/** The states of a line without its first move. */
function shiftedStates(states) {
  const shifted = {};
  for (const key of Object.keys(states || {})) {
    if (Number(key) > 0) { shifted[Number(key) - 1] = states[key]; }
  }
  return shifted;
}
