"use strict";
/* The games of a tournament on one board: opened from the lists of games, closed with Escape. */
(function () {
  const games = JSON.parse(document.querySelector(".all-games").textContent);
  const viewer = document.querySelector(".viewer");
  const find = (selector) => viewer.querySelector(selector);
  const player = new HalbzugBoard.Player({ board: find(".table"), moves: find(".moves") },
    { sides: true, empty: games.length ? games[0].empty : "" });
  let opener = null;
  player.isActive = false;

  function open(index) {
    const game = games[index];
    const nodes = [{}, ...game.steps.map((step) => ({ step }))];
    player.load({ fen: game.fen, tags: { Result: game.result }, nodes });
    player.sides[0].name.textContent = game.white;
    player.sides[1].name.textContent = game.black;
    find(".score").textContent = `${game.white} – ${game.black} ${game.result.replaceAll("1/2", "½").replace("-", "–")}`;
    find(".verdict").textContent = game.why;
    viewer.hidden = false;
    player.isActive = true;
    viewer.scrollIntoView({ block: "start" });
    viewer.focus({ preventScroll: true });
  }

  function close() {
    viewer.hidden = true;
    player.isActive = false;
    opener.focus();
    opener.scrollIntoView({ block: "center" });
  }

  function openTarget() {
    const card = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (card && card.tagName === "DETAILS") { card.open = true; }
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-game]");
    if (button) {
      opener = button;
      open(Number(button.dataset.game));
    }
  });
  find(".close").addEventListener("click", close);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && !viewer.hidden && !event.defaultPrevented) { close(); }
  });
  window.addEventListener("hashchange", openTarget);
  openTarget();
})();
