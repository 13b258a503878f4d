"""`halbzug tablebases`: downloads from a local server that misbehaves, lists and look-ups."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chess.syzygy import tablenames
from click.testing import CliRunner, Result

from halbzug.commands import tablebases
from halbzug.tablebase import download, files
from halbzug.tablebase.fetching import FetchPlan
from halbzug.tablebase.files import SHIPPED

pytestmark = pytest.mark.any_build

#: What `fetch 3` downloads: five endings, with WDL and DTZ tables.
NAMES = [f"{name}{suffix}" for name in tablenames(piece_count=3) for suffix in (".rtbw", ".rtbz")]


class Mirror:
    """A mirror on this machine, with the shipped three-piece tables.

    `faults` maps a path to the faults of the next requests for it, in order.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[str]] = {}
        self.requests: list[tuple[str, str | None]] = []  # path and Range header
        self.has_ranges = True
        lines = []
        for name in NAMES:
            folder = "3-4-5-wdl" if name.endswith("w") else "3-4-5-dtz"
            data = (SHIPPED / name).read_bytes()
            self.files[f"/tables/{folder}/{name}"] = data
            lines.append(f"{hashlib.sha256(data).hexdigest()}  {folder}/{name}\n")
        self.files["/tables/sha256"] = "".join(lines).encode()
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mirror.answer(self)

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/tables"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def path(self, name: str) -> str:
        return next(path for path in self.files if path.endswith(f"/{name}"))

    def requests_for(self, name: str) -> list[str | None]:
        return [header for path, header in self.requests if path.endswith(f"/{name}")]

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.requests.append((request.path, wanted))
        faults = self.faults.get(request.path, [])
        fault = faults.pop(0) if faults else ""
        data = self.files.get(request.path)
        if data is None or fault.isdigit():
            request.send_error(int(fault or 404))
            return
        if fault == "corrupt":
            data = data[:-20] + b"X" * 20
        start = 0
        if wanted and self.has_ranges:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(data):
                request.send_error(416)
                return
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            request.send_response(200)
        body = data[start:]
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: len(body) // 2] if fault == "drop" else body)


@pytest.fixture
def mirror(monkeypatch) -> Iterator[Mirror]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(download, "FIRST_PAUSE_SECONDS", 0.001)
    opened = Mirror()
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _user_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "user_folder", lambda: tmp_path / "user")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tablebases.tablebases, arguments)


def fetch(mirror: Mirror, folder: Path) -> Result:
    return run("fetch", "3", "--to", str(folder), "--mirror", mirror.url)


def is_complete(folder: Path) -> bool:
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    return found == {name: (SHIPPED / name).read_bytes() for name in NAMES}


def one_line_error(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    return result.stderr


def test_fetch(mirror, tmp_path):
    result = fetch(mirror, tmp_path / "new" / "tables")
    assert result.exit_code == 0, result.output
    assert "10 tables downloaded, 0 already present" in result.output
    assert is_complete(tmp_path / "new" / "tables")


def test_existing_files_are_checked_and_kept(mirror, tmp_path):
    fetch(mirror, tmp_path)
    (tmp_path / NAMES[0]).write_bytes(b"damaged")
    mirror.requests.clear()
    assert "1 table downloaded, 9 already present" in fetch(mirror, tmp_path).output
    assert [path for path, _ in mirror.requests] == ["/tables/sha256", mirror.path(NAMES[0])]
    assert is_complete(tmp_path)


def test_files_in_the_user_folder_are_found_by_default(mirror, tmp_path):
    assert run("fetch", "3", "--mirror", mirror.url).exit_code == 0
    assert is_complete(tmp_path / "user")
    assert files.default_folders() == [SHIPPED, tmp_path / "user"]
    rows = [json.loads(line) for line in run("list", "--json").output.splitlines()]
    assert rows[-1]["folder"] == str(tmp_path / "user")


def test_a_dropped_connection_is_resumed(mirror, tmp_path):
    name = "KPvK.rtbz"
    mirror.faults[mirror.path(name)] = ["drop", "drop", "503"]
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)
    first, second, third, fourth = mirror.requests_for(name)
    half = len(mirror.files[mirror.path(name)]) // 2
    assert first is None and second == f"bytes={half}-"
    assert third == fourth and third != second


