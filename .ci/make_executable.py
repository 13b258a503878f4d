"""Makes one executable file of this checkout: `python .ci/make_executable.py FILE`.

OpenBench takes the file and deletes the checkout, so it must need nothing of it. It is compiled, or
this fails, unless HALBZUG_PURE is set. What is installed for it is in a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYINSTALLER = "pyinstaller>=6.11,<7"


def main() -> int:
    """Build; the exit code is that of the step that failed, or 0."""
    target = Path(sys.argv[1]).absolute()
    environment = {"HALBZUG_COMPILED": "require", **os.environ, "HALBZUG_ONE_FILE": "1"}
    if environment.get("HALBZUG_PURE", "") not in ("", "0"):
        del environment["HALBZUG_COMPILED"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        (python,) = folder.glob("venv/[bS]*/python" + (".exe" if os.name == "nt" else ""))
        for arguments in (
            ["pip", "install", "-q", str(ROOT), PYINSTALLER],
            ["PyInstaller", "--noconfirm", "--log-level=WARN", str(ROOT / ".ci/standalone.spec")],
        ):
            process = subprocess.run(
                [python, "-m", *arguments], cwd=folder, env=environment, check=False
            )
            if process.returncode:
                return process.returncode
        (made,) = (folder / "dist").glob("halbzug*")
        shutil.move(made, target.with_name(target.name.removesuffix(".exe") + made.suffix))
    return 0


if __name__ == "__main__":
    sys.exit(main())
