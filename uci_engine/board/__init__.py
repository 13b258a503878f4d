"""Chess as the engine sees it: move generation, perft, FEN, EPD, PGN, the end of a game."""
