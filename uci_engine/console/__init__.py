"""Writes to the terminal for the commands, and turns errors into one line."""
