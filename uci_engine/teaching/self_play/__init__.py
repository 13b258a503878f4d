"""AlphaZero on a small game: a network that learns from the games it plays against itself.

`line_game` has the rules for many boards at once, `policy_value_net` the network, `batched_puct`
the search that plays and teaches, `learner` the loop of playing and training, which can stop and go
on, and `exam` the questions: it compares the moves with those of `solved_table`, which knows what
each position of a small board is worth, and lets two networks play a match (the arena).

The learner knows the rules and nothing else; what the table knows, it never sees. Sources: Silver
and others, Mastering the Game of Go without Human Knowledge, Nature 550 (2017); Silver and others,
A General Reinforcement Learning Algorithm that Masters Chess, Shogi, and Go through Self-Play,
Science 362 (2018). Needs numpy.
"""

import os

# For matrices as small as these, threads of numpy's libraries cost more than they gain, above all
# on a busy machine. They read this when numpy is loaded.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
