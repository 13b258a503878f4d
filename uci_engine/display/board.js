"use strict";
/*
 * The board of Halbzug's pages: the same in a report without a server and live beside an engine.
 *
 * This file knows no rules of chess. A position is a FEN, each move lists what it changes on the
 * board, and moves can be made only where the legal ones are listed. The data comes from
 * python-chess through halbzug.display.board_tree, which describes its form; text in it is shown as
 * text.
 *
 * The page must contain the drawings of halbzug.display.pieces and the style sheet board.css.
 *
 *   const player = new HalbzugBoard.Player({ board: element, moves: element, lines: element }, {
 *     tree: data,                // as made by halbzug.display.board_tree.tree_data()
 *     at: 3,                     // the id of the node to show first; default: the root
 *     flipped: false,            // whether Black is at the bottom
 *     sides: true,               // a line for each player, see `player.sides`; default: none
 *     onSelect: (node, quietly) => {}, // another node is shown; quietly: by load(), not by the user
 *     onMove: (node, step) => {},// a legal move was made on the board; default: player.play(step)
 *     onLine: (node, steps) => {}, // a line was clicked; default: player.playLine(node, steps)
 *     onDraw: (node, arrows) => {}, // an arrow was drawn or removed; default: they go with the position
 *     remarks: (node) => [...],  // more paragraphs below a move: [{ text, kind }]
 *   });
 *
 * `moves` and `lines` may be omitted. The arrow keys step, also into variations (up, down); Home and
 * End go to the ends, f turns the board, and the mouse wheel steps when it is over the board. Use:
 *
 *   player.node                  // the shown node: { id, parent, children, step, ply, data }
 *   player.show(node or id)      player.step(+1 or -1)      player.toStart()  player.toEnd()
 *   player.flip()                player.load(data, at)      player.update(record)
 *   player.playLine(node, steps) // adds what is missing, locally, and shows its end
 *   player.setLegal([steps])     // allows them to be played from the shown node
 *   player.setArrows([{ from: "e2", to: "e4", kind: "best" }])   // also bad, next, threat, or a colour
 *   player.sides[0].name, .clock, .note                          // White's line; [1]: Black's
 *   player.board, .gauge, .tree, .moveList, .lineList            // the parts, see their classes
 *
 * A node's `data` is its record in the tree, which may hold anything else that a page wants to know
 * about the node. A step is text: the move in UCI notation, its name and, if more than one moving
 * piece changes, the squares that change: "e1g1 O-O e1.h1.g1Kf1R".
 */
