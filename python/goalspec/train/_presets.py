"""Presets: the hyperparameters of training."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from goalspec.train.quick import Settings


@dataclass(frozen=True)
class Preset:
    """The settings of a kind of training."""

    name: str
    description: str
    backends: tuple[str, ...]
    observation: str
    """``"vector"``: an object vector, or the observations of the environment; ``"pixels"``: four grey frames of 84 x 84 pixels."""
    total: int
    """The number of agent steps."""
    settings: Settings


VECTOR = Preset(
    "vector", "object vectors, two hidden layers of 64 units", ("quick", "sb3"), "vector", 100_000, Settings()
)
ATARI_CNN = Preset(
    "atari-cnn",
    "four grey frames, convolutions; the published setting for Atari games",
    ("sb3",),
    "pixels",
    2_500_000,
    Settings(hidden=512, learning_rate=2.5e-4, anneal=True, clip=0.1, clip_value=True),
)
PRESETS = {preset.name: preset for preset in (VECTOR, ATARI_CNN)}


def preset(name: str, **changes: Any) -> Preset:
    """Return a preset with other settings where they are not ``None``.

    Raises:
        ValueError: If there is no such preset.
    """
    if name not in PRESETS:
        raise ValueError(f"unknown preset `{name}`: expected one of {', '.join(PRESETS)}")
    chosen = PRESETS[name]
    given = {key: value for key, value in changes.items() if value is not None}
    return replace(chosen, settings=replace(chosen.settings, **given))
