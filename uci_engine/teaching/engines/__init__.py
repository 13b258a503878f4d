"""The lectures' engines, in teaching order; each adds one idea to the previous one.

`random_mover`, `greedy`, `minimax`, `alpha_beta`, `move_ordering`, `quiescence`,
`iterative_deepening`, `transposition_table`, `piece_square` and `linear_evaluation` are a series:
each search is a class that overrides one method of the previous one. `monte_carlo` starts afresh
without any knowledge of chess; `capture_playouts` plays captures first, `value_network` and
`policy_value` add a network to it, `quiet_value` and `quiet_policy` Halbzug's evaluation of quiet
positions; `compiled_puct` is `quiet_policy` in compiled code. `halbzug run` makes a UCI engine of
each file. They are written to be read: Halbzug's own search is in `halbzug.search`.
"""

#: The engines' modules, in this order.
LECTURES = (
    "random_mover",
    "greedy",
    "minimax",
    "alpha_beta",
    "move_ordering",
    "quiescence",
    "iterative_deepening",
    "transposition_table",
    "piece_square",
    "linear_evaluation",
    "monte_carlo",
    "capture_playouts",
    "value_network",
    "policy_value",
    "quiet_value",
    "quiet_policy",
    "compiled_puct",
)
