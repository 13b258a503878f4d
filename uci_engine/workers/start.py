"""Where a search process begins: loads the search, and says at standard error why it cannot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from halbzug.loading import describe, load


def main(inherited: Sequence[str]) -> NoReturn:
    """Search until the front closes the pipe.

    :param inherited: the descriptor of the socket over which shared memory comes, if any.
    """
    try:
        module, reason = load("halbzug.workers.search_process")
    except Exception as error:
        sys.exit(describe(error))  # the front reads it from there
    module.main(reason, int(inherited[0]) if inherited else None)
    sys.exit(0)


if __name__ == "__main__":  # in the stand-alone executable
    main(sys.argv[1:])
