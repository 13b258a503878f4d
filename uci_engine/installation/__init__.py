"""Chess programs that load Halbzug: their lists of engines, and what to type into the others.

Nothing here is imported by the UCI engine.
"""
