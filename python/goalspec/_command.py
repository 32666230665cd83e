"""The command-line tool."""

from __future__ import annotations

import signal
import sys

from goalspec import _core


def main() -> None:
    """Run the command ``goalspec`` with the arguments of the process, and exit with its code."""
    if sys.argv[1:2] == ["train"]:
        sys.exit(_train(sys.argv[2:]))
    # The tool handles Ctrl-C itself; the handler of Python would wait for the tool to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_core.run_command(["goalspec", *sys.argv[1:]]))


def _train(arguments: list[str]) -> int:
    """Run ``goalspec train``, which is written in Python."""
    try:
        from goalspec.train._command import main as train
    except ImportError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return train(arguments)
