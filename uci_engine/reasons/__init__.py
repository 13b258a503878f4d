"""Why a move is bad: what its refutation wins, seen on the board, and said in sentences."""
