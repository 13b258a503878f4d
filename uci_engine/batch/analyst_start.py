"""The entry point of an analyst's process: loads the search, compiled if possible."""

from __future__ import annotations

import sys

from ..base.loading import describe, load


def main() -> None:
    """Answer questions until the parent closes the pipe."""
    try:
        module, _ = load("halbzug.batch.analyst_child")
    except Exception as error:
        sys.exit(describe(error))  # the parent reads it from standard error
    module.main()


if __name__ == "__main__":  # run by the stand-alone executable
    main()
