"use strict";
/*
 * Figures of a drawn tree beside the triangles of MAX and MIN: c is CHANCE; 1, 2, 3 are three players;
 * s is the single player of a puzzle, q a board with queens, whose name has the row of the queen in
 * each column, or a dot. Their values are below them, because fractions and three numbers are wide.
 */
const TreeFigures = (function () {
  const draw = Theory.draw;
  const KINDS = { c: "chance", "1": "first", "2": "second", "3": "third", q: "queens", s: "solo" };

  function has(node) { return node.player in KINDS; }

  /** Whether the name of a node is written beside it. */
  function isNamed(node) {
    return node.name && node.player && node.player !== "q" && !/\//.test(node.name) &&
      (node.parent < 0 || !/\|/.test(node.name));
  }

  /** Whether a move is written near its end: with many children there is space only there. */
  function isNear(node, parent) { return node.note !== "" || has(parent) || parent.children.length > 5; }

  function drawMove(node, x, y, layer) {
    const group = draw("g", { "class": "move" }, layer);
    draw("text", { "class": "move", x: x, y: y - 4 }, group, node.move);
    if (node.note) { draw("text", { "class": "move", x: x, y: y + 9 }, group, node.note); }
    return group;
  }

  function drawFigure(node, x, y, half, group) {
    const kind = "figure " + (KINDS[node.player] ||
      { x: "max", n: "min" }[node.player] || "leaf");
    if (node.player === "x" || node.player === "n") {
      const tip = node.player === "x" ? -half - 3 : half + 3;
      const base = node.player === "x" ? half : -half;
      draw("polygon", { "class": kind, points: [x, y + tip, x + half + 5, y + base, x - half - 5,
        y + base].join(" ") }, group);
    } else if (node.player === "c") {
      draw("circle", { "class": kind, cx: x, cy: y, r: half }, group);
    } else {
      draw("rect", { "class": kind, x: x - half, y: y - half, width: 2 * half, height: 2 * half },
        group);
    }
    if (node.player === "q") { drawBoard(node.name, x - half, y - half, 2 * half, group); }
    if (/^[123]$/.test(node.player)) {
      draw("text", { "class": "inside", x: x, y: y + 5 }, group, node.player);
    }
  }

  function drawBoard(rows, left, top, size, group) {
    const cell = size / rows.length;
    let path = "";
    for (let at = 1; at < rows.length; at += 1) {
      path += "M" + (left + at * cell) + " " + top + "v" + size + "M" + left + " " +
        (top + at * cell) + "h" + size;
    }
    draw("path", { "class": "grid", "stroke-width": 0.5, d: path }, group);
    Array.from(rows).forEach(function (row, column) {
      if (row === ".") { return; }
      draw("circle", { "class": "queen", cx: left + (column + 0.5) * cell,
        cy: top + (rows.length - Number(row) - 0.5) * cell, r: 0.36 * cell }, group);
    });
  }

  return { has: has, isNamed: isNamed, isNear: isNear, drawMove: drawMove, draw: drawFigure };
}());
