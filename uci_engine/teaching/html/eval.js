"use strict";
/*
 * The evaluation as a heat map. `halbzug.explain.eval_page` has computed every number; this script
 * only adds them up by squares.
 *
 * data.positions: one or two, each { fen, turn, check, phase, scale, rounding, value,
 * terms: [key, group, white, black, mg, eg, worth], shares: [term, square (-1: none), white, black,
 * worth], network: { pieces: [square, figure, own part, whole worth], position, neurons, endgame,
 * value } }. data.titles[language][key] is a term in words.
 */
(function () {
  const { data, byId, text, decimal, make, draw } = Theory;
  const positions = data.positions, isTwo = positions.length > 1;
  const state = { shown: isTwo ? "difference" : "first", layer: "positional", square: -1,
    unfolded: new Set() };
  /** The layers of the network, and where a piece has its number. */
  const NETWORK = { network_own: 2, network_whole: 3 };

  function number(value, digits) {
    const rounded = Math.abs(value) < 0.05 ? 0 : value;
    const words = Math.abs(rounded).toFixed(digits === undefined ? 1 : digits);
    return (rounded > 0 ? "+" : rounded < 0 ? "−" : "") + decimal(words);
  }

  function title(key) { return data.titles[Theory.language()][key]; }

  // -- sums -------------------------------------------------------------------------------------

  function isIn(group, layer) {
    return layer === "all" || layer === group || (layer === "positional" && group !== "Material");
  }

  /** The values of a position's squares in a layer, and the value that belongs to no square. */
  function sums(position, layer) {
    const squares = new Array(64).fill(0), network = position.network;
    let nowhere = 0;
    if (layer in NETWORK) {
      network.pieces.forEach(function (piece) { squares[piece[0]] = piece[NETWORK[layer]]; });
      return { squares: squares, nowhere: network.neurons + network.endgame };
    }
    position.shares.forEach(function (share) {
      if (!isIn(position.terms[share[0]][1], layer)) { return; }
      if (share[1] < 0) { nowhere += share[4]; } else { squares[share[1]] += share[4]; }
    });
    return { squares: squares, nowhere: nowhere };
  }

  function shownSums(layer) {
    const found = positions.map(function (position) { return sums(position, layer); });
    if (state.shown === "first") { return found[0]; }
    if (state.shown === "second") { return found[1]; }
    return { squares: found[1].squares.map((one, square) => one - found[0].squares[square]),
      nowhere: found[1].nowhere - found[0].nowhere };
  }

  /** A number of the shown position, or the difference between both positions. */
  function ofShown(read) {
    const all = positions.map(read);
    return state.shown === "difference" ? all[1] - all[0] : all[state.shown === "second" ? 1 : 0];
  }

  function total(list) { return list.reduce((sum, one) => sum + one, 0); }

  // -- the board --------------------------------------------------------------------------------

  function place(square) { return [45 * (square % 8), 45 * (7 - (square >> 3))]; }

  function drawBoard() {
    const shown = positions[state.shown === "first" ? 0 : positions.length - 1];
    const found = shownSums(state.layer);
    const most = Math.max(1, ...found.squares.map(Math.abs));
    const svg = HalbzugBoard.diagram(HalbzugBoard.readPlacement(shown.fen), []);
    const heat = draw("g", {}, svg);
    svg.append(...svg.querySelectorAll("use"));  // above the colours
    found.squares.forEach(function (value, square) {
      const [x, y] = place(square);
      if (Math.abs(value) >= 0.05) {
        draw("rect", { "class": "heat " + (value > 0 ? "white" : "black"), x: x, y: y, width: 45,
          height: 45, "fill-opacity": (0.12 + 0.78 * Math.abs(value) / most).toFixed(3) }, heat);
        draw("text", { "class": "number", x: x + 43.5, y: y + 11 }, svg, number(value, 0));
      }
      if (square % 8 === 0) { draw("text", { "class": "name", x: x + 2, y: y + 43 }, svg, (square >> 3) + 1); }
      if (square < 8) { draw("text", { "class": "name", x: x + 38, y: y + 43 }, svg, "abcdefgh"[square]); }
    });
    if (state.square >= 0) {
      const [x, y] = place(state.square);
      draw("rect", { "class": "chosen", x: x + 1.5, y: y + 1.5, width: 42, height: 42 }, svg);
    }
    byId("board").replaceChildren(svg);
    byId("board").setAttribute("aria-label", text("board", { layer: text(state.layer) }));
    sayHere(found);
    saySums(found);
  }

  function saySums(found) {
    if (state.layer in NETWORK) { sayNetwork(); return; }
    const squares = total(found.squares);
    byId("sum").textContent = text("layer_sum", { layer: text(state.layer),
      squares: number(squares), nowhere: number(found.nowhere),
      total: number(squares + found.nowhere) });
    const all = shownSums("all"), rounding = ofShown((one) => one.rounding);
    byId("whole").textContent = [text("in_squares") + " " + number(total(all.squares)),
      text("nowhere") + " " + number(all.nowhere), text("rounding") + " " + number(rounding, 2)]
      .join(" · ") + " = " + text("evaluation") + ": " + number(ofShown((one) => one.value), 0);
  }

  function sayNetwork() {
    byId("sum").textContent = text(state.layer + "_note");
    byId("whole").textContent = ["position", "neurons", "endgame"].map((name) => text("network_" + name)
      + " " + number(ofShown((one) => one.network[name]))).join(" · ")
      + " = " + text("network_value") + ": " + number(ofShown((one) => one.network.value), 0);
  }

  /** The terms of the chosen square. */
  function sayHere(found) {
    const body = byId("terms-here").tBodies[0], rows = [];
    if (state.square < 0) {
      byId("at").textContent = text("pick");
      byId("at").className = "hint";
    } else {
      const value = found.squares[state.square], name = HalbzugBoard.nameOf(state.square);
      byId("at").className = "";
      byId("at").textContent = Math.abs(value) < 0.05 ? text("nothing", { square: name })
        : text("at_square", { square: name, value: number(value) });
      for (const [key, worths] of hereByTerm()) {
        const row = make("tr");
        make("th", row, title(key));
        worths.forEach(function (worth) { make("td", row, number(worth)); });
        rows.push(row);
      }
    }
    body.replaceChildren(...rows);
  }

  function hereByTerm() {
    const found = new Map(), which = chosenPositions();
    if (state.layer in NETWORK) { return found; }
    which.forEach(function (position, column) {
      position.shares.forEach(function (share) {
        const term = position.terms[share[0]];
        if (share[1] !== state.square || !isIn(term[1], state.layer) || !share[4]) { return; }
        if (!found.has(term[0])) { found.set(term[0], new Array(which.length).fill(0)); }
        found.get(term[0])[column] += share[4];
      });
    });
    return found;
  }

  function chosenPositions() {
    return state.shown === "difference" ? positions : [positions[state.shown === "second" ? 1 : 0]];
  }

  // -- the table --------------------------------------------------------------------------------

  function showTable() {
    const head = make("tr"), which = chosenPositions(), isBoth = which.length > 1;
    const isNetwork = state.layer in NETWORK;
    const one = isNetwork ? ["own_part", "whole_worth"] : ["white", "black", "mg", "eg", "worth"];
    const columns = isBoth ? ["worth_first", "worth_second", "change"] : one;
    [isNetwork ? "piece" : "term", ...columns].forEach(function (name) { make("th", head, text(name)); });
    byId("terms").tHead.replaceChildren(head);
    byId("terms").classList.toggle("both", isBoth);
    byId("unfold").hidden = byId("fold").hidden = isNetwork;
    if (isNetwork) { showPieces(which, isBoth); return; }
    const rows = [];
    data.groups.forEach(function (group) {
      const terms = termsOf(group, which);
      if (!terms.length) { return; }
      rows.push(groupRow(group, terms, isBoth));
      if (state.unfolded.has(group)) {
        terms.forEach(function (term) { rows.push(termRow(term, isBoth)); });
      }
    });
    byId("terms").tBodies[0].replaceChildren(...rows);
    showTotal(which, isBoth);
  }

  /** The pieces with their numbers for the network: both, or one for each of two positions. */
  function showPieces(which, isBoth) {
    const rows = new Map(), at = NETWORK[state.layer];
    which.forEach(function (position, column) {
      position.network.pieces.forEach(function (piece) {
        const name = piece[1] + " " + HalbzugBoard.nameOf(piece[0]);
        if (!rows.has(name)) { rows.set(name, isBoth ? [0, 0] : piece.slice(2)); }
        if (isBoth) { rows.get(name)[column] = piece[at]; }
      });
    });
    function rowOf(name, worths) {
      const row = make("tr");
      make("th", row, name);
      cells(row, worths, isBoth);
      if (!isBoth && worths.length < 2) { make("td", row); }
      return row;
    }
    byId("terms").tBodies[0].replaceChildren(...Array.from(rows, (row) => rowOf(...row)));
    byId("terms").tFoot.replaceChildren(...["position", "neurons", "endgame", "value"].map((name) =>
      rowOf(text("network_" + name), which.map((position) => position.network[name]))));
    byId("remarks").replaceChildren(make("p", null, text("network_note")));
  }

  /** The terms of a group that are not zero: { key, worths, record }. */
  function termsOf(group, which) {
    const found = new Map();
    which.forEach(function (position, column) {
      position.terms.forEach(function (term) {
        if (term[1] !== group || !term[6]) { return; }
        if (!found.has(term[0])) {
          found.set(term[0], { key: term[0], worths: new Array(which.length).fill(0), record: term });
        }
        found.get(term[0]).worths[column] += term[6];
      });
    });
    return Array.from(found.values());
  }

  function groupRow(group, terms, isBoth) {
    const row = make("tr", null, undefined, "group" + (state.layer === group ? " now" : ""));
    const cell = make("th", row), isOpen = state.unfolded.has(group);
    const fold = make("button", cell, isOpen ? "▾" : "▸", "fold");
    fold.type = "button";
    fold.dataset.group = group;
    fold.setAttribute("aria-expanded", isOpen);
    fold.setAttribute("aria-label", text("fold", { group: text(group) }));
    const choose = make("button", cell, text(group), "choose");
    choose.type = "button";
    choose.dataset.layer = group;
    const worths = terms[0].worths.map((_, column) => total(terms.map((term) => term.worths[column])));
    if (!isBoth) { for (let i = 0; i < 4; i += 1) { make("td", row); } }
    cells(row, worths, isBoth);
    return row;
  }

  function termRow(term, isBoth) {
    const row = make("tr", null, undefined, "term");
    make("th", row, title(term.key));
    if (!isBoth) {
      make("td", row, term.record[2]);
      make("td", row, term.record[3]);
      make("td", row, number(term.record[4], 0));
      make("td", row, number(term.record[5], 0));
    }
    cells(row, term.worths, isBoth);
    return row;
  }

  function cells(row, worths, isBoth) {
    worths.forEach(function (worth) { make("td", row, worth === null ? "" : number(worth)); });
    if (isBoth) { make("td", row, number(worths[1] - worths[0])); }
  }

  function showTotal(which, isBoth) {
    const rows = [["rounding", which.map((one) => one.rounding)],
      ["evaluation", which.map((one) => one.value)]].map(function ([name, worths]) {
      const row = make("tr");
      make("th", row, text(name));
      if (!isBoth) { for (let i = 0; i < 4; i += 1) { make("td", row); } }
      cells(row, worths, isBoth);
      return row;
    });
    byId("terms").tFoot.replaceChildren(...rows);
    const remarks = [];
    which.forEach(function (position) {
      remarks.push(text("phase", { phase: position.phase, rest: 24 - position.phase }));
      if (position.scale !== 64) { remarks.push(text("scale", { scale: position.scale })); }
      if (position.check) { remarks.push(text("in_check")); }
    });
    remarks.push(text("cancels"));
    byId("remarks").replaceChildren(...Array.from(new Set(remarks), (words) => make("p", null, words)));
  }

  // -- the page ---------------------------------------------------------------------------------

  function show() {
    drawBoard();
    showTable();
  }

  function chooseLayer(layer) {
    state.layer = byId("layer").value = layer;
    show();
  }

  Theory.onLanguage(function () {
    document.title = text(isTwo ? "title_two" : "title");
    document.querySelector("h1").textContent = document.title;
    byId("fens").replaceChildren(...positions.map(function (position, number) {
      const name = isTwo ? text(number ? "second" : "first") + ": " : "";
      return make("p", null, name + position.fen + " (" + text("to_move_" + position.turn) + ")", "fen");
    }));
    byId("shown-label").hidden = !isTwo;
    Theory.options("shown", isTwo ? ["difference", "first", "second"] : ["first"]);
    Theory.options("layer", ["positional", "all", ...data.groups.filter((group) => group !== "Tempo"),
      ...Object.keys(NETWORK)]);
    byId("shown").value = state.shown;
    byId("layer").value = state.layer;
    show();
  });
  byId("shown").addEventListener("change", function () { state.shown = this.value; show(); });
  byId("layer").addEventListener("change", function () { chooseLayer(this.value); });
  byId("terms").addEventListener("click", function (event) {
    const button = event.target.closest("button");
    if (!button) { return; }
    if (button.dataset.layer) { chooseLayer(button.dataset.layer); return; }
    const group = button.dataset.group;
    if (!state.unfolded.delete(group)) { state.unfolded.add(group); }
    showTable();
    byId("terms").querySelector("[data-group='" + group + "']").focus();
  });
  byId("unfold").addEventListener("click", function () {
    data.groups.forEach(function (group) { state.unfolded.add(group); });
    showTable();
  });
  byId("fold").addEventListener("click", function () { state.unfolded.clear(); showTable(); });
  byId("board").addEventListener("click", function (event) {
    const box = this.getBoundingClientRect();
    const file = Math.floor(8 * (event.clientX - box.left) / box.width);
    const rank = 7 - Math.floor(8 * (event.clientY - box.top) / box.height);
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      state.square = 8 * rank + file;
      drawBoard();
    }
  });
  byId("board").addEventListener("keydown", function (event) {
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) { return; }
    event.preventDefault();
    const at = state.square < 0 ? 0 : state.square, file = at % 8 + by[0], rank = (at >> 3) + by[1];
    if (state.square < 0) { state.square = 0; }
    else if (file >= 0 && file < 8 && rank >= 0 && rank < 8) { state.square = 8 * rank + file; }
    drawBoard();
  });
}());
