"""Where a search process begins: loads the search, and says at standard error why it cannot."""

from __future__ import annotations

import sys
from typing import NoReturn

from ..base.loading import describe, load


def main() -> NoReturn:
    """Search until the front closes the pipe.

    The argument is the descriptor of the socket over which shared memory comes, if any.
    """
    try:
        module, reason = load("halbzug.workers.search_process")
    except Exception as error:
        sys.exit(describe(error))  # the front reads it from there
    module.main(reason, int(sys.argv[1]) if sys.argv[1:] else None)
    sys.exit(0)


if __name__ == "__main__":  # in the stand-alone executable
    main()
