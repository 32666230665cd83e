"""Object vectors: the observations of Atari games for small networks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from goalspec import _core

_WIDTH, _HEIGHT, _VALUE, _STEP = 160.0, 210.0, 100.0, 16.0
_BOX = 6
"""The numbers of an object that the decoder gives."""
_SCALES = np.array([1.0, _WIDTH, _HEIGHT, _STEP, _STEP, _VALUE])
_PARTS = ("present", "x", "y", "dx", "dy", "value")

_KEPT: dict[str, dict[str, list[str]]] = {
    "Freeway": {"Chicken": ["y", "dy"], "Car": ["x", "dx"]},
    "Pong": {"Player": ["y", "dy"], "Enemy": ["y", "dy"], "Ball": ["present", "x", "y", "dx", "dy"]},
}
"""By game and class, the numbers that are not constant; of other games all numbers of all slots."""
_UNPLAYED = {"Freeway": [1]}
"""The slots of objects that nobody moves: the second chicken."""


class ObjectVector(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An Atari environment whose observations are the objects on the screen as numbers, float32[numbers].

    Args:
        env: An environment of ale-py.
        game: The name of the game; by default that of the environment.
        hud: Whether scores, lives and the like are included.
        has_info: Whether the info of the environment is handed on.

    For each slot of the decoder there are: whether it has an object, x / 160, y / 210, dx / 16 and dy / 16 within [-1, 1] (0 in the first
    frame of an object, and where it jumps by more than 60 pixels), and value / 100. Numbers that are constant in a game are left out.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], game: str | None = None, *, hud: bool = False, has_info: bool = True) -> None:
        super().__init__(env)
        name = game or (env.spec.id if env.spec is not None else "")
        self._screen = _core.AtariScreen(name, hud)
        self.names, places, parts = [], [], []
        kept = _KEPT.get(self._screen.game(), {})
        for slot, class_name in enumerate(self._screen.slots()):
            if slot in _UNPLAYED.get(self._screen.game(), []):
                continue
            for part in kept.get(class_name, _PARTS):
                self.names.append(f"{class_name.lower()}_{slot}.{part}")
                places.append(slot)
                parts.append(_PARTS.index(part))
        kinds = np.array(parts)
        self._places = np.array(places) * _BOX + kinds
        self._factors = (1.0 / _SCALES[kinds]).astype(np.float32)
        self._has_info = has_info
        bound = np.where(np.isin(kinds, [3, 4]), 1.0, 2.0).astype(np.float32)
        self._low, self._high = -bound, bound
        self.observation_space = spaces.Box(-bound, bound)
        self.ram: npt.NDArray[np.uint8] = np.zeros(128, np.uint8)
        """The memory of the console, uint8[128]."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        _, info = self.env.reset(seed=seed, options=options)
        self._screen.reset()
        return self._observation(), info if self._has_info else {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._observation(), reward, terminated, truncated, info if self._has_info else {}

    def _observation(self) -> npt.NDArray[np.float32]:
        self.env.unwrapped.ale.getRAM(self.ram)  # type: ignore[attr-defined]
        self._screen.step(self.ram)
        numbers = self._screen.boxes().ravel()[self._places]
        result: npt.NDArray[np.float32] = np.multiply(numbers, self._factors, dtype=np.float32)
        np.maximum(result, self._low, out=result)
        return np.minimum(result, self._high, out=result)
