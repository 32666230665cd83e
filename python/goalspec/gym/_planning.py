"""``PlanningEnv``: a planning problem as an environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from goalspec import _core
from goalspec._errors import RefusedError
from goalspec._library import Path
from goalspec._planning import Goal, Problem, _problem

INVALID = ("mask", "noop", "raise")
REWARDS = ("goal", "cost", "progress")
_LARGEST = float(np.finfo(np.float64).max)


class PlanningEnv(gymnasium.Env[Any, np.int64]):
    """A planning problem or an activity, whose steps an agent chooses.

    Args:
        problem, domain, goal: As in ``plan``.
        max_steps: The number of steps after which an episode is truncated.
        invalid: What an action does that is not applicable: ``"mask"``: nothing, and ``info["invalid"]`` is true, as agents that see the mask
            choose none; ``"noop"``: nothing; ``"raise"``: a ``ValueError`` is raised.
        reward: ``"goal"``: 1 in the step that reaches the goal; ``"cost"``: the negative cost of the action in terms of the metric;
            ``"progress"``: the change of the share of the goal's facts that hold.
        max_actions: The maximum number of actions.
        memory_limit: The limit on the memory of grounding, in bytes.

    Raises:
        RefusedError: If there are more actions than ``max_actions``.
        ValueError: If the goal cannot be reached, or is not one that a state decides.

    Actions are the steps that are reachable from the initial state if nothing ever stops holding; ``action_meanings`` are their texts.
    Observations are MultiBinary over the facts that can change (``fact_names``); if there are numbers (``fluent_names``), they are
    ``Dict(facts=.., fluents=Box)``, with facts ``(defined ..)`` for numbers that have no value at first. ``info["action_mask"]`` says which
    actions are applicable, int8[actions], and ``action_masks()`` says it to MaskablePPO. Reaching the goal is ``terminated``. If nothing
    is applicable before, that is ``terminated`` with reward 0 and ``info["dead_end"]``.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        problem: Problem,
        domain: Path | None = None,
        *,
        max_steps: int,
        goal: Goal | None = None,
        invalid: str = "mask",
        reward: str = "goal",
        max_actions: int = 65_536,
        memory_limit: int = 1 << 30,
        render_mode: str | None = None,
    ) -> None:
        for name, value, known in (("invalid", invalid, INVALID), ("reward", reward, REWARDS)):
            if value not in known:
                raise ValueError(f"unknown value `{value}` for {name}: expected one of {', '.join(known)}")
        if max_steps < 1:
            raise ValueError(f"expected at least 1 step, found {max_steps}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"unknown render mode `{render_mode}`: expected `ansi`")
        self.render_mode = render_mode
        self._arguments = (problem, domain, max_steps, goal, invalid, reward, max_actions, memory_limit, render_mode)
        core, index, requested = _problem(problem, domain, goal)
        self._core = _core.ground_problem(core, index, requested, memory_limit)
        self.action_meanings: list[str] = self._core.actions()
        """The texts of the actions, as in plans."""
        if len(self.action_meanings) > max_actions:
            message = f"the problem has {len(self.action_meanings)} actions, which exceeds the limit of {max_actions}; raise max_actions"
            raise RefusedError(message, max_actions, len(self.action_meanings))
        self.max_steps, self._invalid, self._reward = max_steps, invalid, reward
        self._costs = self._core.costs()
        self.fluent_names: list[str] = self._core.fluent_names()
        """The names of the numbers."""
        self._undefined = np.isnan(self._core.fluents())
        self.fact_names: list[str] = self._core.fact_names() + [
            f"(defined {name})" for name, is_undefined in zip(self.fluent_names, self._undefined, strict=True) if is_undefined
        ]
        """The names of the facts of an observation."""
        self._taken: list[int] = []
        self._is_over = False
        self.action_space = spaces.Discrete(max(len(self.action_meanings), 1))
        facts = spaces.MultiBinary(max(len(self.fact_names), 1))
        self.observation_space = facts
        if self.fluent_names:
            fluents = spaces.Box(-_LARGEST, _LARGEST, (len(self.fluent_names),), np.float64)
            self.observation_space = spaces.Dict({"facts": facts, "fluents": fluents})

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._core.reset()
        self._taken, self._is_over = [], False
        return self._observation(), {"action_mask": self.action_masks()}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        chosen = int(action)
        if not 0 <= chosen < len(self.action_meanings):
            raise ValueError(f"expected an action below {len(self.action_meanings)}, found {chosen}")
        before = self._core.progress()
        is_applicable = not self._core.is_goal() and self._core.step(chosen)
        if not is_applicable and self._invalid == "raise":
            raise ValueError(f"`{self.action_meanings[chosen]}` is not applicable")
        self._taken.append(chosen)
        mask = self.action_masks()
        info: dict[str, Any] = {"action_mask": mask}
        if not is_applicable and self._invalid == "mask":
            info["invalid"] = True
        is_goal = self._core.is_goal()
        is_dead_end = not is_goal and not mask.any()
        if is_dead_end:
            info["dead_end"] = True
        reward = self._step_reward(chosen, before, is_applicable, is_goal, is_dead_end)
        truncated = len(self._taken) >= self.max_steps
        return self._observation(), reward, is_goal or is_dead_end, truncated, info

    def _step_reward(self, action: int, before: float, is_applicable: bool, is_goal: bool, is_dead_end: bool) -> float:
        if is_dead_end or not is_applicable:
            return 0.0
        if self._reward == "goal":
            return float(is_goal)
        if self._reward == "cost":
            return -float(self._costs[action])
        return float(self._core.progress() - before)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return for each action whether it is applicable, int8[actions]."""
        return self._core.mask()

    def render(self) -> Any:
        """Return the facts that hold and the numbers as text, in the mode ``"ansi"``."""
        if self.render_mode is None:
            return None
        facts = [name for name, holds in zip(self.fact_names, self._facts(), strict=True) if holds]
        pairs = zip(self.fluent_names, self._core.fluents().tolist(), strict=True)
        return "\n".join(facts + [f"(= {name} {value:g})" for name, value in pairs])

    def _facts(self) -> npt.NDArray[np.int8]:
        return np.concatenate([self._core.facts(), (~np.isnan(self._core.fluents())[self._undefined]).astype(np.int8)])

    def _observation(self) -> Any:
        facts = self._facts() if self.fact_names else np.zeros(1, np.int8)
        if not self.fluent_names:
            return facts
        return {"facts": facts, "fluents": np.nan_to_num(self._core.fluents(), nan=0.0)}

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        del state["_core"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        problem, domain, _, goal, *_, memory_limit, _ = self._arguments
        core, index, requested = _problem(problem, domain, goal)
        self._core = _core.ground_problem(core, index, requested, memory_limit)
        for action in self._taken:
            self._core.step(action)
