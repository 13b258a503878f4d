// Shows the games of a tournament on one board. A game has the placement at its beginning, and for
// each move the squares that change: ".e2Pe4" empties e2 and puts a white pawn on e4.
(function () {
  const games = JSON.parse(document.querySelector(".all-games").textContent);
  const viewer = document.querySelector(".viewer");
  const find = function (selector) { return viewer.querySelector(selector); };
  const draw = boardDrawer(find("svg.board"));
  const list = find(".moves");
  let game = null;
  let boards = [];
  let buttons = [];
  let opener = null;
  let ply = 0;
  let flipped = false;

  function place(name) {
    return 8 * (8 - Number(name[1])) + "abcdefgh".indexOf(name[0]);
  }

  function squareNumber(name) {
    return "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
  }

  // The placements before the first move and after each, as 64 letters, a8 first.
  function placements(from, changes) {
    let board = from.replace(/\//g, "").replace(/[1-8]/g, function (digit) {
      return ".".repeat(Number(digit));
    }).split("");
    const all = [board];
    changes.forEach(function (change) {
      board = board.slice();
      for (let i = 0; i < change.length; i += 3) {
        board[place(change.slice(i + 1, i + 3))] = change[i];
      }
      all.push(board);
    });
    return all;
  }

  function toFen(board) {
    const rows = [];
    for (let i = 0; i < 64; i += 8) {
      rows.push(board.slice(i, i + 8).join("").replace(/\.+/g, function (run) {
        return String(run.length);
      }));
    }
    return rows.join("/");
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function listMoves() {
    list.textContent = "";
    buttons = [];
    let number = game.number, isWhite = game.turn === "w", pair = null;
    game.moves.forEach(function (san, i) {
      if (!pair) {
        pair = element("div", "pair", "");
        pair.append(element("span", "number", number + "."));
        if (!isWhite) {
          pair.append(element("span", "gap", "…"));
        }
        list.append(pair);
      }
      const button = element("button", "move", san);
      button.type = "button";
      button.dataset.ply = String(i + 1);
      buttons.push(button);
      pair.append(button);
      if (!isWhite) {
        pair = null;
        number += 1;
      }
      isWhite = !isWhite;
    });
    list.append(element("p", "outcome", game.result));
  }

  function show(wanted, scrolls) {
    ply = Math.max(0, Math.min(wanted, game.moves.length));
    const squares = ply ? game.squares[ply - 1] : "";
    draw({
      board: toFen(boards[ply]),
      move: squares ? [squareNumber(squares), squareNumber(squares.slice(2))] : null,
      check: null, best: null,
    }, flipped);
    buttons.forEach(function (button, i) {
      if (i !== ply - 1) {
        button.removeAttribute("aria-current");
        return;
      }
      button.setAttribute("aria-current", "step");
      if (scrolls && list.scrollHeight > list.clientHeight) {
        list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    });
    find("svg.board").setAttribute("aria-label",
      "Board after " + (ply ? game.moves[ply - 1] : "no move"));
    if (!ply) {
      list.scrollTop = 0;
    }
  }

  function open(index) {
    game = games[index];
    boards = placements(game.board, game.changes);
    find(".top .who").textContent = game.black;
    find(".bottom .who").textContent = game.white;
    find(".score").textContent = game.white + " – " + game.black + " " + game.result;
    find(".verdict").textContent = game.why;
    listMoves();
    viewer.hidden = false;
    show(0, false);
    viewer.scrollIntoView({ block: "start" });
    viewer.focus({ preventScroll: true });
  }

  function go(where) {
    if (where === "close") {
      viewer.hidden = true;
      if (opener) {
        opener.focus();
        opener.scrollIntoView({ block: "center" });
      }
    } else if (where === "flip") {
      flipped = !flipped;
      viewer.classList.toggle("flipped", flipped);
      show(ply, false);
    } else {
      show({ first: 0, previous: ply - 1, next: ply + 1, last: game.moves.length }[where], true);
    }
  }

  function openTarget() {
    const card = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (card && card.tagName === "DETAILS") {
      card.open = true;
    }
  }

  document.addEventListener("click", function (event) {
    const control = event.target.closest("[data-game], [data-go], [data-ply]");
    if (!control) {
      return;
    }
    if (control.dataset.game) {
      opener = control;
      open(Number(control.dataset.game));
    } else if (control.dataset.go) {
      go(control.dataset.go);
    } else {
      show(Number(control.dataset.ply), false);
    }
  });
  const KEYS = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", f: "flip",
    Escape: "close",
  };
  document.addEventListener("keydown", function (event) {
    if (viewer.hidden || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) {
      return;
    }
    event.preventDefault();
    go(KEYS[event.key]);
  });
  window.addEventListener("hashchange", openTarget);
  openTarget();
})();
