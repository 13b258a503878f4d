"""Notebooks run in a real kernel, as a page like JupyterLab runs them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


class Recorder(NotebookClient):  # type: ignore[misc]
    """Runs a notebook, and keeps every message with an output, also of what is changed later."""

    def __init__(self, notebook: Any, **settings: Any) -> None:
        super().__init__(notebook, **settings)
        self.messages: list[tuple[str, dict[str, str]]] = []

    def process_message(self, message: Any, cell: Any, cell_index: int) -> Any:
        """As nbclient asks for each message of the kernel."""
        if "data" in message["content"]:
            self.messages.append((message["msg_type"], message["content"]["data"]))
        return super().process_message(message, cell, cell_index)


def run_notebook(notebook: Any, folder: Path, **environment: str) -> Recorder:
    """Run all cells; the notebook gets their outputs.

    :param folder: where it runs; nothing of the user's own settings is read or written.
    """
    settings = folder / ".settings"
    (settings / "ipython").mkdir(parents=True)
    client = Recorder(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    own = {
        **os.environ,
        "IPYTHONDIR": str(settings / "ipython"),
        "JUPYTER_CONFIG_DIR": str(settings / "jupyter"),
        **environment,
    }
    client.execute(env=own)
    return client


def notebook_of(*cells: str) -> Any:
    """A notebook with these cells of code."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


def outputs(notebook: Any, mime: str) -> list[str]:
    """What the cells show of this kind, in their order."""
    return [
        output["data"][mime]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if mime in output.get("data", {})
    ]


def printed(notebook: Any) -> str:
    """What the cells print."""
    return "".join(
        output["text"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream"
    )