def test_any_number_of_drops_is_tolerated_as_long_as_there_is_progress(mirror, tmp_path):
    name = "KPvK.rtbw"
    mirror.faults[mirror.path(name)] = ["drop"] * (download.ATTEMPTS + 3)
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)


def test_an_interrupted_download_is_resumed_by_the_next_run(mirror, tmp_path):
    name = "KQvK.rtbw"
    mirror.faults[mirror.path(name)] = ["drop"] + ["500"] * download.ATTEMPTS
    assert "run again to continue" in one_line_error(fetch(mirror, tmp_path))
    assert (tmp_path / f"{name}.part").exists() and not (tmp_path / name).exists()
    mirror.requests.clear()
    mirror.faults.clear()
    assert fetch(mirror, tmp_path).exit_code == 0
    assert mirror.requests_for(name)[0] is not None
    assert is_complete(tmp_path)


def test_a_mirror_without_ranges(mirror, tmp_path):
    mirror.has_ranges = False
    mirror.faults[mirror.path("KQvK.rtbw")] = ["drop", "drop"]
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)


@pytest.mark.parametrize("extra", [b"", b"and more"])
def test_a_partial_file_that_cannot_be_resumed(mirror, tmp_path, extra):
    data = (SHIPPED / "KQvK.rtbw").read_bytes()
    (tmp_path / "KQvK.rtbw.part").write_bytes(data + extra)
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)


def test_a_wrong_partial_file_is_discarded(mirror, tmp_path):
    (tmp_path / "KQvK.rtbw.part").write_bytes(b"something else")
    assert fetch(mirror, tmp_path).exit_code == 0
    assert mirror.requests_for("KQvK.rtbw") == ["bytes=14-", None]
    assert is_complete(tmp_path)


def test_a_single_wrong_checksum_is_repaired(mirror, tmp_path):
    mirror.faults[mirror.path("KRvK.rtbz")] = ["corrupt"]
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)


def test_a_wrong_checksum_every_time_is_an_error(mirror, tmp_path):
    mirror.faults[mirror.path("KRvK.rtbz")] = ["corrupt"] * 99
    error = one_line_error(fetch(mirror, tmp_path))
    assert "KRvK.rtbz" in error and "wrong checksum" in error
    assert not list(tmp_path.glob("KRvK.rtbz*"))


def test_missing_file_and_missing_list(mirror, tmp_path):
    del mirror.files[mirror.path("KRvK.rtbw")]
    assert "KRvK.rtbw: not there (404)" in one_line_error(fetch(mirror, tmp_path))
    assert len(mirror.requests_for("KRvK.rtbw")) == 1
    del mirror.files["/tables/sha256"]
    assert "not there (404)" in one_line_error(fetch(mirror, tmp_path))
    mirror.files["/tables/sha256"] = b"<html>Welcome</html>\n"
    assert "no list of checksums" in one_line_error(fetch(mirror, tmp_path))
    mirror.files["/tables/sha256"] = b"0" * 64 + b"  ./other.rtbw\n"
    assert "not in the mirror's list" in one_line_error(fetch(mirror, tmp_path))


@pytest.mark.parametrize(
    "style",
    [
        lambda name, data: f"{hashlib.md5(data).hexdigest()} *{name}",
        lambda name, data: f"{hashlib.sha1(data).hexdigest()}  ./{name}",
        lambda name, data: f"{hashlib.sha512(data).hexdigest().upper()}  {name}\r",
    ],
)
def test_lists_of_other_kinds(mirror, tmp_path, style: Callable[[str, bytes], str]):
    lines = [style(name, (SHIPPED / name).read_bytes()) for name in NAMES]
    mirror.files["/tables/sha256"] = "\n".join(["# a comment", *lines]).encode()
    assert fetch(mirror, tmp_path).exit_code == 0
    assert is_complete(tmp_path)


def test_a_mirror_that_does_not_answer(mirror, tmp_path):
    mirror.close()
    try:
        assert "attempts" in one_line_error(fetch(mirror, tmp_path))
    finally:
        mirror.__init__()  # something for the fixture to close


