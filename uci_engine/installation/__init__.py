"""Enters Halbzug into chess programs' lists of engines, and examines the installation.

Nothing here is imported by the UCI engine.
"""
