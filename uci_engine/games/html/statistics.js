"use strict";
/* Accuracy and mistakes in many games, of one player or of all: by colour, phase, opening and kind. */
class HalbzugStatistics {
  constructor(host, index) {
    this.host = host;
    this.phases = index.phases;
    this.kinds = index.kinds;
  }

  /** `sideOf(game)` is 0 or 1 for the side that counts, -1 for both. */
  show(games, player, sideOf) {
    this.host.replaceChildren();
    if (!games.length) { return; }
    const parts = [];
    for (const game of games) {
      const side = sideOf(game);
      for (const one of side < 0 || game.white === game.black ? [0, 1] : [side]) { parts.push({ game, side: one }); }
    }
    this.whole(parts, player);
    this.byPhase(parts);
    this.byOpening(parts, player);
    this.byKind(parts);
    this.worst(parts, player);
  }

  numbers(parts, phase) {
    const { sum } = HalbzugGame;
    return sum(parts.map(({ game, side }) => phase === undefined ? sum(game.numbers[side]) : game.numbers[side][phase]));
  }

  /** The mean of the accuracies of whole games, the figure that players know. */
  accuracy(parts) {
    const known = parts.map(({ game, side }) => game.accuracy[side]).filter((value) => value !== null);
    return known.length ? known.reduce((a, b) => a + b) / known.length : null;
  }

  points(parts) {
    const own = parts.map(({ game, side }) => ({ "1-0": [1, 0], "0-1": [0, 1], "1/2-1/2": [0.5, 0.5] }[game.result] || [])[side])
      .filter((value) => value !== undefined);
    return own.length ? `${own.reduce((a, b) => a + b)} of ${own.length}` : "–";
  }

  row(name, parts, player, phase) {
    const { cells } = HalbzugGame;
    const numbers = this.numbers(parts, phase);
    const shown = cells(numbers, phase === undefined ? this.accuracy(parts) : undefined);
    const hundred = (value) => numbers[0] ? (100 * value / numbers[0]).toFixed(1) : "–";
    const head = phase === undefined ? [new Set(parts.map((part) => part.game)).size, ...(player ? [this.points(parts)] : [])] : [numbers[0]];
    return { cells: [name, ...head, shown[0], shown[1], ...numbers.slice(3).map(hundred)] };
  }

  head(first, player, second) {
    return [first, ...(second ? [second] : ["Games", ...(player ? ["Points"] : [])]), ...HalbzugGame.HEAD];
  }

  section(title, head, rows, note) {
    const { make, table } = HalbzugGame;
    make("h2", "", this.host, title);
    if (note) { make("p", "note", this.host, note); }
    return table(this.host, head, rows);
  }

  whole(parts, player) {
    const sides = [0, 1].map((side) => parts.filter((part) => part.side === side));
    const rows = [["White", sides[0]], ["Black", sides[1]], ["both", parts]].filter(([, some]) => some.length);
    this.section(player ? `${player} by colour` : "All players by colour", this.head("Colour", player),
      rows.map(([name, some]) => this.row(name, some, player)),
      "The average loss is in centipawns a move; inaccuracies, mistakes and blunders are counts per hundred moves.");
  }

  byPhase(parts) {
    this.section("By phase", this.head("Phase", "", "Moves"), this.phases.map((name, phase) => this.row(name, parts, "", phase)));
  }

  byOpening(parts, player) {
    const groups = new Map();
    for (const part of parts) {
      const [eco, name] = part.game.opening, key = name.split(/[:,]/)[0] || eco || "unknown";
      if (!groups.has(key)) { groups.set(key, []); }
      groups.get(key).push(part);
    }
    const all = [...groups.entries()].sort((a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0]));
    const most = all.slice(0, HalbzugStatistics.OPENINGS), rest = all.slice(HalbzugStatistics.OPENINGS);
    if (rest.length) { most.push([rest.length === 1 ? "1 other" : `${rest.length} others`, rest.flatMap(([, some]) => some)]); }
    this.section("By opening", this.head("Opening", player), most.map(([name, some]) => this.row(name, some, player)));
  }

  mistakes(parts) {
    return parts.flatMap(({ game, side }) => game.mistakes.filter((one) => one[1] === side)
      .map(([ply, , loss, ...kinds]) => ({ game, ply, loss, kinds })));
  }

  byKind(parts) {
    const all = this.mistakes(parts);
    const rows = this.kinds.map((name, kind) => [name, all.filter((one) => one.kinds.includes(kind))])
      .filter(([, some]) => some.length).sort((a, b) => b[1].length - a[1].length)
      .map(([name, some]) => ({ cells: [name, some.length, this.links(some)] }));
    if (rows.length) { this.section("Typical mistakes", ["A mistake or blunder that", "Count", "Worst"], rows); }
  }

  worst(parts) {
    const rows = this.mistakes(parts).sort((a, b) => b.loss - a.loss).slice(0, HalbzugStatistics.WORST)
      .map((one) => ({ cells: [`${one.game.white} – ${one.game.black}`, `${one.loss} %`, this.links([one])] }));
    if (rows.length) { this.section("The most expensive moves", ["Game", "Chances lost", "Move"], rows); }
  }

  links(mistakes) {
    const place = document.createDocumentFragment();
    mistakes.sort((a, b) => b.loss - a.loss).slice(0, 3).forEach(({ game, ply }) => {
      const link = HalbzugGame.make("a", "", place, `${game.number}/${Math.ceil(ply / 2)}`);
      link.href = `#game-${game.number}/${ply}`;
      link.title = `${game.white} – ${game.black}, move ${Math.ceil(ply / 2)}`;
      place.append(" ");
    });
    return place;
  }
}

HalbzugStatistics.OPENINGS = 12;
HalbzugStatistics.WORST = 8;
