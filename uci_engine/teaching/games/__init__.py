"""The lectures' games, each complete in one readable file, on the protocol of `game_protocol`."""
