"""The processes that search: messages, front side, child side, shared memory, vote."""
