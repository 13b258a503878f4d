"""What SECURITY.md promises about the sources: which modules may open, start or run what."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from checkout import ROOT, imports, modules, syntax_tree

#: Which modules may import dangerous libraries; `native` is used during installation only.
ALLOWED = {
    "pickle": {
        *("uci_engine/workers/worker.py", "uci_engine/workers/search_process.py"),
        *("uci_engine/batch/analyst_process.py", "uci_engine/batch/analyst_child.py"),
        *("uci_engine/batch/cluster.py", "uci_engine/lab/cluster_games.py"),
        *("uci_engine/board/pgn_pool.py", "uci_engine/board/pgn_child.py"),
    },
    "socket": {
        *(
            "uci_engine/workers/worker.py",
            "uci_engine/workers/search_process.py",
            "uci_engine/workers/shared_memory.py",
            "uci_engine/web/server.py",
        ),
    },
    "http": {"uci_engine/tablebase/download.py"},
    "urllib": {
        "uci_engine/tablebase/download.py",
        "uci_engine/installation/diagnosis.py",  # reads a path from the address of an installation
    },
    "distributed": {"uci_engine/batch/cluster.py"},
    # The board in the browser: the only command that listens, on the loopback interface.
    **{
        name: {"uci_engine/web/server.py"}
        for name in ("starlette", "uvicorn", "webbrowser", "websockets")
    },
    "runpy": {"uci_engine/__main__.py"},  # in the stand-alone executable, for its own modules
}
FORBIDDEN = {"marshal", "shelve", "dill", "cloudpickle", "ftplib", "smtplib", "code"}
#: Runs the files that a user names as engines, and nothing else.
RUNS_FILES = "uci_engine/lab/file.py"
#: Runs the code of our own copy of python-chess, as its import would.
LOADS_COPY = "uci_engine/base/python_chess.py"
FORBIDDEN_CALLS = {"eval", "exec", "compile", "os.system", "os.popen", "input"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("uci_engine/native/"):
            yield name, syntax_tree(path)


def test_only_a_few_modules_use_dangerous_libraries() -> None:
    for name, _ in sources():
        for module in {module.partition(".")[0] for module, _ in imports(ROOT / name)}:
            assert module not in FORBIDDEN, (name, module)
            assert name in ALLOWED.get(module, {name}), (name, module)


def test_nothing_runs_code_or_a_shell() -> None:
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name != RUNS_FILES:
                called = ast.unparse(node.func)
                is_pattern = called == "compile" and ("re", []) in imports(ROOT / name)
                is_copy = (name, called) == (LOADS_COPY, "exec")
                assert called not in FORBIDDEN_CALLS or is_pattern or is_copy, (name, called)
                assert not any(keyword.arg == "shell" for keyword in node.keywords), name


def test_only_one_function_runs_a_file_and_only_in_a_separate_process() -> None:
    users = {
        (name, taken)
        for name, _ in sources()
        for module, names in imports(ROOT / name)
        for taken in names
        if module == "halbzug.lab.file" and taken == "run_file"
    }
    # The second is for `halbzug explain match`, whose process does nothing else.
    programs = ("uci_engine/lab/process.py", "uci_engine/lab/game_file.py")
    assert users == {(program, "run_file") for program in programs}
    callers = {
        name
        for name, _ in sources()
        for module, _ in imports(ROOT / name)
        if module == "halbzug.lab.game_file"
    }
    assert callers == {"uci_engine/commands/explain.py"}
    (tree,) = (tree for name, tree in sources() if name == RUNS_FILES)
    (function,) = (one for one in ast.walk(tree) if getattr(one, "name", "") == "run_file")
    calls = [ast.unparse(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)]
    inside = [ast.unparse(one.func) for one in ast.walk(function) if isinstance(one, ast.Call)]
    for call in ("exec", "compile"):
        assert calls.count(call) == inside.count(call) == 1


def test_only_the_monotonic_clock_is_read() -> None:
    wall = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today"}
    for path in modules():
        for node in ast.walk(syntax_tree(path)):
            assert not (isinstance(node, ast.Attribute) and ast.unparse(node) in wall), path
            assert not (isinstance(node, ast.ImportFrom) and node.module == "time"), path
