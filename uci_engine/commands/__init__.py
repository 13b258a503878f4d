"""The command line: one file a command. Nothing here is imported by the UCI engine."""