const HalbzugBoard = (function () {
  const SVG = "http://www.w3.org/2000/svg";
  const FILES = "abcdefgh";
  const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞",
    14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 32: "⟳", 33: "⟳",
    36: "→", 37: "→", 40: "↑", 41: "↑", 132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕", 140: "∆", 146: "N" };
  const KINDS = { 1: "good", 3: "good", 2: "mistake", 4: "blunder", 5: "good", 6: "inaccuracy" };

  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  // -- small helpers ----------------------------------------------------------------------------

  function make(name, className, parent, text) {
    const element = document.createElement(name);
    if (className) { element.className = className; }
    if (text !== undefined) { element.textContent = text; }
    if (parent) { parent.append(element); }
    return element;
  }

  function draw(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const key of Object.keys(attributes)) { element.setAttribute(key, attributes[key]); }
    if (parent) { parent.append(element); }
    return element;
  }

  /** Replace an element's children by others, except for equal ones at the beginning and the end. */
  function replaceChanged(parent, children) {
    const before = Array.from(parent.children);
    const most = Math.min(before.length, children.length);
    let head = 0, tail = 0;
    while (head < most && before[head].isEqualNode(children[head])) { head += 1; }
    while (tail < most - head && before.at(-1 - tail).isEqualNode(children.at(-1 - tail))) { tail += 1; }
    const next = tail ? before[before.length - tail] : null;
    before.slice(head, before.length - tail).forEach((child) => child.remove());
    children.slice(head, children.length - tail).forEach((child) => parent.insertBefore(child, next));
  }

  function indexOf(name) { return FILES.indexOf(name[0]) + 8 * (name.charCodeAt(1) - 49); }
  function nameOf(index) { return FILES[index % 8] + ((index >> 3) + 1); }
  function isWhite(letter) { return letter === letter.toUpperCase(); }

  function pieceName(letter) {
    return (isWhite(letter) ? "white " : "black ") + PIECES[letter.toLowerCase()];
  }

  function pieceSvg(letter) {
    const drawing = draw("svg", { "class": "hz-piece", viewBox: "0 0 45 45", "aria-hidden": "true" });
    draw("use", { href: "#" + pieceName(letter).replace(" ", "-") }, drawing);
    return drawing;
  }

  /** The 64 squares of a FEN, from a1 to h8: a letter as in FEN, or "". */
  function readPlacement(fen) {
    const squares = new Array(64).fill("");
    fen.split(" ")[0].split("/").forEach(function (rank, row) {
      let file = 0;
      for (const sign of rank) {
        if (sign >= "1" && sign <= "8") {
          file += Number(sign);
        } else if (PIECES[sign.toLowerCase()]) {
          squares[8 * (7 - row) + file] = sign;
          file += 1;
        }
      }
    });
    return squares;
  }

  /** The first field of a FEN for 64 squares. */
  function placementOf(squares) {
    const ranks = [];
    for (let row = 7; row >= 0; row -= 1) {
      let text = "", gap = 0;
      for (let file = 0; file < 8; file += 1) {
        const letter = squares[8 * row + file];
        if (letter && gap) { text += gap; gap = 0; }
        if (letter) { text += letter; } else { gap += 1; }
      }
      ranks.push(text + (gap || ""));
    }
    return ranks.join("/");
  }

  function readStep(text) {
    const [uci, san, put, also] = text.split(" ");
    const isMove = uci !== "0000";
    return {
      text: text, uci: uci, san: san, put: put === "-" ? "" : put || "", also: also || "",
      from: isMove ? indexOf(uci) : -1,
      to: isMove ? indexOf(uci.slice(2)) : -1,
      promotion: uci[4] || "",
    };
  }

  /** The squares after a step. */
  function after(squares, step) {
    const next = squares.slice();
    if (step.put) {
      for (let place = 0; place < step.put.length; place += 3) {
        const letter = step.put[place + 2];
        next[indexOf(step.put.slice(place, place + 2))] = letter === "." ? "" : letter;
      }
    } else if (step.from >= 0) {
      next[step.to] = next[step.from];
      next[step.from] = "";
    }
    return next;
  }

  /** A move as it is spoken: "knight takes f3, check". */
  function spoken(san) {
    if (san === "--") { return "a pass"; }
    let text = san;
    if (text.startsWith("O-O-O")) {
      text = text.replace("O-O-O", "castles queenside");
    } else if (text.startsWith("O-O")) {
      text = text.replace("O-O", "castles kingside");
    } else {
      text = text.replace(/^[KQRBN]/, (letter) => PIECES[letter.toLowerCase()] + " ")
        .replace(/=([QRBN])/, (_, letter) => ", becomes a " + PIECES[letter.toLowerCase()])
        .replace("x", " takes ");
    }
    return text.replace("#", ", mate").replace("+", ", check").replace(/ +/g, " ").trim();
  }

  /** An arrow or a circle, in units of a square; `place` gives a square's offset from the upper left. */
  function drawArrow(parent, arrow, place) {
    const from = typeof arrow.from === "string" ? indexOf(arrow.from) : arrow.from;
    const to = typeof arrow.to === "string" ? indexOf(arrow.to) : arrow.to;
    const middle = (square) => [place(square) % 8 + 0.5, (place(square) >> 3) + 0.5];
    const group = draw("g", { "class": "hz-arrow " + (arrow.kind || "best") }, parent);
    const [x, y] = middle(from), [u, v] = middle(to);
    if (from === to) {
      draw("circle", { cx: x, cy: y, r: 0.44 }, group);
      return;
    }
    const length = Math.hypot(u - x, v - y), dx = (u - x) / length, dy = (v - y) / length;
    const width = arrow.width || 0.16, head = 0.42;
    const [hx, hy] = [u - dx * (head - 0.1), v - dy * (head - 0.1)];
    draw("line", { x1: x + dx * 0.3, y1: y + dy * 0.3, x2: hx, y2: hy, "stroke-width": width }, group);
    const tip = [u + dx * 0.1, v + dy * 0.1], side = 0.1 + width;
    draw("polygon", { points: `${tip} ${[hx - dy * side, hy + dx * side]} ${[hx + dy * side, hy - dx * side]}` }, group);
  }

  // -- the tree ---------------------------------------------------------------------------------

  /** The moves with their variations. The first child of a node continues its line. */
  class Tree {
    constructor(data) {
      this.fen = data.fen;
      this.tags = data.tags || {};
      const fields = data.fen.split(" ");
      const ply = fields[1] === "b" ? 1 : 0;
      this.firstPly = 2 * (Math.max(Number(fields[5]) || 1, 1) - 1) + ply;
      this.nodes = new Map();
      this.lastId = -1;
      this.root = null;
      data.nodes.forEach((record) => this.add(record));
    }

    /** Add a node; without `parent` it follows the previous one. */
    add(record) {
      const id = record.id === undefined ? this.lastId + 1 : record.id;
      const parent = this.root
        ? this.nodes.get(record.parent === undefined ? this.lastId : record.parent) : null;
      const node = {
        id: id, parent: parent, children: [], data: record,
        step: parent ? readStep(record.step) : null,
        ply: parent ? parent.ply + 1 : this.firstPly,
        squares: parent ? null : readPlacement(this.fen),
        chosen: null,
      };
      if (parent) { parent.children.push(node); } else { this.root = node; }
      this.nodes.set(id, node);
      this.lastId = id;
      return node;
    }

    get(id) { return this.nodes.get(id); }

    squares(node) {
      const way = [];
      for (let at = node; !at.squares; at = at.parent) { way.push(at); }
      while (way.length) {
        const at = way.pop();
        at.squares = after(at.parent.squares, at.step);
      }
      return node.squares;
    }

    isWhiteToMove(node) { return node.ply % 2 === 0; }

    /** "12." or "12..." before the move that leads to a node. */
    number(node) { return ((node.ply + 1) >> 1) + (node.ply % 2 ? "." : "..."); }

    /** The square of the king in check, according to the move's name; -1 if there is none. */
    checked(node) {
      const check = node.step ? /[+#]$/.test(node.step.san) : node.data.check;
      if (!check) { return -1; }
      return this.squares(node).indexOf(this.isWhiteToMove(node) ? "K" : "k");
    }

    /** The child that was shown last, or the first one. */
    next(node) { return node.chosen || node.children[0] || null; }

    /** Make `next` follow the path to a node. */
    choose(node) {
      for (let at = node; at.parent; at = at.parent) { at.parent.chosen = at; }
    }

    isMainLine(node) {
      for (let at = node; at.parent; at = at.parent) {
        if (at.parent.children[0] !== at) { return false; }
      }
      return true;
    }

    /** The end of the line that continues from a node. */
    end(node) {
      let at = node;
      while (this.next(at)) { at = this.next(at); }
      return at;
    }
  }

  // -- the board --------------------------------------------------------------------------------

  /**
   * A board. `onMove(step)` is called with a legal move. In editing mode, `board.edit(true)`, pieces
   * may go anywhere and `onEdit(squares)` is called; `board.brush` is the letter of a piece to put
   * down, "." to remove pieces, or "" to move them.
   */
  class Board {
    constructor(host, options) {
      this.options = options || {};
      this.squares = new Array(64).fill("");
      this.legal = [];
      this.flipped = false;
      this.editing = false;
      this.brush = "";
      this.selected = -1;
      this.focused = 4;
      this.last = [];
      this.check = -1;
      this.arrows = [];
      this.own = [];
      this.sketch = null;
      this.drag = null;
      this.element = make("div", "hz-board-box", host);
      this.grid = make("div", "hz-board", this.element);
      this.grid.setAttribute("role", "grid");
      this.grid.setAttribute("aria-label", this.options.label || "Chessboard");
      this.cells = [];
      for (let row = 0; row < 8; row += 1) {
        const line = make("div", "hz-rank", this.grid);
        line.setAttribute("role", "row");
        for (let file = 0; file < 8; file += 1) {
          const cell = make("div", "hz-square " + ((row + file) % 2 ? "dark" : "light"), line);
          cell.setAttribute("role", "gridcell");
          cell.tabIndex = -1;
          this.cells.push(cell);
        }
      }
      this.overlay = draw("svg", { "class": "hz-arrows", viewBox: "0 0 8 8", "aria-hidden": "true" },
        this.element);
      this.live = make("div", "hz-unseen", this.element);
      this.live.setAttribute("aria-live", "polite");
      this.live.setAttribute("role", "status");
      this.listen();
      this.name();
    }

    // The square that a cell shows, and the reverse: both have the same formula.
    turned(index) { return this.flipped ? (index ^ 7) : (index ^ 56); }
    cellOf(square) { return this.cells[this.turned(square)]; }

    name() {
      this.cells.forEach((cell, place) => {
        const square = this.turned(place);
        cell.dataset.square = nameOf(square);
        if (place % 8 === 7) { cell.dataset.rank = (square >> 3) + 1; }
        if (place >= 56) { cell.dataset.file = FILES[square % 8]; }
      });
      this.squares.forEach((letter, square) => this.fill(square, letter));
      this.mark();
      this.drawArrows();
    }

    fill(square, letter) {
      const cell = this.cellOf(square);
      cell.dataset.piece = letter;
      const old = cell.querySelector(".hz-piece");
      if (old) { old.remove(); }
      if (letter) { cell.append(pieceSvg(letter)); }
    }

    /** Show a position: { squares, last: [from, to], check: square, slide: step }. */
    show(position) {
      this.stopDrag();
      const before = this.squares;
      this.squares = position.squares.slice();
      this.squares.forEach((letter, square) => {
        if (letter !== before[square]) { this.fill(square, letter); }
      });
      this.last = position.last || [];
      this.check = position.check === undefined ? -1 : position.check;
      this.selected = -1;
      this.mark();
      if (position.slide) { this.slide(position.slide[0], position.slide[1]); }
    }

    slide(from, to) {
      const piece = this.cellOf(to).querySelector(".hz-piece");
      if (!piece || still.matches || document.hidden) { return; }
      const a = this.cellOf(from).getBoundingClientRect(), b = this.cellOf(to).getBoundingClientRect();
      piece.animate([
        { transform: `translate(${a.left - b.left}px, ${a.top - b.top}px)` }, { transform: "none" },
      ], { duration: 130, easing: "ease-out" });
    }

    setLegal(steps) {
      this.legal = steps.map((step) => typeof step === "string" ? readStep(step) : step);
      this.element.classList.toggle("is-playable", this.legal.length > 0 || this.editing);
      this.selected = -1;
      this.mark();
    }

    edit(on) {
      this.editing = on;
      this.brush = "";
      this.element.classList.toggle("is-playable", this.legal.length > 0 || on);
      this.element.classList.toggle("is-edited", on);
      this.selected = -1;
      this.mark();
    }

    flip(on) {
      this.stopDrag();
      this.flipped = on === undefined ? !this.flipped : on;
      this.cells.forEach((cell) => {
        delete cell.dataset.rank;
        delete cell.dataset.file;
      });
      this.name();
    }

    /** The legal moves from a square, or from one to another. */
    movesFrom(from, to) {
      return this.legal.filter((step) => step.from === from && (to === undefined || step.to === to ||
        step.also && indexOf(step.also) === to));
    }

    mark() {
      const targets = new Map();
      if (this.selected >= 0 && !this.editing) {
        for (const step of this.movesFrom(this.selected)) {
          targets.set(step.to, true);
        }
      }
      this.cells.forEach((cell, place) => {
        const square = this.turned(place), letter = this.squares[square];
        cell.classList.toggle("last", this.last.includes(square));
        cell.classList.toggle("check", square === this.check);
        cell.classList.toggle("selected", square === this.selected);
        cell.classList.toggle("target", targets.has(square) && !letter);
        cell.classList.toggle("capture", targets.has(square) && Boolean(letter));
        cell.classList.toggle("movable", this.editing ? Boolean(letter) : this.movesFrom(square).length > 0);
        cell.setAttribute("aria-selected", String(square === this.selected));
        cell.tabIndex = square === this.focused ? 0 : -1;
        let label = nameOf(square) + (letter ? ", " + pieceName(letter) : ", empty");
        if (square === this.check) { label += ", in check"; }
        if (targets.has(square)) { label += letter ? ", can be taken" : ", can be reached"; }
        cell.setAttribute("aria-label", label);
      });
    }

    say(text) { this.live.textContent = text; }

    // -- arrows

    setArrows(arrows) {
      this.arrows = arrows;
      this.drawArrows();
    }

    drawArrows() {
      this.overlay.replaceChildren();
      const all = this.arrows.concat(this.own, this.sketch || []);
      all.forEach((arrow) => drawArrow(this.overlay, arrow, (square) => this.turned(square)));
    }

    /** The arrows and circles that the user draws with the right mouse button. */
    setOwn(arrows) {
      this.own = arrows;
      this.drawArrows();
    }

    /** Draw one, or remove it if it already exists in this colour. */
    drawOwn(from, to, kind) {
      const [tail, head] = [nameOf(from), nameOf(to)];
      const same = this.own.find((arrow) => arrow.from === tail && arrow.to === head);
      const others = this.own.filter((arrow) => arrow !== same);
      this.setOwn(same && same.kind === kind ? others : [...others, { from: tail, to: head, kind: kind }]);
      if (this.options.onDraw) { this.options.onDraw(this.own); }
    }

    // -- the pointer

    listen() {
      this.grid.addEventListener("pointerdown", (event) => this.press(event));
      this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
      this.grid.addEventListener("keydown", (event) => this.key(event));
      this.grid.addEventListener("focusin", (event) => {
        if (event.target.dataset.square) {
          this.focused = indexOf(event.target.dataset.square);
          this.cells.forEach((cell) => { cell.tabIndex = cell === event.target ? 0 : -1; });
        }
      });
      this.moved = (event) => this.dragTo(event);
      this.released = (event) => this.drop(event);
      this.cancelled = () => this.stopDrag();
    }

    squareAt(event) {
      const box = this.grid.getBoundingClientRect();
      const file = Math.floor(8 * (event.clientX - box.left) / box.width);
      const row = Math.floor(8 * (event.clientY - box.top) / box.height);
      return file < 0 || file > 7 || row < 0 || row > 7 ? -1 : this.turned(8 * row + file);
    }

    press(event) {
      const square = this.squareAt(event);
      if (square < 0 || this.drag) { return; }
      if (event.button === 2) {
        if (!this.editing) { this.startDrag(event, square, true); }
        return;
      }
      if (event.button !== 0) { return; }
      if (document.activeElement && document.activeElement !== document.body) {
        document.activeElement.blur();
      }
      if (!this.options.onDraw && this.own.length) { this.setOwn([]); }
      if (this.editing) {
        event.preventDefault();
        if (this.brush) {
          this.put(square, this.brush === "." || this.brush === this.squares[square] ? "" : this.brush);
        } else if (this.squares[square]) {
          this.startDrag(event, square, false);
        }
        return;
      }
      if (!this.legal.length) { return; }
      event.preventDefault();
      if (this.selected >= 0 && this.selected !== square && this.tryMove(this.selected, square)) { return; }
      if (this.movesFrom(square).length) {
        const wasSelected = this.selected === square;
        this.selected = square;
        this.mark();
        this.startDrag(event, square, false);
        this.drag.wasSelected = wasSelected;
      } else {
        this.selected = -1;
        this.mark();
      }
    }

    startDrag(event, square, isOwn) {
      const isRed = event.shiftKey || event.ctrlKey;
      const color = event.altKey ? (isRed ? "yellow" : "blue") : isRed ? "red" : "green";
      this.drag = { square, isOwn, color, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
      window.addEventListener("pointermove", this.moved);
      window.addEventListener("pointerup", this.released);
      window.addEventListener("pointercancel", this.cancelled);
    }

    /** Allow a piece in a box beside the board to be dragged onto it in editing mode. */
    dragNew(event, letter) {
      this.stopDrag();
      this.startDrag(event, -1, false);
      this.drag.letter = letter;
    }

    dragTo(event) {
      const drag = this.drag;
      if (!drag || event.pointerId !== drag.id) { return; }
      if (drag.isOwn) {
        const to = this.squareAt(event);
        this.sketch = to < 0 ? null : { from: drag.square, to: to, kind: drag.color };
        this.drawArrows();
        return;
      }
      if (!drag.ghost) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) { return; }
        drag.ghost = make("div", "hz-ghost", document.body);
        drag.ghost.append(pieceSvg(drag.letter || this.squares[drag.square]));
        const size = this.cells[0].getBoundingClientRect().width;
        drag.ghost.style.width = drag.ghost.style.height = size + "px";
        if (drag.square >= 0) { this.cellOf(drag.square).classList.add("lifted"); }
      }
      drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      const over = this.squareAt(event);
      this.cells.forEach((cell, place) => cell.classList.toggle("over", this.turned(place) === over));
    }

    drop(event) {
      const drag = this.drag;
      if (!drag || event.pointerId !== drag.id) { return; }
      const square = this.squareAt(event), moved = Boolean(drag.ghost);
      this.stopDrag();
      if (drag.isOwn) {
        if (square >= 0) { this.drawOwn(drag.square, square, drag.color); }
      } else if (this.editing) {
        if (moved && drag.square !== square) {
          const letter = drag.letter || this.squares[drag.square];
          if (drag.square >= 0) { this.squares[drag.square] = ""; this.fill(drag.square, ""); }
          if (square >= 0) { this.put(square, letter); } else if (drag.square >= 0) { this.edited(); }
        }
      } else if (moved && square >= 0 && square !== drag.square) {
        if (!this.tryMove(drag.square, square, true)) {
          this.selected = -1;
          this.mark();
        }
      } else if (!moved && drag.wasSelected) {
        this.selected = -1;
        this.mark();
      }
    }

    stopDrag() {
      const drag = this.drag;
      this.drag = null;
      window.removeEventListener("pointermove", this.moved);
      window.removeEventListener("pointerup", this.released);
      window.removeEventListener("pointercancel", this.cancelled);
      if (this.sketch) {
        this.sketch = null;
        this.drawArrows();
      }
      if (drag && drag.ghost) {
        drag.ghost.remove();
        this.cells.forEach((cell) => cell.classList.remove("lifted", "over"));
      }
    }

    put(square, letter) {
      this.squares[square] = letter;
      this.fill(square, letter);
      this.edited();
    }

    edited() {
      this.mark();
      if (this.options.onEdit) { this.options.onEdit(this.squares.slice()); }
    }

    /** Make a move from one square to another, if it is legal; asks for the piece of a promotion. */
    tryMove(from, to, wasDragged) {
      const found = this.movesFrom(from, to);
      const step = found.find((one) => one.to === to) || found[0];
      if (!step) { return false; }
      this.selected = -1;
      this.mark();
      if (found.length > 1 && step.promotion) {
        this.askPromotion(found.filter((one) => one.promotion), to);
      } else {
        this.make(step, wasDragged);
      }
      return true;
    }

    make(step, wasDragged) {
      if (this.options.onMove) { this.options.onMove(step, Boolean(wasDragged)); }
    }

    askPromotion(steps, to) {
      const white = to >= 56;
      const box = make("div", "hz-promotion", this.element);
      box.setAttribute("role", "dialog");
      box.setAttribute("aria-label", "Promote to");
      const place = this.turned(to);
      box.style.left = `${12.5 * (place % 8)}%`;
      if (place < 32) { box.style.top = "0"; } else { box.style.bottom = "0"; }
      const before = document.activeElement;
      const close = () => {
        box.remove();
        document.removeEventListener("pointerdown", outside, true);
        if (before && before.isConnected && before.dataset.square) { before.focus(); }
      };
      const outside = (event) => { if (!box.contains(event.target)) { close(); } };
      const order = place < 32 ? "qnrb" : "brnq";
      for (const letter of order) {
        const step = steps.find((one) => one.promotion === letter);
        if (!step) { continue; }
        const button = make("button", "", box);
        button.type = "button";
        button.dataset.piece = letter;
        button.setAttribute("aria-label", PIECES[letter]);
        button.append(pieceSvg(white ? letter.toUpperCase() : letter));
        button.addEventListener("click", () => { close(); this.make(step); });
      }
      box.addEventListener("keydown", (event) => {
        const buttons = Array.from(box.children), at = buttons.indexOf(document.activeElement);
        if (event.key === "Escape") { close(); }
        if (event.key === "ArrowDown") { buttons[(at + 1) % buttons.length].focus(); }
        if (event.key === "ArrowUp") { buttons[(at + buttons.length - 1) % buttons.length].focus(); }
        if (["Escape", "ArrowDown", "ArrowUp"].includes(event.key)) { event.preventDefault(); }
        event.stopPropagation();
      });
      document.addEventListener("pointerdown", outside, true);
      box.querySelector("[data-piece=q]").focus({ preventScroll: true });
    }

    // -- the keyboard: arrow keys move from square to square while a square has the focus

    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || !event.target.dataset.square) { return; }
      const square = indexOf(event.target.dataset.square), place = this.turned(square);
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
      const step = steps[event.key];
      if (step) {
        const sideways = Math.abs(step) === 1;
        const next = place + step;
        if (next >= 0 && next < 64 && !(sideways && next >> 3 !== place >> 3)) { this.cells[next].focus(); }
      } else if (event.key === "Home" || event.key === "End") {
        this.cells[(place & 56) + (event.key === "Home" ? 0 : 7)].focus();
      } else if (event.key === "Enter" || event.key === " ") {
        this.choose(square);
      } else if (event.key === "Escape") {
        if (this.selected >= 0) {
          this.selected = -1;
          this.mark();
          this.say("nothing selected");
        } else {
          event.target.blur();
        }
      } else if (this.editing && PIECES[event.key.toLowerCase()]) {
        this.put(square, event.key);
        this.say(pieceName(event.key) + " on " + nameOf(square));
      } else if (this.editing && ["Delete", "Backspace"].includes(event.key)) {
        this.put(square, "");
        this.say(nameOf(square) + " empty");
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    }

    choose(square) {
      if (this.editing) {
        if (this.brush) { this.put(square, this.brush === "." ? "" : this.brush); }
        return;
      }
      if (this.selected >= 0 && this.selected !== square && this.tryMove(this.selected, square)) { return; }
      const moves = this.movesFrom(square);
      if (this.selected === square || !moves.length) {
        if (this.selected === square) {
          this.say("nothing selected");
        } else if (this.legal.length) {
          this.say(this.squares[square] ? "no legal move from " + nameOf(square) : nameOf(square) + " is empty");
        }
        this.selected = -1;
      } else {
        this.selected = square;
        const targets = Array.from(new Set(moves.map((step) => nameOf(step.to))));
        this.say(`${pieceName(this.squares[square])} on ${nameOf(square)} selected; to ${targets.join(", ")}`);
      }
      this.mark();
    }
  }

  // -- a small diagram --------------------------------------------------------------------------

  /** A picture of a position that cannot be used to move; `arrows` as for a board. */
  function diagram(squares, last, flipped, arrows) {
    const drawing = draw("svg", { "class": "hz-diagram", viewBox: "0 0 360 360", "aria-hidden": "true" });
    squares.forEach(function (letter, square) {
      const place = flipped ? square ^ 7 : square ^ 56;
      const x = 45 * (place % 8), y = 45 * (place >> 3);
      const shade = (place % 8 + (place >> 3)) % 2 ? "dark" : "light";
      const lit = last && last.includes(square) ? " last" : "";
      draw("rect", { x, y, width: 45, height: 45, "class": "hz-field " + shade + lit }, drawing);
      if (letter) {
        draw("use", { href: "#" + pieceName(letter).replace(" ", "-"), x, y }, drawing);
      }
    });
    const group = draw("g", { transform: "scale(45)" }, drawing);
    (arrows || []).forEach((arrow) => drawArrow(group, arrow, (square) => flipped ? square ^ 7 : square ^ 56));
    return drawing;
  }

  // -- the evaluation bar -----------------------------------------------------------------------

  /** White's winning chances, in per cent, and the evaluation as text. */
  class Gauge {
    constructor(host) {
      this.element = make("div", "hz-gauge", host);
      this.element.setAttribute("role", "img");
      this.fill = make("div", "hz-gauge-fill", this.element);
      this.text = make("div", "hz-gauge-text", this.element);
      this.show(null, "");
    }

    show(chances, text) {
      const value = chances === null || chances === undefined ? 50 : Math.max(0, Math.min(100, chances));
      this.element.classList.toggle("is-unknown", chances === null || chances === undefined);
      this.element.setAttribute("aria-label", "Evaluation: " + (text || "unknown"));
      this.fill.style.height = value + "%";
      this.text.textContent = this.short(text || "");
      this.text.classList.toggle("is-low", value >= 50);
    }

    /** An evaluation shortened to fit the bar, which itself shows whose advantage it is. */
    short(text) {
      return text.replace(/^[+−-]?(\d+\.\d+)$/, (_, pawns) => Number(pawns).toFixed(pawns < 9.95 ? 1 : 0))
        .replace(/^#-/, "#").replace(/^TB .*/, "TB");
    }

    flip(on) { this.element.classList.toggle("is-flipped", on); }
  }

  // -- the list of moves ------------------------------------------------------------------------

  const DEEPEST = 5;

  /** The moves of a tree, with variations, signs, comments and clock times. */
  class MoveList {
    constructor(host, options) {
      this.options = options || {};
      this.element = make("div", "hz-moves", host);
      this.element.setAttribute("role", "group");
      this.element.setAttribute("aria-label", "Moves");
      this.buttons = new Map();
      this.current = null;
      this.element.addEventListener("click", (event) => {
        const button = event.target.closest("[data-node]");
        if (button && this.options.onSelect) { this.options.onSelect(Number(button.dataset.node)); }
      });
    }

    /** Show the moves of a tree. Rows that stay as they were keep their elements: layout is slow. */
    render(tree) {
      this.tree = tree;
      this.deselect();
      const shown = this.element;
      this.element = make("div");
      this.waiting = [];
      const root = tree.root;
      const last = Array.from(tree.nodes.values()).reduce((most, node) => Math.max(most, node.ply), 0);
      shown.style.setProperty("--hz-digits", String((last + 1) >> 1).length);
      if (root.data.comment) { this.paragraph(this.element, root.data.comment, "comment"); }
      this.mainLine(root);
      while (this.waiting.length) {
        const [place, node, depth] = this.waiting.shift();
        this.variation(place, node, depth);
      }
      const result = tree.tags.Result;
      if (result && result !== "*" && root.children.length) {
        make("p", "hz-result", this.element, result.replaceAll("-", "–").replaceAll("1/2", "½"));
      }
      if (!root.children.length && !root.data.comment) {
        make("p", "hz-empty", this.element, this.options.empty || "No moves yet");
      }
      replaceChanged(shown, Array.from(this.element.children));
      this.element = shown;
      this.buttons = new Map();
      for (const button of shown.querySelectorAll("[data-node]")) {
        this.buttons.set(Number(button.dataset.node), button);
      }
    }

    mainLine(root) {
      let row = null;
      for (let parent = root; parent.children.length; parent = parent.children[0]) {
        const node = parent.children[0];
        if (node.data.lead) {
          this.paragraph(this.element, node.data.lead, "comment");
          row = null;
        }
        if (!row || node.ply % 2) {
          row = make("div", "hz-pair", this.element);
          make("span", "hz-number", row, ((node.ply + 1) >> 1) + ".");
          if (node.ply % 2 === 0) { make("span", "hz-gap", row, "…"); }
        }
        row.append(this.button(node, true));
        const remarks = this.remarks(node);
        const others = parent.children.slice(1);
        if (remarks.length || others.length) {
          if (node.ply % 2 && (node.children.length || others.length)) { make("span", "hz-gap", row, "…"); }
          remarks.forEach((one) => this.paragraph(this.element, one.text, one.kind));
          others.forEach((other) => {
            this.waiting.push([make("div", "hz-variation", this.element), other, 1]);
          });
          row = null;
        }
      }
    }

    variation(place, first, depth) {
      let end = place;
      let needsNumber = true;
      for (let node = first, isFirst = true; node; node = node.children[0], isFirst = false) {
        if (node.data.lead) { make("span", "hz-comment", place, node.data.lead); needsNumber = true; }
        if (needsNumber || node.ply % 2) {
          make("span", "hz-number", place, this.tree.number(node).replace("...", "…"));
        }
        needsNumber = false;
        place.append(this.button(node, false));
        for (const one of this.remarks(node)) {
          make("span", "hz-" + one.kind, place, one.text);
          needsNumber = true;
        }
        if (!isFirst) {
          for (const other of node.parent.children.slice(1)) {
            const inner = make("div", "hz-variation");
            if (depth < DEEPEST) { place.append(inner); } else { end.after(inner); end = inner; }
            this.waiting.push([inner, other, depth + 1]);
            needsNumber = true;
          }
        }
      }
    }

    remarks(node) {
      const found = this.options.remarks ? this.options.remarks(node) : [];
      if (node.data.verdict) { found.push({ text: node.data.verdict, kind: "verdict " + (node.data.judgement || "") }); }
      if (node.data.comment) { found.push({ text: node.data.comment, kind: "comment" }); }
      return found;
    }

    button(node, isMain) {
      const button = make("button", "hz-move");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.node = node.id;
      make("span", "hz-san", button, node.step.san);
      const nags = node.data.nags || [];
      nags.forEach((nag) => {
        make("span", "hz-nag " + (KINDS[nag] || ""), button, NAGS[nag] || "$" + nag);
      });
      if (isMain && node.data.clock) { make("span", "hz-clock", button, node.data.clock); }
      if (isMain && node.data.eval) { make("span", "hz-value", button, node.data.eval); }
      return button;
    }

    paragraph(parent, text, kind) {
      make("p", "hz-" + kind, parent, text);
    }

    deselect() {
      if (this.current) { this.current.removeAttribute("aria-current"); }
      this.current = null;
      this.buttons.forEach((button) => { if (button.tabIndex === 0) { button.tabIndex = -1; } });
    }

    select(node, quietly) {
      this.deselect();
      this.current = this.buttons.get(node.id) || null;
      const box = this.element;
      if (!this.current) {
        const first = this.buttons.values().next().value;
        if (first) { first.tabIndex = 0; }
        if (!quietly) { box.scrollTop = 0; }
        return;
      }
      this.current.setAttribute("aria-current", "true");
      this.current.tabIndex = 0;
      if (!this.isInView()) { this.reveal(); }
    }

    /** Whether the selected move is visible, with what is said about it or the result below it. */
    isInView() {
      if (!this.current) { return true; }
      const outer = this.element.getBoundingClientRect(), inner = this.current.getBoundingClientRect();
      return inner.top >= outer.top + 20 && inner.bottom <= outer.bottom - 48;
    }

    /** Scroll the list, never the page, to the selected move. */
    reveal() {
      const outer = this.element.getBoundingClientRect(), inner = this.current.getBoundingClientRect();
      this.element.scrollTop += inner.top - outer.top - outer.height / 2 + inner.height / 2;
    }
  }

  // -- lines of analysis ------------------------------------------------------------------------

  /**
   * Lines from a position: [{ eval, depth, steps: [...], note, kind }]. A click on a move calls
   * `onLine(node, steps up to it)`; hovering over it shows the position.
   */
  class LineList {
    constructor(host, options) {
      this.options = options || {};
      this.element = make("ol", "hz-lines", host);
      this.element.setAttribute("aria-label", this.options.label || "Lines");
      this.preview = null;
      this.element.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) { this.choose(button); }
      });
      this.element.addEventListener("pointerover", (event) => {
        const button = event.target.closest("button");
        if (button && event.pointerType === "mouse") { this.showPreview(button); }
      });
      this.element.addEventListener("pointerleave", () => this.hidePreview());
    }

    /** Show lines from the position of a node. */
    show(tree, node, lines, flipped) {
      this.hidePreview();
      this.tree = tree;
      this.node = node;
      this.flipped = flipped;
      this.lines = lines.map((line) => Object.assign({}, line, {
        steps: line.steps.map((step) => typeof step === "string" ? readStep(step) : step),
      }));
      const focused = this.element.contains(document.activeElement)
        ? [document.activeElement.dataset.line, document.activeElement.dataset.move] : null;
      this.element.replaceChildren(...this.lines.map((line, number) => this.item(line, number)));
      if (focused) {
        const again = this.element.querySelector(`[data-line="${focused[0]}"][data-move="${focused[1]}"]`);
        if (again) { again.focus(); }
      }
    }

    item(line, number) {
      const item = make("li", "hz-line " + (line.kind || ""));
      make("span", "hz-line-value" + (/^[-−#]*[-−]|^TB loss/.test(line.eval || "") ? " is-black" : ""), item, line.eval || "");
      const moves = make("span", "hz-line-moves", item);
      let ply = this.node.ply;
      line.steps.forEach((step, at) => {
        ply += 1;
        const place = make("span", "hz-numbered", moves);
        if (ply % 2 || at === 0) {
          make("span", "hz-number", place, ((ply + 1) >> 1) + (ply % 2 ? "." : "…"));
        }
        const button = make("button", "hz-line-move", place, step.san);
        button.type = "button";
        button.tabIndex = at === 0 ? 0 : -1;
        button.dataset.line = number;
        button.dataset.move = at;
        moves.append(" ");
      });
      if (line.note) { make("span", "hz-line-note", item, line.note); }
      return item;
    }

    stepsTo(button) {
      return this.lines[Number(button.dataset.line)].steps.slice(0, Number(button.dataset.move) + 1);
    }

    choose(button) {
      const steps = this.stepsTo(button);
      this.hidePreview();
      if (this.options.onLine) { this.options.onLine(this.node, steps); }
    }

    showPreview(button) {
      const steps = this.stepsTo(button);
      const squares = steps.reduce(after, this.tree.squares(this.node));
      const last = steps[steps.length - 1];
      this.hidePreview();
      this.preview = make("div", "hz-preview", document.body);
      this.preview.append(diagram(squares, [last.from, last.to], this.flipped));
      const box = button.getBoundingClientRect(), size = this.preview.getBoundingClientRect();
      const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - size.width - 8));
      const below = box.bottom + 8 + size.height < window.innerHeight;
      this.preview.style.left = left + "px";
      this.preview.style.top = (below ? box.bottom + 8 : Math.max(8, box.top - size.height - 8)) + "px";
    }

    hidePreview() {
      if (this.preview) {
        this.preview.remove();
        this.preview = null;
      }
    }
  }

  // -- all together -----------------------------------------------------------------------------

  const CONTROLS = [
    ["start", "To the start (Home)", "M6 5v14M19 5l-9 7 9 7z"],
    ["back", "One move back (←)", "M16 5l-9 7 9 7z"],
    ["forward", "One move forward (→)", "M8 5l9 7-9 7z"],
    ["end", "To the end (End)", "M18 5v14M5 5l9 7-9 7z"],
    ["flip", "Turn the board (f)", "M8 19V5M8 5l-4 4M8 5l4 4M16 5v14M16 19l-4-4M16 19l4-4"],
  ];
  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down",
    Home: "start", End: "end", f: "flip" };
  const WHEEL_PAUSE_MS = 60;

  /** A board with an evaluation bar, buttons, and the moves and lines of a tree. */
  class Player {
    constructor(hosts, options) {
      this.options = options || {};
      this.isActive = true;
      this.element = make("div", "hz-player", hosts.board);
      const frame = make("div", "hz-frame", this.element);
      this.gauge = new Gauge(frame);
      this.board = new Board(frame, {
        label: this.options.label,
        onMove: (step, wasDragged) => this.moved(step, wasDragged),
        onEdit: this.options.onEdit,
        onDraw: this.options.onDraw && ((arrows) => this.drawn(arrows)),
      });
      this.controls = make("div", "hz-controls", this.element);
      CONTROLS.forEach(([name, title, path]) => {
        const button = this.addControl(name, title);
        const icon = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, button);
        draw("path", { d: path }, icon);
        button.addEventListener("click", () => this.act(name));
      });
      this.sides = this.options.sides ? this.makeSides() : [];
      this.moveList = hosts.moves ? new MoveList(hosts.moves, {
        onSelect: (id) => this.show(id),
        remarks: this.options.remarks,
        empty: this.options.empty,
      }) : null;
      this.lineList = hosts.lines ? new LineList(hosts.lines, {
        onLine: (node, steps) => this.lineChosen(node, steps),
      }) : null;
      this.wheelAt = 0;
      this.board.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      document.addEventListener("keydown", (event) => this.key(event));
      this.load(this.options.tree || { fen: "8/8/8/8/8/8/8/8 w - - 0 1", nodes: [{}] }, this.options.at);
      if (this.options.flipped) { this.flip(true); }
      this.isReady = true;
    }

    /** The players' lines above and below the board, which swap when it is turned. */
    makeSides() {
      const sides = ["white", "black"].map((color) => {
        const row = make("div", "hz-side is-" + color);
        make("span", "hz-disc is-" + color, row);
        return { row, name: make("span", "hz-name", row), clock: make("span", "hz-time", row),
          note: make("span", "hz-note", row) };
      });
      this.element.prepend(sides[1].row);
      this.controls.before(sides[0].row);
      return sides;
    }

    /** Add a button beside the others. */
    addControl(name, title, text) {
      const button = make("button", "hz-control", this.controls, text);
      button.type = "button";
      button.dataset.act = name;
      button.title = title;
      button.setAttribute("aria-label", title.replace(/ \(.*/, ""));
      return button;
    }

    /** Show another tree. */
    load(data, at) {
      this.tree = new Tree(data);
      this.node = null;
      if (this.moveList) { this.moveList.render(this.tree); }
      this.show(this.tree.get(at) || this.tree.root, true);
    }

    /** Add the record of a new node, or new facts about a known one. */
    update(record) {
      const known = this.tree.get(record.id);
      const node = known || this.tree.add(record);
      if (known) { Object.assign(known.data, record); }
      if (this.moveList) {
        this.moveList.render(this.tree);
        this.moveList.select(this.node, true);
      }
      if (known === this.node) { this.refresh(); }
      return node;
    }

    show(node, quietly) {
      const target = typeof node === "object" ? node : this.tree.get(node);
      if (!target) { return; }
      const before = this.node;
      this.node = target;
      this.tree.choose(target);
      const step = target.step;
      let slide = null;
      if (before && step && target.parent === before && step.from >= 0 && !this.dropped) {
        slide = [step.from, step.to];
      } else if (before && before.parent === target && before.step.from >= 0) {
        slide = [before.step.to, before.step.from];
      }
      this.dropped = false;
      this.board.setOwn(this.options.onDraw && target.data.arrows || []);
      this.board.show({
        squares: this.tree.squares(target),
        last: step && step.from >= 0 ? [step.from, step.to] : [],
        check: this.tree.checked(target),
        slide: slide,
      });
      this.refresh();
      if (this.moveList) { this.moveList.select(target, quietly); }
      if (!quietly && before !== target) { this.board.say(this.describe(target)); }
      if (this.isReady && before !== target && this.options.onSelect) { this.options.onSelect(target, quietly); }
    }

    /** Show what is known about the node: moves, arrows, evaluation, lines. */
    refresh() {
      const data = this.node.data;
      this.board.setLegal(data.legal || []);
      this.board.setArrows(this.options.onDraw ? [] : data.arrows || []);
      this.gauge.show(data.chances, data.eval || "");
      if (this.lineList) { this.lineList.show(this.tree, this.node, data.lines || [], this.board.flipped); }
    }

    describe(node) {
      if (!node.step) { return "the start of the game"; }
      const data = node.data, words = [this.tree.number(node).replace("...", ". Black,"), spoken(node.step.san)];
      let text = words.join(" ");
      if (data.eval) { text += "; evaluation " + data.eval; }
      if (data.verdict) { text += "; " + data.verdict; }
      return text;
    }

    setLegal(steps) {
      this.node.data.legal = steps;
      this.board.setLegal(steps);
    }

    setArrows(arrows) { this.board.setArrows(arrows); }

    drawn(arrows) {
      this.node.data.arrows = arrows;
      this.options.onDraw(this.node, arrows);
    }

    flip(on) {
      this.board.flip(on);
      this.gauge.flip(this.board.flipped);
      this.element.classList.toggle("is-flipped", this.board.flipped);
      if (this.lineList) { this.lineList.flipped = this.board.flipped; }
      if (this.isReady && this.options.onFlip) { this.options.onFlip(this.board.flipped); }
    }

    step(by) {
      const target = by > 0 ? this.tree.next(this.node) : this.node.parent;
      if (target) { this.show(target); }
    }

    toStart() { this.show(this.tree.root); }
    toEnd() { this.show(this.tree.end(this.node)); }

    /** Go to the variation beside this move. */
    sideways(by) {
      if (!this.node.parent) { return; }
      const all = this.node.parent.children, at = all.indexOf(this.node) + by;
      if (all[at]) { this.show(all[at]); }
    }

    act(name) {
      const acts = {
        start: () => this.toStart(), end: () => this.toEnd(), back: () => this.step(-1),
        forward: () => this.step(1), up: () => this.sideways(-1), down: () => this.sideways(1),
        flip: () => this.flip(),
      };
      acts[name]();
    }

    /** The child after a step from a node, found by its move or else added to this tree only. */
    follow(node, step) {
      const known = node.children.find((child) => child.step.uci === step.uci);
      return known || this.tree.add({ parent: node.id, id: this.freeId(), step: step.text, added: true });
    }

    freeId() {
      let id = this.tree.nodes.size;
      while (this.tree.nodes.has(id)) { id += 1; }
      return id;
    }

    playLine(node, steps) {
      const read = steps.map((step) => typeof step === "string" ? readStep(step) : step);
      const size = this.tree.nodes.size;
      const end = read.reduce((at, step) => this.follow(at, step), node);
      if (this.moveList && this.tree.nodes.size !== size) { this.moveList.render(this.tree); }
      this.show(end);
      return end;
    }

    play(step) { return this.playLine(this.node, [step]); }

    moved(step, wasDragged) {
      this.dropped = wasDragged;
      if (this.options.onMove) { this.options.onMove(this.node, step); } else { this.play(step); }
    }

    lineChosen(node, steps) {
      if (this.options.onLine) { this.options.onLine(node, steps); } else { this.playLine(node, steps); }
    }

    wheel(event) {
      if (event.ctrlKey || this.board.editing || !event.deltaY) { return; }
      const target = event.deltaY > 0 ? this.tree.next(this.node) : this.node.parent;
      if (!target && !this.node.parent && event.deltaY < 0) { return; }
      event.preventDefault();
      if (event.timeStamp - this.wheelAt < WHEEL_PAUSE_MS || Math.abs(event.deltaY) < 4) { return; }
      this.wheelAt = event.timeStamp;
      if (target) { this.show(target); }
    }

    key(event) {
      if (!this.isActive || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) { return; }
      const at = event.target;
      if (at.closest && at.closest("input, textarea, select, [contenteditable], dialog, [role=dialog], [role=slider]")) { return; }
      const name = KEYS[event.key];
      if (!name || this.board.editing && name !== "flip") { return; }
      event.preventDefault();
      this.act(name);
    }
  }

  return { Board, Gauge, LineList, MoveList, Player, Tree, after, diagram, make, nameOf, pieceSvg,
    placementOf, readPlacement, readStep, spoken };
})();
