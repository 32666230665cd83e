"""The command-line tool, as ``python -m goalspec``."""

from goalspec._command import main

if __name__ == "__main__":
    main()