@pytest.mark.slow
def test_a_failure_leaves_no_empty_folder(halbzug, tmp_path):
    """Nobody listens at port 9; every session and doctor would report an empty folder."""
    halbzug.environment["XDG_DATA_HOME"] = str(tmp_path / "data" / "mine")
    process = halbzug.run("tablebases", "fetch", "3", "--mirror", "http://127.0.0.1:9/")
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's data folder")
def test_an_empty_user_folder_is_not_an_error(halbzug, tmp_path):
    halbzug.environment["XDG_DATA_HOME"] = str(tmp_path)
    folder = tmp_path / "halbzug" / "tablebases"
    folder.mkdir(parents=True)
    (folder / "KQvK.rtbw.part").write_bytes(b"begun")
    assert "no tablebases" not in halbzug.run("doctor").stdout
    assert halbzug.run(stdin="isready\nquit\n").stdout.count("no tablebases") == 0


def test_folders_without_write_permission(mirror, tmp_path):
    (tmp_path / "file").write_text("")
    error = one_line_error(run("fetch", "3", "--to", str(tmp_path / "file" / "x")))
    assert "file" in error
    (tmp_path / "KQvK.rtbw.part").mkdir()
    one_line_error(fetch(mirror, tmp_path))


@pytest.mark.parametrize("url", ["ftp://example.org/", "file:///etc", "nonsense", "http://"])
def test_invalid_mirrors(monkeypatch, tmp_path, url):
    monkeypatch.setattr(download, "FIRST_PAUSE_SECONDS", 0.001)
    one_line_error(run("fetch", "3", "--to", str(tmp_path), "--mirror", url))


def test_six_pieces_need_confirmation(mirror, tmp_path):
    arguments = ("fetch", "6", "--to", str(tmp_path), "--mirror", mirror.url)
    assert "GB: add --yes" in one_line_error(run(*arguments))
    assert mirror.requests == []


def test_too_little_disk_space(monkeypatch, mirror, tmp_path):
    monkeypatch.setattr("shutil.disk_usage", lambda path: _Usage(10**9, 0, 10**8))
    arguments = ("fetch", "5", "--to", str(tmp_path), "--mirror", mirror.url)
    assert "has 0.1 GB left" in one_line_error(run(*arguments))


class _Usage:
    def __init__(self, total: int, used: int, free: int) -> None:
        self.total, self.used, self.free = total, used, free


def test_the_plan_lists_every_table_once():
    for pieces, count in ((3, 5), (4, 35), (5, 145), (6, 510)):
        paths = FetchPlan(pieces, None).paths
        assert len(paths) == len(set(paths)) == 2 * count
    assert "6-dtz/KRPPvKR.rtbz" in paths and "3-4-5-wdl/KRPvKR.rtbw" in paths


# -- list and probe -----------------------------------------------------------------------------


def test_list(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes(b"")
    result = run("list", "--path", str(tmp_path))
    assert result.exit_code == 0
    assert "30" in result.stdout and "KQvK.rtbw ignored: damaged (wrong size)" in result.stderr
    rows = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [(row["pieces"], row["wdl"], row["dtz"], row["all"]) for row in rows] == [
        (3, 5, 5, 5),
        (4, 30, 30, 30),
    ]


def test_probe():
    result = run("probe", "8/8/8/8/8/k7/8/2KR4 w - - 0 1")
    assert result.exit_code == 0 and result.output.startswith("Win for the side to move, DTZ ")
    report = json.loads(run("probe", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--json").output)
    assert (report["result"], report["wdl"], report["dtz"]) == ("win", 2, 1)
    assert report["moves"][0] == {
        "move": "a1a8",
        "san": "Ra8#",
        "result": "win",
        "wdl": 2,
        "dtz": 1,
    }


def test_probe_takes_the_fifty_move_counter_into_account():
    report = json.loads(run("probe", "8/2K5/4B3/3N4/8/8/4k3/8 b - - 60 99", "--json").output)
    assert (report["result"], report["wdl"], report["dtz"]) == ("blessed loss", -2, -53)


@pytest.mark.parametrize(
    ("fen", "error"),
    [
        ("nonsense", "not a FEN"),
        ("startpos", "castling"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling"),
        ("rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1", "9 pieces, but the tables found have at most 4"),
    ],
)
def test_probe_says_why_it_has_no_answer(fen, error):
    assert error in one_line_error(run("probe", fen))


def test_probe_of_a_finished_game():
    report = json.loads(run("probe", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--json").output)
    assert (report["result"], report["moves"]) == ("loss", [])
