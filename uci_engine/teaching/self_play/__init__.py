"""AlphaZero on a small game: a network that learns from the games it plays against itself.

`line_game` contains the rules for many boards at once, `policy_value_net` the network,
`batched_puct` the search that plays and teaches, and `learner` the loop of playing and training,
which can be stopped and continued. `exam` compares the chosen moves with `solved_table`, which
contains the value of every position on a small board, and lets two networks play a match (the
arena).

The learner knows only the rules and never sees the table. Sources: Silver
and others, Mastering the Game of Go without Human Knowledge, Nature 550 (2017); Silver and others,
A General Reinforcement Learning Algorithm that Masters Chess, Shogi, and Go through Self-Play,
Science 362 (2018). Needs numpy.
"""

import os

# For matrices this small, the threads of numpy's libraries cost more than they gain, above all on a
# busy machine. The libraries read these variables when numpy is loaded.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
