"""The options: each one has an effect, and an invalid value changes nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import chess
import pytest
from checkout import ROOT
from uci_client import MATED, UciClient

from halbzug.engine.engine import Engine
from halbzug.engine.options import Button, Check, Option, Spin, Text
from halbzug.engine.supervisor import Supervisor
from halbzug.uci.session_options import OPTIONS, declarations


def test_each_option_is_declared_once(uci: UciClient) -> None:
    uci.send("uci")
    lines = [line for line in uci.read_until("uciok") if line.startswith("option")]
    assert lines == declarations({})
    names = [option.name.lower() for option in OPTIONS]
    assert len(set(names)) == len(names)


def documented_row(option: Option) -> str:
    """The row of the documentation about an option."""
    if isinstance(option, Spin):
        cells = [str(option.default), f"{option.minimum} to {option.maximum}"]
    elif isinstance(option, Check):
        cells = [str(option.default).lower(), ""]
    else:
        cells = ["", "button" if isinstance(option, Button) else option.values]
    row = "".join(f"| {cell} " if cell else "| " for cell in (option.name, *cells, option.help))
    return f"{row}|"


@pytest.mark.any_build
def test_the_documentation_has_the_table_of_options() -> None:
    text = (ROOT / "docs/reference/options.md").read_text(encoding="utf-8")
    table = text.partition("| option | default |")[2].partition("\n\n")[0]
    rows = table.splitlines()[2:]
    missing = [row for row in map(documented_row, OPTIONS) if row not in rows]
    assert not missing, "\n".join(["put into the table of docs/reference/options.md:", *missing])
    assert rows == [documented_row(option) for option in OPTIONS], "in the order of their records"


def test_the_options_that_clients_require_exist() -> None:
    names = {option.name for option in OPTIONS}
    needed = {"Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash"}
    needed |= {"UCI_Chess960", "UCI_AnalyseMode", "UCI_ShowWDL", "UCI_Opponent"}
    needed |= {"UCI_EngineAbout", "Debug Log File"}
    assert needed <= names


@pytest.mark.parametrize(
    "option", [o for o in OPTIONS if isinstance(o, Spin)], ids=lambda o: o.name
)
def test_spins_accept_only_their_range(uci: UciClient, option: Spin) -> None:
    assert option.minimum <= option.default <= option.maximum
    # Do not fill the machine with memory or processes.
    maximum = 2 if option.name in ("Hash", "Threads") else option.maximum
    for value in (option.minimum, maximum, option.default, f"+{option.default}"):
        uci.send(f"setoption name {option.name} value {value}")
    assert uci.synchronise() == []
    for wrong in (
        option.minimum - 1,
        option.maximum + 1,
        "",
        "x",
        "1.0",
        "\u0663",
        "0x1",
        "10" * 3000,
    ):
        uci.send(f"setoption name {option.name} value {wrong}")
        (message,) = uci.synchronise()
        assert message.startswith(f"info string {option.name} ")
        assert len(message) < 200
    uci.send(f"setoption name {option.name}")
    assert len(uci.synchronise()) == 1


@pytest.mark.parametrize(
    "option", [o for o in OPTIONS if isinstance(o, Check)], ids=lambda o: o.name
)
def test_checks_accept_only_true_and_false(uci: UciClient, option: Check) -> None:
    for value in ("true", "False", "TRUE", "false"):
        uci.send(f"setoption name {option.name.upper()} value {value}")
    assert uci.synchronise() == []
    for wrong in ("", "1", "yes", "true false"):
        uci.send(f"setoption name {option.name} value {wrong}")
        (message,) = uci.synchronise()
        assert message == f"info string {option.name} must be true or false"


@pytest.mark.parametrize(
    "option", [o for o in OPTIONS if isinstance(o, Text)], ids=lambda o: o.name
)
def test_the_defaults_of_texts_can_be_sent_back(uci: UciClient, option: Text) -> None:
    uci.send(f"setoption name {option.name} value {option.default or '<empty>'}")
    assert uci.synchronise() == []


def test_multipv_and_clear_hash_and_hash_change_the_next_search(uci: UciClient) -> None:
    uci.send("setoption name MultiPV value 3")
    first = uci.go("go depth 3")
    assert max(info.multipv for info in first.infos) == 3
    again = uci.go("go depth 3").last.numbers["nodes"]
    for command in ("setoption name Clear Hash", "setoption name Hash value 16", "ucinewgame"):
        uci.send(command)
        assert uci.go("go depth 3").last.numbers["nodes"] == first.last.numbers["nodes"] != again


def test_options_set_during_a_search_apply_to_the_next_one(uci: UciClient) -> None:
    uci.send("go infinite", "setoption name MultiPV value 2", "setoption name Hash value 2")
    uci.send("setoption name Clear Hash", "ucinewgame", "stop")
    assert {info.multipv for info in uci.wait_for_best_move().infos} == {1}
    assert {info.multipv for info in uci.go("go depth 2").infos} == {1, 2}


@pytest.mark.any_build
def test_many_changes_of_hash(uci: UciClient) -> None:
    uci.send(*(f"setoption name Hash value {1 + number % 3}" for number in range(200)))
    assert uci.synchronise() == []
    assert uci.go("go depth 2").move


def test_show_wdl_adds_three_numbers_that_sum_to_a_thousand(uci: UciClient) -> None:
    assert not uci.go("go depth 2").last.wdl
    uci.send("setoption name UCI_ShowWDL value true")
    for fen in (chess.STARTING_FEN, MATED, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"):
        uci.send(f"position fen {fen}")
        infos = uci.go("go depth 3").infos
        assert all(sum(info.wdl) == 1000 and min(info.wdl) >= 0 for info in infos)
    assert infos[-1].wdl == (1000, 0, 0)


def test_the_opponent_is_noted_and_about_cannot_be_changed(uci: UciClient) -> None:
    for value, words in (
        ("GM 2800 human Gary Kasparow", "GM Gary Kasparow (2800, human)"),
        ("none none human Human", "Human (human)"),
        ("none 3500 computer  Deep  Thought 2", "Deep Thought 2 (3500, computer)"),
        ("WIM none human Ann", "WIM Ann (human)"),
        ("just a name", "just a name"),
        ("none none human", "none none human"),
        ("GM many human Gary", "GM many human Gary"),
    ):
        uci.send(f"setoption name UCI_Opponent value {value}")
        assert uci.synchronise() == [f"info string playing against {words}"]
    uci.send("setoption name UCI_EngineAbout value something else")
    assert uci.synchronise() == ["info string UCI_EngineAbout cannot be changed"]


def test_the_log_contains_every_line_of_both_sides(uci: UciClient, tmp_path: Path) -> None:
    path = tmp_path / "a  log with blänks.txt"
    uci.send(f"setoption name Debug Log File value {path}", "isready", "go depth 1")
    best = uci.wait_for_best_move().lines[-1]
    uci.send("setoption name Debug Log File value <empty>", "isready", "nonsense")
    uci.synchronise()
    text = path.read_text(encoding="utf-8")
    for line in ("< isready", "> readyok", "< go depth 1", f"> {best}"):
        assert re.search(rf"^\d\d:\d\d:\d\d {re.escape(line)}$", text, re.MULTILINE)
    assert "nonsense" not in text


def test_a_path_may_be_sent_as_latin_1(uci: UciClient, tmp_path: Path) -> None:
    path = tmp_path / "blänks.txt"
    line = f"setoption name Debug Log File value {path}\n"
    uci.send_bytes(line.encode("latin-1") + b"isready\n")
    uci.read_until("readyok")
    uci.send("setoption name Debug Log File value <empty>")
    uci.synchronise()
    assert "isready" in path.read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_leaves_the_old_one(uci: UciClient, tmp_path: Path) -> None:
    good = tmp_path / "good.log"
    uci.send(f"setoption name Debug Log File value {good}")
    wrong = [tmp_path, tmp_path / "none" / "x.log", "x" * 5000, "\x00"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        wrong.append(tmp_path / "fifo")
    for path in wrong:
        uci.send(f"setoption name Debug Log File value {path}")
        (message,) = uci.synchronise()
        assert message.startswith("info string cannot write the Debug Log File: ")
        assert len(message) < 200
    uci.send("setoption name MultiPV value 0")
    uci.synchronise()
    assert "< setoption name MultiPV value 0" in good.read_text(encoding="utf-8")


def test_clients_may_set_their_usual_options(uci: UciClient) -> None:
    for option in ("Move Overhead value 100", "Threads value 1", "Hash value 8"):
        uci.send(f"setoption name {option}")
    for option in ("UCI_ShowWDL value true", "UCI_AnalyseMode value false", "Ponder value true"):
        uci.send(f"setoption name {option}")
    assert uci.synchronise() == []
    assert uci.go("go wtime 200 btime 200 winc 10 binc 10").move


@pytest.mark.any_build
def test_tablebases_are_opened_again_only_for_a_change_or_a_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(Supervisor, "start", lambda *_: None)
    monkeypatch.setattr(
        Supervisor, "open_tablebases", lambda _, options: opened.append(options.tablebase_paths)
    )
    folder = str(tmp_path)
    with Engine(print) as engine:
        engine.configure(tablebase_paths="", tablebase_probe_depth=4, tablebase_probe_limit=7)
        assert opened == []
        engine.configure(tablebase_probe_depth=5)
        engine.configure(tablebase_paths=folder)
        engine.configure(tablebase_paths=folder)  # there may be new files in it
        assert opened == ["", folder, folder]
