"""How Sphinx makes the site: `sphinx-build -W docs docs/_build`."""

from __future__ import annotations

import base64
import re
import shlex
import tempfile
from html import escape
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import Directive

from halbzug.commands.app import halbzug
from halbzug.version import __version__

project = "Halbzug"
author = "the Halbzug developers"
project_copyright = author
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_click",
    "sphinx_copybutton",
]
exclude_patterns = ["_build"]

# Docstrings write names and code in `single backticks`: a link if it is a name, code in any case.
default_role = "py:obj"
smartquotes = False  # options begin with two hyphens
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
maximum_signature_line_length = 80

# The inventory was made from the documentation in python-chess's source distribution; with it here,
# building needs no network.
intersphinx_mapping = {
    "chess": ("https://python-chess.readthedocs.io/en/v1.11.2/", "python-chess.inv"),
}

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "fieldlist"]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "Halbzug"
html_copy_source = False
html_static_path = ["_static"]
html_logo = html_favicon = "_static/logo.svg"
html_css_files = ["halbzug.css"]
pygments_dark_style = "monokai"
_FONTS = "'DejaVu Sans Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace"
html_theme_options = {
    # The first font has chess pieces as wide as its letters.
    "light_css_variables": {"font-stack--monospace": _FONTS},
}

# `uci_engine/installation/share/halbzug.6` is what `sphinx-build -b man` makes of this.
man_pages = [("reference/commands", "halbzug", "a UCI chess engine", "the Halbzug developers", 6)]


def _german(app: Any, name: str, template: str, context: dict[str, Any], document: Any) -> None:
    """Say that the German course is German; the frame around its pages stays English."""
    if name.startswith("course/de/"):
        context["language"] = "de"


class Drawing(Directive):
    """What a command draws with `--svg`, and the command below it."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Draw it now, so that the page shows what the program draws today."""
        command = " ".join(self.arguments[0].split())
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "drawing.svg"
            result = CliRunner().invoke(halbzug, [*shlex.split(command)[1:], "--svg", str(file)])
            if result.exit_code:
                raise self.error(f"{command}: {result.output}")
            svg = file.read_text(encoding="utf-8")
        title = re.search('aria-label="([^"]*)"', svg)
        source = base64.b64encode(svg.encode()).decode()
        figure = (
            f'<figure class="drawing"><img src="data:image/svg+xml;base64,{source}" '
            f'alt="{title[1] if title else ""}"><figcaption><code>{escape(command)} --svg FILE'
            "</code></figcaption></figure>"
        )
        return [nodes.raw("", figure, format="html")]


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_directive("drawing", Drawing)
    app.connect("html-page-context", _german)
