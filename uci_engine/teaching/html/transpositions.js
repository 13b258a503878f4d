"use strict";
/*
 * The key of the node shown in a drawn tree, and the other nodes with the same position; the tree
 * itself belongs to tree.js, which reports each change by the event "tree-shown".
 *
 * data.orders[order].keys: [key, changes since its parent] of each node; a change is [kind, name,
 * square, whether it is new, number]. data.pairs: { name, fens, moves, keys, changes }.
 */
(function () {
  const { data, byId, text, pieces, make } = Theory;
  const MAX_NAMED = 6;
  const groups = {};

  function changeText(change) {
    const [kind, name, square, isNew] = change;
    if (kind === "piece") {
      return text(isNew ? "comes_square" : "leaves_square", { part: text("piece_" + name), square: square });
    }
    const part = kind === "castling" ? text(name) : name;
    return text(kind + (isNew ? "_new" : "_old"), { part: part });
  }

  function row(body, title, number, className) {
    const line = make("tr", body, undefined, className);
    make("th", line, title);
    make("td", line, number);
  }

  function board(fen) { return HalbzugBoard.diagram(HalbzugBoard.readPlacement(fen), []); }

  function showKey(detail) {
    const order = data.orders[detail.order], number = detail.node, record = order.nodes[number];
    const [key, changes] = order.keys[number], body = byId("key-table").tBodies[0];
    byId("key-title").textContent = text("key", { node: detail.nameOf(number) });
    byId("key-board").replaceChildren(board(record[4]));
    body.replaceChildren();
    if (record[0] >= 0) {
      row(body, text("key_before"), order.keys[record[0]][0], "total");
      changes.forEach(function (change) { row(body, changeText(change), "⊕ " + change[4]); });
    }
    row(body, text(record[0] >= 0 ? "key_after" : "key_root"), key, "total");
    showSame(detail, order);
  }

  /** The nodes with the same letter: the same position, or others that look the same. */
  function showSame(detail, order) {
    const place = byId("same"), mark = order.nodes[detail.node][5];
    place.replaceChildren();
    let alike = [];
    if (!mark) {
      make("p", place, text("once"));
    } else {
      groupsOf(detail.order).get(bare(mark[0])).forEach(function (numbers, letter) {
        const isSame = letter === mark[0];
        if (isSame) { alike = numbers; }
        make("p", place, text(isSame ? "same_position" : "looks_same", { letter: letter,
          nodes: names(numbers, detail), changes: isSame ? "" : difference(order, detail.node, numbers[0]) }));
      });
    }
    detail.markAlike(new Set(alike));
  }

  /** The nodes of each letter, by the letter without its primes. */
  function groupsOf(name) {
    if (!groups[name]) {
      const found = groups[name] = new Map();
      data.orders[name].nodes.forEach(function (record, number) {
        if (!record[5]) { return; }
        const letter = record[5][0], key = bare(letter);
        if (!found.has(key)) { found.set(key, new Map()); }
        if (!found.get(key).has(letter)) { found.get(key).set(letter, []); }
        found.get(key).get(letter).push(number);
      });
    }
    return groups[name];
  }

  function bare(letter) { return letter.replace(/′/g, ""); }

  function names(numbers, detail) {
    const words = numbers.slice(0, MAX_NAMED).map(detail.nameOf);
    if (numbers.length > MAX_NAMED) { words.push(text("and_more", { number: numbers.length - MAX_NAMED })); }
    return words.join("; ");
  }

  /** The differences between two positions with the same placement, according to their FENs. */
  function difference(order, one, other) {
    const fens = [one, other].map((number) => order.nodes[number][4].split(" "));
    const words = [];
    Array.from("KQkq").forEach(function (right) {
      if (fens[0][2].includes(right) !== fens[1][2].includes(right)) { words.push(text(right)); }
    });
    fens.forEach(function (fen) {
      if (fens[0][3] !== fens[1][3] && fen[3] !== "-") { words.push(text("en_passant_new", { part: fen[3][0] })); }
    });
    return words.join(", ");
  }

  function showPairs() {
    byId("pairs").replaceChildren(...data.pairs.map(function (pair) {
      const place = make("div"), boards = make("div", place, undefined, "boards");
      pair.fens.forEach(function (fen, number) {
        const side = make("div", boards);
        side.append(board(fen));
        make("p", side, pieces(pair.moves[number]), "line");
        make("code", side, pair.keys[number]);
      });
      make("p", place, text("pair_" + pair.name));
      const body = make("tbody", make("table", place));
      pair.changes.forEach(function (change) { row(body, changeText(change), "⊕ " + change[4]); });
      return place;
    }));
  }

  function showSaved(detail) {
    const order = data.orders[detail.order], runs = order.runs;
    let words = text("saved_text", { nodes: order.nodes.length, positions: order.positions,
      minimax: runs.minimax.nodes, minimax_table: runs["minimax-table"].nodes,
      alpha_beta: runs["alpha-beta"].nodes, alpha_beta_table: runs["alpha-beta-table"].nodes });
    if (order.lookalikes) { words += " " + text("lookalikes_text", { number: order.lookalikes }); }
    byId("saved").textContent = words;
  }

  Theory.onLanguage(showPairs);
  document.addEventListener("tree-shown", function (event) {
    showKey(event.detail);
    showSaved(event.detail);
  });
}());
