"""The program ``timeslice``; ``python -m timeslice`` is the same."""

from __future__ import annotations

import signal
import sys

from ._core import program


def main() -> None:
    """Does what the command line asks for, and ends with its exit code."""
    # Python would only note the key, and go on until the program ends.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(program(["timeslice", *sys.argv[1:]], [sys.executable, "-m", "timeslice"]))


if __name__ == "__main__":
    main()
