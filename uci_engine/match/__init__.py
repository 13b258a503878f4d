"""Matches: UCI engines play each other, and every game is refereed and recorded.

`schedule.py` lists the pairings and their openings (`openings.py`), and `players.py` runs the
engines. `game.py` is the referee of one game, with the clocks of `halbzug.base.time_control` and
the rules of `adjudication.py`. `game_runners.py` plays the schedule, several games at a time.
`running.py` runs a whole match, with its files (`match_files.py`); `match_record.py` saves the
games, so that a match can be continued. `standings.py` counts the results, and `elo.py` computes
Elo and the SPRT from them. Nothing here prints.
"""
