"""How fast chess environments are: ours, PettingZoo's own, and OpenSpiel's.

    python tests/long/environments.py [--python PYTHON] [--folder FOLDER] [--seconds 3] [--record]

All are installed into one virtual environment outside this checkout. Each plays random games with
observations and masks of legal moves; choosing the action is not timed. A figure is the number of
steps in a second of processor time. Only an idle machine gives figures worth quoting: `--record`
writes them into `docs/how-to/reinforcement-learning.md`; see `measured.py`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import measured

ROOT = Path(__file__).parents[2]
REQUIREMENTS = (f"{ROOT}[gym]", "pettingzoo[classic]", "open_spiel")


def vector_env(games: int, history: int = 1) -> Iterator[int]:
    """Our games side by side."""
    import numpy as np

    import halbzug

    env, chooser = halbzug.ChessVectorEnv(games, history=history), np.random.default_rng(1)
    observations, _ = env.reset()
    while True:
        yield 0
        mask = observations["action_mask"]
        actions = (mask * chooser.random(mask.shape, np.float32)).argmax(axis=1)
        yield games
        observations, *_ = env.step(actions)


def single_env() -> Iterator[int]:
    """One of our games."""
    import numpy as np

    import halbzug

    env, chooser = halbzug.ChessEnv(), np.random.default_rng(1)
    observation, _ = env.reset()
    while True:
        yield 0
        action = chooser.choice(np.flatnonzero(observation["action_mask"]))
        yield 1
        observation, _, is_over, _, _ = env.step(action)
        if is_over:
            observation, _ = env.reset()


def aec_env(make: Callable[[], object]) -> Iterator[int]:
    """An environment of PettingZoo."""
    import numpy as np

    env, chooser = make(), np.random.default_rng(1)
    while True:
        env.reset()  # type: ignore[attr-defined]
        while True:
            observation, _, termination, truncation, _ = env.last()  # type: ignore[attr-defined]
            if termination or truncation:
                break
            yield 0
            action = chooser.choice(np.flatnonzero(observation["action_mask"]))
            yield 1
            env.step(action)  # type: ignore[attr-defined]


def our_aec() -> Iterator[int]:
    """Our environment of PettingZoo."""
    import halbzug

    return aec_env(halbzug.ChessAECEnv)


def pettingzoo_aec() -> Iterator[int]:
    """PettingZoo's own."""
    from pettingzoo.classic import chess_v6

    return aec_env(chess_v6.raw_env)


def open_spiel() -> Iterator[int]:
    """OpenSpiel's game in C++: its planes go into an array, and its legal actions into a mask."""
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import make_observation

    game, chooser = pyspiel.load_game("chess"), np.random.default_rng(1)
    planes = make_observation(game)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            planes.set_from(state, state.current_player())
            mask = np.zeros(game.num_distinct_actions(), np.int8)
            mask[state.legal_actions()] = 1
            yield 0
            action = chooser.choice(np.flatnonzero(mask))
            yield 1
            state.apply_action(action)


#: Each generator yields 0 before an action is chosen, and then the number of games that made a
#: move.
ROWS: dict[str, Callable[[], Iterator[int]]] = {
    "pettingzoo.classic.chess_v6": pettingzoo_aec,
    "open_spiel, a game in C++ without an environment": open_spiel,
    "halbzug.ChessAECEnv": our_aec,
    "halbzug.ChessEnv": single_env,
    "halbzug.ChessVectorEnv(16)": lambda: vector_env(16),
    "halbzug.ChessVectorEnv(256)": lambda: vector_env(256),
    "halbzug.ChessVectorEnv(256, history=8)": lambda: vector_env(256, 8),
}


def measure(seconds: float) -> None:
    """Print a line for each environment, in this process."""
    from halbzug.board.movegen import BUILD

    if BUILD != "compiled":
        raise SystemExit("only the pure build is installed")
    for name, make in ROWS.items():
        steps, run, spent = 0, make(), 0.0
        next(run)
        while spent < seconds:
            steps += next(run)
            began = time.process_time()
            next(run)
            spent += time.process_time() - began
        print(json.dumps({"name": name, "steps": round(steps / spent)}), flush=True)


def main() -> None:
    """Install everything, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the Python for all environments")
    parser.add_argument("--folder", type=Path, help="the folder of the environment, which is kept")
    parser.add_argument("--seconds", type=float, default=3, help="seconds for each row")
    parser.add_argument("--record", action="store_true", help="write the table into the documents")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.seconds)
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="environments-"))
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        if arguments.python == sys.executable:
            venv.create(folder, with_pip=True)
        else:
            subprocess.run([arguments.python, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    command = [str(python), __file__, "--measure", "--seconds", str(arguments.seconds)]
    run = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    found = {**measured.today(), "python": measured.version_of(arguments.python), "rows": rows}
    print(measured.markdown("environments", {"environments": found}))
    if arguments.record:
        measured.record("environments", found)


if __name__ == "__main__":
    main()
