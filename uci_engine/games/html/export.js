"use strict";
/* A position as FEN and a tree as PGN, assembled from what python-chess reported about each move. */
const HalbzugExport = (function () {
  const WIDTH = 80;

  /** The fields of a FEN after the side to move: castling, en passant, halfmove clock. */
  function stateOf(node, fen) {
    const way = [];
    for (let at = node; at.parent && !at.data.state; at = at.parent) { way.push(at); }
    const last = way.length ? way[way.length - 1].parent : node;
    const from = last.parent ? last.data.state.split(" ") : fen.split(" ").slice(2, 5);
    return way.length ? [from[0], "-", String(Number(from[2]) + way.length)] : from;
  }

  function fenOf(tree, node) {
    if (!node.parent) { return tree.fen; }
    return [
      HalbzugBoard.placementOf(tree.squares(node)), tree.isWhiteToMove(node) ? "w" : "b",
      ...stateOf(node, tree.fen), (node.ply >> 1) + 1,
    ].join(" ");
  }

  function clockText(text) {
    const parts = text.split(":");
    while (parts.length < 3) { parts.unshift("0"); }
    return parts.map((part, place) => place ? part.padStart(2, "0") : part).join(":");
  }

  function comment(words) {
    const text = words.filter(Boolean).join(" ").replaceAll("}", ")").trim();
    return text ? "{ " + text + " }" : "";
  }

  const TABLEBASE = { "TB win": "+200.00", "TB loss": "-200.00" };

  function commentBehind(data) {
    const score = TABLEBASE[data.eval] || data.eval;
    return comment([
      score && /^[-+#\d.]+$/.test(score) && !/^\d-\d$/.test(score)
        ? `[%eval ${score.replace("+", "")}]` : "",
      data.clock ? `[%clk ${clockText(data.clock)}]` : "",
      data.comment, data.verdict,
    ]);
  }

  /** The moves of a tree with variations, glyphs and comments, as a list of words. */
  function words(tree) {
    const found = [];
    if (tree.root.data.comment) { found.push(comment([tree.root.data.comment])); }
    const waiting = tree.root.children.slice(0, 1);
    let needsNumber = true;
    while (waiting.length) {
      const node = waiting.pop();
      if (typeof node === "string") {
        found.push(node);
        needsNumber = true;
        continue;
      }
      if (node.data.lead) { found.push(comment([node.data.lead])); needsNumber = true; }
      if (needsNumber || node.ply % 2) { found.push(tree.number(node)); }
      needsNumber = false;
      found.push(node.step.san, ...(node.data.nags || []).map((nag) => "$" + nag));
      const behind = commentBehind(node.data);
      if (behind) { found.push(behind); needsNumber = true; }
      if (node.children.length) { waiting.push(node.children[0]); }
      if (node.parent.children[0] === node) {
        for (const other of node.parent.children.slice(1).reverse()) { waiting.push(")", other, "("); }
      }
    }
    return found;
  }

  function pgnOf(tree) {
    const tags = Object.keys(tree.tags).map(function (name) {
      const value = tree.tags[name].replace(/[\\"]/g, "\\$&");
      return `[${name} "${value}"]`;
    });
    const lines = [];
    let line = "";
    for (const word of [...words(tree), tree.tags.Result || "*"].join(" ").split(/\s+/)) {
      if (line && line.length + 1 + word.length > WIDTH) {
        lines.push(line);
        line = word;
      } else {
        line = line ? line + " " + word : word;
      }
    }
    return [...tags, "", ...lines, line, ""].join("\n");
  }

  return { fenOf, pgnOf };
})();
