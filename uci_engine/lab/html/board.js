"use strict";
// Draws positions on a board of the page: pieces, the last move, a check, an arrow.
function boardDrawer(board) {
  const SVG = "http://www.w3.org/2000/svg";
  const PIECES = {
    p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king",
  };
  let flipped = false;

  function corner(square) {
    const file = square % 8, rank = square >> 3;
    return flipped ? [45 * (7 - file), 45 * rank] : [45 * file, 45 * (7 - rank)];
  }

  function name(square) {
    return "abcdefgh"[square % 8] + ((square >> 3) + 1);
  }

  function arrow(move) {
    const from = corner(move[0]).map(function (v) { return v + 22.5; });
    const to = corner(move[1]).map(function (v) { return v + 22.5; });
    const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy) || 1;
    const ux = dx / length, uy = dy / length;
    const tip = [to[0] - 5 * ux, to[1] - 5 * uy], neck = [to[0] - 24 * ux, to[1] - 24 * uy];
    const shaft = document.createElementNS(SVG, "line");
    shaft.setAttribute("x1", from[0]);
    shaft.setAttribute("y1", from[1]);
    shaft.setAttribute("x2", neck[0]);
    shaft.setAttribute("y2", neck[1]);
    shaft.setAttribute("class", "arrow best");
    const head = document.createElementNS(SVG, "polygon");
    head.setAttribute("points", [
      tip, [neck[0] - 11 * uy, neck[1] + 11 * ux], [neck[0] + 11 * uy, neck[1] - 11 * ux],
    ].join(" "));
    head.setAttribute("class", "arrow best");
    board.append(shaft, head);
  }

  // A position has the placement of a FEN, and may have a move, a check and a best move.
  return function draw(position, turned) {
    flipped = turned;
    board.querySelectorAll("use, .arrow").forEach(function (old) { old.remove(); });
    board.querySelectorAll(".square").forEach(function (square) {
      square.classList.remove("lastmove", "check");
    });
    board.querySelectorAll("rect.square").forEach(function (rect) {
      const key = Array.from(rect.classList).find(function (word) {
        return /^[a-h][1-8]$/.test(word);
      });
      const place = corner("abcdefgh".indexOf(key[0]) + 8 * (key[1] - 1));
      rect.setAttribute("x", place[0]);
      rect.setAttribute("y", place[1]);
      if (position.move && position.move.some(function (s) { return name(s) === key; })) {
        rect.classList.add("lastmove");
      }
      if (position.check !== null && name(position.check) === key) {
        rect.classList.add("check");
      }
    });
    board.querySelectorAll(".coordinate").forEach(function (label, i) {
      const index = i % 8;
      label.textContent = i < 8
        ? "abcdefgh"[flipped ? 7 - index : index] : String(flipped ? index + 1 : 8 - index);
    });
    let square = 56;
    for (const letter of position.board) {
      if (letter === "/") {
        square -= 16;
      } else if (letter >= "1" && letter <= "8") {
        square += Number(letter);
      } else {
        const low = letter.toLowerCase();
        const use = document.createElementNS(SVG, "use");
        use.setAttribute("href", "#" + (letter === low ? "black-" : "white-") + PIECES[low]);
        use.setAttribute("transform", "translate(" + corner(square).join(",") + ")");
        board.appendChild(use);
        square += 1;
      }
    }
    if (position.best) {
      arrow(position.best);
    }
  };
}
