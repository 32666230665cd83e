"""The back end of training in numpy: estimates, losses and their gradients, masks, and bootstrapping."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: training is not tested")

from gym_environments import Corridor, make_corridor  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from goalspec.train.quick import Batch, Learner, Settings, advantages, log_softmax  # noqa: E402


def corridors(mode: AutoresetMode = AutoresetMode.NEXT_STEP, wall: bool = False, limit: int = 40) -> Any:
    make = lambda: gymnasium.wrappers.TimeLimit(Corridor(wall), limit)  # noqa: E731
    return SyncVectorEnv([make] * 8, autoreset_mode=mode)


def test_advantages_are_discounted_sums_of_errors() -> None:
    generator = np.random.default_rng(0)
    rewards, values = generator.normal(size=(2, 6, 3))
    last, ends = generator.normal(size=3), generator.random((6, 3)) < 0.3
    bootstraps = np.where(ends, generator.normal(size=(6, 3)), 0.0)
    gamma, lam = 0.9, 0.8
    found = advantages(rewards, values, ends, bootstraps, last, gamma, lam)
    for env in range(3):
        following = np.append(values[1:, env], last[env])
        errors = rewards[:, env] + gamma * np.where(ends[:, env], bootstraps[:, env], following) - values[:, env]
        for step in range(6):
            stop = next((later for later in range(step, 6) if ends[later, env]), 5)
            expected = sum((gamma * lam) ** (later - step) * errors[later] for later in range(step, stop + 1))
            assert found[step, env] == pytest.approx(expected)


@pytest.mark.parametrize(("clip_value", "masked"), [(False, False), (True, False), (False, True)])
def test_gradients_are_those_of_finite_differences(clip_value: bool, masked: bool) -> None:
    settings = Settings(hidden=5, entropy=0.03, clip_value=clip_value, clip=0.1)
    learner = Learner(corridors(), settings, 3)
    generator = np.random.default_rng(1)
    # In double precision, so that differences tell.
    for network in (learner.policy, learner.value):
        network.parts = [part.astype(np.float64) for part in network.parts]
        for part in network.parts:
            part += generator.normal(size=part.shape) * 0.3
    size = 16
    masks = None
    actions = generator.integers(0, 2, size)
    if masked:
        masks = np.ones((size, 2), np.bool_)
        masks[::3, 0] = False
        actions[::3] = 1
    observations = generator.normal(size=(size, 8))
    logs = log_softmax(learner.policy.forward(observations), masks)[np.arange(size), actions]
    batch = Batch(
        observations,
        actions,
        logs + generator.normal(size=size) * 0.1,
        learner.value.forward(observations)[:, 0] + generator.normal(size=size) * 0.1,
        generator.normal(size=size),
        generator.normal(size=size),
        masks,
    )

    def loss() -> float:
        policy, value, entropy, _, _ = learner.losses(batch)
        return policy + settings.value * value - settings.entropy * entropy

    learner.losses(batch)
    for network in (learner.policy, learner.value):
        slopes = [slope.astype(np.float64).copy() for slope in network.slopes]
        for part, slope in zip(network.parts, slopes, strict=True):
            for place in list(np.ndindex(part.shape))[:: max(1, part.size // 6)]:
                middle, step = part[place], 1e-6
                part[place] = middle + step
                above = loss()
                part[place] = middle - step
                below = loss()
                part[place] = middle
                assert slope[place] == pytest.approx((above - below) / (2 * step), abs=2e-5)


def test_the_loss_is_the_published_one() -> None:
    """The figures are computed by hand for one transition of each kind."""
    learner = Learner(corridors(), Settings(hidden=4, entropy=0.0), 0)
    observations = np.eye(8, dtype=np.float32)[:2]
    learner.parameters[:] = 0.0
    # Zero weights: both actions have the probability 1/2, and values are 0.
    batch = Batch(
        observations,
        np.array([0, 1]),
        np.log(np.array([0.5 / 1.5, 0.5 / 0.5], np.float32)),
        np.zeros(2, np.float32),
        np.array([3.0, 1.0], np.float32),
        np.array([2.0, -1.0], np.float32),
        None,
    )
    policy, value, entropy, kl, clipped = learner.losses(batch)
    # The normalised advantages are +-1/sqrt 2; the ratios 1.5 and 0.5 are clipped to 1.2 and 0.8.
    half = np.sqrt(0.5)
    assert policy == pytest.approx(-(1.2 * half + min(-0.5 * half, -0.8 * half)) / 2, abs=1e-6)
    assert value == pytest.approx((4 + 1) / 2) and entropy == pytest.approx(np.log(2))
    assert kl == pytest.approx(((0.5 - np.log(1.5)) + (-0.5 - np.log(0.5))) / 2, abs=1e-6) and clipped == 1.0


def test_a_step_of_adam_moves_each_parameter_by_the_rate_at_first() -> None:
    learner = Learner(corridors(), Settings(max_norm=1e9, adam_eps=0.0), 0)
    generator = np.random.default_rng(0)
    before = learner.parameters.copy()
    learner.gradient[:] = generator.normal(size=len(before))
    learner._descend(0.01)
    np.testing.assert_allclose(before - learner.parameters, 0.01 * np.sign(learner.gradient), rtol=1e-3)
    learner = Learner(corridors(), Settings(), 0)
    learner.gradient[:] = 1.0
    learner._descend(0.01)
    assert np.linalg.norm(learner.moments[0]) == pytest.approx(0.1 * 0.5, rel=1e-3)


def test_masked_actions_are_never_taken() -> None:
    learner = Learner(corridors(wall=True), Settings(steps=64), 0)
    learner.begin()
    for _ in range(4):
        # The environment refuses a masked action.
        batch, _, _ = learner.collect()
        assert batch.masks is not None and batch.masks[np.arange(len(batch.actions)), batch.actions].all()
        learner.update(batch, 0.0)
    logs = log_softmax(np.array([[50.0, -50.0]], np.float32), np.array([[False, True]]))
    assert logs[0, 1] == 0.0 and np.exp(logs[0, 0]) == 0.0


class Fixed(gymnasium.Env[Any, Any]):
    """Episodes of three steps, in the last of which the environment ends or is cut; rewards are 1, and observations count the steps."""

    def __init__(self, cut: bool) -> None:
        self.observation_space = gymnasium.spaces.Box(-1.0, 9.0, (2,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)
        self._cut, self._count = cut, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._count = 0
        return np.array([0.0, 1.0], np.float32), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._count += 1
        ends = self._count == 3
        return np.array([self._count, 1.0], np.float32), 1.0, ends and not self._cut, ends and self._cut, {}


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("cut", [False, True])
def test_a_truncation_is_bootstrapped_and_a_termination_is_not(mode: AutoresetMode, cut: bool) -> None:
    envs = SyncVectorEnv([lambda: Fixed(cut)] * 2, autoreset_mode=mode)
    settings = Settings(steps=9, lam=1.0, gamma=0.5)
    learner = Learner(envs, settings, 0)
    learner.begin()
    batch, _, returns = learner.collect()
    final = float(learner.values(np.array([[3.0, 1.0]]))[0])
    assert abs(final) > 1e-3
    tail = final if cut else 0.0
    expected = {2.0: 1 + 0.5 * tail, 1.0: 1.5 + 0.25 * tail, 0.0: 1.75 + 0.125 * tail}
    seen = batch.observations[:, 0]
    # In the mode NEXT_STEP, two of nine steps begin an episode and are no transitions; no transition starts at an end.
    assert len(seen) == 2 * (7 if mode == AutoresetMode.NEXT_STEP else 9) and set(seen.tolist()) == {0.0, 1.0, 2.0}
    complete = 14 if mode == AutoresetMode.NEXT_STEP else 18
    for number, found in list(zip(seen.tolist(), returns.tolist(), strict=True))[: complete - 2]:
        assert found == pytest.approx(expected[number], abs=1e-6)


def test_rewards_are_divided_by_the_deviation_of_the_return() -> None:
    learner = Learner(corridors(), Settings(normalize_reward=True, gamma=0.0), 0)
    rewards = np.random.default_rng(0).normal(3.0, 7.0, (500, 8))
    scaled = learner._scaled(rewards, np.zeros((500, 8), np.bool_))
    assert scaled[-100:].std() == pytest.approx(1.0, rel=0.1)
    assert learner.return_statistics[2] == pytest.approx(rewards.var(), rel=0.01)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_corridor_is_learned(mode: AutoresetMode) -> None:
    envs = corridors(mode)
    learner = Learner(envs, Settings(steps=64, learning_rate=3e-3), 0)
    learner.begin()
    for _ in range(12):
        learner.update(learner.collect()[0], 0.0)
    env, steps = make_corridor(), 0
    seen, _ = env.reset(seed=0)
    done = False
    while not done:
        seen, _, terminated, truncated, _ = env.step(learner.act(seen[None], None, greedy=True)[0][0])
        steps, done = steps + 1, terminated or truncated
    assert steps == Corridor.cells - 1


def test_learning_is_the_same_again_and_continues_from_a_state() -> None:
    learners = [Learner(corridors(), Settings(steps=16), seed) for seed in (5, 5, 6)]
    for learner in learners:
        learner.envs.reset(seed=1)
        learner.begin()
        for _ in range(2):
            learner.update(learner.collect()[0], 0.0)
    np.testing.assert_array_equal(learners[0].parameters, learners[1].parameters)
    assert (learners[0].parameters != learners[2].parameters).any()
    learners[2].restore(learners[0].state())
    learners[2].envs, learners[2].observations, learners[2].began = learners[1].envs, learners[1].observations, learners[1].began
    for learner in (learners[0], learners[2]):
        learner.update(learner.collect()[0], 0.0)
    np.testing.assert_array_equal(learners[0].parameters, learners[2].parameters)


def test_other_spaces_are_refused() -> None:
    envs = SyncVectorEnv([lambda: gymnasium.make("Pendulum-v1")])
    with pytest.raises(TypeError, match="learns from vectors with Discrete actions"):
        Learner(envs, Settings(), 0)
