"use strict";
/* The graph of the winning chances: drawn by Python, with a mark at the shown position. */
class HalbzugGraph {
  /** `onPly(ply)` is called with the ply that was clicked. */
  constructor(host, onPly) {
    this.host = host;
    this.plies = 1;
    host.addEventListener("click", (event) => {
      const box = host.getBoundingClientRect();
      onPly(Math.round((event.clientX - box.left) / box.width * this.plies));
    });
  }

  load(tree, plies) {
    const drawing = new DOMParser().parseFromString(tree.graph, "image/svg+xml").documentElement;
    this.plies = Math.max(plies, 1);
    this.host.replaceChildren(document.importNode(drawing, true));
    this.here = this.host.querySelector(".here");
    for (const ply of tree.phases) {
      if (!ply) { continue; }
      const border = this.here.cloneNode();
      border.setAttribute("class", "phase");
      border.setAttribute("x1", ply);
      border.setAttribute("x2", ply);
      this.here.before(border);
    }
  }

  show(ply) {
    this.here.setAttribute("x1", ply);
    this.here.setAttribute("x2", ply);
  }
}
