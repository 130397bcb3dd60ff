"""`python -m levy`: the command line, the program of the wheel or of the installation that this package is part of."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program `levy`, with the arguments of this process."""
    package = Path(__file__).resolve().parent
    above = package.parents[2]  # PREFIX/lib of PREFIX/lib/levy/python/levy, or Debian's PREFIX/lib/TRIPLET; in a clone: the root
    folders = (package, above.parent, above.parents[1], above / "build")
    programs = [folder / "bin" / "levy" for folder in folders]
    for program in programs:
        if os.access(program, os.X_OK):
            os.execv(program, [str(program), *sys.argv[1:]])
    sys.exit("levy: the program was not found. Tried:\n  " + "\n  ".join(map(str, programs)))


if __name__ == "__main__":
    main()
