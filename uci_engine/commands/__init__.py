"""The command line: one file a command, and what they share. The UCI engine imports none of it."""
