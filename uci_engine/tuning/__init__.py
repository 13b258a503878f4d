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

One command trains the network that corrects the terms from scratch, and prints what it is doing:

    python -m halbzug.tuning.train RECIPE.toml FOLDER

- It records positions of 32 bytes each (`positions_file`) that our own searches visit (`visits`).
  A stronger engine searches them (`teacher`), or its network evaluates them (`stockfish_network`).
- It adds the sum of the terms (`terms`), which the network learns to correct (`network_data`).
- It trains with compiled loops (`backpropagation`) and rounds the weights for the engine
  (`quantisation`).

A network that evaluates on its own, for the option `EvalFile`, learns from positions of `visits`:

    python -m halbzug.tuning.torch_training POSITIONS NETWORK

Matches with Stockfish's network show how much of the distance to Stockfish is due to the
evaluation:

    python -m halbzug.tuning.decompose pairs.jsonl --nodes 8000

The tempo, the bonus for the side to move in `uci_engine/eval/weights.py`, is not fitted: a fit to
the positions of a search gives a higher value than the one that wins most games. After a new
network, set it so that, on positions from games, Stockfish's evaluation exceeds ours for the side
to move by as much as before (`tempo`).

A network may have any multiple of 32 neurons. The engine takes the number from
`uci_engine/eval/network_weights.py`, and must be compiled again after it changes. The loops are in
`uci_engine/native/neurons.h` in C, with a version for AVX2 that is chosen at run time, and in
`uci_engine/eval/neurons.py` in Python. Output weights have eight bits because their product with a
neuron must fit into 16. The sum over all neurons must fit into 32, so the trainer refuses output
weights of a row that add up to more than 32,767 in one direction.

`builds` and `scaling` make the comparisons of `halbzug bench`. Nothing here runs while the engine
plays. Building and both fits need Cython and numpy: `pip install ".[tuning]"` in the checkout.
"""
