"use strict";
/* The page: the index of the games or one game, according to the address: #games, #game-3, #game-3/17. */
const HalbzugReport = (function () {
  const ADDRESS = /^#game-(\d+)(?:\/(\d+))?$/;
  const WAIT_MS = 200;
  const index = JSON.parse(document.getElementById("index").textContent);
  const count = index.games.length;
  const find = (selector) => document.querySelector(selector);
  const known = new Map();
  let timer = 0;
  let shown = 0;

  const game = new HalbzugGame.Game(find(".game"), index.phases, function (node) {
    // Once the stepping has stopped: browsers limit how often an address may change.
    clearTimeout(timer);
    const wanted = `#game-${shown}${node ? "/" + node : ""}`, before = location.hash;
    timer = setTimeout(function () {
      // The reader may have followed a link whose event has not arrived yet.
      if (location.hash === before) { history.replaceState(null, "", wanted); }
    }, WAIT_MS);
  });
  const list = new HalbzugIndex(find(".index"), index);

  function dataOf(number) {
    if (!known.has(number)) {
      known.set(number, JSON.parse(document.getElementById("data-" + number).textContent));
    }
    return known.get(number);
  }

  function turn(selector, other) {
    const link = find(selector);
    link.hidden = !other;
    if (other) {
      link.href = "#game-" + other.number;
      link.title = `${other.white} – ${other.black}`;
    }
  }

  function showIndex() {
    shown = 0;
    clearTimeout(timer);
    game.player.isActive = false;
    find(".game").hidden = true;
    find(".turns").hidden = true;
    find(".index").hidden = false;
    document.title = count === 1 ? "1 game" : `${count} games`;
  }

  function showGame(number, node) {
    const row = index.games[number - 1];
    find(".index").hidden = true;
    find(".game").hidden = false;
    find(".turns").hidden = count < 2;
    turn(".to-previous", list.neighbour(number, -1));
    turn(".to-next", list.neighbour(number, 1));
    document.title = `${row.white} – ${row.black}`;
    game.player.isActive = true;
    if (shown === number) {
      game.player.show(node);
      return;
    }
    shown = number;
    game.load(number, row, dataOf(number), node, list.sideOf(row) === 1);
    window.scrollTo(0, 0);
  }

  function route() {
    const found = ADDRESS.exec(location.hash), number = found ? Number(found[1]) : 0;
    if (number >= 1 && number <= count) {
      showGame(number, Number(found[2] || 0));
    } else if (count === 1) {
      showGame(1, 0);
    } else {
      showIndex();
    }
  }

  window.addEventListener("hashchange", route);
  route();
  return { game, list };
})();
