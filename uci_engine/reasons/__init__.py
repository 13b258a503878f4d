"""Why a move is bad: what its refutation wins, as seen on the board and described in sentences."""
