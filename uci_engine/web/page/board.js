"use strict";
// The page of `halbzug board`. It shows the state of the board that all pages of a server share, and
// sends the user's actions; page_session.py describes the messages.
(function () {
  const $ = (selector) => document.querySelector(selector);
  const { make } = HalbzugBoard;

  const TRIES = 5, TRY_MS = 700;
  let socket = null, failures = 0, isOver = false;
  let version = -1, state = null, position = null, facts = null, titles = [], pgn = "";
  let reason = null;
  const analyses = new Map();
  const panels = [];
  // The tag of this page's last message: an answer to an older one must not move the board back.
  const me = Math.random().toString(36).slice(2, 10);
  let sent = 0, isTold = false;
  // What the user did before the connection was open.
  let unsent = [];
  // The dialog waiting for the answer to a message, and that message's tag.
  let asking = null;
  // The analysis of the whole game: see `review` in page_session.py.
  let review = null;
  // The shown game against an engine, for which the board was turned to the user's side once.
  let matchShown = "";

  const player = new HalbzugBoard.Player({ board: $("#board"), moves: $("#moves") }, {
    empty: "Make a move on the board, or paste a game.",
    sides: true,
    onSelect: (node, quietly) => {
      analyses.clear();
      position = facts = reason = null;
      if (!$("#exercise").hidden && !isAnswer(node)) { leaveExercise(); }
      if (!quietly && !isTold) { send("go", { at: node.id }); }
      refresh();
    },
    onMove: (node, step) => playStep(node, step),
    onEdit: () => showEdited(),
    onDraw: (node, arrows) => {
      send("arrows", { at: node.id, arrows: arrows.map((arrow) => [arrow.from, arrow.to, arrow.kind]) });
    },
    onFlip: () => showLines(),
  });

  // -- the connection ---------------------------------------------------------------------------

  function connect() {
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    const mine = new WebSocket(address);
    socket = mine;
    mine.addEventListener("open", () => {
      failures = 0;
      if (isOver) { over(false); }
    });
    mine.addEventListener("message", (event) => hear(JSON.parse(event.data)));
    mine.addEventListener("close", () => {
      if (socket !== mine) { return; }
      failures += 1;
      if (failures < TRIES) {
        setTimeout(connect, TRY_MS);
      } else {
        over(true);
      }
    });
  }

  // After the machine has slept, the server may still be running.
  window.addEventListener("focus", () => {
    if (isOver && socket.readyState === WebSocket.CLOSED) {
      failures = TRIES - 1;
      connect();
    }
  });

  function over(now) {
    isOver = now;
    document.body.classList.toggle("is-over", now);
    if (now) {
      if (reason && reason.searching) { reason = null; }
      showReason();
      player.board.setLegal([]);
      notice("The board's program has ended. This page keeps the game, and Export saves it." +
        " Start halbzug board again for a new address.", true);
    } else {
      $("#notice").hidden = true;
    }
  }

  /** Send a message; a dialog that sends one closes when the server has carried it out. */
  function send(name, message, dialog) {
    if (!socket || socket.readyState !== WebSocket.OPEN || version < 0) {
      if (!isOver) { unsent.push([name, message, dialog]); }
    } else {
      sent += 1;
      if (dialog) { asking = { dialog: dialog, tag: me + sent }; }
      const common = { "do": name, version: version, tag: me + sent };
      socket.send(JSON.stringify(Object.assign(common, message)));
    }
  }

  function hear(message) {
    const isOld = message.version !== undefined && message.type !== "tree" && message.version !== version;
    if (isOld) { return; }
    if (asking && asking.tag === message.tag && message.type !== "error") {
      asking.dialog.close();
      if (asking.dialog.id === "new-dialog" && !message.warning) { $("#paste").value = ""; }
      asking = null;
    }
    hearing[message.type](message);
  }

  const hearing = {
    tree(message) {
      if (message.warning && message.version !== version) { notice(message.warning, false); }
      if (message.version !== version) {
        review = null;
        solved.clear();
      }
      leaveExercise();
      version = message.version;
      if (player.board.editing) { setUp(false); }
      analyses.clear();
      reason = null;
      player.load(message.tree, message.at);
      refresh();
      const before = unsent;
      unsent = [];
      before.forEach((one) => send(...one));
    },
    node(message) { player.update(message.record); },
    at(message) {
      const isOld = message.tag && message.tag.startsWith(me) && message.tag !== me + sent;
      if (player.node.id !== message.at && !isOld) {
        isTold = true;
        player.show(player.tree.get(message.at));
        isTold = false;
      }
    },
    position(message) {
      if (message.at !== player.node.id) { return; }
      position = message;
      player.setLegal(message.legal);
      refresh();
    },
    facts(message) {
      if (message.at !== player.node.id) { return; }
      facts = message;
      showFacts();
    },
    reason(message) {
      if (message.at !== player.node.id) { return; }
      reason = message;
      showReason();
    },
    analysis(message) {
      if (message.at !== player.node.id) { return; }
      analyses.set(message.engine, message);
      const first = state ? state.engines.findIndex((engine) => engine.on) : 0;
      if (message.engine === first && !message.threat && message.lines.length) {
        const best = message.lines[0], data = player.node.data;
        data.eval = best.eval;
        data.chances = best.chances;
        player.gauge.show(best.chances, best.eval);
        const value = player.moveList.buttons.get(player.node.id);
        if (value && value.querySelector(".hz-value")) { value.querySelector(".hz-value").textContent = best.eval; }
      }
      showLines();
    },
    state(message) {
      const isOther = !state || state.game !== message.game;
      state = message;
      toldAt = performance.now();
      const match = state.match ? `${version} ${state.match.color}` : "";
      if (match && match !== matchShown) { player.flip(state.match.color === "black"); }
      matchShown = match;
      showState();
      if (isOther) { showGames(); }
    },
    review(message) {
      review = message.size ? message : null;
      showReview();
    },
    arrows(message) {
      if (message.tag.startsWith(me)) { return; }
      const node = player.tree.get(message.at);
      node.data.arrows = message.arrows;
      if (node === player.node && !player.board.editing) { player.board.setOwn(message.arrows); }
    },
    pgn(message) {
      pgn = message.text;
      if ($("#export-dialog").open) { fillExport(); }
    },
    explorer(message) {
      if (message.at === player.node.id) { showExplorer(message); }
    },
    games(message) {
      titles = message.titles;
      $("#games-button").hidden = titles.length < 2;
      $("#games-button").textContent = `Games (${titles.length})`;
      showGames();
    },
    error(message) {
      complain(message.text);
      if (player.board.editing) { return; } // the position can still be corrected
      player.show(player.node, true);
      if (position) { player.setLegal(position.legal); }
    },
  };

  function notice(text, isEnd) {
    $("#notice").hidden = false;
    $("#notice").classList.toggle("is-end", isEnd);
    $("#notice p").textContent = text;
  }
  $("#notice button").addEventListener("click", () => { $("#notice").hidden = true; });

  /** Show an error in the open dialog, or else above the board. */
  function complain(text) {
    const fault = $("dialog[open] .fault");
    asking = null;
    if (fault) { fault.textContent = text; } else { notice(text, false); }
  }

  // -- moves ------------------------------------------------------------------------------------

  function playStep(node, step) {
    if (exercise) {
      attempt(step);
      return;
    }
    $("#notice").hidden = !isOver;
    // Shown at once; the server adds a new move to the tree.
    const known = node.children.find((child) => child.step.uci === step.uci);
    if (known) {
      isTold = true; // by "move" below
      player.show(known);
      isTold = false;
    } else {
      player.board.show({
        squares: HalbzugBoard.after(player.tree.squares(node), step),
        last: [step.from, step.to],
      });
      player.board.setLegal([]);
    }
    send("move", { at: node.id, move: step.uci });
  }

  function playLine(node, steps) {
    send("line", { at: node.id, moves: steps.map((step) => step.uci) });
  }

  /** Play a typed move, in SAN or UCI notation. */
  function typed(text) {
    const plain = (san) => san.replace(/[+#!?x=-]/g, "").replaceAll("0", "O");
    const wanted = plain(text.trim());
    const legal = player.board.legal;
    return legal.find((step) => step.san === text.trim()) ||
      legal.find((step) => step.uci === text.trim().toLowerCase()) ||
      legal.find((step) => plain(step.san) === wanted) ||
      legal.find((step) => plain(step.san).toLowerCase() === wanted.toLowerCase()) || null;
  }

  $("#type").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = $("#move"), step = typed(field.value);
    if (step) {
      field.value = "";
      playStep(player.node, step);
    } else if (field.value.trim()) {
      notice(`“${field.value.trim().slice(0, 40)}” is not a legal move here.`, false);
    }
  });
  $("#pass").addEventListener("click", () => {
    send("move", { at: player.node.id, move: "0000" });
  });

  function bestStep() {
    for (const analysis of analyses.values()) {
      if (!analysis.threat && analysis.lines.length) { return HalbzugBoard.readStep(analysis.lines[0].steps[0]); }
    }
    return null;
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) { return; }
    if (!state || event.target.closest("input, textarea, select, dialog, summary, [role=dialog]")) { return; }
    if (event.key === " " && !exercise && !event.target.closest("button, a")) {
      const step = bestStep();
      if (step) { playStep(player.node, step); }
    } else if (event.key === "l") {
      toggleEngine(0);
    } else if (event.key === "x") {
      toggleThreat();
    } else if (event.key === "w") {
      askReason();
    } else if (event.key === "c") {
      nextMistake();
    } else {
      return;
    }
    event.preventDefault();
  });

  // -- facts about the position -----------------------------------------------------------------

  function refresh() {
    const opening = $("#opening");
    if (position) {
      opening.replaceChildren();
      if (position.opening) {
        make("span", "", opening, position.opening.eco);
        opening.append(position.opening.name);
      }
      showStatus();
      $("#pass").disabled = player.tree.checked(player.node) >= 0 || Boolean(position.end);
      showBook();
    }
    const isRoot = !player.node.parent;
    for (const id of ["#delete", "#promote", "#nag"]) { $(id).disabled = isRoot; }
    $("#promote").disabled = isRoot || player.tree.isMainLine(player.node);
    $("#nag").value = String((player.node.data.nags || [0])[0]);
    $("#comment").hidden = true;
    showReason();
    showLines();
    showReview();
    showSides();
  }

  /** How the game ended, also by the clock or resignation; otherwise who is to move. */
  function showStatus() {
    if (!position || player.board.editing) { return; }
    const match = state && state.match, turn = player.tree.isWhiteToMove(player.node) ? "White" : "Black";
    const isEnd = match && match.over && match.head === player.node.id;
    $("#status").textContent = position.end || (isEnd ? match.over : `${turn} to move`);
  }

  // -- the whole game ---------------------------------------------------------------------------

  const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

  function showReview() {
    const isDone = Boolean(review && review.summary.length);
    $("#review").hidden = !review;
    $("#graph").hidden = !isDone;
    document.body.classList.toggle("has-graph", isDone);
    player.sides.forEach((side, index) => {
      const accuracy = isDone ? review.summary[index].accuracy : null;
      side.note.textContent = accuracy === null ? "" : accuracy.toFixed(1) + " %";
      side.note.title = "Accuracy";
    });
    if (!review) { return; }
    for (const id of ["#review progress", "#review-stop"]) { $(id).hidden = !review.running; }
    for (const id of ["#review-report", "#review-pgn"]) { $(id).hidden = !isDone; }
    const hasSome = (...names) => review.summary.some((side) => names.some((name) => side.judgements[name]));
    $("#next-mistake").hidden = !hasSome(...Object.keys(PLURALS));
    $("#exercise-button").hidden = !hasSome("mistake", "blunder");
    $("#review progress").value = review.done / review.size;
    const lines = [];
    if (review.running) { lines.push(`Analysing the game: ${review.done} of ${review.size} positions.`); }
    if (review.failure) { lines.push(review.failure); }
    $("#review-words").replaceChildren(...lines.map((line) => make("p", "", null, line)));
    if (!isDone || summarized !== review) { $("#review-sides").replaceChildren(); }
    if (!isDone) { return; }
    if (summarized !== review) { review.summary.forEach(summarize); }
    summarized = review;
    const image = $("#graph img"), source = "graph.svg?" + version + "." + review.nodes.length;
    if (image.getAttribute("src") !== source) { image.src = source; }
    let at = player.node;
    while (at && !review.nodes.includes(at.id)) { at = at.parent; }
    $("#graph i").style.left = 100 * review.nodes.indexOf(at ? at.id : 0) / (review.nodes.length - 1) + "%";
  }

  // The analysis whose summary is shown: its buttons keep the focus while moves are shown.
  let summarized = null;

  /** A player's accuracy, and a button for each kind of mistake that leads to the next one. */
  function summarize(side, index) {
    const accuracy = side.accuracy === null ? "no move" : `accuracy ${side.accuracy.toFixed(1)} %`;
    const line = make("p", "", $("#review-sides"), `${index ? "Black" : "White"}: ${accuracy}`);
    for (const name of Object.keys(PLURALS)) {
      const number = side.judgements[name];
      if (!number) { continue; }
      line.append(", ");
      const button = make("button", name, line, `${number} ${number === 1 ? name : PLURALS[name]}`);
      button.type = "button";
      button.addEventListener("click", () => {
        const next = nextOf((node) => node.data.judgement === name && node.ply % 2 === 1 - index);
        if (next) { player.show(next); }
      });
    }
  }

  /** The next move after the shown position that passes the test, starting over at the end. */
  function nextOf(isWanted) {
    const nodes = review ? review.nodes.map((id) => player.tree.get(id)).filter(Boolean) : [];
    let at = player.node;
    while (at && !nodes.includes(at)) { at = at.parent; }
    const from = nodes.indexOf(at);
    return nodes.slice(from + 1).concat(nodes.slice(0, from + 1)).find(isWanted);
  }

  function nextMistake() {
    const next = nextOf((node) => node.data.judgement);
    if (next) { player.show(next); }
  }

  // -- its mistakes as exercises ----------------------------------------------------------------

  // The mistake being solved, and those already solved.
  let exercise = null;
  const solved = new Set(); // by their ids
  // Where the last one was solved, and by which move: the answer is shown until another position is.
  let answered = null;

  function isAnswer(node) {
    return Boolean(answered) && (node === answered.before ||
      node.parent === answered.before && node.step.uci === answered.uci);
  }

  function beginExercise() {
    const node = nextOf((one) => one.data.exercise && !solved.has(one.id));
    if (!node) {
      sayExercise("There are no more exercises in this game.", false);
      $("#exercise-next").hidden = true;
      return;
    }
    player.show(node.parent);
    exercise = node;
    answered = null;
    const turn = player.tree.isWhiteToMove(node.parent) ? "White" : "Black";
    player.flip(turn === "Black");
    sayExercise(`Find a better move for ${turn} than ${player.tree.number(node)}${node.step.san}.`, true);
    showLines();
  }

  function sayExercise(text, isOn) {
    $("#exercise").hidden = false;
    $("#exercise p").textContent = text;
    for (const id of ["#exercise-hint", "#exercise-solution"]) { $(id).hidden = !isOn; }
    $("#exercise-next").hidden = isOn;
    document.body.classList.toggle("is-exercise", isOn);
  }

  /** Remove the exercise when its position is left. */
  function leaveExercise() {
    exercise = answered = null;
    $("#exercise").hidden = true;
    document.body.classList.remove("is-exercise");
    showLines();
  }

  function attempt(step) {
    const name = player.tree.number(exercise) + step.san;
    if (exercise.data.exercise.good.includes(step.uci)) {
      solve(`${name} is right.`, step);
      return;
    }
    sayExercise(step.uci === exercise.step.uci ? `${name} is the mistake that was played. Try another move.`
      : `${name} is not the move that the engine would choose. Try another one.`, true);
    player.show(player.node, true);
    if (position) { player.setLegal(position.legal); }
  }

  /** Show the answer and the verdict on the game's move, and play the better one. */
  function solve(text, step) {
    const node = exercise, turn = player.tree.isWhiteToMove(node.parent) ? "White" : "Black";
    exercise = null;
    solved.add(node.id);
    answered = { before: node.parent, uci: step.uci };
    playStep(node.parent, step);
    sayExercise(`${text} In the game, ${turn} played ${player.tree.number(node)}${node.step.san}. ${node.data.verdict || ""}`, false);
  }
  $("#exercise-button").addEventListener("click", beginExercise);
  $("#exercise-next").addEventListener("click", beginExercise);
  $("#exercise-leave").addEventListener("click", leaveExercise);
  $("#exercise-solution").addEventListener("click", () => {
    const best = HalbzugBoard.readStep(exercise.data.exercise.best);
    solve(`The better move was ${player.tree.number(exercise)}${best.san}.`, best);
  });
  $("#exercise-hint").addEventListener("click", () => {
    const from = HalbzugBoard.nameOf(HalbzugBoard.readStep(exercise.data.exercise.best).from);
    sayExercise(`Move the piece on ${from}.`, true);
  });

  $("#next-mistake").addEventListener("click", nextMistake);
  $("#review-stop").addEventListener("click", () => send("stop_review", {}));
  $("#review-begin").addEventListener("click", () => {
    send("review", { seconds: Number($("#review-seconds").value) }, $("#review-dialog"));
  });
  $("#graph").addEventListener("click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ply = Math.round((event.clientX - box.left) / box.width * (review.nodes.length - 1));
    const node = player.tree.get(review.nodes[ply]);
    if (node) { player.show(node); }
  });

  /** Make the move list as long as the screen allows beside the board. */
  function fitMoves() {
    const list = player.moveList.element, card = $("#moves-card");
    const below = card.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
    const top = list.getBoundingClientRect().top + window.scrollY, wasInView = player.moveList.isInView();
    list.style.setProperty("--room", `${Math.floor(window.innerHeight - top - below - 12)}px`);
    if (wasInView && !player.moveList.isInView()) { player.moveList.reveal(); }
  }
  new ResizeObserver(fitMoves).observe($("#side"));
  window.addEventListener("resize", fitMoves);

  // -- the last move in words -------------------------------------------------------------------

  function hasMove() { return Boolean(player.node.parent) && player.node.step.uci !== "0000"; }

  function askReason() {
    if (hasMove()) { send("reason", { at: player.node.id }); }
  }
  $("#reason-button").addEventListener("click", askReason);

  function showReason() {
    const node = player.node, button = $("#reason-button"), answer = $("#reason-answer");
    const name = hasMove() ? player.tree.number(node) + node.step.san : "the last move";
    button.textContent = `Explain ${name}`;
    button.disabled = !hasMove();
    let texts = [];
    if (reason && reason.searching) {
      texts = [`Comparing ${name} with the best move: up to three searches, each longer than the one before.`];
    } else if (reason) {
      texts = reason.failure ? [`No explanation was found: ${reason.failure}`] : reason.notes;
      // Elsewhere on the page, scores are from White's side.
      if (!reason.failure && player.tree.isWhiteToMove(node)) { texts = texts.concat("Scores are from Black's side."); }
    }
    // Screen readers repeat text that is written again.
    if (answer.dataset.text === texts.join("\n")) { return; }
    answer.dataset.text = texts.join("\n");
    answer.replaceChildren(...texts.map((text, index) => make("p", index ? "faint" : "", null, text)));
  }

  function choice(list, text) {
    const item = make("li", "", list), step = HalbzugBoard.readStep(text);
    const button = make("button", "", item, step.san);
    button.type = "button";
    button.addEventListener("click", () => playStep(player.node, step));
    return item;
  }

  function showBook() {
    const box = $("#book");
    box.replaceChildren();
    if (!position.book.length) {
      make("p", "empty", box, "No book moves.");
      return;
    }
    const list = make("ul", "choices", box);
    for (const entry of position.book) {
      const item = choice(list, entry.step);
      const bar = make("div", "share", item);
      make("i", "", bar).style.width = 100 * entry.share + "%";
      make("span", "faint", item, Math.round(100 * entry.share) + " %");
    }
  }

  /** What was played here in the user's games: see page_explorer.py. */
  function showExplorer(found) {
    const box = $("#explorer"), total = found.moves.reduce((sum, entry) => sum + entry.games, 0);
    $("#explorer-box").hidden = false;
    $("#explorer-total").textContent = total ? games(total) : "";
    box.replaceChildren();
    if (!total && !found.reading) { make("p", "empty", box, "No game continues from this position."); }
    const list = make("ul", "choices", box);
    for (const entry of found.moves) {
      const item = choice(list, entry.step), bar = make("div", "results", item);
      const known = entry.white + entry.draws + entry.black, words = [];
      for (const [name, number] of [["White", entry.white], ["drawn", entry.draws], ["Black", entry.black]]) {
        const percent = known ? 100 * number / known : 0, part = make("i", "", bar);
        part.style.width = percent + "%";
        part.textContent = percent >= 15 ? Math.round(percent) + " %" : "";
        words.push(`${name} ${Math.round(percent)} %`);
      }
      bar.title = words.join(", ");
      bar.setAttribute("role", "img");
      bar.setAttribute("aria-label", bar.title);
      make("span", "faint", item, entry.games.toLocaleString("en"));
    }
    const rows = make("ul", "games", box);
    for (const game of found.games) {
      const button = make("button", "", make("li", "", rows), game.title);
      button.type = "button";
      make("span", "faint", button, game.result);
      button.addEventListener("click", () => send("explored", { file: game.file, id: game.id }));
    }
    rows.hidden = !found.games.length;
    for (const file of found.files) { make("p", "empty", box, `${file.name}: ${file.status}`); }
  }

  function games(number) { return number === 1 ? "1 game" : number.toLocaleString("en") + " games"; }

  function showFacts() {
    const tablebase = facts.tablebase;
    $("#tablebase-box").hidden = !tablebase;
    $("#tablebase").replaceChildren();
    if (tablebase) {
      const turn = player.tree.isWhiteToMove(player.node) ? "White" : "Black";
      make("p", "empty", $("#tablebase"), `${turn} to move: ${tablebase.result}`);
      const list = make("ul", "choices", $("#tablebase"));
      for (const entry of tablebase.moves) {
        const item = choice(list, entry.step);
        make("span", "", item, entry.result);
        make("span", "faint", item, entry.dtz === null ? "" : "DTZ " + Math.abs(entry.dtz));
      }
    }
    const terms = facts.terms, box = $("#terms");
    box.replaceChildren();
    $("#terms-value").textContent = terms ? pawns(terms.value) : "";
    if (!terms) {
      make("p", "empty", box, "This position has no static evaluation.");
      return;
    }
    const table = make("table", "", box), head = make("tr", "", make("thead", "", table));
    for (const name of ["Term", "White", "Black", "Pawns"]) { make("th", "", head, name).scope = "col"; }
    const body = make("tbody", "", table);
    for (const group of terms.groups) {
      row(body, "group", group.name, "", "", group.value);
      for (const term of group.terms.slice(0, 8)) {
        if (Math.abs(term.value) >= 0.5) { row(body, "", term.name, term.white, term.black, term.value); }
      }
    }
  }

  function row(body, kind, name, white, black, value) {
    const line = make("tr", kind, body);
    make("th", "", line, name).scope = "row";
    for (const text of [white, black, pawns(value)]) { make("td", "", line, String(text)); }
  }

  function pawns(value) {
    const text = (Math.abs(value) / 100).toFixed(2);
    return text === "0.00" ? text : (value < 0 ? "−" : "+") + text;
  }

  // -- engines ----------------------------------------------------------------------------------

  function panel(index) {
    if (panels[index]) { return panels[index]; }
    const card = make("section", "card engine", $("#engines")), head = make("div", "engine-head", card);
    const toggle = make("button", "switch", head);
    toggle.type = "button";
    toggle.setAttribute("role", "switch");
    toggle.addEventListener("click", () => toggleEngine(index));
    const value = make("span", "engine-value", head);
    const name = make("span", "engine-name", head);
    const title = make("b", "", name), info = make("span", "", name);
    const buttons = {};
    for (const [key, text, label, act] of [
      ["fewer", "−", "Fewer lines", () => setLines(index, -1)],
      ["more", "+", "More lines", () => setLines(index, 1)],
      ["threat", "Threat", "What if the side to move passed?", () => toggleThreat()],
    ]) {
      if (key === "threat" && index) { continue; }
      const button = make("button", "", head, text);
      button.type = "button";
      button.title = label;
      if (key !== "threat") { button.setAttribute("aria-label", label); }
      button.addEventListener("click", act);
      buttons[key] = button;
    }
    const list = new HalbzugBoard.LineList(card, { onLine: (node, steps) => playLine(node, steps) });
    const error = make("p", "engine-error", card);
    error.setAttribute("role", "alert");
    panels[index] = { card, toggle, value, title, info, buttons, list, error };
    return panels[index];
  }

  function toggleEngine(index) { send("engine", { engine: index, on: !state.engines[index].on }); }
  function toggleThreat() { send("threat", { on: !state.threat }); }
  function setLines(index, by) {
    send("engine", { engine: index, lines: state.engines[index].lines + by });
  }

  function showState() {
    state.engines.forEach((engine, index) => {
      const one = panel(index);
      one.card.setAttribute("aria-label", engine.name);
      one.title.textContent = engine.name;
      one.toggle.setAttribute("aria-checked", String(engine.on));
      one.toggle.setAttribute("aria-label", engine.name + " analyses");
      one.error.textContent = engine.error;
      one.error.hidden = !engine.error;
      for (const button of Object.values(one.buttons)) { button.hidden = !engine.on; }
      if (one.buttons.threat) { one.buttons.threat.setAttribute("aria-pressed", String(state.threat)); }
      if (!engine.on) { analyses.delete(index); }
    });
    showLines();
    showMatch();
    showStatus();
    showSides();
    $("#new-before").hidden = !state.before;
    showSettings();
  }

  function showLines() {
    if (!state) { return; }
    const arrows = [];
    state.engines.forEach((engine, index) => {
      const one = panel(index), analysis = analyses.get(index);
      const lines = engine.on && analysis ? analysis.lines : [];
      one.list.show(player.tree, player.node, lines, player.board.flipped);
      // Keep the space of the lines while waiting for new ones.
      one.list.element.style.minHeight = engine.on && !(position && position.end) ? 3.15 * engine.lines + "em" : "";
      one.value.textContent = lines.length ? lines[0].eval : "";
      one.info.textContent = !engine.on ? "off" : lines.length
        ? `${analysis.threat ? "threat, " : ""}depth ${analysis.depth}, ${count(analysis.nodes)} nodes, ${count(analysis.nps)}/s`
        : position && position.end ? "" : "…";
      if ($("#show-arrows").checked && !exercise) {
        lines.slice(0, 3).forEach((line, number) => {
          const step = HalbzugBoard.readStep(line.steps[analysis.threat ? 1 : 0] || "0000 --");
          if (step.from < 0) { return; }
          const kind = analysis.threat ? "threat" : number || index ? "next" : "best";
          arrows.push({ from: step.from, to: step.to, kind: kind, width: number ? 0.09 : 0.16 });
        });
      }
    });
    player.setArrows(player.board.editing ? [] : arrows.reverse());
  }

  function count(number) {
    if (number >= 1e6) { return (number / 1e6).toFixed(1) + " M"; }
    return number >= 1e3 ? Math.round(number / 1e3) + " k" : String(number);
  }

  // -- a game against an engine -----------------------------------------------------------------

  function showMatch() {
    const match = state.match;
    $("#match").hidden = !match;
    if (!match) { return; }
    let text = `You play ${match.color === "white" ? "White" : "Black"} against ${match.name}. `;
    const result = match.over.match(/^[01/2]+-[01/2]+/);
    if (!match.over) { text += match.thinks ? "The engine is thinking." : "Your move."; }
    $("#match p").textContent = text;
    if (result) { make("span", "", $("#match p"), result[0]); }
    $("#match p").append(match.over.slice(result ? result[0].length : 0));
    for (const id of ["#take-back", "#resign"]) { $(id).hidden = Boolean(match.over); }
    $("#rematch").hidden = !match.over;
  }

  /** The players' names, with their titles and ratings, and their clocks. */
  function showSides() {
    const tags = player.tree.tags, match = state && state.match;
    const known = (name) => name && name !== "?" && name !== "-" ? name : "";
    document.body.classList.toggle("has-sides", Boolean(match || known(tags.White) || known(tags.Black)));
    player.sides.forEach((side, index) => {
      const color = index ? "Black" : "White", rating = known(tags[color + "Elo"]);
      const words = [known(tags[color + "Title"]), known(tags[color]) || color, rating && `(${rating})`];
      side.name.textContent = !match ? words.filter(Boolean).join(" ")
        : match.color === color.toLowerCase() ? "You" : match.name;
      side.name.title = side.name.textContent;
    });
    const names = player.sides.map((side) => side.name.textContent);
    document.title = document.body.classList.contains("has-sides") ? names.join(" – ") : "Halbzug";
    showClocks();
  }

  // The clocks as last sent by the server, and when: between messages the page counts down. A
  // finished game shows the last clock times before the position.
  let toldAt = 0;
  function showClocks() {
    const match = state && state.match, clocks = match && match.clocks;
    player.sides.forEach((side, index) => {
      if (!clocks) {
        let at = player.node;
        while (at && !(at.data.clock && at.ply % 2 === 1 - index)) { at = at.parent; }
        side.clock.textContent = at && !match ? at.data.clock : "";
        side.clock.classList.remove("is-running");
        return;
      }
      const color = index ? "black" : "white", isRunning = match.running === color && !isOver;
      const used = isRunning ? (performance.now() - toldAt) / 1000 : 0;
      const left = Math.max(clocks[index] - used, 0);
      side.clock.textContent = clockText(left);
      side.clock.classList.toggle("is-running", isRunning);
      side.clock.classList.toggle("is-short", left < 20);
    });
  }
  setInterval(() => { if (state && state.match) { showClocks(); } }, 100);

  /** "1:05:09", "5:09", and below ten seconds "0:09.4". */
  function clockText(seconds) {
    const whole = seconds < 10 ? Math.floor(10 * seconds) / 10 : Math.floor(seconds);
    const minutes = Math.floor(whole / 60), rest = whole - 60 * minutes;
    const tail = (rest < 10 ? "0" : "") + (seconds < 10 ? rest.toFixed(1) : rest);
    return minutes < 60 ? `${minutes}:${tail}`
      : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${tail}`;
  }
  $("#take-back").addEventListener("click", () => send("back", {}));
  $("#resign").addEventListener("click", () => send("resign", {}));
  $("#rematch").addEventListener("click", () => send("rematch", {}));
  $("#leave").addEventListener("click", () => send("leave", {}));

  $("#elo").addEventListener("input", () => { $("#elo-value").textContent = $("#elo").value; });
  $("#match-strength").addEventListener("change", () => {
    $("#elo-label").hidden = $("#match-strength").value !== "elo";
  });
  $("#match-clock").addEventListener("change", () => {
    $("#match-own").hidden = $("#match-clock").value !== "own";
    $("#match-seconds-label").hidden = $("#match-clock").value !== "";
  });
  function chosenClock() {
    const value = $("#match-clock").value;
    return value === "own" ? `${Number($("#match-minutes").value)}+${Number($("#match-increment").value)}` : value || null;
  }
  $("#match-begin").addEventListener("click", () => {
    const start = $("#match-start").value;
    send("match", {
      engine: Number($("#match-engine").value),
      color: $("#match-color").value,
      elo: $("#match-strength").value === "elo" ? Number($("#elo").value) : null,
      seconds: Number($("#match-seconds").value) || 1,
      clock: chosenClock(),
      fresh: start !== "here",
      chess960: start === "960" ? "random" : null,
    }, $("#match-dialog"));
  });

  // -- dialogs ----------------------------------------------------------------------------------

  document.querySelectorAll("[data-open]").forEach((button) => {
    button.addEventListener("click", () => {
      const dialog = $(`#${button.dataset.open}-dialog`);
      if (button.dataset.open === "export") { fillExport(); }
      $("#notice").hidden = !isOver;
      dialog.querySelector(".fault").textContent = "";
      dialog.showModal();
    });
  });
  document.querySelectorAll("dialog").forEach((dialog) => {
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    dialog.querySelector(".row.end").before(fault);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) { dialog.close(); } });
    dialog.addEventListener("submit", (event) => {
      // Enter in a field must not click Close.
      if (!event.submitter || event.submitter.value !== "close") { event.preventDefault(); }
    });
  });

  function begin(name, message) {
    $("#new-dialog .fault").textContent = "";
    send(name, message, $("#new-dialog"));
  }
  $("#new-usual").addEventListener("click", () => begin("new", {}));
  $("#new-before").addEventListener("click", () => begin("before", {}));
  $("#new-960").addEventListener("click", () => {
    const number = $("#new-number").value;
    begin("new", { chess960: number === "" ? "random" : Number(number) });
  });
  // The server refuses longer messages.
  const LONGEST = 4_000_000;
  function isTooLong(length) {
    if (length <= LONGEST) { return false; }
    complain("This is longer than 4 million characters; open it with halbzug board FILE.");
    return true;
  }
  $("#paste-button").addEventListener("click", () => {
    const text = $("#paste").value;
    if (!isTooLong(text.length)) { begin("paste", { text: text }); }
  });
  // The server decodes the file.
  $("#file").addEventListener("change", (event) => {
    const file = event.target.files[0], reader = new FileReader();
    event.target.value = "";
    if (!file || isTooLong(file.size)) { return; }
    reader.addEventListener("load", () => begin("file", { data: reader.result.split(",")[1] || "" }));
    reader.addEventListener("error", () => complain("The file cannot be read."));
    reader.readAsDataURL(file);
  });

  const PAGE = 300;

  /** List the games that match the search, from the first one, or more of them. */
  function showGames(isNew = true) {
    const words = $("#games-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    titles.forEach((title, index) => {
      const lower = title.toLowerCase();
      if (words.every((word) => lower.includes(word))) { found.push(index); }
    });
    const list = $("#games-list"), more = $("#games-more");
    if (isNew) {
      list.replaceChildren();
      list.scrollTop = 0;
    }
    const shown = list.children.length, end = Math.min(shown + PAGE, found.length);
    for (const index of found.slice(shown, end)) {
      const button = make("button", "", make("li", "", list), `${index + 1}. ${titles[index]}`);
      button.type = "button";
      if (state && state.game === index) { button.setAttribute("aria-current", "true"); }
      button.addEventListener("click", () => {
        send("open", { game: index }, $("#games-dialog"));
      });
    }
    const left = found.length - end;
    $("#games-count").textContent = (found.length === 1 ? "1 game" : `${found.length} games`) +
      (left ? `, ${end} of them shown` : "");
    more.hidden = !left;
    more.textContent = `${Math.min(left, PAGE)} more`;
  }
  $("#games-filter").addEventListener("input", () => showGames());
  $("#games-more").addEventListener("click", () => {
    const first = $("#games-list").children.length;
    showGames(false);
    $("#games-list").children[first].firstChild.focus();
  });
  // Reaching the end of the list loads more.
  $("#games-list").addEventListener("scroll", (event) => {
    const list = event.target;
    if (!$("#games-more").hidden && list.scrollTop + list.clientHeight > list.scrollHeight - 200) { showGames(false); }
  });

  function fillExport() {
    $("#fen").value = position ? position.fen : "";
    $("#fen").setSelectionRange(0, 0); // show its beginning
    $("#pgn").value = pgn;
    const download = $("#download");
    if (download.href) { URL.revokeObjectURL(download.href); }
    download.href = URL.createObjectURL(new Blob([pgn], { type: "application/x-chess-pgn" }));
  }
  document.querySelectorAll("[data-copy]").forEach((button) => {
    button.addEventListener("click", async () => {
      const field = $("#" + button.dataset.copy), name = button.textContent;
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = name; }, 1500);
      } catch {
        field.focus();
      }
    });
  });

  function showSettings() {
    const box = $("#engine-settings");
    if (box.contains(document.activeElement)) { return; }
    box.replaceChildren();
    const select = $("#match-engine"), chosen = select.value;
    select.replaceChildren();
    state.engines.forEach((engine, index) => {
      const set = make("fieldset", "", box);
      make("legend", "", set, engine.name);
      number(set, "Threads", engine.threads, state.cores, (value) => send("engine", { engine: index, threads: value }));
      number(set, "Hash, MiB", engine.hash, 65536, (value) => send("engine", { engine: index, hash_mb: value }));
      number(set, "Lines", engine.lines, 10, (value) => send("engine", { engine: index, lines: value }));
      make("option", "", select, engine.name).value = String(index);
    });
    select.value = chosen || String(state.engines.length - 1);
    $("#seconds").value = state.seconds === null ? "" : String(state.seconds);
    [$("#elo").min, $("#elo").max] = state.elo;
  }

  function number(parent, name, value, most, act) {
    const field = make("input", "", make("label", "", parent, name + " "));
    Object.assign(field, { type: "number", min: 1, max: most, value: value });
    field.addEventListener("change", () => act(Math.max(1, Math.min(most, Math.round(Number(field.value)) || 1))));
  }
  $("#seconds").addEventListener("change", (event) => {
    send("seconds", { seconds: event.target.value === "" ? null : Number(event.target.value) });
  });
  $("#show-arrows").addEventListener("change", showLines);
  $("#show-gauge").addEventListener("change", (event) => {
    document.body.classList.toggle("no-gauge", !event.target.checked);
  });

  // -- the tree ---------------------------------------------------------------------------------

  $("#delete").addEventListener("click", () => send("delete", { at: player.node.id }));
  $("#promote").addEventListener("click", () => send("promote", { at: player.node.id }));
  $("#nag").addEventListener("change", (event) => send("mark", { at: player.node.id, nag: Number(event.target.value) }));
  $("#comment-button").addEventListener("click", () => {
    $("#comment").hidden = !$("#comment").hidden;
    $("#comment textarea").value = player.node.data.comment || "";
    $("#comment textarea").focus();
  });
  $("#comment").addEventListener("submit", (event) => {
    event.preventDefault();
    send("comment", { at: player.node.id, text: $("#comment textarea").value });
  });

  // -- setting up -------------------------------------------------------------------------------

  const brushes = $(".brushes");
  for (const letter of ["", ..."KQRBNP", ".", ..."kqrbnp"]) {
    const button = make("button", "", brushes);
    button.type = "button";
    button.dataset.brush = letter;
    const name = letter === "" ? "Move pieces" : letter === "." ? "Remove pieces"
      : (letter < "a" ? "White " : "Black ") + { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" }[letter.toLowerCase()];
    button.title = name;
    button.setAttribute("aria-label", name);
    if (/[a-z]/i.test(letter)) { button.append(HalbzugBoard.pieceSvg(letter)); } else { button.textContent = letter ? "✕" : "✥"; }
    button.addEventListener("pointerdown", (event) => {
      if (/[a-z]/i.test(letter)) {
        event.preventDefault();
        player.board.dragNew(event, letter);
      }
    });
    button.addEventListener("click", () => choose(letter));
  }

  function choose(letter) {
    player.board.brush = letter;
    brushes.querySelectorAll("button").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.brush === letter));
    });
  }

  function setUp(on) {
    $("#palette").hidden = !on;
    $("#edit").setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("is-editing", on);
    player.board.edit(on);
    choose("");
    if (on) {
      player.board.setOwn([]);
      showLines();
      $("#edit-turn").value = player.tree.isWhiteToMove(player.node) ? "w" : "b";
      document.querySelectorAll("#palette [type=checkbox]").forEach((box) => {
        box.checked = !position || position.rights.includes(box.value);
      });
      $("#status").textContent = "Drag pieces onto the board, or off it.";
    } else {
      player.show(player.node, true);
      if (position) { player.setLegal(position.legal); }
      refresh();
    }
  }
  function showEdited() { $("#status").textContent = editedFen(); }

  function editedFen() {
    const squares = player.board.squares;
    const rights = Array.from(document.querySelectorAll("#palette [type=checkbox]:checked"))
      .map((box) => box.value).join("");
    return `${HalbzugBoard.placementOf(squares)} ${$("#edit-turn").value} ${rights || "-"} - 0 1`;
  }
  function fill(fen) {
    player.board.show({ squares: HalbzugBoard.readPlacement(fen) });
    $("#edit-turn").value = "w";
    showEdited();
  }
  $("#edit").addEventListener("click", () => setUp($("#palette").hidden));
  $(".rights").addEventListener("change", showEdited);
  $("#edit-clear").addEventListener("click", () => fill("8/8/8/8/8/8/8/8"));
  $("#edit-start").addEventListener("click", () => fill("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
  $("#edit-done").addEventListener("click", () => {
    $("#notice").hidden = true;
    send("setup", { fen: editedFen(), chess960: state && state.chess960 });
  });

  connect();
})();
