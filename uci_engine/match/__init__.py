"""The room of matches: UCI engines play each other, and every game is judged and recorded.

`schedule.py` says who plays whom from which of the `openings.py`; `players.py` runs the engines
and survives them; `game.py` is the referee of one game, with the clocks of `time_control.py` and
the rules of `adjudication.py`; `tournament.py` plays the schedule, several games at a time;
`record.py` keeps the games so that a match can be interrupted, `standings.py` counts them, and
`elo.py` says what the counts mean. Nothing here prints.
"""
