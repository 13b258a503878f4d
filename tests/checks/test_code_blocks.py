"""Every code block in the README and the documentation runs and prints the output shown."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

import pytest
from checkout import ROOT
from command_line import Command, environment_of_users
from site_pages import pages
from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

PAGES = [ROOT / "README.md", ROOT / "examples/README.md", *pages()]

#: Blocks that are run, and blocks whose output varies; `{...}` is for Sphinx.
RUN, SHOWN = {"python", "sh", "console"}, {"text", "yaml"}

#: A block that takes longer is taken to hang, in seconds.
LIMIT_SECONDS = 300


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


#: Commands that end soon and start nothing run in this process, which is much faster.
_QUICK = re.compile(r"halbzug explain [^|;&<>$`\n]*\n?")

#: The parts of an output that vary: `...` (but not in 1...e5) and durations.
VARYING = re.compile(r"(?<!\d)\.\.\.|\.\.\.(?![A-Za-z])|(?<!\S)[\d.]+ m?s(?!\S)")


def is_as_shown(output: str, wanted: str) -> bool:
    """Whether an output equals that on a page, where `...` matches anything and `7 ms` any time."""
    output, wanted = (" ".join(re.sub("─+", "─", text).split()) for text in (output, wanted))
    pattern, end = "", 0
    for varying in VARYING.finditer(wanted):
        pattern += re.escape(wanted[end : varying.start()].strip())
        pattern += r"\s*.*?\s*" if varying[0] == "..." else r"\s*[\d.]+ m?s\s*"
        end = varying.end()
    return re.fullmatch(pattern + re.escape(wanted[end:].strip()), output) is not None


class Shell:
    """Runs the commands of a page in one folder, with its own home directory."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder = folder
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        self.environment = {
            **environment_of_users(),
            "PATH": path,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local/share"),
        }

    def run(self, example: Example) -> str | None:
        """Run a block of `sh`, in which no command may fail."""
        code, output = self.output(example.parsed)
        return f"{example.parsed}ends with code {code}:\n{output}" if code else None

    def compare(self, example: Example) -> str | None:
        """Check a block of `console`: each command after `$` prints the lines below it."""
        for part in re.split(r"^\$ ", example.parsed, flags=re.MULTILINE)[1:]:
            command, _, wanted = part.partition("\n")
            code, output = self.output(command)
            if code or not is_as_shown(output, wanted):
                return f"{command}\nends with code {code}, and not as on the page:\n{output}"
        return None

    def output(self, script: str) -> tuple[int, str]:
        if _QUICK.fullmatch(script):
            command = Command(self._folder)
            command.environment = self.environment
            result = command.run(*shlex.split(script)[1:])
            return result.returncode, result.stdout + result.stderr
        process = subprocess.run(
            ["sh", "-e", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            cwd=self._folder,
            env=self.environment,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        return process.returncode, process.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the blocks are for a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    shell = Shell(folder, tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", shell.environment["PATH"])
    document = Document.parse(
        str(page),
        PythonCodeBlockParser(),
        CodeBlockParser("sh", shell.run),
        CodeBlockParser("console", shell.compare),
        SkipParser(),
    )
    for example in document.examples():
        with contextlib.suppress(unittest.SkipTest):
            example.evaluate()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_block_is_accounted_for(page: Path) -> None:
    """Each block names its language; one that is not run says why."""
    text = page.read_text(encoding="utf-8")
    fences = re.findall(r"^ *```(.*)$", text, flags=re.MULTILINE)
    kinds = set(fences[::2])
    assert not {kind for kind in kinds - RUN - SHOWN if not kind.startswith("{")}
    assert set(fences[1::2]) <= {""}, "fences come in pairs"
    for skip in re.findall(r"<!-- skip.*", text):
        assert re.fullmatch(r'<!-- skip: next ".+" -->', skip)
