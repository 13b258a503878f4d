"use strict";
// Steps through the games of the report. Everything it shows is in the page already; without it
// the moves, graphs and diagrams are still there.
(function () {
  const SVG = "http://www.w3.org/2000/svg";
  const PIECES = {
    p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king",
  };
  const games = Array.from(document.querySelectorAll(".game")).map(makeGame);
  let current = 0;

  function makeGame(article) {
    const find = function (selector) { return article.querySelector(selector); };
    const positions = JSON.parse(find(".positions").textContent);
    const board = find("svg.board");
    const moves = Array.from(article.querySelectorAll(".move"));
    let ply = 0;
    let flipped = false;

    function corner(square) {
      const file = square % 8, rank = square >> 3;
      return flipped ? [45 * (7 - file), 45 * rank] : [45 * file, 45 * (7 - rank)];
    }

    function name(square) {
      return "abcdefgh"[square % 8] + ((square >> 3) + 1);
    }

    function draw(position) {
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

    function show(wanted, scrolls) {
      ply = Math.max(0, Math.min(wanted, positions.length - 1));
      const position = positions[ply];
      draw(position);
      board.setAttribute("aria-label", "Board after " + (position.played || "no move"));
      find(".gauge .fill").style.height = position.chances + "%";
      find(".evaluation").textContent = position.evaluation;
      find(".played").textContent = position.played ? position.played + position.symbol : "";
      find(".marks").textContent = position.marks;
      find(".verdict").textContent = position.verdict;
      find(".verdict").className = "verdict " + position.judgement;
      find(".line").textContent = position.line ? "Best line: " + position.line : "";
      const here = find(".graph .here");
      here.setAttribute("x1", ply);
      here.setAttribute("x2", ply);
      moves.forEach(function (button, i) {
        if (i === ply - 1) {
          button.setAttribute("aria-current", "step");
          const list = find(".moves");
          if (scrolls && list.scrollHeight > list.clientHeight) {
            list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
          }
        } else {
          button.removeAttribute("aria-current");
        }
      });
      if (ply === 0) {
        find(".moves").scrollTop = 0;
      }
    }

    function nextCritical() {
      for (let step = 1; step <= positions.length; step += 1) {
        const candidate = (ply + step) % positions.length;
        if (positions[candidate].judgement) {
          return candidate;
        }
      }
      return ply;
    }

    function go(where) {
      if (where === "flip") {
        flipped = !flipped;
        article.classList.toggle("flipped", flipped);
        show(ply, false);
        return;
      }
      const target = {
        first: 0, previous: ply - 1, next: ply + 1, last: positions.length - 1,
        critical: where === "critical" ? nextCritical() : 0,
      };
      show(target[where], true);
    }

    article.addEventListener("click", function (event) {
      const control = event.target.closest("[data-go], [data-ply]");
      if (control && control.dataset.go) {
        go(control.dataset.go);
      } else if (control) {
        show(Number(control.dataset.ply), false);
        if (control.closest("figure")) {
          find(".table").scrollIntoView({ block: "nearest" });
        }
      }
    });
    find(".graph").addEventListener("click", function (event) {
      const box = event.currentTarget.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      show(Math.round(share * (positions.length - 1)), true);
    });
    show(0, false);
    return { article: article, go: go };
  }

  function choose(index) {
    current = index;
    games.forEach(function (game, i) { game.article.hidden = i !== index; });
    document.querySelectorAll("nav a").forEach(function (link, i) {
      if (i === index) {
        link.setAttribute("aria-current", "page");
      } else {
        link.removeAttribute("aria-current");
      }
    });
  }

  document.querySelectorAll("nav a").forEach(function (link, i) {
    link.addEventListener("click", function (event) {
      event.preventDefault();
      choose(i);
    });
  });

  const KEYS = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last",
    c: "critical", f: "flip",
  };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) {
      return;
    }
    event.preventDefault();
    games[current].go(KEYS[event.key]);
  });

  if (games.length > 1) {
    choose(0);
  }
})();
