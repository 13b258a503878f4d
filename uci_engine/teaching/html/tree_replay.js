"use strict";
/*
 * What is known about a tree after some steps of its search, moving one step forward or back at a
 * time. Each step applies or undoes only its own changes, so a step in a large tree costs no more than
 * one in a small tree.
 *
 * KINDS lists the kinds of steps in the order of their numbers; see `tree.js`.
 */
const TreeReplay = (function () {
  const KINDS = ["enter", "leaf", "try", "back", "best", "bound", "cut", "return", "hit", "hit_lower",
    "hit_upper"];
  const [ENTER, , TRY, BACK, BEST, , CUT, , HIT] = KINDS.keys();

  /**
   * nodes: in preorder, each with `player`, `children` and `below`, the number of nodes in its subtree.
   * soFar(node, value): what is known about a node before all of its moves have been searched.
   */
  function make(nodes, steps, soFar) {
    const found = { value: [], bounds: [], visited: [], cut: [], off: [], go: go };
    const undo = [];
    let touched;

    function put(list, node, value) {
      if (list[node] === value) { return; }
      undo[undo.length - 1].push([list, node, list[node]]);
      list[node] = value;
      touched.add(node);
    }

    function forward() {
      const [kind, node, alpha, beta, value] = steps[undo.length];
      undo.push([]);
      if (kind === ENTER) { put(found.visited, node, true); }
      if (value && kind !== BACK && kind !== TRY && (kind !== ENTER || !nodes[node].player)) {
        put(found.value, node, kind >= BEST && kind <= CUT ? soFar(nodes[node], value) : value);
      }
      put(found.bounds, node, [alpha, beta]);
      if (kind !== CUT && kind < HIT) { return; }
      nodes[node].children.forEach(function (child) {
        if (found.visited[child.number]) { return; }
        put(found.cut, child.number, true);
        for (let i = 0; i < child.below; i += 1) { put(found.off, child.number + i, true); }
      });
    }

    function back() {
      undo.pop().reverse().forEach(function ([list, node, value]) {
        list[node] = value;
        touched.add(node);
      });
    }

    /** Go to the state after this many steps; return the numbers of the changed nodes. */
    function go(place) {
      touched = new Set();
      while (undo.length < place) { forward(); }
      while (undo.length > place) { back(); }
      return touched;
    }

    return found;
  }

  return { KINDS: KINDS, make: make };
}());
