"""Makes games as published by lichess: random moves after openings, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterator

from halbzug import Board

#: Time controls, and how many games in a hundred have them.
_CONTROLS = {"60+0": 25, "180+0": 20, "180+2": 15, "300+0": 15, "600+0": 20, "1800+20": 4, "-": 1}

#: Openings: their ECO code, name and moves.
_OPENINGS = [
    ("A00", "Grob Opening", "g4 d5"),
    ("A40", "Queen's Pawn Game: Modern Defense", "d4 g6"),
    ("B01", "Scandinavian Defense: Mieses-Kotroc Variation", "e4 d5 exd5 Qxd5"),
    ("B12", "Caro-Kann Defense: Advance Variation", "e4 c6 d4 d5 e5"),
    ("B20", "Sicilian Defense: Bowdler Attack", "e4 c5 Bc4"),
    (
        "B90",
        "Sicilian Defense: Najdorf Variation, English Attack",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3",
    ),
    ("C00", "French Defense: Knight Variation", "e4 e6 Nf3"),
    ("C42", "Petrov's Defense", "e4 e5 Nf3 Nf6"),
    ("C50", "Italian Game: Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    ("C65", "Ruy Lopez: Berlin Defense", "e4 e5 Nf3 Nc6 Bb5 Nf6"),
    ("D06", "Queen's Gambit Declined: Baltic Defense", "d4 d5 c4 Bf5"),
    ("E60", "Grünfeld Defense: Counterthrust Variation", "d4 Nf6 c4 g6 g3 d5"),
]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

#: The fraction of games with evaluations.
_EVALUATED = 0.08


def games(count: int, seed: int = 1) -> Iterator[str]:
    """This many games, each followed by an empty line."""
    for number in range(count):
        yield _game(random.Random(f"{seed} {number}"))


def _game(chooser: random.Random) -> str:
    control = chooser.choices(list(_CONTROLS), list(_CONTROLS.values()))[0]
    code, opening, moves = chooser.choice(_OPENINGS)
    rating = min(max(chooser.gauss(1650, 350), 600), 3000)
    white, black = (round(rating + chooser.gauss(0, 60)) for _ in "WB")
    text, ending = _moves(chooser, control, moves.split())
    result = ending or chooser.choices(["1-0", "0-1", "1/2-1/2"], [49, 46, 5])[0]
    date = f"2026.01.{chooser.randint(1, 31):02}"
    site = "".join(chooser.choices(_LETTERS, k=8))
    tags = {
        "Event": "Correspondence" if control == "-" else "Rated game",
        "Site": f"https://lichess.org/{site}",
        "Date": date,
        "Round": "-",
        "White": _player(chooser),
        "Black": _player(chooser),
        "Result": result,
        "UTCDate": date,
        "UTCTime": f"{chooser.randint(0, 23):02}:{chooser.randint(0, 59):02}:00",
        "WhiteElo": white,
        "BlackElo": black,
        "WhiteRatingDiff": f"{chooser.randint(-9, 9):+}",
        "BlackRatingDiff": f"{chooser.randint(-9, 9):+}",
        "ECO": code,
        "Opening": opening,
        "TimeControl": control,
        "Termination": "Normal" if ending else chooser.choice(["Normal", "Time forfeit"]),
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{head}\n{text}{result}\n\n"


def _player(chooser: random.Random) -> str:
    return "".join(chooser.choices(_LETTERS, k=chooser.randint(3, 16)))


def _moves(chooser: random.Random, control: str, opening: list[str]) -> tuple[str, str]:
    """The moves with their comments, and the result if the game is over."""
    plies = max(round(chooser.gauss(68, 30)), 1)
    clocks = [0.0 if control == "-" else float(control.split("+")[0])] * 2
    is_evaluated = chooser.random() < _EVALUATED
    board = Board()
    parts = []
    for ply in range(plies):
        if ply < len(opening):
            move = board.parse_san(opening[ply])
        else:
            legal = list(board.legal_moves)
            if not legal:
                break
            move = legal[int(chooser.random() * len(legal))]
        number = ply // 2 + 1
        marks = []
        if is_evaluated:
            marks.append(f"[%eval {chooser.gauss(0, 2):.2f}]")
        if control != "-":
            clocks[ply % 2] = max(clocks[ply % 2] - chooser.random() * 5, 1)
            seconds = int(clocks[ply % 2])
            marks.append(f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]")
        san = board.san_and_push(move)
        if marks:
            dots = "." if ply % 2 == 0 else "..."
            parts.append(f"{number}{dots} {san} {{ {' '.join(marks)} }} ")
        else:
            parts.append(f"{number}. {san} " if ply % 2 == 0 else f"{san} ")
    outcome = board.outcome()
    return "".join(parts), outcome.result() if outcome else ""
