"""Curves of training, read from ``progress.csv`` and drawn as SVG."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 640, 180, 70, 30, 50
_COLORS = {"derived": "#2b6cb0", "true": "#c05621"}


@dataclass(frozen=True)
class Curve:
    """The columns of a ``progress.csv``."""

    columns: dict[str, F64]
    """The numbers by column; unknown ones are NaN."""
    alarms: list[str]
    """The verdict of each comparison, empty in between."""

    @classmethod
    def read(cls, path: str | Path) -> Curve:
        """Read the curve of a run: its folder, or the file."""
        file = Path(path)
        if file.is_dir():
            file = file / "progress.csv"
        with file.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        names = [name for name in (rows[0] if rows else {}) if name != "alarm"]
        columns = {name: np.array([float(row[name]) if row[name] else math.nan for row in rows]) for name in names}
        return cls(columns, [row["alarm"] for row in rows])

    def __getitem__(self, name: str) -> F64:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.alarms)


def draw(curves: Sequence[Curve], title: str) -> str:
    """Return the exponential means of the derived and the true return as SVG: of one run with the deviation as a band, of several their
    mean with the range from the least to the greatest."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{2 * (_HEIGHT + _GAP) + _TOP}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for number, name in enumerate(_COLORS):
        steps, middle, low, high = _band(curves, name)
        parts += _panel(_TOP + 10 + number * (_HEIGHT + _GAP), name, steps, middle, low, high)
    return "\n".join([*parts, "</svg>\n"])


def _band(curves: Sequence[Curve], name: str) -> tuple[F64, F64, F64, F64]:
    """Return steps, the middle and the borders of a band; only where they are known."""
    length = min((len(curve) for curve in curves), default=0)
    if not length:
        return (np.zeros(0),) * 4
    steps = curves[0]["step"][:length]
    values = np.stack([curve[f"{name}_ema"][:length] for curve in curves])
    if len(curves) == 1:
        spread = curves[0][f"{name}_dev"]
        middle, low, high = values[0], values[0] - spread, values[0] + spread
    else:
        middle, low, high = values.mean(axis=0), values.min(axis=0), values.max(axis=0)
    known = np.isfinite(middle)
    return steps[known], middle[known], low[known], high[known]


def _panel(top: int, name: str, steps: F64, middle: F64, low: F64, high: F64) -> list[str]:
    color, bottom, right = _COLORS[name], top + _HEIGHT, _WIDTH - 20
    parts = [f'<text x="{_LEFT}" y="{top - 4}" fill="{color}">{name} reward of an episode (exponential mean)</text>']
    parts.append(f'<path d="M{_LEFT} {top}V{bottom}H{right}" fill="none" stroke="#666"/>')
    if not len(steps):
        return [*parts, f'<text x="{_LEFT + 10}" y="{top + _HEIGHT // 2}">no episode has ended</text>']
    floor, ceiling = float(low.min()), float(high.max())
    if ceiling - floor < 1e-9:
        floor, ceiling = floor - 1.0, ceiling + 1.0
    across = _LEFT + (steps - 0.0) / max(float(steps.max()), 1.0) * (right - _LEFT)
    heights = [bottom - (values - floor) / (ceiling - floor) * _HEIGHT for values in (middle, low, high)]
    line, under, over = ([f"{x:.1f} {y:.1f}" for x, y in zip(across, values, strict=True)] for values in heights)
    parts.append(f'<polygon points="{" ".join([*over, *reversed(under)])}" fill="{color}" fill-opacity="0.2"/>')
    parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="{color}" stroke-width="2"/>')
    for value, y in ((floor, bottom), (ceiling, top + 10)):
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" text-anchor="end">{value:.4g}</text>')
    parts.append(f'<text x="{right}" y="{bottom + 16}" text-anchor="end">{int(steps.max()):,} agent steps</text>')
    return parts
