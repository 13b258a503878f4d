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
third counts features, fits the weights, and writes `uci_engine/eval/weights.py` (one minute). The
second step is optional, but two thousand games are too few without it: the fit then learns the
noise of their results.

The network is made from nothing by one command, which says what it does:

    python -m halbzug.tuning.train RECIPE.toml FOLDER

It has `record` play games, on all cores, and keep few quiet positions of many, 32 bytes each
(`positions_file`), or `visits` and `walks` let a stronger engine judge positions, of our own
searches or of walks (`judged`): it searches them (`teacher`), or its network evaluates them
(`stockfish_network`), also those that were judged before (`evaluate`). It gives them the sum of the
terms (`terms`), which the network corrects (`network_data`), trains by compiled loops
(`backpropagation`), and rounds for the engine (`quantisation`). `tempo` measures what the side to
move is worth, for `uci_engine/eval/weights.py`.

A network that evaluates by itself, for the option `EvalFile`, comes from positions of `visits`:

    python -m halbzug.tuning.torch_training POSITIONS NETWORK

How much of the distance to Stockfish is the evaluation, matches with its network say:

    python -m halbzug.tuning.decompose pairs.jsonl --nodes 8000

The tempo is not fitted: a fit to the positions of a search gives a higher value than the one that
wins most games. After a new network it is set so that, on positions of games, Stockfish's
evaluation exceeds ours for the side to move by as much as before (`tempo`).

A network may have any multiple of 32 neurons. The engine has as many as
`uci_engine/eval/network_weights.py`; after a change of that number it is compiled again. The loops
are `uci_engine/native/neurons.h` in C, with a version for AVX2 that is chosen at run time, and
`uci_engine/eval/neurons.py` in Python. Output weights have eight bits because their product with a
neuron has to fit 16. The sum over all neurons has to fit 32: the trainer refuses a row of output
weights that adds up to more than 32,767 in one direction.

`builds` and `scaling` are what `halbzug bench` compares. Nothing here runs while the engine plays.
The builds and both fits need Cython and numpy: `pip install ".[tuning]"` in the checkout.
"""
