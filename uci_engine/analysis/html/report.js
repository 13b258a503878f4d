// Steps through the games of the report. Everything it shows is in the page already; without it
// the moves, graphs and diagrams are still there.
(function () {
  const games = Array.from(document.querySelectorAll(".game")).map(makeGame);
  let current = 0;

  function makeGame(article) {
    const find = function (selector) { return article.querySelector(selector); };
    const positions = JSON.parse(find(".positions").textContent);
    const board = find("svg.board");
    const draw = boardDrawer(board);
    const moves = Array.from(article.querySelectorAll(".move"));
    let ply = 0;
    let flipped = false;

    function show(wanted, scrolls) {
      ply = Math.max(0, Math.min(wanted, positions.length - 1));
      const position = positions[ply];
      draw(position, flipped);
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
