"""The lectures' games, each complete and a file to be read, on the protocol of `game`."""
