"""Exercises from games: finding them, writing them, and the page for solving them."""
