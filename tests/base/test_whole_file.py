"""Files that are replaced whole: a full disk, links, permissions, devices and pipes."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from halbzug.base.whole_file import Claim, WholeFile, WriteError, is_same_file, lock, write_whole

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(os.name != "posix", reason="needs POSIX links, devices and limits"),
]


def test_a_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.write_bytes(b"")
    write_whole(tmp_path / "new", "text")
    assert (tmp_path / "new").stat().st_mode == usual.stat().st_mode


def test_links_remain_links(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "report"
    target.write_text("old")
    first, second, dangling = (tmp_path / name for name in ("first", "second", "dangling"))
    first.symlink_to("folder/report")
    second.symlink_to("first")
    dangling.symlink_to("folder/later")
    write_whole(second, "new")
    write_whole(dangling, "later")
    assert first.is_symlink() and second.is_symlink() and dangling.is_symlink()
    assert target.read_text() == "new" and (tmp_path / "folder" / "later").read_text() == "later"


def test_a_failure_halfway_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), WholeFile(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_an_interrupt_before_the_work_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C may come when a file already exists but nothing has taken charge of it."""
    import subprocess

    script = """
import sys
from pathlib import Path
from halbzug.base.whole_file import WholeFile
file = WholeFile(Path(sys.argv[1]))
file.write("half")
raise KeyboardInterrupt
"""
    command = [sys.executable, "-c", script, str(tmp_path / "report")]
    assert subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    import subprocess

    path = tmp_path / "report"
    path.write_text("old")
    script = """
import resource, signal, sys
from pathlib import Path
from halbzug.base.whole_file import WriteError, write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    write_whole(Path(sys.argv[1]), b"x" * 5000)
except WriteError as error:
    print(error)
"""
    process = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert process.stdout == f"cannot write {path}: File too large\n"
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_device_is_named() -> None:
    with pytest.raises(WriteError, match="cannot write /dev/full: No space left on device"):
        write_whole(Path("/dev/full"), "text")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "text")
    reader.join(timeout=30)
    assert seen == [b"text"] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc")
def test_standard_output_in_a_file_is_written_directly(tmp_path: Path) -> None:
    import subprocess

    path = tmp_path / "out"
    script = """
from pathlib import Path
from halbzug.base.whole_file import write_whole
print("before")
write_whole(Path("/dev/stdout"), "text\\n")
print("after")
"""
    with path.open("wb") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True)
    assert path.read_text() == "before\ntext\nafter\n" and list(tmp_path.iterdir()) == [path]


def test_a_file_without_write_permission_is_not_replaced(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    path = tmp_path / "report"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(WriteError, match="Permission denied"):
        write_whole(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize(("place", "reason"), [("", "Is a directory"), ("no/file", "No such file")])
def test_invalid_destinations(tmp_path: Path, place: str, reason: str) -> None:
    with pytest.raises(WriteError, match=reason):
        write_whole(tmp_path / place, "text")


def test_one_file_may_have_many_names(tmp_path: Path) -> None:
    path, hard, soft, other = (tmp_path / name for name in ("file", "hard", "soft", "other"))
    path.write_text("text")
    hard.hardlink_to(path)
    soft.symlink_to(path)
    assert is_same_file(path, hard) and is_same_file(soft, path)
    assert not is_same_file(path, other)


# -- locks --------------------------------------------------------------------------------------


def test_a_claimed_file_is_refused_to_others_and_no_lock_remains(tmp_path: Path) -> None:
    path, link = tmp_path / "book.bin", tmp_path / "link"
    link.symlink_to(path)
    with Claim(path):
        for name in (path, link):
            with pytest.raises(WriteError, match="another process is writing it"):
                Claim(name)
        write_whole(path, "new")
    assert path.read_text() == "new" and set(tmp_path.iterdir()) == {path, link}
    with Claim(link):
        pass


def test_a_lock_file_left_by_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    (tmp_path / ".book.bin.lock").write_bytes(b"")
    with Claim(tmp_path / "book.bin"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_claiming_a_pipe_or_a_file_in_a_missing_folder_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "no/file"):
        with Claim(tmp_path / name), Claim(tmp_path / name):
            pass


def test_a_lock_on_systems_that_lock_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: a byte far beyond the text stands for the whole file."""
    locked: set[int] = set()

    def locking(descriptor: int, mode: int, size: int) -> None:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        if place in locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        locked.add(place)

    module = SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "msvcrt", module)  # type: ignore[arg-type]
    (tmp_path / "games.pgn").write_bytes(b"1. e4 *")
    with (tmp_path / "games.pgn").open("rb+", buffering=0) as file:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", "win32")
            lock(file.fileno())
            with pytest.raises(BlockingIOError):
                lock(file.fileno())
        assert file.read() == b"1. e4 *"
    assert locked and min(locked) > 1 << 30


def test_a_file_is_written_even_without_support_for_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def fails(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with (tmp_path / "file").open("wb") as file, monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", fails)
        lock(file.fileno())
        patch.setitem(sys.modules, "fcntl", None)
        lock(file.fileno())
