"""`halbzug export`: writes a network as a file, for `EvalFile`."""

from __future__ import annotations

from pathlib import Path

import click

from ..display.errors import one_line_errors
from ..display.paths import PathName
from ..eval.network_file import NETWORK, NetworkError

EXAMPLES = """\b
Examples:
  halbzug export present.nnue
  halbzug export half.nnue --eval-file my.nnue --scale 512
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", type=PathName(dir_okay=False))
@click.option(
    "--eval-file",
    default=NETWORK,
    show_default=True,
    metavar="FILE",
    help=f"The network to write: a file, or `{NETWORK}`, the one that comes with Halbzug.",
)
@click.option(
    "--scale",
    type=click.IntRange(1, 1 << 14),
    metavar="N",
    help="Multiply its evaluations by N / 1024.  [default: as they are]",
)
def export(file: Path, eval_file: str, scale: int | None) -> int:
    """Write a network to FILE, in the format of the option EvalFile.

    To play with the file, set the engine's option EvalFile, for `halbzug match` and `halbzug rate`
    after a semicolon: "halbzug; EvalFile=present.nnue". The documentation describes the format.
    """
    from dataclasses import replace

    from ..base.whole_file import WriteError, write_whole
    from ..eval.network_file import WHOLE_SCALE, named

    with one_line_errors(NetworkError, WriteError):
        try:
            weights = named(eval_file)
        except NetworkError as error:
            raise NetworkError(f"{eval_file}: {error}") from None
        if weights is None:
            raise NetworkError("the terms are not a network; they are in eval/weights.py")
        if scale:
            weights = replace(weights, scale=max(weights.scale * scale // WHOLE_SCALE, 1))
        write_whole(file, data := weights.pack())
    buckets = f"{weights.kings} king bucket{'s' * (weights.kings > 1)}"
    click.echo(
        f"{file}: {weights.neurons:,} neurons, {buckets}, scale {weights.scale},"
        f" {len(data):,} bytes"
    )
    return 0
