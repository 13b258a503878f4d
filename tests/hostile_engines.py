"""Files that do what no engine should: each loses its own game and harms nobody else."""

from __future__ import annotations

#: By name: the source, and a part of the message that it causes ("" if there may be none).
HOSTILE = {
    "exception": (
        """
        def choose(board, clock):
            return 1 / 0
        """,
        "hostile.py, line 2, in choose: ZeroDivisionError",
    ),
    "exception in evaluate": (
        """
        def evaluate(board):
            if board.fullmove_number > 0:
                raise KeyError("nothing")
        """,
        "hostile.py, line 3, in evaluate: KeyError",
    ),
    "exception in order": (
        """
        def order(board, moves):
            return moves[1000]
        """,
        "hostile.py, line 2, in order: IndexError",
    ),
    "endless loop": (
        """
        def choose(board, clock):
            while True:
                pass
        """,
        "it took too long",
    ),
    "endless loop that catches everything": (
        """
        def choose(board, clock):
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
        """,
        "",
    ),
    "endless loop in evaluate": (
        """
        def evaluate(board):
            while True:
                pass
        """,
        "it took too long",
    ),
    "endless loop in C": (
        """
        def choose(board, clock):
            return sum(range(10 ** 14))
        """,
        "",
    ),
    "endless loop at import": ("while True: pass", ""),
    "sleep": (
        """
        import time
        def choose(board, clock):
            time.sleep(1000)
        """,
        "it took too long",
    ),
    "illegal move": (
        """
        import chess
        def choose(board, clock):
            return chess.Move.from_uci("e1e8")
        """,
        "e1e8 is not a legal move",
    ),
    "null move": (
        """
        import chess
        def choose(board, clock):
            return chess.Move.null()
        """,
        "0000 is not a legal move",
    ),
    "a text for a move": (
        """
        def choose(board, clock):
            return "e2e4"
        """,
        "line 1: ValueError: 'e2e4' (str) is not a chess.Move",
    ),
    "None": (
        "def choose(board, clock): pass",
        "choose returned None: is a return statement missing?",
    ),
    "printing": (
        r"""
        import os, subprocess, sys
        print("bestmove e2e4")
        def evaluate(board):
            print("bestmove a2a3\ninfo depth 1")
            sys.stdout.flush()
            os.write(1, b"bestmove b2b3\n")
            return 0
        """,
        "bestmove a2a3",
    ),
    "printing by another process": (
        """
        import subprocess
        def choose(board, clock):
            subprocess.run(["echo", "bestmove a1a1"])
            return next(iter(board.legal_moves))
        """,
        "",
    ),
    "reading": (
        """
        import os, sys
        def choose(board, clock):
            sys.stdin.read()
            os.read(0, 1000)
            input()
        """,
        "EOFError",
    ),
    "os._exit": (
        """
        import os
        def choose(board, clock):
            os._exit(0)
        """,
        "the search process died",
    ),
    "os._exit at import": ("import os; os._exit(3)", "the search process"),
    "sys.exit": (
        """
        import sys
        def choose(board, clock):
            sys.exit("good bye")
        """,
        "line 3, in choose: the file calls exit (good bye)",
    ),
    "sys.exit at import": ("raise SystemExit", "the file calls exit"),
    "changed board": (
        """
        def choose(board, clock):
            board.clear()
            board.turn = not board.turn
            board.move_stack[:] = []
            return None
        """,
        "choose returned None",
    ),
    "changed board in evaluate": (
        """
        import chess
        def evaluate(board):
            value = len(board.pieces(1, board.turn))
            board.push(chess.Move.null())
            board.clear()
            board.occupied_co[0] = 5
            board.move_stack = [None, None]
            return value
        """,
        "",
    ),
    "a board that is changed later": (
        """
        import threading, time
        def choose(board, clock):
            def spoil():
                while True:
                    board.clear()
            threading.Thread(target=spoil).start()
            time.sleep(0.01)
            return None
        """,
        "choose returned None",
    ),
    "memory hog": (
        """
        def choose(board, clock):
            kept = []
            while True:
                kept.append(bytes(400_000_000))
        """,
        "MemoryError",
    ),
    "recursion": (
        """
        def choose(board, clock):
            return choose(board, clock)
        """,
        "RecursionError",
    ),
    "syntax error": (
        """
        def choose(board, clock):
            return next iter(board.legal_moves)
        """,
        "hostile.py, line 2: SyntaxError",
    ),
    "import error": ("import no_such_module_anywhere", "ModuleNotFoundError"),
    "no Python": ("\0\1\2", "hostile.py"),
    "threads left running": (
        """
        import threading
        def work():
            while True:
                pass
        for _ in range(3):
            threading.Thread(target=work).start()
        def choose(board, clock):
            return next(iter(board.legal_moves))
        """,
        "",
    ),
    "yields nothing": (
        """
        def choose(board, clock):
            return
            yield
        """,
        "choose yielded no move",
    ),
    "yields None": ("def choose(board, clock): yield None", "None (NoneType) is not a chess.Move"),
    "yields for ever": (
        """
        def choose(board, clock):
            while True:
                yield from board.legal_moves
        """,
        "",
    ),
    "yields and then loops": (
        """
        def choose(board, clock):
            yield next(iter(board.legal_moves))
            while True:
                pass
        """,
        "",
    ),
    "yields and loops when it is closed": (
        """
        def choose(board, clock):
            try:
                while True:
                    yield next(iter(board.legal_moves))
            finally:
                while True:
                    pass
        """,
        "",
    ),
    "evaluate returns nan": ("def evaluate(board): return float('nan')", "ValueError"),
    "evaluate returns a text": ("def evaluate(board): return 'good'", "'good' (str)"),
    "evaluate returns None": ("def evaluate(board): pass", "evaluate returned None"),
    "evaluate returns infinity": ("def evaluate(board): return float('inf')", ""),
    "evaluate returns huge numbers": ("def evaluate(board): return 10 ** 100", ""),
    "evaluate returns minus huge": ("def evaluate(board): return -1e300", ""),
    "order returns nothing": ("def order(board, moves): return []", ""),
    "order returns others": ("def order(board, moves): return [7]", "7 (int), which is none"),
    "order never ends": (
        """
        def order(board, moves):
            while True:
                yield moves[0]
        """,
        "",
    ),
    "python-chess is spoiled": (
        """
        import chess
        chess.Board.push = chess.Board.pop = chess.Move.from_uci = None
        def evaluate(board): return 0
        """,
        "",
    ),
    "builtins are spoiled": (
        """
        import builtins
        def choose(board, clock):
            builtins.len = builtins.isinstance = None
        """,
        "",
    ),
    "signals are spoiled": (
        """
        import signal
        for number in range(1, 30):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        def choose(board, clock):
            while True:
                pass
        """,
        "",
    ),
    "streams are closed": (
        """
        import os, sys
        sys.stdout.close(); sys.stdin.close(); sys.stderr.close()
        os.closerange(0, 3)
        def choose(board, clock):
            print("x")
            return next(iter(board.legal_moves))
        """,
        "",
    ),
    "all descriptors are closed": (
        """
        import os
        def choose(board, clock):
            os.closerange(0, 100)
        """,
        "",
    ),
    "a broken repr": (
        """
        class Odd:
            def __repr__(self): raise RuntimeError
            __str__ = __eq__ = __hash__ = __float__ = __index__ = __repr__
        def evaluate(board): return Odd()
        """,
        "",
    ),
    "no evaluate at all": ("x = 3", "hostile.py does not define an engine"),
}
