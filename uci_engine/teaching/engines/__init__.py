"""The engines of the lectures, in the order in which one learns; each adds one idea to the last.

`random_mover`, `greedy`, `minimax`, `alpha_beta`, `move_ordering`, `quiescence`,
`iterative_deepening`, `transposition_table`, `piece_square` and `linear_evaluation` are a series:
each search is a class that changes one method of the one before. `monte_carlo` begins again without
any knowledge of chess; `value_network` and `policy_value` put a network into it. `halbzug run`
makes a UCI engine of each file. They are written to be read: Halbzug's own search is in
`halbzug.search`.
"""

#: The modules of the engines, in this order.
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
    "value_network",
    "policy_value",
)
