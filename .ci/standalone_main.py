"""The main program of the stand-alone executable: the command `halbzug`.

`halbzug/__main__.py` cannot be the script itself: as one it has no package around it, in which its
relative imports could be found.
"""

import sys

from halbzug.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
