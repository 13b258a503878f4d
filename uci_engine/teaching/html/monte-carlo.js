/*
 * The tree of a Monte Carlo search, simulation by simulation. This script does not search:
 * `halbzug.explain.monte_carlo_page` has recorded the result of each simulation, which it adds up,
 * and all texts are in the data.
 *
 * data.searches[name].nodes: [parent, san, uci, fen, prior, number of legal moves] each, in the order
 * of their first visits; data.searches[name].simulations: [leaf, points] each, the points of the side
 * that moved to the leaf, from 0 to 1, or with a policy (constants.doubt) from -1 to 1.
 * data.alphaBeta: its move, its value, and its verdicts on other moves: [value, is a mistake].
 */
(function () {
  const { data, byId, text, decimal, pieces, make, draw } = Theory;
  const COLUMN = 118, ROW = 29, MARGIN = 24, MAX_RADIUS = 11, MAX_CURVES = 5, PAGE = 50, NAME_STEP = 15;
  const SMALLEST = 0.6;  // the scale at which the names of moves can still be read

  const state = { search: "playouts", at: 0, chosen: 0 };
  const trees = {};
  let shown = [];

  function number(value, digits) {
    const form = { minimumFractionDigits: digits || 0, maximumFractionDigits: digits || 0 };
    return value.toLocaleString(Theory.language(), form).replace("-", "−");
  }

  // -- the tree after some simulations ----------------------------------------------------------

  function readTree(name) {
    const source = data.searches[name];
    const nodes = source.nodes.map(function (record, place) {
      return { number: place, parent: record[0], san: "", given: record[1], uci: record[2], fen: record[3],
        prior: record[4], moves: record[5], children: [], visits: 0, total: 0 };
    });
    nodes.forEach(function (node) {
      if (node.parent >= 0) { nodes[node.parent].children.push(node); }
    });
    return { name: name, nodes: nodes, simulations: source.simulations, at: 0,
      constants: source.constants, hasPolicy: "doubt" in source.constants };
  }

  /** Bring a tree to its state after a number of simulations. */
  function replay(tree, at) {
    if (at < tree.at) {
      tree.nodes.forEach(function (node) { node.visits = node.total = 0; });
      tree.at = 0;
    }
    for (; tree.at < at; tree.at += 1) {
      let [place, points] = tree.simulations[tree.at];
      while (place >= 0) {
        const node = tree.nodes[place];
        node.visits += 1;
        node.total += points;
        points = tree.hasPolicy ? -points : 1 - points;
        place = node.parent;
      }
    }
  }

  function valueOf(node) { return node.total / node.visits; }

  /** The value as points from 0 to 1, whatever unit the search uses. */
  function pointsOf(tree, node) { return tree.hasPolicy ? (valueOf(node) + 1) / 2 : valueOf(node); }

  function bonusOf(tree, node) {
    const visits = tree.nodes[node.parent].visits, constant = tree.constants.exploration;
    return tree.hasPolicy ? constant * node.prior * Math.sqrt(visits) / (1 + node.visits)
      : constant * Math.sqrt(Math.log(visits) / node.visits);
  }

  function visited(node) {
    return node.children.filter(function (child) { return child.visits; })
      .sort(function (a, b) { return b.visits - a.visits || a.number - b.number; });
  }

  /** The move that the search would play now. */
  function leader(tree) { return visited(tree.nodes[0])[0]; }

  function lastPath(tree) {
    const path = new Set();
    if (!tree.at) { return path; }
    for (let place = tree.simulations[tree.at - 1][0]; place >= 0; place = tree.nodes[place].parent) {
      path.add(place);
    }
    return path;
  }

  function movesTo(tree, node) {
    const words = [];
    for (let one = node; one.parent >= 0; one = tree.nodes[one.parent]) { words.unshift(one.san); }
    return words.join(" ");
  }

  // -- drawing ----------------------------------------------------------------------------------

  /** The most visited nodes; the parent of each is among them. */
  function mostVisited(tree) {
    return new Set(tree.nodes.filter(function (node) { return node.visits || !node.number; })
      .sort(function (a, b) { return b.visits - a.visits || a.number - b.number; })
      .slice(0, Number(byId("drawn").value)));
  }

  function drawTree(tree) {
    const drawn = mostVisited(tree), svg = byId("tree"), path = lastPath(tree);
    let rows = 0, columns = 0;
    shown = [];
    (function place(node, level) {
      node.x = MARGIN + COLUMN * level;
      node.y = MARGIN + ROW * rows;
      columns = Math.max(columns, level);
      shown.push(node);
      const below = visited(node).filter(function (child) { return drawn.has(child); });
      below.forEach(function (child, i) {
        if (i) { rows += 1; }
        place(child, level + 1);
      });
    }(tree.nodes[0], 0));
    const width = 2 * MARGIN + COLUMN * (columns + 1), height = 2 * MARGIN + ROW * rows;
    svg.replaceChildren();
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.style.setProperty("--least", SMALLEST * width + "px");
    svg.setAttribute("aria-label", text("drawing",
      { number: number(tree.at), nodes: number(shown.length), all: number(
        tree.nodes.filter(function (node) { return node.visits; }).length) }));
    const edges = draw("g", {}, svg), marks = draw("g", {}, svg);
    shown.forEach(function (node) {
      if (node.number) { drawEdge(tree, node, path.has(node.number), edges); }
      drawNode(tree, node, marks);
    });
  }

  function drawEdge(tree, node, isLast, layer) {
    const parent = tree.nodes[node.parent], middle = parent.x + 18;
    draw("path", { "class": isLast ? "edge last" : "edge",
      "stroke-width": 1 + 6 * node.visits / tree.at,
      d: "M" + parent.x + " " + parent.y + "C" + middle + " " + node.y + " " + middle + " " + node.y +
        " " + node.x + " " + node.y }, layer);
  }

  function drawNode(tree, node, layer) {
    const isChosen = node.number === state.chosen;
    const group = draw("g", { "class": "node-mark" + (isChosen ? " chosen" : "") }, layer);
    group.dataset.node = node.number;
    const radius = 4 + (MAX_RADIUS - 4) * Math.sqrt(node.visits / Math.max(tree.at, 1));
    draw("circle", { "class": "rim", cx: node.x, cy: node.y, r: radius }, group);
    if (node.visits) {
      draw("circle", { "class": "full", cx: node.x, cy: node.y, r: radius,
        "fill-opacity": pointsOf(tree, node).toFixed(3) }, group);
    }
    const words = draw("text", { x: node.x + radius, y: node.y - 11 }, group, node.san);
    draw("tspan", { "class": "visits" }, words, (node.number ? " " : "") + number(node.visits));
  }

  function drawChart(tree) {
    const svg = byId("chart"), width = Math.max(240, svg.parentNode.clientWidth - 24);
    const left = 44, right = width - 72, top = 12, bottom = 170;
    const all = tree.simulations.length, counts = tree.nodes.map(function () { return 0; });
    const through = tree.simulations.map(function (one) {
      let place = one[0];
      while (tree.nodes[place].parent > 0) { place = tree.nodes[place].parent; }
      counts[place] += 1;
      return place;
    });
    const best = tree.nodes.filter(function (node) { return node.parent === 0; })
      .sort(function (a, b) { return counts[b.number] - counts[a.number]; }).slice(0, MAX_CURVES);
    svg.replaceChildren();
    svg.setAttribute("aria-label", text("chart"));
    svg.setAttribute("viewBox", "0 0 " + width + " 200");
    const most = highest(through, best, all), scale = (bottom - top) / most;
    [0, most / 2, most].forEach(function (share) {
      const y = bottom - share * scale;
      draw("line", { "class": "axis", x1: left, x2: right, y1: y, y2: y }, svg);
      draw("text", { x: left - 6, y: y, "text-anchor": "end" }, svg, number(100 * share, most < 0.1 ? 1 : 0) + " %");
    });
    [0, all].forEach(function (at) {
      draw("text", { x: left + (right - left) * at / all, y: bottom + 16, "text-anchor": "middle" },
        svg, number(at));
    });
    const step = Math.max(1, Math.floor(all / 300));
    const ends = best.map(function (node, place) {
      let seen = 0, points = "";
      through.forEach(function (one, i) {
        seen += one === node.number;
        if (i % step === 0 || i === all - 1) {
          points += (left + (right - left) * (i + 1) / all).toFixed(1) + "," +
            (bottom - Math.min(seen / (i + 1), most) * scale).toFixed(1) + " ";
        }
      });
      draw("polyline", { "class": "c" + place, points: points }, svg);
      return { node: node, place: place, y: bottom - seen / all * scale };
    });
    // The names are at the ends of their curves, one above another, and none above the chart.
    let lowest = Infinity, above = -Infinity;
    ends.sort(function (a, b) { return b.y - a.y; }).forEach(function (end) {
      end.y = lowest = Math.min(end.y, lowest - NAME_STEP);
    });
    ends.reverse().forEach(function (end) {
      const y = above = Math.max(end.y, above + NAME_STEP, top);
      draw("line", { "class": "c" + end.place, "stroke-width": 2.2, x1: right + 4, x2: right + 20,
        y1: y, y2: y }, svg);
      draw("text", { x: right + 24, y: y }, svg, end.node.san);
    });
    const now = draw("line", { "class": "place", y1: top, y2: bottom }, svg);
    drawPlace = function () {
      const x = left + (right - left) * state.at / all;
      now.setAttribute("x1", x);
      now.setAttribute("x2", x);
    };
    drawPlace();
  }

  let drawPlace = function () {};

  /** The largest share that is drawn; those of the first simulations mean nothing. */
  function highest(through, moves, all) {
    const from = Math.min(Math.ceil(all / 20), 50);
    let most = 0.01;
    moves.forEach(function (node) {
      let seen = 0;
      through.forEach(function (one, i) {
        seen += one === node.number;
        if (i >= from) { most = Math.max(most, seen / (i + 1)); }
      });
    });
    return Math.min(1, Math.ceil(most * 50) / 50);
  }

  // -- the words beside it ----------------------------------------------------------------------

  function row(body, cells, name) {
    const line = make("tr", body, undefined, name);
    cells.forEach(function (content, i) {
      make(i && body.tagName !== "THEAD" ? "td" : "th", line, content);
    });
    return line;
  }

  function say(tree) {
    const words = [text("after", { number: number(tree.at), all: number(tree.simulations.length) }) +
      "."];
    if (!tree.at) {
      words.push(text("none"));
    } else {
      const [leaf, points] = tree.simulations[tree.at - 1], first = leader(tree);
      if (first) { words.push(text("leads", { move: first.san, visits: number(first.visits) })); }
      words.push(text(leaf ? "last_leaf" : "last_root",
        { moves: movesTo(tree, tree.nodes[leaf]), points: number(points, 2) }));
    }
    byId("said").textContent = words.join(" ");
  }

  function showNode(tree) {
    const node = tree.nodes[state.chosen];
    byId("node").textContent = node.number ? movesTo(tree, node) : text("root");
    const last = node.number ? [indexOf(node.uci), indexOf(node.uci.slice(2))] : [];
    board.show({ squares: HalbzugBoard.readPlacement(node.fen), last: last });
    byId("formula").textContent = node.number && node.visits ? formula(tree, node) : "";
    const titles = [text("move"), text("visits"), text("value"), text("bonus"), text("sum")];
    if (tree.hasPolicy) { titles.splice(3, 0, text("prior")); }
    const table = byId("moves"), children = visited(node);
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    if (children.length) { row(table.tHead, titles); }
    const untried = node.moves - children.length;
    let next = tree.hasPolicy || !untried ? -Infinity : Infinity;
    children.forEach(function (child) { next = Math.max(next, sumOf(tree, child)); });
    children.forEach(function (child) {
      const cells = [child.san, number(child.visits), number(valueOf(child), 2),
        number(bonusOf(tree, child), 2), number(sumOf(tree, child), 3)];
      if (tree.hasPolicy) { cells.splice(3, 0, number(100 * child.prior) + " %"); }
      const line = row(table.tBodies[0], cells, sumOf(tree, child) === next ? "now" : "");
      line.addEventListener("click", function () { choose(child.number); });
    });
    byId("rest").textContent = remaining(tree, node, children.length, untried);
  }

  function indexOf(name) { return name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49); }

  function sumOf(tree, node) { return valueOf(node) + bonusOf(tree, node); }

  function remaining(tree, node, tried, untried) {
    if (!node.moves) { return text("no_moves"); }
    if (!tried) { return text("no_children"); }
    if (!untried) { return text("rule"); }
    if (!tree.hasPolicy) { return text("untried", { number: untried }); }
    const doubt = tree.constants[node.number ? "doubt" : "root_doubt"];
    return text("rule") + " " + text("untried_policy",
      { number: untried, value: number(-valueOf(node) - doubt, 2) });
  }

  function formula(tree, node) {
    return text(tree.hasPolicy ? "puct" : "uct", {
      move: node.san, visits: number(node.visits), points: number(node.total, 1),
      parent: number(tree.nodes[node.parent].visits), constant: number(tree.constants.exploration, 1),
      prior: node.prior === null ? "" : number(node.prior, 3), value: number(valueOf(node), 3),
      bonus: number(bonusOf(tree, node), 3), sum: number(sumOf(tree, node), 3),
    });
  }

  function showChoices() {
    const table = byId("choices"), judge = data.alphaBeta;
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    row(table.tHead, ["search", "plays", "visits", "points", "says"].map(function (name) {
      return text(name);
    }));
    Object.keys(data.searches).forEach(function (name) {
      const tree = trees[name];
      replay(tree, Math.min(state.at, tree.simulations.length));
      const first = leader(tree), said = first && judge.judged[first.given];
      const line = row(table.tBodies[0], [text(name), first ? first.san : "–",
        first ? number(first.visits) : "", first ? number(pointsOf(tree, first), 2) : "",
        said ? decimal(said[0]) : ""], name === state.search ? "current" : "");
      if (said && said[1]) { line.lastChild.className = "bad"; }
    });
    row(table.tBodies[0], [text("alpha_beta", { depth: judge.depth }), pieces(judge.move), "", "",
      decimal(judge.value)]);
  }

  // -- the page ---------------------------------------------------------------------------------

  function current() { return trees[state.search]; }

  function update() {
    const tree = current();
    showChoices();
    while (state.chosen && !tree.nodes[state.chosen].visits) {
      state.chosen = tree.nodes[state.chosen].parent;
    }
    drawTree(tree);
    say(tree);
    showNode(tree);
    drawPlace();
    byId("place").value = state.at;
    byId("first").disabled = byId("previous").disabled = state.at === 0;
    byId("next").disabled = byId("last").disabled = state.at === tree.simulations.length;
  }

  function choose(place) {
    state.chosen = place;
    drawTree(current());
    showNode(current());
    const node = current().nodes[place], frame = document.querySelector(".drawing");
    if (node.y < frame.scrollTop + ROW || node.y > frame.scrollTop + frame.clientHeight - ROW) {
      frame.scrollTop = node.y - frame.clientHeight / 2;
    }
    if (node.x < frame.scrollLeft || node.x > frame.scrollLeft + frame.clientWidth - COLUMN) {
      frame.scrollLeft = node.x - frame.clientWidth / 2;
    }
  }

  /** Choose the node that is drawn above or below. */
  function walk(step) {
    const rows = shown.slice().sort(function (a, b) { return a.y - b.y || a.x - b.x; });
    const place = rows.findIndex(function (node) { return node.number === state.chosen; });
    const next = rows[Math.max(0, Math.min(place + step, rows.length - 1))];
    if (next) { choose(next.number); }
  }

  function go(at) {
    state.at = Math.max(0, Math.min(at, current().simulations.length));
    update();
  }

  const { play, toggle, to } = Theory.controls({ at: () => state.at, go: go,
    last: () => current().simulations.length,
    // Slow enough to follow at first; then a tenth of the present number per second.
    next: (step, speed) => step + Math.max(1, Math.floor(step * speed / 400)),
    pause: (speed) => Math.max(80, 1200 / speed) });

  function translate() {
    document.title = data.name ? text("title_" + data.name) : text("title");
    document.querySelector("h1").textContent = document.title;
    document.querySelector(".note").textContent = text("note_" + data.name);
    Theory.options("search", Object.keys(data.searches));
    byId("search").value = state.search;
    // Moves use the piece letters of the language.
    Object.values(trees).forEach(function (tree) {
      tree.nodes.forEach(function (node) { node.san = pieces(node.given); });
    });
    play(false);
  }

  function chooseSearch(name) {
    state.search = name;
    state.chosen = 0;
    byId("place").max = current().simulations.length;
    drawChart(current());
    update();
  }

  Object.keys(data.searches).forEach(function (name) { trees[name] = readTree(name); });
  const board = new HalbzugBoard.Board(byId("board"), {});
  byId("search").addEventListener("change", function () {
    play(false);
    chooseSearch(this.value);
  });
  byId("drawn").addEventListener("change", update);
  byId("tree").addEventListener("click", function (event) {
    const group = event.target.closest("g.node-mark");
    if (group) { choose(Number(group.dataset.node)); }
  });
  window.addEventListener("resize", function () { drawChart(current()); });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey ||
        event.target.closest("select, input, button")) { return; }
    const steps = { ArrowRight: state.at + 1, ArrowLeft: state.at - 1, PageUp: state.at + PAGE,
      PageDown: state.at - PAGE, Home: 0, End: Infinity };
    if (event.key in steps) {
      to(steps[event.key]);
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      walk(event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === " ") {
      toggle();
    } else {
      return;
    }
    event.preventDefault();
  });
  state.at = data.searches[state.search].simulations.length;
  Theory.onLanguage(function () {
    translate();
    chooseSearch(state.search);
  });
}());
