"""What lectures need: games, searches, trees drawn step by step, quizzes, worksheets, engines.

`game_protocol` defines a game: players, moves, chance, what a player sees. `games` has the
lectures' games, complete, and `searches` the standard searches, each written once for all games
that it suits. A game of your own needs five methods.

`drawn_game` draws the tree of any game, on which every search in `searches` can run while a
`StepRecorder` (`recorded`) records its steps and sentences; `searched_trees` has the lectures'
trees by name, and `solved_games` shows what a search says about a game's moves. `tree_search` is
alpha-beta on a drawn tree, with its windows. A page steps through the recording; its texts, in
English and German, are the JSON files in `html/`. There, `theory.js` is shared by all pages, and
`tree_replay.js` knows what each step changes, so that a step costs the same in every tree.

`quiz_solutions` computes the solutions of questions; none is written by hand. A new kind of
question needs a function there, an entry in `html/questions.txt`, its two texts in
`html/quiz_texts.json`, and an independent answer in `tests/teaching/test_quiz.py`. `tree_growth`
runs the lectures' Monte Carlo searches one simulation at a time, and records how their trees
change.
"""
