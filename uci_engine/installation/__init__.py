"""Enters Halbzug into chess programs' engine lists, and examines the installation.

Nothing here is imported by the UCI engine.
"""
