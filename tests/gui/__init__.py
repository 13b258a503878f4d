"""Real chess programs on a virtual screen, with Halbzug as the engine.

In the checkout, `PYTHONPATH=tests python -m gui.pychess_game` and `... gui.xboard_game` play a
game each and take a picture of it, as it is in the documentation; `... gui.notebook_page` takes one
of a notebook.
"""
