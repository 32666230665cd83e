"""The exceptions of goalspec."""

from __future__ import annotations

from collections.abc import Sequence

from goalspec._diagnostics import Diagnostic

_SHOWN = 5


class GoalspecError(Exception):
    """The base of the exceptions of goalspec."""


class CheckError(GoalspecError, ValueError):
    """A program or a world has errors, which are among ``diagnostics``. The message shows the first five.

    >>> import goalspec
    >>> try:
    ...     goalspec.loads("(define (game", name="bad.game")
    ... except goalspec.CheckError as error:
    ...     error.diagnostics[0].line
    1
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __str__(self) -> str:
        errors = [found for found in self.diagnostics if found.is_error]
        shown = "\n\n".join(str(found) for found in errors[:_SHOWN])
        more = f"\n\nand {len(errors) - _SHOWN} more errors" if len(errors) > _SHOWN else ""
        return shown + more


class TraceError(GoalspecError, ValueError):
    """A trace or a state cannot be read. ``state`` is the number of the state from 1, or ``None`` if the error is not in a state."""

    def __init__(self, diagnostic: Diagnostic, state: int | None = None) -> None:
        super().__init__(diagnostic, state)
        self.diagnostic: Diagnostic = diagnostic
        self.state: int | None = state

    def __str__(self) -> str:
        return self.diagnostic.message


class RewardError(GoalspecError, RuntimeError):
    """A reward function raised an exception of the class ``kind``, in this ``line`` of the program."""

    def __init__(self, kind: str, message: str, line: int | None = None) -> None:
        super().__init__(kind, message, line)
        self.kind: str = kind
        self.message: str = message
        self.line: int | None = line

    def __str__(self) -> str:
        place = "" if self.line is None else f", in line {self.line}"
        return f"{self.kind}: {self.message}{place}"


class RefusedError(GoalspecError, ValueError):
    """An engine does not run a program: it exceeds a limit, or the engine does not support it.

    ``limit`` and ``asked`` are the limit and the amount that was asked for, at least, in the unit that the message names; ``None`` if
    the reason is no limit, or the amount is not known.
    """

    def __init__(self, message: str, limit: int | None = None, asked: int | None = None) -> None:
        super().__init__(message, limit, asked)
        self.message: str = message
        self.limit: int | None = limit
        self.asked: int | None = asked

    def __str__(self) -> str:
        return self.message


class ScoreError(GoalspecError, ArithmeticError):
    """An outcome has no score, for this ``reason``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: str = reason

    def __str__(self) -> str:
        return self.reason


class GameError(GoalspecError, RuntimeError):
    """A resource graph game failed: the game ``index`` of a ``seed``, which ``goalspec simulate --seed S --first-game I`` plays."""

    def __init__(self, message: str, seed: int, index: int) -> None:
        super().__init__(message, seed, index)
        self.message: str = message
        self.seed: int = seed
        self.index: int = index

    def __str__(self) -> str:
        return f"game {self.index} of seed {self.seed}: {self.message}"
