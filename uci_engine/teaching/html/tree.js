"use strict";
/*
 * Steps through the search of a game tree. This script does not search: `halbzug.teaching.tree_page`
 * has recorded every step, and all texts are in the data.
 *
 * data.orders[order].nodes: [parent, move, player, name, fen, mark, note] each, in preorder; the
 * players are x: MAX, n: MIN, "": a leaf, and those of `tree_figures.js`; the note stands beside the
 * move.
 * data.orders[order].runs[algorithm]: steps, each [kind, node, alpha, beta, value, child], and what
 * the search found; a step may also have the name of its sentence and the values in it. Kinds: enter,
 * leaf, try, back, best, bound, cut, return, and hit, hit_lower, hit_upper of a table. Values are
 * texts, with ≥ or ≤ before a bound. data.code[algorithm][player] is the pseudocode. `quiz.js` asks
 * questions about the tree, and shows many trees with one question each. A mark is [letter, number of
 * a colour]. Other scripts of a page learn of each change by the document's event "tree-shown", and
 * may mark nodes as equal.
 */
const HalbzugTree = (function () {
  const { data: page, byId, text, phrase, decimal, pieces, make, draw } = Theory;
  const [ENTER, LEAF, , BACK, BEST, BOUND, CUT, RETURN, HIT] = TreeReplay.KINDS.keys();
  const LEAF_STEP = 48, LEVEL_STEP = 88, MARGIN = 44, HALF = 15, DIGIT = 8, BESIDE = 32;
  const SECTION = 2000; // pixels of the drawing's width that are shown or hidden together
  const MAX_IN_TABLE = 6, MIN_SCALE = 0.5, MAX_SCALE = 2;

  const state = {
    order: page.order, algorithm: page.algorithm || "alpha-beta",
    at: 0, folded: new Set(), fitted: new Set(), zoom: 0, size: null, alike: new Set(),
  };
  /* State for a question: it hides the search, marks nodes, and may take a click as an answer. */
  const asked = { isOn: false, chosen: new Set(), right: new Set(), hidden: new Set(), at: 0,
    mayStep: function () { return true; }, canChoose: function () { return false; }, choose: function () {}, leave: function () {} };
  let data = page, tree, run, replay, drawn = [], sections = [], named = {};
  let leafValues = [], current = -1, line = new Set(); // the node of the last step, the line played

  /** Chess moves use the piece letters of the language. */
  function nameMoves() {
    tree.forEach(function (node) { node.move = node.fen ? pieces(node.given) : node.given; });
  }

  // -- the tree ---------------------------------------------------------------------------------

  function readTree() {
    const source = data.orders[state.order];
    tree = source.nodes.map(function (record, number) {
      return { number: number, parent: record[0], move: "", given: record[1], player: record[2],
        name: record[3], fen: record[4], mark: record[5], note: record[6] || "", children: [], level: 0, below: 1 };
    });
    tree.forEach(function (node) {
      if (node.parent >= 0) {
        tree[node.parent].children.push(node);
        node.level = tree[node.parent].level + 1;
      }
    });
    for (let number = tree.length - 1; number > 0; number -= 1) {
      tree[tree[number].parent].below += tree[number].below;
    }
    nameMoves();
    named = {};
    tree.forEach(function (node) { named[node.name] = (named[node.name] || 0) + 1; });
    state.folded.clear();
    if (tree.length > data.limit) { foldDeep(); }
  }

  /** Fold the deepest levels of a tree that is too large to be drawn completely. */
  function foldDeep() {
    const counts = [];
    tree.forEach(function (node) { counts[node.level] = (counts[node.level] || 0) + 1; });
    let shown = 0, level = 0;
    while (level < counts.length && shown + counts[level] <= data.limit) {
      shown += counts[level];
      level += 1;
    }
    tree.forEach(function (node) {
      if (node.level === level - 1 && node.children.length) { state.folded.add(node.number); }
    });
  }

  /**
   * Fold the deepest levels so that the rest fits on the screen when the page opens. A question may be
   * about any node, so nothing is folded then.
   */
  function foldToFit() {
    state.fitted.clear();
    state.zoom = 0;
    const inner = tree.filter((node) => node.children.length && node.level && !state.folded.has(node.number));
    let level = Math.max(...tree.map((node) => node.level));
    state.size = layOut(visible());
    while (!page.questions && level > 1 && wholeScale() < MIN_SCALE) {
      level -= 1;
      inner.filter((node) => node.level === level).forEach(function (node) {
        state.fitted.add(node.number);
        state.folded.add(node.number);
      });
      state.size = layOut(visible());
    }
  }

  /** Unfold the paths to the step and along the line played, and fold the rest again. */
  function follow() {
    const open = new Set();
    [Math.max(current, 0), ...line].forEach(function (number) {
      for (let one = tree[number]; one; one = tree[one.parent]) { open.add(one.number); }
    });
    const changed = [...state.fitted].filter(function (number) {
      return state.folded.has(number) === (asked.isOn || open.has(number));
    });
    changed.forEach(function (number) {
      if (!state.folded.delete(number)) { state.folded.add(number); }
    });
    return changed.length > 0;
  }

  /** A node in a sentence; with "_place" in the dative, as after a preposition. */
  function nodeName(node, form) {
    if (isNamed(node)) { return node.name; }
    if (node.parent < 0) { return text("root" + (form || "")); }
    const parent = tree[node.parent];
    return isNamed(parent) ? parent.name + node.move
      : text("after" + (form || ""), { moves: pathOf(node) });
  }

  function isNamed(node) { return named[node.name] === 1 && /^[A-Z]/.test(node.name); }

  function pathOf(node) {
    const words = [];
    for (let one = node; one.parent >= 0; one = tree[one.parent]) { words.unshift(one.move); }
    return words.join(" ");
  }

  function player(node) {
    const name = { x: "MAX", n: "MIN" }[node.player];
    return name || (/^[123]$/.test(node.player) ? text("player", { number: node.player }) : "");
  }

  // -- drawing ----------------------------------------------------------------------------------

  /** Set an attribute only if it differs: a step leaves most nodes unchanged. */
  function put(element, name, value) {
    const kept = element.kept || (element.kept = {});
    if (kept[name] === value) { return; }
    kept[name] = value;
    if (name === "text") { element.textContent = value; } else { element.setAttribute(name, value); }
  }

  function visible() {
    const shown = [];
    const pending = [tree[0]];
    while (pending.length) {
      const node = pending.pop();
      shown.push(node);
      if (!state.folded.has(node.number)) {
        for (let i = node.children.length - 1; i >= 0; i -= 1) { pending.push(node.children[i]); }
      }
    }
    return shown;
  }

  /**
   * Leaves are side by side, each with the space that its value needs, and that its move needs, which is
   * halfway to the left or right of it; a parent is above the middle of its children. The name of a node
   * is to its left, where a narrow node has no space: its first leaf gets it.
   */
  function layOut(shown) {
    const room = [], only = []; // of a leaf in pixels; the leaf below a node that has only one
    const first = [], width = [], left = []; // below a node; the space to the left of a leaf
    let x = 0, before = 0, levels = 0;
    shown.slice().reverse().forEach(function (node) {
      const isEnd = !node.children.length || state.folded.has(node.number);
      if (isEnd) { room[node.number] = LEAF_STEP; }
      only[node.number] = isEnd ? node.number : node.children.length === 1 ? only[node.children[0].number] : -1;
      const leaf = only[node.number];
      if (leaf >= 0) { room[leaf] = Math.max(room[leaf], 2 * halfWidth(node) + 4); }
      const parent = tree[node.parent];
      if (leaf >= 0 && parent && !node.note && !TreeFigures.has(parent) && parent.children.length < 10) {
        room[leaf] = Math.max(room[leaf], 13 * node.move.length);
      }
      first[node.number] = isEnd ? node.number : first[node.children[0].number];
      width[node.number] = leaf >= 0 ? room[leaf] :
        node.children.reduce((sum, child) => sum + width[child.number], 0);
      const name = TreeFigures.isNamed(node) ? HALF + 10 + 6 * node.name.length : 0, at = first[node.number];
      left[at] = Math.max(left[at] || 0, name - width[node.number] / 2);
    });
    shown.forEach(function (node) {
      if (room[node.number]) {
        x += left[node.number] + (before ? (before + room[node.number]) / 2 : 0);
        before = room[node.number];
        node.x = MARGIN + x;
      }
      node.y = MARGIN + LEVEL_STEP * node.level;
      levels = Math.max(levels, node.level);
    });
    for (let i = shown.length - 1; i >= 0; i -= 1) {
      const node = shown[i];
      if (!room[node.number]) {
        node.x = (node.children[0].x + node.children[node.children.length - 1].x) / 2;
      }
    }
    return { width: 2 * MARGIN + Math.max(x, LEAF_STEP), height: 2 * MARGIN + LEVEL_STEP * levels + 20 };
  }

  /**
   * Half the width of a figure: a leaf is as wide as its value, and a value below a figure, bounds above
   * it and a mark beside it need space.
   */
  function halfWidth(node) {
    const below = data.below && run ? run.longest[node.number] : 0;
    const letters = Math.max(String(leafValues[node.number] || "").length, below || 0);
    const bounds = run && run.window && run.bounds[node.number] || 0;
    const mark = node.mark && node.player ? BESIDE + 5 * node.mark[0].length : 0;
    return Math.max(HALF + 2, DIGIT * letters / 2 + 4, 3.2 * bounds, mark);
  }

  function drawTree() {
    const svg = byId("tree"), shown = visible(), size = layOut(shown);
    svg.replaceChildren();
    svg.setAttribute("viewBox", "0 0 " + size.width + " " + size.height);
    state.size = size;
    zoom();
    svg.setAttribute("aria-label", text("drawing", { nodes: tree.length }));
    const edges = draw("g", {}, svg), nodes = draw("g", {}, svg), long = draw("g", {}, edges);
    sections = Array.from({ length: Math.ceil(size.width / SECTION) }, function () {
      return { edges: draw("svg", { "class": "far" }, edges), nodes: draw("svg", { "class": "far" }, nodes) };
    });
    drawn = new Array(tree.length);
    shown.forEach(function (node) {
      const parts = drawn[node.number] = {};
      if (node.parent >= 0) { drawEdge(node, tree[node.parent], parts, long); }
      drawNode(node, parts, sectionAt(node.x).nodes);
    });
    update();
    showNear();
  }

  /**
   * Lay out and paint only the sections near the visible part. A section is an svg element, because a
   * browser lays out the content of a hidden g element.
   */
  function showNear() {
    const frame = document.querySelector(".drawing");
    const width = SECTION * scale();
    const first = Math.floor(frame.scrollLeft / width) - 1;
    const last = Math.floor((frame.scrollLeft + frame.clientWidth) / width) + 1;
    sections.forEach(function (section, place) {
      const isFar = place < first || place > last;
      section.edges.classList.toggle("far", isFar);
      section.nodes.classList.toggle("far", isFar);
    });
  }

  function sectionAt(x) { return sections[Math.floor(x / SECTION)]; }

  /** An edge with its move; an edge longer than a section belongs to none. */
  function drawEdge(node, parent, parts, long) {
    const y1 = parent.y + HALF, y2 = node.y - HALF, width = node.x - parent.x;
    parts.edge = draw("line", { "class": "edge", x1: parent.x, y1: y1, x2: node.x, y2: y2 },
      Math.abs(width) > SECTION ? long : sectionAt(node.x).edges);
    const isNear = TreeFigures.isNear(node, parent), share = isNear ? 0.72 : 0.5;
    const x = parent.x + share * width, y = y1 + share * (y2 - y1), layer = sectionAt(x).edges;
    if (isNear) {
      parts.move = TreeFigures.drawMove(node, x, y, layer);
    } else {
      const side = width < 0 ? -1 : 1;
      parts.move = draw("text", { "class": "move", x: x + side * (5 + 3 * node.move.length), y: y },
        layer, node.move);
    }
  }

  /** A cut, which most edges never have. */
  function drawSlash(node) {
    const parent = tree[node.parent], y1 = parent.y + HALF;
    const x = parent.x + 0.3 * (node.x - parent.x), y = y1 + 0.3 * (node.y - HALF - y1);
    return draw("line", { "class": "slash", x1: x - 7, y1: y - 3, x2: x + 7, y2: y + 3 },
      sectionAt(x).edges);
  }

  function drawNode(node, parts, layer) {
    const group = parts.group = draw("g", { "class": "node" }, layer);
    group.dataset.node = node.number;
    const x = node.x, y = node.y;
    const kind = "figure " + (node.player === "x" ? "max" : node.player === "n" ? "min" : "leaf");
    let isGrid = node.name.split("/").length === 3;
    let inside = y + 5;
    if (TreeFigures.has(node) || data.below) {
      TreeFigures.draw(node, x, y, HALF, group);
      isGrid = true;
      inside = y + HALF + 14;
    } else if (isGrid) {
      drawGrid(node, kind, group);
      inside = y + HALF + 14;
    } else if (node.player === "x") {
      draw("polygon", { "class": kind, points: [x, y - HALF - 3, x + HALF + 5, y + HALF, x - HALF - 5,
        y + HALF].join(" ") }, group);
      inside = y + 10;
    } else if (node.player === "n") {
      draw("polygon", { "class": kind, points: [x, y + HALF + 3, x + HALF + 5, y - HALF, x - HALF - 5,
        y - HALF].join(" ") }, group);
      inside = y;
    } else {
      const half = halfWidth(node);
      draw("rect", { "class": kind, x: x - half, y: y - HALF, width: 2 * half, height: 2 * HALF }, group);
    }
    parts.value = draw("text", { "class": isGrid ? "value" : "value inside", x: x, y: inside }, group);
    if (TreeFigures.isNamed(node)) {
      draw("text", { "class": "name", x: x - HALF - 7 - 3 * node.name.length, y: y - 1 }, group,
        node.name);
    }
    if (state.folded.has(node.number)) {
      draw("text", { "class": "name", x: x, y: y + HALF + (isGrid ? 27 : 16) }, group,
        "+" + (node.below - 1));
    }
    if (node.mark) {
      const beside = node.player ? { x: x + BESIDE, y: y + 5 } : { x: x, y: y + HALF + 14 };
      draw("text", { "class": "mark color-" + node.mark[1] % 8, ...beside },
        group, node.mark[0]);
    }
  }

  function drawGrid(node, kind, group) {
    const left = node.x - HALF, top = node.y - HALF, third = 2 * HALF / 3;
    draw("rect", { "class": kind, x: left, y: top, width: 2 * HALF, height: 2 * HALF }, group);
    let path = "";
    for (let i = 1; i < 3; i += 1) {
      path += "M" + (left + i * third) + " " + top + "v" + 2 * HALF + "M" + left + " " +
        (top + i * third) + "h" + 2 * HALF;
    }
    draw("path", { "class": "grid", "stroke-width": 0.7, d: path }, group);
    node.name.split("/").forEach(function (row, line) {
      Array.from(row).forEach(function (sign, column) {
        const cx = left + (column + 0.5) * third, cy = top + (line + 0.5) * third;
        if (sign === "x") {
          draw("path", { "class": "grid", "stroke-width": 1.4,
            d: "M" + (cx - 3) + " " + (cy - 3) + "l6 6m0 -6l-6 6" }, group);
        } else if (sign === "o") {
          draw("circle", { "class": "grid", "stroke-width": 1.2, cx: cx, cy: cy, r: 3 }, group);
        }
      });
    });
  }

  // -- its size on the screen -------------------------------------------------------------------

  /** The largest scale at which the whole tree fits without scrolling. */
  function wholeScale() {
    const room = document.querySelector(".drawing").clientWidth - 4;
    return Math.max(0.1, Math.min(room / state.size.width, 0.74 * window.innerHeight / state.size.height));
  }

  /** The whole tree fills its frame, unless it would become illegible: then it scrolls. */
  function scale() {
    return state.zoom || Math.min(MAX_SCALE, Math.max(MIN_SCALE, wholeScale()));
  }

  function zoom() {
    byId("tree").setAttribute("width", Math.round(state.size.width * scale()));
    byId("tree").setAttribute("height", Math.round(state.size.height * scale()));
  }

  function zoomTo(size) {
    state.zoom = Math.max(0.1, Math.min(8, size));
    zoom();
    bringIntoView(tree[Math.max(current, 0)]);
    showNear();
  }

  // -- the state after a number of steps --------------------------------------------------------

  /** What is known about the value of a node before all of its moves have been searched. */
  function soFar(node, worth) {
    if (data.below) { return worth; }
    const sign = node.player === "x" ? "≥" : "≤", plain = worth.replace(/^[≥≤]/, "");
    return worth === plain || worth[0] === sign ? sign + plain : "";
  }

  /** A value in a sentence, such as "at most 4". */
  function amount(worth) {
    const name = { "≥": "at_least", "≤": "at_most" }[worth[0]];
    return name ? phrase(name, { value: worth.slice(1) }) : worth;
  }

  /** Show what is known after `state.at` steps. A step changes few nodes, other changes perhaps all. */
  function update(isStep) {
    const changed = replay.go(state.at), isOver = state.at === run.steps.length;
    const marked = [current, ...line];
    current = state.at ? run.steps[state.at - 1][1] : -1;
    line = new Set(isOver ? run.line : []);
    if (follow()) {
      drawTree();
      showFolded();
      return;
    }
    const numbers = isStep ? [...changed, ...marked, current, ...line] : tree.keys();
    for (const number of numbers) { showNode(number); }
    // An image has no parts that can have the focus.
    byId("tree").setAttribute("role", asked.isOn ? "group" : "img");
    say(isOver);
    showCode();
    byId("place").value = state.at;
    byId("first").disabled = byId("previous").disabled = state.at === 0;
    byId("next").disabled = byId("last").disabled = isOver;
    byId("cutoff").disabled = nextCutoff() < 0;
    // The result of the search is the solution, so it is hidden until it has been found.
    if (isOver) { byId("results").open = true; }
    const node = Math.max(current, 0);
    if (drawn[node]) { bringIntoView(tree[node]); }
    document.dispatchEvent(new CustomEvent("tree-shown", { detail: { node: node, order: state.order,
      nameOf: (number) => nodeName(tree[number]), markAlike: markAlike } }));
  }

  function showNode(number) {
    const parts = drawn[number], node = tree[number], isQuestion = asked.isOn;
    if (!parts) { return; }
    const off = replay.off[number] && !isQuestion;
    const classes = ["node"];
    if (!replay.visited[number] && !isQuestion) { classes.push("unseen"); }
    if (off) { classes.push("off"); }
    if (number === current && !isQuestion) { classes.push("now"); }
    if (asked.chosen.has(number)) { classes.push("chosen"); }
    if (isQuestion && asked.at && asked.at === number) { classes.push("asked"); }
    if (asked.right.has(number)) { classes.push("right"); }
    if (state.alike.has(number)) { classes.push("alike"); }
    put(parts.group, "class", classes.join(" "));
    const value = replay.value[number];
    let leafValue = node.player ? "" : leafValues[number];
    if (asked.hidden.has(number)) { leafValue = isQuestion ? "?" : value; }
    markChoice(node, parts.group, leafValue);
    put(parts.value, "text", decimal(leafValue || (isQuestion ? "" : value || "")));
    showBounds(node, parts, !isQuestion && !off);
    if (parts.edge) {
      const isLine = line.has(number) && line.has(node.parent) && !isQuestion;
      put(parts.edge, "class", "edge" + (isLine ? " line" : "") + (off ? " off" : ""));
      put(parts.move, "class", "move" + (off ? " off" : ""));
      const isCut = replay.cut[number] && !isQuestion;
      if (isCut && !parts.slash) { parts.slash = drawSlash(node); }
      if (parts.slash) { put(parts.slash, "visibility", isCut ? "visible" : "hidden"); }
    }
  }

  /** Alpha and beta, which leaves never have. */
  function showBounds(node, parts, isShown) {
    const bounds = replay.bounds[node.number];
    const words = isShown && bounds && node.player && run.window ? "[" + bounds.join(", ") + "]" : "";
    if (words && !parts.bounds) {
      parts.bounds = draw("text", { "class": "bounds", x: node.x, y: node.y - HALF - 7 }, parts.group);
    }
    if (parts.bounds) { put(parts.bounds, "text", words); }
  }

  function markAlike(numbers) {
    const changed = [...state.alike, ...numbers];
    state.alike = numbers;
    changed.forEach(showNode);
  }

  /** Make a node that may be the answer reachable by keyboard. */
  function markChoice(node, group, value) {
    if (!asked.isOn || !asked.canChoose(node)) {
      group.removeAttribute("tabindex");
      group.removeAttribute("role");
      return;
    }
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-pressed", asked.chosen.has(node.number));
    group.setAttribute("aria-label", nodeName(node) + (value ? ": " + value : ""));
  }

  function bringIntoView(node) {
    const frame = document.querySelector(".drawing"), edge = 60;
    const x = node.x * scale(), y = node.y * scale();
    if (x < frame.scrollLeft + edge || x > frame.scrollLeft + frame.clientWidth - edge) {
      frame.scrollLeft = x - frame.clientWidth / 2;
    }
    if (y < frame.scrollTop + edge || y > frame.scrollTop + frame.clientHeight - edge) {
      frame.scrollTop = y - frame.clientHeight / 2;
    }
  }

  function say(isOver) {
    const all = tree.length;
    if (state.at === 0) {
      byId("said").textContent = sentence(text("start", { place: nodeName(tree[0], "_place") }));
      return;
    }
    const [kind, number, alpha, beta, value, child, own, more] = run.steps[state.at - 1];
    const node = tree[number];
    const told = kind === BACK || kind === BEST ? amount(value) : value.replace(/^[≥≤]/, "");
    const values = { node: nodeName(node), place: nodeName(node, "_place"), alpha: alpha, beta: beta,
      value: told, amount: amount(value), player: player(node),
      child: child >= 0 ? nodeName(tree[child]) : "",
      move: child >= 0 ? tree[child].move : "" };
    let name = TreeReplay.KINDS[kind];
    if (kind === ENTER && !run.window) { name = "enter_minimax"; }
    if (kind === RETURN && /^[≥≤]/.test(value)) { name = "return_bound"; }
    if (kind === BEST || kind === BOUND || kind === CUT) {
      name += node.player === "x" ? "_max" : "_min";
    }
    let said = phrase(own || name, Object.assign(values, more));
    if (isOver) {
      said += " " + phrase(run.end || "end", { value: run.value, nodes: run.nodes, all: all });
    }
    byId("said").textContent = sentence(said);
  }

  function sentence(words) { return words[0].toUpperCase() + words.slice(1); }

  function showCode() {
    const node = current >= 0 ? tree[current] : tree[0];
    // A leaf runs the same lines; which player it would be does not matter.
    const sides = data.code[state.algorithm];
    const side = node.player || (node.parent >= 0 && tree[node.parent].player);
    const kind = state.at ? run.steps[state.at - 1][0] : -2; // -1 is a line that no step runs
    const lines = sides[side] || sides[side === "n" ? "min" : "max"] || Object.values(sides)[0];
    let marked = lines.findIndex(function (line) { return line[1] === Math.min(kind, HIT); });
    if (marked < 0 && kind === BOUND) {
      marked = lines.findIndex(function (line) { return line[1] === BEST; });
    }
    const isGerman = Theory.language() === "de";
    byId("code").replaceChildren(...lines.map(function (words, number) {
      return make("span", null, isGerman ? words[2] : words[0], number === marked ? "now" : "");
    }));
  }

  function showCounts() {
    const source = data.orders[state.order], body = byId("counts").tBodies[0];
    const titles = make("tr");
    ["", text("visited"), text("leaves"), text("cutoffs"), text("value")].forEach(function (title) {
      make("th", titles, title);
    });
    const rows = Object.keys(source.runs).map(function (algorithm) {
      const found = source.runs[algorithm];
      const row = make("tr", null, undefined, algorithm === state.algorithm ? "now" : "");
      make("th", row, text(algorithm));
      make("td", row, found.nodes + "/" + tree.length);
      [found.leaves, found.cutoffs, decimal(found.value)].forEach(function (one) { make("td", row, one); });
      return row;
    });
    body.replaceChildren(titles, ...rows);
    showDifferences(source.differences);
  }

  function showDifferences(differences) {
    const place = byId("differences");
    place.replaceChildren();
    if (!differences) { return; }
    if (!differences.length) {
      make("p", place, text("no_differences"));
      return;
    }
    make("p", place, text("differences", { number: differences.length }));
    const table = make("table", place), head = make("tr", table);
    [text("node"), "fail-soft", "fail-hard", text("true_value")].forEach(function (title) {
      make("th", head, title);
    });
    differences.slice(0, MAX_IN_TABLE).forEach(function (one) {
      const row = make("tr", table);
      make("th", row, nodeName(tree[one[0]]));
      one.slice(1).forEach(function (value) { make("td", row, decimal(value)); });
    });
  }

  // -- stepping ---------------------------------------------------------------------------------

  function go(place) {
    const isStep = !asked.isOn;
    asked.leave();
    state.at = Math.max(0, Math.min(place, run.steps.length));
    update(isStep);
  }

  /** The step of the next cutoff; -1 if there is none. */
  function nextCutoff() {
    return run.steps.findIndex(function (step, number) { return number >= state.at && step[0] === CUT; });
  }

  function toCutoff() {
    const found = nextCutoff();
    if (found >= 0) { to(found + 1); }
  }

  const { play, toggle, to } = Theory.controls({ at: () => state.at, last: () => run.steps.length,
    go: go, next: (step) => step + 1, pause: (speed) => 2400 / speed });

  // -- clicks -----------------------------------------------------------------------------------

  function clicked(number) {
    const node = tree[number];
    if (asked.isOn) {
      asked.choose(node);
    } else if (node.children.length) {
      state.fitted.delete(number);
      if (!state.folded.delete(number)) { state.folded.add(number); }
      drawTree();
      showFolded();
    }
  }

  // -- the page ---------------------------------------------------------------------------------

  function showFolded() {
    const hidden = tree.length - visible().length;
    byId("folded").textContent = hidden ? text("folded", { number: hidden }) : "";
  }

  function chooseRun() {
    run = data.orders[state.order].runs[state.algorithm];
    replay = TreeReplay.make(tree, run.steps, soFar);
    run.longest = []; // the longest value that each node ever has, in letters
    run.bounds = []; // and the longest bounds, which leaves do not have
    run.steps.forEach(function ([, node, alpha, beta, value]) {
      run.longest[node] = Math.max(run.longest[node] || 0, String(value).length);
      const bounds = tree[node].player ? 4 + String(alpha).length + String(beta).length : 0;
      run.bounds[node] = Math.max(run.bounds[node] || 0, bounds);
    });
    state.at = Math.min(state.at, run.steps.length);
    byId("place").max = run.steps.length;
    showCounts();
  }

  function chooseTree() {
    readTree();
    leafValues = [];
    // This search visits every node, so its steps have the values of all leaves.
    data.orders[state.order].runs[data.truth || "minimax"].steps.forEach(function (step) {
      if (step[0] === LEAF) { leafValues[step[1]] = step[4]; }
    });
    state.at = 0;
    chooseRun();
    foldToFit();
    drawTree();
    showFolded();
  }

  function translate() {
    const title = data.kind ? phrase("title_" + data.kind, data.values) : "";
    const note = data.kind ? phrase("note_" + data.kind, data.values) : "";
    document.title = page.title || (page.questions ? text("title_quiz") : title);
    document.querySelector("h1").textContent = document.title;
    document.querySelector(".note").textContent = (page.questions ? title + ". " : "") + note;
    Theory.options("algorithm", Object.keys(data.code || {}));
    Theory.options("order", Object.keys(data.orders || {}));
    byId("algorithm").value = state.algorithm;
    byId("order").value = state.order;
    byId("order").closest("label").hidden = Object.keys(data.orders || {}).length < 2;
    play(false);
  }

  /** Show another tree. */
  function open(other) {
    data = other;
    state.order = data.order;
    state.algorithm = data.algorithm || "alpha-beta";
    state.at = 0;
    translate();
    chooseTree();
  }

  byId("algorithm").addEventListener("change", function () {
    state.algorithm = this.value;
    play(false);
    asked.leave();
    state.at = 0;
    chooseRun();
    drawTree();
  });
  byId("order").addEventListener("change", function () {
    state.order = this.value;
    play(false);
    asked.leave();
    chooseTree();
  });
  byId("cutoff").addEventListener("click", toCutoff);
  byId("fit").addEventListener("click", function () { zoomTo(wholeScale()); });
  byId("larger").addEventListener("click", function () { zoomTo(scale() * 1.25); });
  byId("smaller").addEventListener("click", function () { zoomTo(scale() / 1.25); });
  if (page.results === false) { byId("results").hidden = true; }
  byId("tree").addEventListener("click", function (event) {
    const group = event.target.closest("g.node");
    if (group) { clicked(Number(group.dataset.node)); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey ||
        event.target.closest("select, input, button")) { return; }
    const choice = asked.isOn && event.target.closest("g.node");
    if (choice && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      clicked(Number(choice.dataset.node));
      return;
    }
    if (!asked.mayStep()) { return; }
    const steps = { ArrowRight: state.at + 1, ArrowLeft: state.at - 1, Home: 0,
      End: run.steps.length };
    if (event.key in steps) {
      to(steps[event.key]);
    } else if (event.key === " ") {
      toggle();
    } else if (event.key === "c") {
      toCutoff();
    } else if (event.key === "+" || event.key === "-") {
      zoomTo(scale() * (event.key === "+" ? 1.25 : 0.8));
    } else if (event.key === "0") {
      zoomTo(wholeScale());
    } else {
      return;
    }
    event.preventDefault();
  });
  document.querySelector(".drawing").addEventListener("scroll", showNear);
  window.addEventListener("resize", function () {
    if (state.size) { zoom(); }
    showNear();
  });
  Theory.onLanguage(function () {
    asked.leave();
    translate();
    if (!run) { return; }
    nameMoves();
    showCounts();
    drawTree();
    showFolded();
  });
  if (data.orders) { chooseTree(); }
  return { asked: asked, open: open, play: play, state: state, translate: translate, update: update,
    node: function (number) { return tree[number]; }, nodeName: nodeName,
    data: function () { return data; } };
}());
