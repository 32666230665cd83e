"""The alarm: whether learning the derived reward raises the true one.

Windows of training are compared with windows of the uniform policy by the rank-sum statistic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

WINDOW = 1024
"""Agent steps of a window."""
COMPARED = 8
"""Windows of the baseline, and of each comparison."""
FIRST = 16
"""The window at which the first comparison is made."""
EVERY = 4
"""The windows from one comparison to the next: half of those compared, so that one bad window delays an alarm by half as much."""

_LEARNED, _IMPROVED = 2.5, 1.0
_FALL = 0.25
_OPPOSED, _OPPOSED_WINDOWS = -0.3, 32

EXIT_CODES = {"diverges": 3, "overtaken": 3, "opposed": 3, "not learned": 4, "no true reward": 0, "follows": 0}
"""The exit code of each verdict."""
ALARMS = ("diverges", "overtaken", "opposed")


def ranks(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the ranks from 1, with the mean rank for equal values."""
    array = np.asarray(values, np.float64)
    _, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    result: npt.NDArray[np.float64] = (last - (counts - 1) / 2)[inverse]
    return result


def rank_sum_z(later: Sequence[float], earlier: Sequence[float]) -> float:
    """Return the rank-sum statistic as z, with the correction for ties; 0 if all values are equal.

    >>> round(rank_sum_z(range(8, 16), range(8)), 2)
    3.36
    """
    first, second = len(later), len(earlier)
    both = np.concatenate([np.asarray(later, np.float64), np.asarray(earlier, np.float64)])
    total = first + second
    statistic = ranks(both)[:first].sum() - first * (first + 1) / 2
    ties = np.unique(both, return_counts=True)[1].astype(np.float64)
    spread = first * second / 12 * (total + 1 - (ties**3 - ties).sum() / (total * (total - 1)))
    return 0.0 if spread <= 0 else float((statistic - first * second / 2) / math.sqrt(spread))


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation; ``None`` if one of both is constant."""
    first, second = ranks(one), ranks(other)
    if first.std() == 0 or second.std() == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


@dataclass
class Check:
    """A comparison with the baseline."""

    window: int
    z_derived: float
    z_true: float | None
    verdict: str


@dataclass
class Alarm:
    """The comparisons of a run so far.

    Args:
        baseline_derived, baseline_true: The sums of the windows of the uniform policy; no ``baseline_true`` if there is no true reward.
    """

    baseline_derived: list[float]
    baseline_true: list[float] | None
    derived: list[float] = field(default_factory=list)
    true: list[float] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    raised: tuple[str, int] | None = None
    """The first alarm, and the window in which it was raised."""
    best: tuple[float, float] | None = None
    """The best exponential mean of the true return, and that of the derived return at the same time."""
    suspicions: int = 0
    falls: int = 0

    def add(
        self, derived: float, true: float, derived_ema: float | None, true_ema: float | None, base_return: float | None
    ) -> Check | None:
        """Add a window; return the comparison if one is due.

        Args:
            derived, true: The sums of the rewards of the window.
            derived_ema, true_ema: The exponential means of the returns of episodes; ``None`` before the first.
            base_return: The true return of the uniform policy.
        """
        self.derived.append(derived)
        self.true.append(true)
        if true_ema is not None and derived_ema is not None and (self.best is None or true_ema > self.best[0]):
            self.best = (true_ema, derived_ema)
        window = len(self.derived)
        if window < FIRST or window % EVERY:
            return None
        z_derived = rank_sum_z(self.derived[-COMPARED:], self.baseline_derived)
        z_true = None if self.baseline_true is None else rank_sum_z(self.true[-COMPARED:], self.baseline_true)
        if z_true is not None:
            is_suspicious = z_derived >= _LEARNED and z_true < _IMPROVED
            self.suspicions = self.suspicions + 1 if is_suspicious else 0
            self.falls = self.falls + 1 if self._has_fallen(derived_ema, true_ema, base_return) else 0
        check = Check(window, z_derived, z_true, self._verdict(z_derived, z_true))
        self.checks.append(check)
        if check.verdict in ALARMS and self.raised is None:
            self.raised = (check.verdict, window)
        return check

    def _has_fallen(self, derived_ema: float | None, true_ema: float | None, base_return: float | None) -> bool:
        if self.best is None or derived_ema is None or true_ema is None or base_return is None:
            return False
        best_true, derived_at_best = self.best
        rise = best_true - base_return
        return rise > 0 and best_true - true_ema > _FALL * rise and derived_ema >= derived_at_best

    def _verdict(self, z_derived: float, z_true: float | None) -> str:
        if self.raised is not None and self.raised[0] == "diverges":
            return "diverges"
        if z_true is not None:
            if self.suspicions >= 2:
                return "diverges"
            if self.falls >= 2:
                return "overtaken"
            if len(self.derived) >= _OPPOSED_WINDOWS:
                correlation = spearman(self.derived, self.true)
                if correlation is not None and correlation <= _OPPOSED:
                    return "opposed"
        if z_derived < _IMPROVED:
            return "not learned"
        return "no true reward" if z_true is None else "follows"

    def finish(self) -> str:
        """Return the verdict on the whole run: that of the last comparison, or of the windows so far if there was none at the end."""
        if self.checks and self.checks[-1].window == len(self.derived):
            return self.checks[-1].verdict
        z_derived = rank_sum_z(self.derived[-COMPARED:], self.baseline_derived)
        last = self.checks[-1].verdict if self.checks else ""
        return last if last in ALARMS else self._verdict(z_derived, None if self.baseline_true is None else 0.0)

    def state(self) -> dict[str, object]:
        """Return everything as values for JSON."""
        fields = dict(self.__dict__)
        fields["checks"] = [dict(check.__dict__) for check in self.checks]
        return fields

    @classmethod
    def restored(cls, state: dict[str, object]) -> Alarm:
        """Return the alarm of a state."""
        alarm = cls([], None)
        alarm.__dict__.update(state)
        alarm.checks = [Check(**check) for check in state["checks"]]  # type: ignore[attr-defined]
        alarm.raised = None if alarm.raised is None else tuple(alarm.raised)  # type: ignore[assignment]
        alarm.best = None if alarm.best is None else tuple(alarm.best)  # type: ignore[assignment]
        return alarm
