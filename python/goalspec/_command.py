"""The command-line tool."""

from __future__ import annotations

import signal
import sys

from goalspec import _core


def main() -> None:
    """Run the command ``goalspec`` with the arguments of the process, and exit with its code."""
    # The tool handles Ctrl-C itself; the handler of Python would wait for the tool to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_core.run_command(["goalspec", *sys.argv[1:]]))
