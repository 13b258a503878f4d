"""The command line: one file a command, and what they share. Nothing here is imported by the UCI engine."""
