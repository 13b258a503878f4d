"""The entry point of a search process: loads the search, or reports why it cannot."""

from __future__ import annotations

import sys
from typing import NoReturn

from ..base.loading import describe, load


def main() -> NoReturn:
    """Search until the front closes the pipe.

    The argument, if any, is the descriptor of the socket for shared memory.
    """
    try:
        module, reason = load("halbzug.workers.search_process")
    except Exception as error:
        sys.exit(describe(error))  # the front reads it from standard error
    module.main(reason, int(sys.argv[1]) if sys.argv[1:] else None)
    sys.exit(0)


if __name__ == "__main__":  # run by the stand-alone executable
    main()
