"""The UCI door: text to typed commands, events to text, and the option table."""
