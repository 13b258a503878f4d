"""Makes the engine better: tests changes, fits weights, measures the gain of builds and threads.

A change is tested, and numbers are tuned, by games between builds:

    python -m halbzug.tuning.sprt main HEAD pairs.jsonl
    python -m halbzug.tuning.spsa parameters.toml rounds.jsonl

The weights come from games of the engine against itself, labels, and a fit to them:

    python -m halbzug.tuning.selfplay games.txt --games 2134 --nodes 600 --seed 11
    python -m halbzug.tuning.label games.txt labelled.txt --engine stockfish --nodes 400
    python -m halbzug.tuning.tune labelled.txt

The first plays games with this build (23 minutes if compiled, beside other work). The second
replaces each game's result by a strong engine's expectation for the position (two minutes). The
third counts features, fits the weights, and writes `eval/weights.py` (one minute). The second step
is optional, but two thousand games are too few without it: the fit then learns the noise of their
results.

`record` plays games, too, on all cores: few quiet positions of many, 32 bytes each, which
`positions_file` reads. It is for a network from own games alone; no fit reads these files yet.

The network is then fitted to the error of the terms. It needs many more positions, for which short
searches are enough:

    python -m halbzug.tuning.selfplay visited.txt --games 100000 --nodes 100 --visited 2
    python -m halbzug.tuning.label visited.txt learnt.txt --depth 3 --centipawn 0.009
    python -m halbzug.tuning.network learnt.txt held_out.txt

`builds` and `scaling` are what `halbzug bench` compares. Nothing here runs while the engine plays.
The builds and the tuner need Cython and numpy: `pip install ".[tuning]"` in the checkout.
"""
