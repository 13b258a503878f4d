"""`halbzug register`: adds to the engine lists of chess programs, and never damages them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from command_line import Command
from uci_client import UciClient

from halbzug.installation.programs import PROGRAMS

pytestmark = pytest.mark.any_build

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX links and modes")

#: Becomes the program given by the arguments that follow.
START = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"

STOCKFISH = {
    "protocol": "uci",
    "command": "/usr/games/stockfish",
    "name": "Stockfish",
    "options": [{"name": "Hash", "type": "spin", "value": 64, "default": 16}],
    "timeoutScaleFactor": 1.5,
    "a key of the future": {"zebra": [1, None], "apple": "\u00fc"},
}
OTHER = {"name": "Halbzug-like", "command": "/opt/other/engine", "protocol": "xboard"}


class Installed:
    """An installed command `halbzug`, and a user with an empty home directory."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.program = folder / "bin" / "halbzug"
        self.program.parent.mkdir()
        self.program.write_text(
            f"#!{sys.executable}\nimport sys\nfrom halbzug.__main__ import main\nsys.exit(main())\n"
        )
        self.program.chmod(0o755)
        self.command = Command(folder)
        self.command.program = [sys.executable, str(self.program)]
        for name in ("XDG_CONFIG_HOME", "APPDATA"):
            self.command.environment.pop(name, None)
        self.command.environment.update(HOME=str(self.home), USERPROFILE=str(self.home))

    def list_path(self, program: str) -> Path:
        return PROGRAMS[program].list_path({**self.command.environment})

    def write(self, program: str, content: object) -> Path:
        path = self.list_path(program)
        path.parent.mkdir(parents=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=4)
        path.write_text(text, encoding="utf-8")
        return path

    def register(self, *arguments: str) -> str:
        return self.command.output("register", *arguments)

    def entries(self, program: str) -> list[dict[str, Any]]:
        loaded: list[dict[str, Any]] = json.loads(self.list_path(program).read_text("utf-8"))
        return loaded


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path / "with a blank")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_first_engine(installed: Installed, program: str) -> None:
    output = installed.register(program)
    assert str(installed.list_path(program)) in output
    (entry,) = installed.entries(program)
    assert (entry["name"], entry["protocol"]) == ("Halbzug", "uci")
    quoted = f'"{installed.program}"' if program == "cutechess" else str(installed.program)
    assert entry["command"] == quoted
    assert [path.name for path in installed.list_path(program).parent.iterdir()] == ["engines.json"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_engines_remain_unchanged(installed: Installed, program: str) -> None:
    path = installed.write(program, [STOCKFISH, OTHER])
    before = path.read_text("utf-8")
    installed.register(program)
    entries = installed.entries(program)
    assert json.dumps(entries[:2]) == json.dumps([STOCKFISH, OTHER])
    assert entries[2]["name"] == "Halbzug"
    assert path.read_text().splitlines()[1].startswith("    {")  # with the old indentation
    assert Path(f"{path}.halbzug-backup").read_text("utf-8") == before


@pytest.mark.parametrize("program", PROGRAMS)
def test_registering_twice_changes_nothing(installed: Installed, program: str) -> None:
    path = installed.write(program, [OTHER])
    installed.register(program)
    once, backup = path.read_bytes(), Path(f"{path}.halbzug-backup").read_bytes()
    assert "already" in installed.register(program)
    assert path.read_bytes() == once
    assert Path(f"{path}.halbzug-backup").read_bytes() == backup


@pytest.mark.slow
def test_a_file_is_listed_by_its_own_name(installed: Installed) -> None:
    file = installed.command.folder / "mine.py"
    source = 'name = "Crowder"\n\n\ndef choose(board):\n    return list(board.legal_moves)[0]\n'
    file.write_text(source, encoding="utf-8")
    assert "Crowder is now in the engines of" in installed.register("pychess", "mine.py")
    assert "already" in installed.register("pychess", "mine.py")
    installed.register("cutechess", "mine.py", "--name", "Other")
    assert installed.entries("cutechess")[0]["name"] == "Other"


def test_a_file_that_cannot_play_is_not_listed(installed: Installed) -> None:
    (installed.command.folder / "mine.py").write_text("x = 1\n", encoding="utf-8")
    process = installed.command.run("register", "pychess", "mine.py")
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert "mine.py does not define an engine" in process.stderr
    assert not installed.list_path("pychess").exists()


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_file_is_added_beside_halbzug_and_removed_again(
    installed: Installed, program: str
) -> None:
    file = installed.command.folder / "my first.py"
    file.write_text("def choose(board):\n    return list(board.legal_moves)[0]\n", encoding="utf-8")
    installed.register(program)
    said = installed.register(program, "my first.py")
    assert "my first is now in the engines of" in said
    ours, entry = installed.entries(program)
    assert (ours["name"], entry["name"], entry["protocol"]) == ("Halbzug", "my first", "uci")
    words = [entry["command"], *entry.get("args", [])]
    if program == "cutechess":
        words = shlex.split(entry["command"])
    with UciClient(installed.home, "-c", START, *words, own_book=True) as client:
        client.send("uci")
        assert "id name my first" in client.read_until("uciok")
    assert "already" in installed.register(program, "my first.py")
    assert "already" in installed.register(program)
    assert len(installed.entries(program)) == 2
    file.unlink()
    installed.register(program, "my first.py", "--remove")
    assert [entry["name"] for entry in installed.entries(program)] == ["Halbzug"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_old_entry_is_updated_and_keeps_its_settings(installed: Installed, program: str) -> None:
    old = {
        "name": "Halbzug",
        "command": "/gone/bin/halbzug",
        "protocol": "uci",
        "options": [{"name": "Threads", "value": 2}],
        "level": 7,
    }
    installed.write(program, [OTHER, old, STOCKFISH])
    installed.register(program)
    entries = installed.entries(program)
    assert [entry["name"] for entry in entries] == ["Halbzug-like", "Halbzug", "Stockfish"]
    assert str(installed.program) in entries[1]["command"]
    assert entries[1]["options"][0]["value"] == 2
    assert entries[1]["level"] == 7
    if program == "pychess":
        assert {**entries[1], "command": old["command"]} == old


#: The form in which Cute Chess stores each kind of option (`toVariant`).
CUTE_CHESS_KEYS = {
    "button": {"name", "type"},
    "check": {"alias", "default", "name", "type", "value"},
    "spin": {"alias", "default", "max", "min", "name", "type", "value"},
    "text": {"alias", "default", "name", "type", "value"},
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_entry_with_the_former_name_is_renamed(installed: Installed, program: str) -> None:
    former = {"name": "Kiebitz", "command": "/home/ann/.local/bin/kiebitz", "protocol": "uci"}
    stranger = {"name": "Kiebitz", "command": "/opt/kiebitz-gui/run", "protocol": "uci"}
    installed.write(program, [stranger, former, OTHER])
    assert "Halbzug" in installed.register(program)
    entries = installed.entries(program)
    assert entries[0] == stranger and entries[2] == OTHER and len(entries) == 3
    assert entries[1]["name"] == "Halbzug"
    assert entries[1]["command"].strip('"') == str(installed.program)


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_entry_with_the_former_name_can_be_removed(installed: Installed, program: str) -> None:
    former = {"name": "Kiebitz", "command": r"C:\\Programs\\kiebitz.exe", "protocol": "uci"}
    installed.write(program, [former, OTHER])
    installed.register(program, "--remove")
    assert installed.entries(program) == [OTHER]


def test_cute_chess_learns_variants_and_options(installed: Installed, uci: UciClient) -> None:
    """As if it had asked the engine: Chess960 can be chosen, and the dialog lists all options."""
    installed.register("cutechess")
    (entry,) = installed.entries("cutechess")
    assert entry["variants"] == ["standard", "fischerandom"]
    written = {option["name"]: option for option in entry["options"]}
    uci.send("uci")
    declared = [line for line in uci.read_until("uciok") if line.startswith("option name ")]
    for line in declared:
        name, _, rest = line[12:].partition(" type ")
        kind, _, rest = rest.partition(" default ")
        if name.startswith(("Ponder", "UCI_")) and name not in ("UCI_LimitStrength", "UCI_Elo"):
            assert name not in written
            continue
        option = written.pop(name)
        assert option["type"] == {"string": "text"}.get(kind, kind)
        assert set(option) == CUTE_CHESS_KEYS[option["type"]]
        if kind == "spin":
            default, minimum, maximum = (
                int(word) for word in rest.split() if word.lstrip("-").isdigit()
            )
            assert [option[key] for key in ("default", "value", "min", "max")] == [
                default, default, minimum, maximum
            ]  # fmt: skip
        elif kind == "check":
            assert option["default"] is option["value"] is (rest == "true")
        elif kind == "string":
            assert option["default"] == option["value"] == rest
    assert not written


def test_cute_chess_keeps_its_users_settings(installed: Installed) -> None:
    settings: list[Any] = [
        {"name": "Hash", "type": "spin", "value": 256, "default": 16, "min": 1, "max": 512},
        {"name": "Threads", "value": 10**9},
        {"name": "Gone", "type": "check", "value": True},
        {"name": "OwnBook", "type": "check", "value": False, "default": False},
        "what is this?",
    ]
    old = {"name": "Halbzug", "command": "/gone/halbzug", "options": settings, "variants": None}
    installed.write("cutechess", [old])
    installed.register("cutechess")
    (entry,) = installed.entries("cutechess")
    assert "what is this?" in entry["options"]
    entry["options"].remove("what is this?")
    options = {option["name"]: option for option in entry["options"]}
    assert options["Hash"]["value"] == 256 and options["Hash"]["max"] > 512
    assert options["Threads"]["value"] == 1
    assert options["Gone"] == settings[2]
    assert options["OwnBook"]["value"] is False and options["OwnBook"]["default"] is True
    assert len(options) == len(entry["options"]) > 10
    assert "already" in installed.register("cutechess")


def test_an_entry_that_the_user_has_renamed_is_found(installed: Installed) -> None:
    installed.register("pychess", "--name", "My lapwing")
    assert "already" in installed.register("pychess")
    assert [entry["name"] for entry in installed.entries("pychess")] == ["My lapwing"]


def test_a_second_name_is_a_second_entry(installed: Installed) -> None:
    installed.register("cutechess")
    installed.register("cutechess", "--name", "Halbzug, two threads")
    names = ["Halbzug", "Halbzug, two threads"]
    assert [entry["name"] for entry in installed.entries("cutechess")] == names
    installed.register("cutechess", "--remove", "--name", "Halbzug")
    assert [entry["name"] for entry in installed.entries("cutechess")] == names[1:]


@pytest.mark.slow
def test_the_name_of_another_engine_is_not_taken(installed: Installed) -> None:
    taken = {"name": "Halbzug", "command": "/usr/games/lapwing"}
    path = installed.write("cutechess", [taken])
    result = installed.command.run("register", "cutechess")
    assert result.returncode == 1
    assert "another engine called Halbzug" in result.stderr
    assert "--name" in result.stderr
    assert json.loads(path.read_text()) == [taken]
    assert "nothing to remove" in installed.register("cutechess", "--remove")


@pytest.mark.parametrize("program", PROGRAMS)
def test_remove_takes_only_our_entries(installed: Installed, program: str) -> None:
    path = installed.write(program, [STOCKFISH, OTHER])
    installed.register(program)
    installed.register(program, "--remove")
    assert json.dumps(installed.entries(program)) == json.dumps([STOCKFISH, OTHER])
    before = path.read_bytes()
    assert "nothing to remove" in installed.register(program, "--remove")
    assert path.read_bytes() == before


def test_remove_without_a_list_creates_none(installed: Installed) -> None:
    installed.register("pychess", "--remove")
    assert not installed.list_path("pychess").parent.exists()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        '[{"name": "Stockfish", "command": "/usr/games/stockfish"},]',
        '{"name": "Stockfish"}',
        '["Stockfish"]',
        '[{"name": "a", "name": "b"}]',
        '[{"level": NaN}]',
        '[{"level": 1e999}]',
        "[" * 100_000,
    ],
)
@pytest.mark.parametrize("arguments", [[], ["--remove"]], ids=["add", "remove"])
def test_a_damaged_list_is_left_alone(
    installed: Installed, content: str, arguments: list[str]
) -> None:
    path = installed.write("pychess", content)
    result = installed.command.run("register", "pychess", *arguments)
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert str(path) in result.stderr
    assert path.read_text("utf-8") == content
    assert [file.name for file in path.parent.iterdir()] == ["engines.json"]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
def test_an_endless_device_is_not_read(installed: Installed) -> None:
    process = installed.command.run("register", "cutechess", "--config", "/dev/zero")
    assert (process.returncode, process.stderr) == (1, "halbzug: /dev/zero is not a file\n")


def test_a_list_that_is_not_text(installed: Installed) -> None:
    path = installed.write("cutechess", "")
    path.write_bytes(b"[{\xff}]")
    result = installed.command.run("register", "cutechess")
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert path.read_bytes() == b"[{\xff}]"


def test_a_byte_order_mark_does_no_harm(installed: Installed) -> None:
    path = installed.write("cutechess", "\ufeff" + json.dumps([OTHER]))
    installed.register("cutechess")
    assert json.loads(path.read_text("utf-8"))[0] == OTHER


@posix
def test_a_link_remains_a_link(installed: Installed, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "engines.json"
    real.parent.mkdir()
    real.write_text(json.dumps([OTHER]))
    real.chmod(0o640)
    link = installed.list_path("cutechess")
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    installed.register("cutechess")
    assert link.is_symlink()
    assert [entry["name"] for entry in json.loads(real.read_text())] == ["Halbzug-like", "Halbzug"]
    assert real.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in link.parent.iterdir()] == ["engines.json"]


@posix
def test_a_link_to_the_command_is_written_as_such(installed: Installed, tmp_path: Path) -> None:
    link = tmp_path / "halbzug"
    link.symlink_to(installed.program)
    installed.command.program = [sys.executable, str(link)]
    installed.register("pychess")
    assert installed.entries("pychess")[0]["command"] == str(link)


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission(installed: Installed) -> None:
    path = installed.write("cutechess", [OTHER])
    path.parent.chmod(0o500)
    result = installed.command.run("register", "cutechess")
    path.parent.chmod(0o700)
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert json.loads(path.read_text()) == [OTHER]


def test_a_file_in_place_of_the_folder(installed: Installed) -> None:
    (installed.home / ".config").write_text("not a folder")
    result = installed.command.run("register", "pychess")
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert "cannot read" in result.stderr or "cannot write" in result.stderr


@pytest.mark.parametrize("name", ["mine.json", "folder"])
def test_the_list_may_be_elsewhere(installed: Installed, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    installed.register("cutechess", "--config", str(tmp_path / name))
    path = tmp_path / ("folder/engines.json" if name == "folder" else name)
    assert json.loads(path.read_text())[0]["name"] == "Halbzug"
    assert not installed.list_path("cutechess").exists()


@posix
def test_xdg_config_home_counts_if_it_is_absolute(installed: Installed, tmp_path: Path) -> None:
    installed.command.environment["XDG_CONFIG_HOME"] = str(tmp_path / "xdg")
    installed.register("pychess")
    assert (tmp_path / "xdg/pychess/engines.json").exists()
    installed.command.environment["XDG_CONFIG_HOME"] = "relative"
    installed.register("pychess")
    assert (installed.home / ".config/pychess/engines.json").exists()


def test_the_locations_on_other_systems() -> None:
    home = {"HOME": "/Users/ann", "USERPROFILE": "C:/Users/ann", "APPDATA": "C:/Roaming"}
    places = {
        ("cutechess", "linux"): "/Users/ann/.config/cutechess/engines.json",
        ("cutechess", "darwin"): "/Users/ann/.config/cutechess.com/engines.json",
        ("cutechess", "win32"): "C:/Roaming/cutechess/engines.json",
        ("pychess", "linux"): "/Users/ann/.config/pychess/engines.json",
        ("pychess", "darwin"): "/Users/ann/.config/pychess/engines.json",
        ("pychess", "win32"): "C:/Users/ann/.config/pychess/engines.json",
    }
    for (program, platform), place in places.items():
        assert PROGRAMS[program].list_path(home, platform) == Path(place)


def test_print_writes_no_file(installed: Installed) -> None:
    output = installed.register("--print")
    for title in ("Arena", "BanksiaGUI", "Scid", "Nibbler", "En Croissant", "lichess-bot"):
        assert title in output
    assert output.count(str(installed.program)) == 5
    assert list(installed.home.iterdir()) == []
    shown = installed.register("pychess", "--print")
    entry = json.loads(shown[shown.index("\n") :])
    assert entry["command"] == str(installed.program)
    assert list(installed.home.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_error_of_print_is_one_line(installed: Installed) -> None:
    for arguments in (["register", "--print"], ["perft", "startpos", "1"]):
        with Path("/dev/full").open("wb") as full:
            process = subprocess.run(
                [*installed.command.program, *arguments],
                stdout=full,
                stderr=subprocess.PIPE,
                env=installed.command.environment,
                check=False,
            )
        assert (process.returncode, process.stderr) == (1, b"halbzug: No space left on device\n")


#: The keys of lichess-bot's `config.yml.default`, with other values.
LICHESS_CONFIG = """\
token: "xxxxxxxxxxxxxxxxxxxxxx"    # Lichess OAuth2 Token.

engine:                            # Engine settings.
  dir: "./engines/"                # Directory containing the engine.
  name: "engine_name"              # Binary name of the engine to use.
  debug: False
# interpreter: "java"
  working_dir: ""
  protocol: "homemade"             # "uci", "xboard" or "homemade"
  ponder: true                     # Think on opponent's time.

  polyglot:
    enabled: false                 # Activate polyglot book.
  draw_or_resign:
    offer_draw_enabled: true       # Whether or not the bot should offer/accept draw.
    offer_draw_moves: 10

  homemade_options:
#   Hash: 256

  uci_options:                     # Arbitrary UCI options passed to the engine.
    Move Overhead: 100             # Increase if your bot flags games too often.
    Threads: 4
    Hash: 512
    SyzygyPath: "./syzygy/"
    UCI_ShowWDL: true
#   go_commands:                   # Additional options to pass to the UCI go command.

  silence_stderr: false

abort_time: 30                     # Time to abort a game in seconds.
"""


def test_the_keys_for_lichess_bot_replace_only_those_of_its_file(
    installed: Installed,
) -> None:
    output = installed.register("--print")
    printed = yaml.safe_load(output[output.index("engine:\n") :])["engine"]
    before = yaml.safe_load(LICHESS_CONFIG)["engine"]
    assert set(printed) <= set(before)
    after = before | printed
    assert Path(after["dir"], after["name"]) == installed.program
    assert after["protocol"] == "uci"
    assert set(after["uci_options"]) == {"Move Overhead", "Threads", "Hash", "UCI_ShowWDL"}
    kept = set(before) - set(printed)
    assert {"draw_or_resign", "polyglot", "ponder", "working_dir", "silence_stderr"} <= kept
    assert "lichess-bot: replace these keys in the engine: block of config.yml" in output


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["arena"],
        ["--remove"],
        ["--print", "--remove"],
        ["pychess", "--print", "--remove"],
        ["pychess", "--name", " "],
        ["pychess", "--name", "two\nlines"],
    ],
)
def test_wrong_usage_is_one_line(installed: Installed, arguments: list[str]) -> None:
    result = installed.command.run("register", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert list(installed.home.iterdir()) == []


def test_a_checkout_has_no_command_to_register(tmp_path: Path) -> None:
    if any((Path(sys.executable).parent / name).exists() for name in ("halbzug", "halbzug.exe")):
        pytest.skip("Halbzug is installed here")
    command = Command(tmp_path)
    result = command.run("register", "pychess", "--config", str(tmp_path / "engines.json"))
    assert result.returncode == 1
    assert "not installed" in result.stderr
    assert not (tmp_path / "engines.json").exists()


linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux sandboxes")

FLATPAK = ".var/app/org.example.Chess/config"
SNAP = "snap/chess/current/.config"


def make_sandbox(installed: Installed, config: str, program: str, entries: object) -> Path:
    """A sandbox in which the program has run and has this list."""
    path = installed.home / config / program / "engines.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


@linux
@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_flatpak_starts_the_engine_outside(
    installed: Installed, tmp_path: Path, program: str
) -> None:
    path = make_sandbox(installed, FLATPAK, program, [STOCKFISH])
    output = installed.register(program)
    assert "flatpak override --user --talk-name=org.freedesktop.Flatpak org.example.Chess" in output
    assert not installed.list_path(program).exists()  # it is not installed on the host
    other, entry = json.loads(path.read_text("utf-8"))
    assert other == STOCKFISH and entry["name"] == "Halbzug"
    script = Path(entry["command"].strip('"'))
    assert script.parent == path.parent
    # The only way out of a Flatpak. This double takes the same arguments and runs the command.
    way_out = tmp_path / "flatpak-spawn"
    way_out.write_text(
        '#!/bin/sh\n[ "$1 $2" = "--host --watch-bus" ] || exit 9\nshift 2\nexec "$@"\n'
    )
    way_out.chmod(0o755)
    environment = dict(installed.command.environment)
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    started = subprocess.run(
        [str(script)], input="uci\nquit\n", env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "uciok" in started.stdout
    assert "already" in installed.register(program)
    installed.register(program, "--remove")
    assert json.loads(path.read_text("utf-8")) == [STOCKFISH]
    assert not script.exists()


@linux
def test_both_lists_are_updated_if_the_program_is_inside_and_outside(installed: Installed) -> None:
    inside = make_sandbox(installed, FLATPAK, "pychess", [])
    outside = installed.write("pychess", [OTHER])
    installed.register("pychess")
    assert [entry["name"] for entry in json.loads(inside.read_text("utf-8"))] == ["Halbzug"]
    assert json.loads(outside.read_text("utf-8"))[1]["command"] == str(installed.program)


@linux
def test_a_snap_cannot_start_programs_outside_and_register_says_so(installed: Installed) -> None:
    path = make_sandbox(installed, SNAP, "cutechess", [STOCKFISH])
    result = installed.command.run("register", "cutechess")
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert "the Snap chess" in result.stderr
    assert json.loads(path.read_text("utf-8")) == [STOCKFISH]
    installed.write("cutechess", [])
    result = installed.command.run("register", "cutechess")
    assert (result.returncode, len(result.stderr.splitlines())) == (0, 1)
    assert installed.entries("cutechess")[0]["name"] == "Halbzug"
    assert json.loads(path.read_text("utf-8")) == [STOCKFISH]
