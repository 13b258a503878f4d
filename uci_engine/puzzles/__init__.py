"""Exercises out of games: finding them, writing them, and the page on which they are solved."""
