"""Brings the outputs of commands in the documents up to date after the engine has changed.

    PYTHONPATH=tests:tests/checks python tests/long/refresh_outputs.py [PAGE ...]

It runs each command in a `console` block. If the output differs from the page, it replaces the
lines on the page by the current lines that begin with the same word. Lines with `...` stay as they
are. Blocks of German chapters that are not run get the outputs of the English ones. Read the
difference afterwards: the text around a block may refer to its numbers.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from checkout import ROOT
from site_pages import DOCS
from test_code_blocks import PAGES, VARYING, Shell, is_as_shown

_BLOCK = re.compile(
    r'(?P<skip><!-- skip: next "[^"]*" -->\n)?^```(?P<kind>sh|console)\n(?P<code>.*?)^```$',
    flags=re.DOTALL | re.MULTILINE,
)


def refreshed(shown: str, output: str) -> str:
    """The lines shown on a page, with their current text from an output.

    :raises LookupError: if a line has no counterpart.
    """
    lines, today, at = [], [line.rstrip() for line in output.splitlines()], 0
    is_new = True  # whether the line has to be searched for in the output
    for line in shown.splitlines():
        if line.strip() == "...":
            lines.append(line)
            is_new = True
            continue
        if is_new and line.split():
            word = line.split()[0]
            at = next((i for i in range(at, len(today)) if today[i].split()[:1] == [word]), -1)
            if at < 0:
                raise LookupError(f"there is no line that begins with {word}")
            is_new = False
        lines.append(line if "..." in VARYING.findall(line) else today[at])
        at += 1
    return "".join(f"{line}\n" for line in lines)


def refresh(page: Path) -> str:
    """The text of a page with current outputs."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "empty"
        folder.mkdir()
        if page.parent.name == "examples":
            (folder / "examples").symlink_to(page.parent)
        shell = Shell(folder, Path(home))

        def replace(block: re.Match[str]) -> str:
            if block["skip"]:
                return block[0]
            if block["kind"] == "sh":
                shell.output(block["code"])
                return block[0]
            parts = re.split(r"^(?=\$ )", block["code"], flags=re.MULTILINE)
            for number, part in enumerate(parts):
                command, _, shown = part.partition("\n")
                if command.startswith("$ "):
                    _, output = shell.output(command[2:])
                    if not is_as_shown(output, shown):
                        parts[number] = f"{command}\n{refreshed(shown, output)}"
            return f"```console\n{''.join(parts)}```"

        return _BLOCK.sub(replace, page.read_text(encoding="utf-8"))


def translate(page: Path) -> str:
    """The text of a German chapter, with the outputs of the English one."""
    english = page.parent.parent / "en" / page.name
    blocks = iter(_BLOCK.finditer(english.read_text(encoding="utf-8")))

    def replace(block: re.Match[str]) -> str:
        source = next(blocks)
        if block["kind"] != "console" or not block["skip"]:  # or its output is German
            return block[0]
        commands = iter(re.findall(r"^\$ .*", block["code"], flags=re.MULTILINE))
        code = re.sub(r"^\$ .*", lambda _: next(commands), source["code"], flags=re.MULTILINE)
        return f"{block['skip']}```console\n{code}```"

    return _BLOCK.sub(replace, page.read_text(encoding="utf-8"))


def main() -> int:
    failed = 0
    german = DOCS / "course/de"
    chosen = [Path(word).resolve() for word in sys.argv[1:]] or PAGES
    for page in sorted(chosen, key=lambda page: page.parent == german):  # after the English ones
        try:
            text = translate(page) if page.parent == german else refresh(page)
        except LookupError as error:
            print(f"{page.relative_to(ROOT)}: {error}", file=sys.stderr)
            failed = 1
        else:
            page.write_text(text, encoding="utf-8")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
