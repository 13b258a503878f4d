"""The UCI parser accepts any text, and loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import any_text

from halbzug.base.limits import Limits
from halbzug.uci.parser import (
    MAX_NUMBER,
    UNREADABLE_MOVE_TIME_MS,
    Bad,
    BadPosition,
    Bench,
    Debug,
    Go,
    Perft,
    SetOption,
    SetPosition,
    Simple,
    parse,
)

WORDS = [
    *("uci", "isready", "go", "position", "setoption", "name", "value", "startpos", "fen"),
    *("moves", "e2e4", "wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth"),
    *("nodes", "mate", "infinite", "ponder", "searchmoves", "perft", "bench", "debug", "on"),
    *("off", "quit", "stop", "1", "-1", "+2", "--3", "0", "1e5", "99999999999999999999"),
    *("\u0663", "1_000", "\x00", "\x1c", "\u2028", "\xa0", ""),
]

NUMBERS = {
    "wtime": "white_time_ms",
    "btime": "black_time_ms",
    "winc": "white_increment_ms",
    "binc": "black_increment_ms",
    "movestogo": "moves_to_go",
    "movetime": "move_time_ms",
    "depth": "depth",
    "nodes": "nodes",
    "mate": "mate",
}

COMMANDS = Simple | Debug | SetOption | SetPosition | Go | Perft | Bench | Bad | BadPosition


@given(any_text())
def test_any_text_is_parsed(line: str) -> None:
    assert parse(line) is None or isinstance(parse(line), COMMANDS)


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_mixture_of_words_is_parsed(line: str) -> None:
    assert parse(line) is None or isinstance(parse(line), COMMANDS)


@given(st.binary())
def test_any_bytes_are_parsed(line: bytes) -> None:
    for start in (b"", b"go ", b"setoption name ", b"position fen "):
        parse((start + line).decode("utf-8", "replace"))


@given(st.sampled_from(WORDS), any_text(60))
def test_error_messages_are_short_and_printable(word: str, rest: str) -> None:
    command = parse(f"{word} {rest}")
    complaints = ()
    if isinstance(command, Bad):
        complaints = (command.complaint,)
    elif isinstance(command, Go):
        complaints = command.complaints
    assert all(text.isascii() and text.isprintable() for text in complaints)
    assert all(len(text) < 300 for text in complaints)


@pytest.mark.parametrize("line", ["", " ", "\t", "\r\n", "\n", "  \r\n"])
def test_an_empty_line_is_no_command(line: str) -> None:
    assert parse(line) is None


limits = st.builds(
    Limits,
    **{
        field: (st.integers(-MAX_NUMBER, MAX_NUMBER) if "increment" in field else st.none())
        | st.integers(-MAX_NUMBER, MAX_NUMBER)
        for field in NUMBERS.values()
    },
    infinite=st.booleans(),
    ponder=st.booleans(),
    search_moves=st.lists(st.sampled_from(["e2e4", "e7e8q", "a1h8"])).map(tuple),
)


@given(limits, st.randoms(), st.sampled_from([" ", "  ", "\t"]))
def test_limits_survive_in_any_order(limits: Limits, random: object, blank: str) -> None:
    parts = [
        f"{word}{blank}{getattr(limits, field)}"
        for word, field in NUMBERS.items()
        if getattr(limits, field) is not None
    ]
    parts += [word for word in ("infinite", "ponder") if getattr(limits, word)]
    if limits.search_moves:
        parts.append(blank.join(["searchmoves", *limits.search_moves]))
    random.shuffle(parts)  # type: ignore[attr-defined]
    assert parse(blank.join(["go", *parts]) + "\r\n") == Go(limits)


@pytest.mark.parametrize(
    ("line", "limits", "complaints"),
    [
        ("go", Limits(), 0),
        ("go depth", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 2),
        ("go depth x", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 2),
        ("go movetime 100.5", Limits(move_time_ms=100), 1),
        ("go movetime 1e3", Limits(move_time_ms=1000), 1),
        ("go movetime 250ms", Limits(move_time_ms=250), 1),
        ("go movetime inf", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 2),
        ("go wtime 60000.0 btime 50000.9", Limits(white_time_ms=60000, black_time_ms=50000), 2),
        ("go wtime ? btime 50000", Limits(black_time_ms=50000), 1),
        ("go movetime 100.", Limits(move_time_ms=100), 1),
        ("go ponder wtime -", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS, ponder=True), 2),
        ("go movtime 100", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 3),
        ("go movetime=100", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 2),
        ("go nodes 0.5", Limits(move_time_ms=UNREADABLE_MOVE_TIME_MS), 2),
        ("go infinite depth x", Limits(infinite=True), 1),
        ("go depth infinite", Limits(infinite=True), 1),
        ("go wtime +5 winc --5", Limits(white_time_ms=5), 1),
        ("go wtime 99999999999", Limits(white_time_ms=MAX_NUMBER), 0),
        ("go searchmoves", Limits(), 0),
        ("go searchmoves e2e4 depth 3", Limits(depth=3, search_moves=("e2e4",)), 0),
        ("go searchmoves a7a8Q", Limits(search_moves=("a7a8q",)), 0),
        ("go depth 1 depth 2", Limits(depth=2), 0),
        ("go fast depth 1", Limits(depth=1), 1),
        ("go " + "x " * 1000, Limits(), 5),
    ],
)
def test_go(line: str, limits: Limits, complaints: int) -> None:
    command = parse(line)
    assert isinstance(command, Go)
    assert command.limits == limits
    assert len(command.complaints) == complaints


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("setoption name Hash value 32", "Hash", "32"),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption  name  Clear \t Hash \r\n", "Clear Hash", None),
        ("setoption\tname\tHash\tvalue\t32", "Hash", "32"),
        ("setoption name Debug Log File value /a  b/ü ", "Debug Log File", "/a  b/ü"),
        ("setoption name Debug Log File value", "Debug Log File", ""),
        ("setoption name SyzygyPath value C:\\my value\\x", "SyzygyPath", "C:\\my value\\x"),
        ("setoption name BestValues value 3", "BestValues", "3"),
        ("setoption name UCI_Opponent value GM 2800 human A", "UCI_Opponent", "GM 2800 human A"),
    ],
)
def test_setoption(line: str, name: str, value: str | None) -> None:
    assert parse(line) == SetOption(name, value)


words = st.text("abcXYZ123_", min_size=1).filter(lambda word: word not in ("name", "value"))


@given(st.lists(words, min_size=1), st.lists(words, min_size=1))
def test_names_and_values_with_blanks(name: list[str], value: list[str]) -> None:
    wanted = SetOption(" ".join(name), "  ".join(value))
    assert parse(f"setoption name {wanted.name} value {wanted.value}") == wanted


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("position startpos", SetPosition(None, ())),
        ("position startpos moves e2e4 e7e5\r\n", SetPosition(None, ("e2e4", "e7e5"))),
        ("position startpos moves", SetPosition(None, ())),
        ("position startpos moves E2E4 a7a8Q", SetPosition(None, ("e2e4", "a7a8q"))),
        ("position fen 8/8 w - - 0 1 moves a", SetPosition("8/8 w - - 0 1", ("a",))),
        ("position  fen  8/8  w", SetPosition("8/8 w", ())),
        ("debug on", Debug(True)),
        ("debug off", Debug(False)),
        ("bench", Bench(None)),
        ("bench 5", Bench(5)),
        ("go perft 4", Perft(4)),
        ("go perft -4", Perft(1)),
        ("  quit  ", Simple("quit")),
    ],
)
def test_other_commands(line: str, command: object) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    "line",
    [
        *("position", "position fen", "position e2e4", "setoption", "setoption name", "debug"),
        *("setoption name value 3", "setoption Hash 3", "debug on off", "bench x", "UCI", "hi"),
        *("go perft", "go perft x", "go perft depth 3"),
    ],
)
def test_unknown_commands_are_reported(line: str) -> None:
    assert isinstance(parse(line), BadPosition if line.startswith("position") else Bad)
