"use strict";
/* The index of many games: filters, order, and rows that are added on demand. */
class HalbzugIndex {
  constructor(section, index) {
    this.section = section;
    this.find = (selector) => section.querySelector(selector);
    this.games = index.games;
    this.shown = 0;
    this.games.forEach(function (game, place) {
      game.number = place + 1;
      game.text = [game.white, game.black, game.event, game.date, ...game.opening].join(" ").toLowerCase();
    });
    this.statistics = new HalbzugStatistics(this.find(".statistics-body"), index);
    this.fillPlayers();
    const orders = this.find(".sort");
    Object.keys(HalbzugIndex.ORDERS).forEach((name) => orders.append(new Option(name, name)));
    for (const name of ["filter-text", "filter-player", "filter-color", "filter-result", "sort"]) {
      for (const event of ["input", "change"]) { this.find("." + name).addEventListener(event, () => this.filter()); }
    }
    this.find(".more").addEventListener("click", () => this.addRows());
    this.find(".statistics").addEventListener("toggle", () => this.showStatistics());
    this.filter();
  }

  /** Those with the most games first. */
  fillPlayers() {
    const counts = new Map();
    for (const game of this.games) {
      for (const name of [game.white, game.black]) { counts.set(name, (counts.get(name) || 0) + 1); }
    }
    const names = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a.localeCompare(b));
    const select = this.find(".filter-player");
    for (const name of names) { select.append(new Option(`${name} (${counts.get(name)})`, name)); }
  }

  get player() { return this.find(".filter-player").value; }

  /** The side of the chosen player in a game: 0 is White, 1 Black, -1 neither or no player chosen. */
  sideOf(game) { return this.player ? [game.white, game.black].indexOf(this.player) : -1; }

  filter() {
    const words = this.find(".filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const result = this.find(".filter-result").value, color = this.find(".filter-color");
    color.disabled = !this.player;
    const side = color.disabled || color.value === "" ? -1 : Number(color.value);
    this.found = this.games.filter((game) =>
      words.every((word) => game.text.includes(word)) &&
      (!result || game.result === result) &&
      (!this.player || (side < 0 ? this.sideOf(game) >= 0 : [game.white, game.black][side] === this.player)));
    this.found.sort(HalbzugIndex.ORDERS[this.find(".sort").value || "as in the file"](this));
    this.find(".count").textContent = this.found.length === this.games.length
      ? `${this.games.length.toLocaleString("en")} games`
      : `${this.found.length.toLocaleString("en")} of ${this.games.length.toLocaleString("en")} games`;
    this.shown = 0;
    this.find(".rows").replaceChildren();
    this.addRows();
    this.showStatistics();
  }

  addRows() {
    const next = this.found.slice(this.shown, this.shown + HalbzugIndex.STEP);
    this.shown += next.length;
    this.find(".rows").append(...next.map((game) => this.row(game)));
    const left = this.found.length - this.shown;
    this.find(".more").hidden = !left;
    this.find(".more").textContent = `Show ${Math.min(left, HalbzugIndex.STEP)} more of ${left}`;
  }

  row(game) {
    const { make, SYMBOLS } = HalbzugGame;
    const row = make("li", "row"), link = make("a", "", row);
    link.href = "#game-" + game.number;
    make("span", "number", link, game.number + ".");
    const players = make("span", "players", link);
    [game.white, game.black].forEach(function (name, side) {
      const line = make("span", "one-player", players), scores = ["½", "½"];
      if (game.result === "1-0") { scores.splice(0, 2, "1", "0"); }
      if (game.result === "0-1") { scores.splice(0, 2, "0", "1"); }
      make("span", "hz-disc is-" + (side ? "black" : "white"), line);
      const who = make("span", "hz-name", line, name);
      if (game.elo[side]) { make("span", "elo", who, ` (${game.elo[side]})`); }
      make("span", "points", line, game.result === "*" ? "–" : scores[side]);
      const accuracy = make("span", "accuracy", line, HalbzugGame.percent(game.accuracy[side]));
      accuracy.title = "accuracy";
      const judged = HalbzugGame.sum(game.numbers[side]).slice(3), marks = make("span", "judged", line);
      ["inaccuracy", "mistake", "blunder"].forEach(function (name, place) {
        const mark = make("span", "nag " + name, marks, judged[place] ? `${judged[place]}${SYMBOLS[name]}` : "");
        mark.title = ["inaccuracies", "mistakes", "blunders"][place];
      });
    });
    const facts = make("span", "row-facts", link);
    make("span", "row-opening", facts, game.opening.filter(Boolean).join(" "));
    make("span", "", facts, [game.date, game.event, game.plies < 3 ? "1 move" : `${Math.ceil(game.plies / 2)} moves`].filter(Boolean).join(" · "));
    return row;
  }

  showStatistics() {
    if (this.find(".statistics").open) { this.statistics.show(this.found, this.player, (game) => this.sideOf(game)); }
  }

  /** The game before or after another one in the chosen order. */
  neighbour(number, by) {
    const at = this.found.findIndex((game) => game.number === number);
    return at < 0 ? this.games[number - 1 + by] : this.found[at + by];
  }
}

HalbzugIndex.STEP = 100;

/** The accuracy of the chosen player, or of both players. */
HalbzugIndex.accuracy = function (index, game) {
  const side = index.sideOf(game);
  const known = game.accuracy.filter((value, place) => value !== null && (side < 0 || side === place));
  return known.length ? known.reduce((a, b) => a + b) / known.length : -1;
};

HalbzugIndex.ORDERS = {
  "as in the file": () => (a, b) => a.number - b.number,
  "newest first": () => (a, b) => b.date.localeCompare(a.date) || a.number - b.number,
  "oldest first": () => (a, b) => a.date.localeCompare(b.date) || a.number - b.number,
  "lowest accuracy first": (index) => (a, b) => HalbzugIndex.accuracy(index, a) - HalbzugIndex.accuracy(index, b),
  "highest accuracy first": (index) => (a, b) => HalbzugIndex.accuracy(index, b) - HalbzugIndex.accuracy(index, a),
  "White's name": () => (a, b) => a.white.localeCompare(b.white) || a.number - b.number,
  "Black's name": () => (a, b) => a.black.localeCompare(b.black) || a.number - b.number,
  "opening": () => (a, b) => a.opening.join(" ").localeCompare(b.opening.join(" ")) || a.number - b.number,
  "result": () => (a, b) => a.result.localeCompare(b.result) || a.number - b.number,
  "longest first": () => (a, b) => b.plies - a.plies,
  "shortest first": () => (a, b) => a.plies - b.plies,
};
