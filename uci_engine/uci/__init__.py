"""The UCI session: reads lines into commands, writes events as lines, and sets options."""
