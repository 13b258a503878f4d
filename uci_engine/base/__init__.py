"""Plain data used by every room, and the foundations of all of them.

Plain data: scores, limits, events, time control. Foundations: files, text, compression, system
errors, child processes, and which modules are loaded.
"""
