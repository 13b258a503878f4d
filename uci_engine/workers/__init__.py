"""The search processes: messages, front side, child side, shared memory, vote."""
