"""The room of the opening book."""
