"""What every room speaks of, and what stands under all of them.

Plain data: scores, limits, events, time control. Ground: files, text, compression, errors of the
system, child processes, and which modules are loaded.
"""
