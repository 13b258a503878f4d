"""Chess as the engine sees it: moves, attacks, rules, perft, FEN, EPD, PGN, the end of a game."""
