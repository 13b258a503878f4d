"""What lectures need: games, searches, trees drawn step by step, quizzes, worksheets, engines.

`game_protocol` says what a game is: players, moves, chance, what a player sees. `games` has those
of the lectures, complete, and `searches` the searches of the field, each written once for all games
that it suits. A game of your own needs five methods.

`drawn_game` draws the tree of any game, on which every search of `searches` can run while a
`StepRecorder` (`recorded`) takes down its steps and sentences; `searched_trees` has those of the
lectures by name, and `solved_games` what a search says about a game's moves. `tree_search` is
alpha-beta of a drawn tree with its windows. A page steps through what was recorded; its texts, in
English and in German, are the JSON files of `html/`. There `theory.js` has what all pages share,
and `tree_replay.js` knows what a step changes, so that a step costs the same in every tree.

`quiz_solutions` solves the questions, never a person. A new one needs a function there, an entry in
`html/questions.txt`, its two texts in `html/quiz_texts.json`, and an independent answer in
`tests/teaching/test_quiz.py`. `tree_growth` runs the lectures' Monte Carlo searches one simulation
at a time and records how their trees change.
"""
