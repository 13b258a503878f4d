"""What the help of `halbzug explain` needs before loading the rest: defaults and examples."""

from __future__ import annotations

#: Depths of the tree in plies: the pure build is about a hundred times slower.
COMPILED_DEPTH, PURE_DEPTH = 4, 3

#: The number of nodes at which a search of the ablation gives up.
NODE_LIMIT = 10_000_000

TREE_EXAMPLES = """\b
Examples:
  halbzug explain tree
  halbzug explain tree "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --depth 5
  halbzug explain tree startpos --plot nodes.svg
"""
HORIZON_EXAMPLES = """\b
Examples:
  halbzug explain horizon
  halbzug explain horizon hidden --html horizon.html
  halbzug explain horizon promotion --plot promotion.svg
  halbzug explain horizon "3r2k1/pp3ppp/8/8/4q3/1P3N2/P1Q2PPP/3R2K1 b - - 0 1"
"""
EVAL_EXAMPLES = """\b
Examples:
  halbzug explain eval "8/5k2/8/8/1B6/8/3K2P1/6b1 w - - 0 1"
  halbzug explain eval startpos --all
  halbzug explain eval "FEN" --compare "FEN" --html eval.html
"""
MOVE_EXAMPLES = """\b
Examples:
  halbzug explain move startpos g4
  halbzug explain move "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4" Ng5
"""
ALPHA_BETA_EXAMPLES = """\b
Examples:
  halbzug explain alpha-beta --html tree.html
  halbzug explain alpha-beta "((3 12 8) (2 4 6) (14 5 2))" --svg tree.svg --unsolved
  halbzug explain alpha-beta matches --order best --html matches.html --language de
  halbzug explain alpha-beta startpos --depth 3 --width 4 --html position.html
"""
MONTE_CARLO_EXAMPLES = """\b
Examples:
  halbzug explain monte-carlo --html monte-carlo.html
  halbzug explain monte-carlo legal --plot visits.svg
  halbzug explain monte-carlo startpos --simulations 3000
"""
DRAW_EXAMPLES = """\b
Examples:
  halbzug explain draw backgammon --html backgammon.html
  halbzug explain draw "(3 [1/3:(9 15) 2/3:(0 6)])" --svg tree.svg
"""
FIGURE_EXAMPLES = """\b
Examples:
  halbzug explain figure bitboard --svg bitboard.svg
  halbzug explain figure battleships --svg battleships.svg --language de
"""
GAME_EXAMPLES = """\b
Examples:
  halbzug explain game "connect-four 4 4" "2 3 2"
  halbzug explain game noughts-and-crosses "b2 a1" --search uct
  halbzug explain game kuhn-poker
"""
MATCH_EXAMPLES = """\b
Examples:
  halbzug explain match "connect-four 5 4" mine.py "uct 50"
  halbzug explain match backgammon mine.py random --games 20
  halbzug explain match noughts-and-crosses "alpha-beta 4" random
"""
QUESTIONS_EXAMPLES = """\b
Examples:
  halbzug explain questions --html questions.html --language de
  halbzug explain questions lesson.txt --worksheet sheet.html --key key.html
"""
TRANSPOSITIONS_EXAMPLES = """\b
Examples:
  halbzug explain transpositions --html transpositions.html
  halbzug explain transpositions kings --depth 6 --svg kings.svg
"""
LEARN_EXAMPLES = """\b
Examples:
  halbzug explain learn run.npz --minutes 60 --plot curve.svg
  halbzug explain learn small.npz --game noughts-and-crosses --minutes 0.5
  halbzug explain learn run.npz --show "3 3 2"
"""
