"""How the weights are made: games of the engine against itself, and a fit to what they were worth.

    python -m halbzug.tuning.selfplay games.txt --games 2134 --nodes 600 --seed 11
    python -m halbzug.tuning.label games.txt labelled.txt --engine stockfish --nodes 400
    python -m halbzug.tuning.tune labelled.txt

The first plays with the engine of this build (compiled: 23 minutes beside other work), the second
replaces each game's result by what a strong engine expects from the position (two minutes), the
third counts features, fits, and writes `eval/weights.py` (one minute). The second may be left
out, but two thousand games are too few for that: the fit then learns the noise of their results.

The network is fitted afterwards to what the terms leave unexplained. It needs many more positions,
and short searches will do:

    python -m halbzug.tuning.selfplay visited.txt --games 100000 --nodes 100 --visited 2
    python -m halbzug.tuning.label visited.txt learnt.txt --depth 3 --centipawn 0.009
    python -m halbzug.tuning.network learnt.txt held_out.txt

Nothing here runs while the engine plays. The tuner needs numpy: `pip install ".[tuning]"`
in the checkout.
"""
