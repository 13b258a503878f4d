"use strict";
/*
 * Questions about the drawn tree. Their answers are computed by `halbzug.teaching.quiz_solutions`.
 *
 * page.questions, or data.orders[order].questions by their names: ask and values (the text), own (a
 * teacher's text), answer (nodes, node, number, choice), why (the text of the explanation), right
 * (numbers of nodes, a number as text, or the index of a choice), choices, the values of the nodes,
 * hidden nodes, at (the node in question), and the tree with its search.
 */
(function () {
  const { data: page, byId, text, phrase, pieces, make } = Theory, asked = HalbzugTree.asked;
  const results = (page.questions || []).map(function () { return ""; });
  let question = null, place = 0, choice = -1, isShown = false, isWarned = false;

  // -- one question -----------------------------------------------------------------------------

  function begin(next) {
    question = next;
    isShown = isWarned = false;
    choice = -1;
    HalbzugTree.play(false);
    asked.isOn = true;
    asked.chosen.clear();
    asked.right.clear();
    asked.hidden = new Set(question.hidden || []);
    asked.at = question.at;
    byId("number").value = "";
    byId("verdict").textContent = byId("why").textContent = "";
    show();
  }

  /** Show the question in the page's language. */
  function show() {
    if (!question) { return; }
    const how = { nodes: "how_nodes", node: "how_node" }[question.answer];
    byId("question").textContent = (question.own || phrase("ask_of_" + question.ask, values())) +
      (question.at ? " " + text("how_marked") : "") + (how ? " " + text(how) : "");
    byId("entry").hidden = question.answer !== "number" || isShown;
    byId("check").hidden = isShown || question.answer === "node" || question.answer === "choice";
    byId("solution").hidden = isShown;
    byId("choices").replaceChildren(...(question.choices || []).map(function (words, number) {
      const button = make("button", null, choiceText(words));
      button.setAttribute("aria-pressed", number === choice);
      if (isShown && number === question.right) { button.className = "right"; }
      button.addEventListener("click", function () { choose(number); });
      return button;
    }));
    if (question.tree || !page.questions) { HalbzugTree.update(); }
  }

  /** A choice that is a move uses the piece letters of the language. */
  function choiceText(words) {
    return question.tree || !page.questions ? words : pieces(words);
  }

  function sentence(words) { return words[0].toUpperCase() + words.slice(1); }

  function values() {
    const found = Object.assign({}, question.values);
    for (const name of ["player", "search"]) {
      if (found[name] in page.texts.en) { found[name] = text(found[name]); }
    }
    for (const name of ["value", "line"]) {
      if (found[name]) { found[name] = choiceText(found[name]); }
    }
    if (question.tree || !page.questions) {
      const node = HalbzugTree.node(question.at);
      found.node = HalbzugTree.nodeName(node);
      found.place = HalbzugTree.nodeName(node, "_place");
    }
    return found;
  }

  function end(isRight) {
    if (page.questions) {
      if (!results[place]) { results[place] = isRight ? "right" : "wrong"; }
      showList();
    }
    if (isRight) { reveal(text("right")); }
  }

  /** Show the solution, and allow stepping through the search. */
  function reveal(verdict) {
    isShown = true;
    byId("verdict").textContent = verdict;
    byId("why").textContent = sentence(phrase("why_" + question.why, values()));
    if (Array.isArray(question.right)) { asked.right = new Set(question.right); }
    if (page.questions && question.tree) { document.querySelector(".steps").hidden = false; }
    show();
  }

  function choose(number) {
    if (isShown) { return; }
    choice = number;
    byId("verdict").textContent = number === question.right ? "" : text("wrong");
    end(number === question.right);
    if (!isShown) { show(); }
  }

  asked.canChoose = function (node) {
    if (!question || isShown) { return false; }
    if (question.answer === "node") { return node.parent === question.at; }
    if (question.ask === "alike") { return node.player === "x" || node.player === "n"; }
    if (question.answer !== "nodes" || !isBelow(node)) { return false; }
    return question.ask.startsWith("given-up") ? node.parent >= 0 : !node.player;
  };

  /** Whether a node is below the one in question. */
  function isBelow(node) {
    let one = node;
    while (one.number > question.at && one.parent >= 0) { one = HalbzugTree.node(one.parent); }
    return one.number === question.at;
  }

  asked.choose = function (node) {
    if (!question || isShown) { return; }
    if (question.answer === "node") {
      let one = node;
      while (one.parent > question.at) { one = HalbzugTree.node(one.parent); }
      if (one.parent === question.at) { chooseNode(one.number); }
    } else if (asked.canChoose(node)) {
      if (!asked.chosen.delete(node.number)) { asked.chosen.add(node.number); }
      HalbzugTree.update();
    }
  };

  function chooseNode(number) {
    asked.chosen.clear();
    asked.chosen.add(number);
    const isRight = question.right.includes(number);
    const worth = question.worth && question.worth[number];
    byId("verdict").textContent = isRight ? ""
      : worth ? phrase("wrong_move", { value: worth }) : text("wrong");
    end(isRight);
    HalbzugTree.update();
  }

  function check() {
    if (!question || isShown) { return; }
    if (question.answer === "number") {
      const given = fraction(byId("number").value), right = fraction(question.right);
      const isRight = given !== null && given[0] * right[1] === right[0] * given[1];
      byId("verdict").textContent = isRight ? "" : text(given === null ? "no_number" : "wrong");
      if (given !== null) { end(isRight); }
      return;
    }
    if (!asked.chosen.size && !isWarned) {
      isWarned = true;
      byId("verdict").textContent = text("none_chosen");
      return;
    }
    const right = new Set(question.right);
    // Their number is not shown: it would be half of the answer.
    const isMissing = question.right.some(function (one) { return !asked.chosen.has(one); });
    const isSurplus = Array.from(asked.chosen).some(function (one) { return !right.has(one); });
    const isRight = !isMissing && !isSurplus;
    byId("verdict").textContent = isRight ? ""
      : text(isMissing ? isSurplus ? "wrong_both" : "wrong_missing" : "wrong_surplus");
    end(isRight);
    if (isRight && !right.size) { byId("verdict").textContent += " " + text("none_cut"); }
  }

  /** A number, a fraction or a decimal as numerator and denominator; null if it is not a number. */
  function fraction(words) {
    const plain = words.trim().replace(/\u2212/g, "-").replace(",", ".");
    let match = /^([+-]?\d{1,9})(?:\/([1-9]\d{0,8}))?$/.exec(plain);
    if (match) { return [BigInt(match[1].replace("+", "")), BigInt(match[2] || "1")]; }
    match = /^([+-]?)(\d{1,9})\.(\d{1,9})$/.exec(plain);
    if (!match) { return null; }
    const size = BigInt("1" + "0".repeat(match[3].length));
    const whole = BigInt(match[2]) * size + BigInt(match[3]);
    return [match[1] === "-" ? -whole : whole, size];
  }

  /** The questions behind the buttons on the page of a single tree. */
  function ask(kind) {
    begin(HalbzugTree.data().orders[HalbzugTree.state.order].questions[kind]);
  }

  asked.mayStep = function () { return !page.questions || isShown && Boolean(question.tree); };

  asked.leave = function () {
    if (!asked.isOn) { return; }
    if (page.questions && !isShown) { return; }
    asked.isOn = false;
    asked.chosen.clear();
    asked.right.clear();
    if (page.questions) { return; }
    question = null;
    byId("question").textContent = byId("verdict").textContent = byId("why").textContent = "";
    byId("check").hidden = byId("solution").hidden = true;
  };

  // -- many questions ---------------------------------------------------------------------------

  function open(number) {
    place = number;
    const next = page.questions[number], main = document.querySelector("main");
    document.querySelector(".steps").hidden = true;
    document.querySelector(".picture").hidden = !next.tree;
    main.classList.toggle("no-tree", !next.tree);
    document.querySelector(".note").hidden = !next.tree;
    byId("algorithm").closest("label").hidden = true;
    const board = byId("board-" + number);
    byId("board").replaceChildren(...(board ? [board.content.cloneNode(true)] : []));
    asked.isOn = true;
    question = null;
    if (next.tree) { HalbzugTree.open(next.tree); } else { HalbzugTree.translate(); }
    begin(next);
    showList();
  }

  function showList() {
    const list = byId("quiz-list");
    list.replaceChildren(...page.questions.map(function (one, number) {
      const sign = { right: " ✓", wrong: " ✗", "": "" }[results[number]];
      const option = make("option", null,
        text("question_number", { number: number + 1, all: results.length }) + sign);
      option.value = number;
      return option;
    }));
    list.value = place;
    list.setAttribute("aria-label", text("questions"));
    byId("quiz-previous").disabled = place === 0;
    byId("quiz-next").disabled = place === results.length - 1;
    const right = results.filter(function (one) { return one === "right"; }).length;
    const done = results.filter(function (one) { return one; }).length;
    byId("score").textContent = done ? text("score", { right: right, done: done }) : "";
  }

  // -- the page ---------------------------------------------------------------------------------

  byId("check").addEventListener("click", check);
  byId("solution").addEventListener("click", function () {
    if (!question) { return; }
    end(false);
    choice = -1;
    if (question.answer === "number" || question.answer === "choice") {
      const right = question.answer === "number" ? question.right : choiceText(question.choices[question.right]);
      reveal(phrase("shown_value", { value: right }));
    } else {
      reveal(text("shown"));
    }
  });
  byId("number").addEventListener("keydown", function (event) {
    if (event.key === "Enter") { check(); }
  });
  Theory.onLanguage(function () {
    if (page.questions) { showList(); }
    show();
  });
  document.querySelectorAll(".quiz-only").forEach(function (element) {
    element.hidden = !page.questions;
  });
  const own = !page.questions && page.orders[page.order].questions || {};
  for (const kind of ["cut", "move"]) {
    byId("ask-" + kind).hidden = !(kind in own);
    byId("ask-" + kind).addEventListener("click", function () { ask(kind); });
  }
  if (page.questions) {
    document.querySelector("main").classList.add("quiz");
    const keys = document.querySelector(".keys");
    keys.dataset.text = "keys_quiz";
    keys.textContent = text("keys_quiz");
    byId("quiz-previous").addEventListener("click", function () { open(place - 1); });
    byId("quiz-next").addEventListener("click", function () { open(place + 1); });
    byId("quiz-list").addEventListener("change", function () { open(Number(this.value)); });
    open(0);
  } else if (!Object.keys(own).length) {
    document.querySelector(".questions").hidden = true;
  }
}());
