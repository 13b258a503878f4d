"""Chess for the engine: move generation, perft, FEN, EPD, PGN, the end of a game."""
