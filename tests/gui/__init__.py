"""Real chess programs on a virtual screen, with Halbzug as the engine.

In the checkout, `PYTHONPATH=tests python -m gui.pychess_game` and `... gui.xboard_game` each play a
game and take the picture that the documentation shows; `... gui.notebook_page` takes a picture of a
notebook.
"""
