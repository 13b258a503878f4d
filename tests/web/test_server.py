"""The board's server, with requests from clients other than its page."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import socket
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from board_server import BoardServer
from command_line import Command

pytestmark = pytest.mark.any_build

pytest.importorskip("uvicorn", reason="the extra halbzug[board] is not installed")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with BoardServer(tmp_path_factory.mktemp("board")) as server:
        yield server


@dataclass(frozen=True)
class Answered:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def ask(server: BoardServer, path: str, **headers: str) -> Answered:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    with closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return Answered(answer.status, answer.headers, answer.read())


def test_the_page_and_its_parts_come_with_a_strict_policy(server: BoardServer) -> None:
    for name in ("", "board.js", "board.css", "component.js", "component.css", "icon.svg"):
        answer = ask(server, f"/{server.secret}/{name}")
        assert answer.status == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert f"connect-src ws://{server.host};" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/board.js", "/x/", "/x/live", "//", "/favicon.ico"])
def test_nothing_is_served_without_the_secret(server: BoardServer, path: str) -> None:
    answer = ask(server, path)
    assert (answer.status, answer.body) == (403, b"")


def test_no_other_file_is_served(server: BoardServer) -> None:
    for name in ("page_session.py", "..%2fserver.py", "../../pyproject.toml", "live"):
        assert ask(server, f"/{server.secret}/{name}").status in (403, 404)


def test_another_name_or_origin_is_refused(server: BoardServer) -> None:
    page = f"/{server.secret}/"
    assert ask(server, page, Host=f"localhost:{server.port}").status == 403
    assert ask(server, page, Host="evil.example").status == 403
    assert ask(server, page, Origin="http://evil.example").status == 403
    assert ask(server, page, Origin="null").status == 403
    assert ask(server, page, Origin=f"http://{server.host}").status == 200


def test_it_listens_only_on_the_loopback_interface(server: BoardServer) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
    for address in addresses - {"127.0.0.1", "::1", "127.0.1.1"}:
        with pytest.raises(OSError):
            socket.create_connection((address, server.port), timeout=5)


async def talk(server: BoardServer, texts: list[str], **headers: str) -> list[Any]:
    """The first error message in reply to each text."""
    from websockets.asyncio.client import connect

    address = server.address.replace("http:", "ws:") + "live"
    heard: list[Any] = []
    async with connect(address, additional_headers=headers, proxy=None) as socket:
        for text in texts:
            await socket.send(text)
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 60))
                if message["type"] == "error":
                    heard.append(message["text"])
                    break
    return heard


def test_a_page_of_another_origin_cannot_talk_to_it(server: BoardServer) -> None:
    from websockets.exceptions import InvalidStatus

    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        with pytest.raises(InvalidStatus) as refused:
            asyncio.run(talk(server, ["x"], **headers))
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("", "not a message"),
        ("[" * 100_000, "not a message"),
        ("7", "not a message"),
        ('{"do": "__init__"}', "not a message"),
        ('{"do": "go", "at": "x"}', "at is not a number"),
        ('{"do": "go", "at": 99999999}', "there is no such move"),
        ('{"do": "reason", "at": 0}', "no move led to this position"),
        ('{"do": "reason"}', "at is not a number"),
        ('{"do": "go", "at": -1}', "there is no such move"),
        ('{"do": "move", "at": 0, "move": "e2e5"}', "that is not a legal move"),
        ('{"do": "move", "at": 0, "move": "<b>"}', "that is not a legal move"),
        ('{"do": "line", "at": 0, "moves": [1]}', "not a line"),
        ('{"do": "delete", "at": 0}', "there is no move to delete"),
        ('{"do": "mark", "at": 0, "nag": 77}', "there is no such symbol"),
        ('{"do": "paste", "text": ""}', "there is nothing to read"),
        ('{"do": "paste", "text": "\\u001b[31m"}', "neither a FEN nor a game"),
        ('{"do": "open", "game": 3}', "there are no other games"),
        ('{"do": "setup", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}', "impossible position"),
        ('{"do": "new", "chess960": 960}', "Chess960 positions have numbers"),
        ('{"do": "engine", "engine": 5}', "there is no such engine"),
        ('{"do": "engine", "engine": 0, "lines": "many"}', "lines is not a number"),
        ('{"do": "seconds", "seconds": -1}', "not a time"),
        ('{"do": "seconds", "seconds": NaN}', "not a time"),
        ('{"do": "match", "elo": 5}', "an Elo is between"),
        ('{"do": "match", "seconds": 1e9}', "the time for a move"),
        ('{"do": "match", "clock": "soon"}', "soon is not MINUTES+SECONDS"),
        ('{"do": "match", "clock": 5}', "clock is not a text"),
        ('{"do": "back"}', "there is no game"),
        ('{"do": "resign"}', "there is no game"),
    ],
)
def test_an_invalid_message_is_answered_in_one_line(
    server: BoardServer, message: str, answer: str
) -> None:
    (text,) = asyncio.run(talk(server, [message], Origin=f"http://{server.host}"))
    assert text.startswith(answer)
    assert text.isprintable()


async def reason_of_a_move(server: BoardServer) -> list[dict[str, Any]]:
    """All messages about a move whose reason is requested, abandoned, and requested twice."""
    from websockets.asyncio.client import connect

    address, origin = server.address.replace("http:", "ws:") + "live", f"http://{server.host}"
    told: list[dict[str, Any]] = []
    async with connect(address, additional_headers={"Origin": origin}, proxy=None) as socket:
        moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
        for message in (
            {"do": "new"},
            {"do": "line", "at": 0, "moves": moves},
            {"do": "reason", "at": 4},
            {"do": "go", "at": 0},
            {"do": "reason", "at": 4},  # no longer shown
            {"do": "go", "at": 4},
            {"do": "reason", "at": 4},
            {"do": "reason", "at": 4},
        ):
            await socket.send(json.dumps(message))
        while not told or told[-1]["searching"]:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] == "reason":
                told.append(message)
    return told


@pytest.mark.slow
def test_a_move_that_is_no_mistake_is_reported_as_such(server: BoardServer) -> None:
    told = asyncio.run(reason_of_a_move(server))
    assert [message["searching"] for message in told] == [True, True, False]
    assert told[-1]["at"] == 4 and told[-1]["failure"] == ""
    assert len(told[-1]["notes"]) == 1
    assert told[-1]["notes"][0].startswith("2...Qh4# is the best move that was found")


@pytest.mark.slow
def test_it_ends_some_time_after_its_last_page(tmp_path: Path) -> None:
    with BoardServer(tmp_path, "--linger", "1") as server:
        asyncio.run(talk(server, ["x"], Origin=f"http://{server.host}"))
        assert server.process.wait(60) == 0


@pytest.mark.slow
def test_an_interrupt_ends_it_with_its_engines(tmp_path: Path) -> None:
    with BoardServer(tmp_path) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == 130
    with BoardServer(tmp_path) as again:
        assert again.address != server.address, "a restart has a new address"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no such file"], "neither a FEN nor a file: no such file"),
        (["missing.py"], "there is no file missing.py"),
        (["8/8/8/8/8/8/8/8 w - - 0 1"], "impossible position: the board is empty"),
        (["empty.pgn"], "empty.pgn: there is no game"),
        (["--engine", 'a "b'], "a quotation mark is missing"),
        (["--port", "1"], "cannot listen on port 1"),
    ],
)
def test_wrong_usage_is_one_line(halbzug: Command, arguments: list[str], words: str) -> None:
    halbzug.write("empty.pgn", "")
    if arguments[0] == "--port":
        pytest.skip("root may listen on any port") if _is_root() else None
    result = halbzug.run("board", "--no-browser", *arguments)
    assert result.returncode in (1, 2)
    assert result.stdout == ""
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def _is_root() -> bool:
    import os

    return hasattr(os, "geteuid") and os.geteuid() == 0


def test_without_its_libraries_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from halbzug.__main__ import main\n"
        "sys.argv = ['halbzug', 'board', '--no-browser']\n"
        "sys.exit(main())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert 'pip install "halbzug[board]"' in result.stderr
    assert len(result.stderr.splitlines()) == 1
