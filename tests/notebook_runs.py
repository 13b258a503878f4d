"""Runs notebooks in a real kernel, as JupyterLab does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

# Importing Jupyter takes half a second, which every process that collects tests would spend.


def run_notebook(
    notebook: Any, folder: Path, **environment: str
) -> list[tuple[str, dict[str, str]]]:
    """Run all cells; the notebook receives their outputs.

    :param folder: where it runs; the user's own settings are neither read nor written.
    :returns: the type and the data of every message with an output, including later updates.
    """
    from nbclient import NotebookClient

    messages: list[tuple[str, dict[str, str]]] = []

    class Recorder(NotebookClient):  # type: ignore[misc]
        def process_message(self, message: Any, cell: Any, cell_index: int) -> Any:
            """Called by nbclient for each message of the kernel."""
            if "data" in message["content"]:
                messages.append((message["msg_type"], message["content"]["data"]))
            return super().process_message(message, cell, cell_index)

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
    return messages


def notebook_of(*cells: str) -> Any:
    """A notebook with these code cells."""
    import nbformat

    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


def outputs(notebook: Any, mime: str) -> list[str]:
    """The outputs of this type that the cells show, in order."""
    return [
        output["data"][mime]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if mime in output.get("data", {})
    ]


def printed(notebook: Any) -> str:
    """The text that the cells print."""
    return "".join(
        output["text"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream"
    )
