"""The command line, one file for each command. The UCI engine does not import it."""
