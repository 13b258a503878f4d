"""Random PGN with variations, comments, glyphs, null moves and Chess960."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

import halbzug

COMMENTS = (
    *("a comment", "[%clk 0:03:00]", "[%eval 0.17] [%clk 1:02:03.5]", "[%eval #-3,20]", "", " "),
    *("x  ", "über, naïve; (1. e4) 1-0 $1", "two\nlines", "[%cal Ga1h8]\n[%eval -1.5]"),
    *("  inside  ", "e4 *"),
)
JUDGEMENTS = ("!", "?", "!!", "??", "!?", "?!")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
STARTS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 17",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def made_pgn(seed: int, is_plain: bool = False) -> str:
    """A game as text, with an empty line after it; the same for the same seed.

    :param is_plain: only moves, as in most files.
    """
    return _Writer(random.Random(seed), is_plain).game(seed)


def made_games(count: int, first: int = 0, is_plain: bool = False) -> Iterator[str]:
    """This many games."""
    for seed in range(first, first + count):
        yield made_pgn(seed, is_plain)


class _Writer:
    def __init__(self, chance: random.Random, is_plain: bool) -> None:
        self.chance = chance
        self.is_plain = is_plain
        self.words: list[str] = []

    def _is(self, probability: float) -> bool:
        return not self.is_plain and self.chance.random() < probability

    def game(self, number: int) -> str:
        chance = self.chance
        result = chance.choice(RESULTS)
        tags = [("Event", f"Made {number}"), ("Site", "?"), ("White", f"Anna{number % 97}")]
        tags += [("Black", f"Bo{number % 89}, C."), ("Result", result), ("WhiteElo", "2000")]
        if self._is(0.1):
            tags += [("Annotator", chance.choice(('a \\"b\\" c', "Žižek", "a]b", "x/y", "\\\\")))]
        board: chess.Board = halbzug.Board()
        if self._is(0.2):
            board = halbzug.Board(chance.choice(STARTS))
            tags += [("SetUp", "1"), ("FEN", board.fen())]
        elif self._is(0.2):
            board = halbzug.Board.from_chess960_pos(chance.randrange(960))
            tags += [("Variant", "Chess960"), ("SetUp", "1"), ("FEN", board.fen())]
        if self._is(0.1):
            self.words.append(self.comment())
        self.line(board, chance.randint(40, 150) if self.is_plain else chance.randint(0, 60), 0)
        head = "".join(f'[{name} "{value}"]\n' for name, value in tags)
        text = f"{head}\n{self._wrapped([*self.words, result])}\n\n"
        return text.replace("\n", "\r\n") if self._is(0.1) else text

    def line(self, board: chess.Board, plies: int, depth: int) -> None:
        chance = self.chance
        needs_number = True
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                return
            is_null = self._is(0.01) and not board.is_check()
            move = chess.Move.null() if is_null else chance.choice(moves)
            word = ("--" if chance.random() < 0.5 else "Z0") if is_null else board.san(move)
            if self._is(0.05):
                word = word.replace("O", "0")
            elif self._is(0.1) and not is_null:
                word = word.rstrip("+#")
            elif self._is(0.05):
                word = word.replace("=", "")
            if self._is(0.1):
                word += chance.choice(JUDGEMENTS)
            if self._is(0.05):
                word += f"${chance.randrange(256)}"
            if board.turn or needs_number or self._is(0.1):
                number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
                self.words.append(number + word if self._is(0.5) else f"{number} {word}")
            else:
                self.words.append(word)
            needs_number = False
            while self._is(0.05):
                self.words.append(f"${chance.randrange(256)}")
            while self._is(0.1):
                self.words.append(self.comment())
                needs_number = True
            if depth < 3 and self._is(0.05):
                self.words.append("(")
                if self._is(0.1):
                    self.words.append(self.comment())
                self.line(board.copy(), chance.randint(1, 8), depth + 1)
                self.words.append(")")
                needs_number = True
            board.push(move)

    def comment(self) -> str:
        return f"{{{self.chance.choice(COMMENTS)}}}"

    def _wrapped(self, words: list[str]) -> str:
        lines, width = [""], 0
        for word in words:
            glue = "" if word == ")" or (lines[-1].endswith("(") and self._is(0.5)) else " "
            if width + len(word) > 78 and glue:
                lines.append(word)
                width = len(word)
                continue
            lines[-1] += (glue if lines[-1] else "") + word
            width += len(glue + word)
        return "\n".join(lines)
