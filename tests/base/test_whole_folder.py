"""A folder of files is written completely or not at all, and no user's file is lost."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from halbzug.base.whole_file import WriteError
from halbzug.base.whole_folder import NotOursError, write_folder, write_zip

pytestmark = pytest.mark.any_build

SUMS = "made.sha256"
FIRST, SECOND = {"a.html": "ä\n", "b.html": "b"}, {"a.html": "A", "c.html": "c"}


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name != SUMS}


def test_an_unchanged_earlier_output_is_replaced_completely(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    for files in (FIRST, SECOND):
        write_folder(folder, files, SUMS)
        assert _contents(folder) == files
    (folder / "c.html").unlink()  # a deleted file is no loss
    write_folder(folder, FIRST, SUMS)
    assert _contents(folder) == FIRST


@pytest.mark.parametrize("name", ["notes.txt", "b.html", SUMS, "images"])
def test_files_of_others_are_refused(tmp_path: Path, name: str) -> None:
    write_folder(tmp_path, FIRST, SUMS)
    if name == "images":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text("mine")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(NotOursError, match="is not empty"):
        write_folder(tmp_path, SECOND, SUMS)
    assert sorted(tmp_path.iterdir()) == before


def test_checksums_of_another_program_do_not_count(tmp_path: Path) -> None:
    write_folder(tmp_path, FIRST, "SHA256SUMS")
    with pytest.raises(NotOursError, match=r"SHA256SUMS|a\.html"):
        write_folder(tmp_path, SECOND, SUMS)


def test_a_full_disk_leaves_the_old_files_and_no_new_folder(tmp_path: Path) -> None:
    write_folder(tmp_path / "old", FIRST, SUMS)
    script = """
import resource, signal, sys
from pathlib import Path
from halbzug.base.whole_file import WriteError
from halbzug.base.whole_folder import write_folder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
for name in ("old", "new"):
    try:
        write_folder(Path(name), {"a.html": "a", "b.html": 5000 * "b"}, sys.argv[1])
    except WriteError as error:
        print(error)
"""
    command = [sys.executable, "-c", script, SUMS]
    process = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert process.stdout == "cannot write old: File too large\ncannot write new: File too large\n"
    assert _contents(tmp_path / "old") == FIRST
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(WriteError, match=r"cannot write .*file: "):
        write_folder(tmp_path / "file", FIRST, SUMS)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_zip_depends_only_on_its_files(tmp_path: Path) -> None:
    for name in ("one.zip", "other.zip"):
        write_zip(tmp_path / name, FIRST)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == FIRST
