"""Makes the engine stronger: tests changes, fits weights, measures what builds and threads gain.

Games between builds test a change and tune numbers:

    python -m halbzug.tuning.sprt main HEAD pairs.jsonl
    python -m halbzug.tuning.spsa parameters.toml rounds.jsonl

The weights are fitted to labelled positions from games of the engine against itself:

    python -m halbzug.tuning.selfplay games.txt --games 2134 --nodes 600 --seed 11
    python -m halbzug.tuning.label games.txt labelled.txt --engine stockfish --nodes 400
    python -m halbzug.tuning.tune labelled.txt

The first command plays games with this build (23 minutes if compiled, beside other work). The
second replaces each game's result by what a strong engine expects from the position (two minutes).
The third counts features, fits the weights, and writes `uci_engine/eval/weights.py` (one minute).
The second step is optional, but without it two thousand games are too few: the fit would learn the
noise of their results.

Networks that evaluate on their own, for the option `EvalFile`, are trained by `halbzug train`, or
with a graphics processor from many more positions:

    python -m halbzug.tuning.visits POSITIONS
    python -m halbzug.tuning.torch_training POSITIONS NETWORK

The first command records positions of 32 bytes each (`positions_file`) that our own searches visit.
A stronger engine searches them (`teacher`), or its network evaluates them (`stockfish_network`).

Matches with Stockfish's network show how much of the distance to Stockfish is due to the
evaluation:

    python -m halbzug.tuning.decompose pairs.jsonl --nodes 8000

The tempo, the bonus for the side to move in `uci_engine/eval/weights.py`, is not fitted: a fit to
the positions of a search gives a higher value than the one that wins most games. Choose it by
matches (`sprt`).

`builds` and `scaling` make the comparisons of `halbzug bench`. Nothing here runs while the engine
plays. Building and both fits need Cython and numpy: `pip install ".[tuning]"` in the checkout.
"""
