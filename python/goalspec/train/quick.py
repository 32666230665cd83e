"""Proximal policy optimisation in numpy: a policy and a value network, each with two hidden layers, for vectors and discrete actions.

The algorithm and its constants are those of Schulman et al. 2017 as in Stable-Baselines3: generalised advantage estimation, a clipped ratio,
advantages normalised per minibatch, Adam, and a clipped norm of the gradient. Everything that is random comes from one generator, so that
equal seeds give equal numbers, bit for bit, on the same machine with one thread of the BLAS library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_MASKED = np.float32(-1e8)
"""The logit of an action that is masked out."""
_ARRAYS = ("parameters", "moments", "returns", "return_statistics")
"""The arrays of the state of a learner."""


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of a run."""

    hidden: int = 64
    steps: int = 128
    """Steps of each environment between updates."""
    minibatch: int = 256
    epochs: int = 4
    learning_rate: float = 1e-3
    anneal: bool = False
    """Whether the learning rate falls linearly to 0."""
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    clip_value: bool = False
    entropy: float = 0.01
    value: float = 0.5
    max_norm: float = 0.5
    normalize_reward: bool = False
    """Whether rewards are divided by the running deviation of the return."""
    adam_eps: float = 1e-5


class Network:
    """A network with two hidden layers of tanh units. Its parameters are views of one vector."""

    def __init__(self, sizes: tuple[int, int, int], vector: F32, gradient: F32) -> None:
        inputs, hidden, outputs = sizes
        self.parts, self.slopes, start = [], [], 0
        for shape in ((inputs, hidden), (hidden,), (hidden, hidden), (hidden,), (hidden, outputs), (outputs,)):
            end = start + int(np.prod(shape))
            self.parts.append(vector[start:end].reshape(shape))
            self.slopes.append(gradient[start:end].reshape(shape))
            start = end
        self._layers: tuple[F32, F32, F32] | None = None

    @staticmethod
    def size(inputs: int, hidden: int, outputs: int) -> int:
        return (inputs + 1) * hidden + (hidden + 1) * hidden + (hidden + 1) * outputs

    def initialise(self, generator: np.random.Generator, gain: float) -> None:
        """Set the weights to orthogonal matrices with the gains sqrt 2 and, of the last layer, ``gain``."""
        for place, factor in ((0, np.sqrt(2.0)), (2, np.sqrt(2.0)), (4, gain)):
            rows, columns = self.parts[place].shape
            matrix = generator.standard_normal((max(rows, columns), min(rows, columns)))
            orthogonal, triangle = np.linalg.qr(matrix)
            orthogonal *= np.sign(np.diag(triangle))
            self.parts[place][...] = factor * (orthogonal if rows >= columns else orthogonal.T)
            self.parts[place + 1][...] = 0.0

    def forward(self, inputs: F32) -> F32:
        first = np.tanh(inputs @ self.parts[0] + self.parts[1])
        second = np.tanh(first @ self.parts[2] + self.parts[3])
        self._layers = (inputs, first, second)
        result: F32 = second @ self.parts[4] + self.parts[5]
        return result

    def backward(self, slope: F32) -> None:
        """Write the gradient of a loss whose derivative by the last outputs is ``slope``."""
        assert self._layers is not None, "a gradient follows a forward pass"
        inputs, first, second = self._layers
        for place, layer in ((4, second), (2, first), (0, inputs)):
            np.matmul(layer.T, slope, out=self.slopes[place])
            slope.sum(axis=0, out=self.slopes[place + 1])
            if place:
                slope = (slope @ self.parts[place].T) * (1.0 - layer * layer)


@dataclass
class Batch:
    """Transitions, flattened."""

    observations: F32
    actions: Ints
    log_probabilities: F32
    values: F32
    advantages: F32
    returns: F32
    masks: Bools | None

    def part(self, places: Ints) -> Batch:
        taken: dict[str, Any] = {name: None if array is None else array[places] for name, array in vars(self).items()}
        return Batch(**taken)


def log_softmax(logits: F32, masks: Bools | None) -> F32:
    """Return log probabilities; masked actions have none that matter."""
    if masks is not None:
        logits = np.where(masks, logits, _MASKED)
    shifted = logits - logits.max(axis=1, keepdims=True)
    result: F32 = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result


def advantages(rewards: F64, values: F64, ends: Bools, bootstraps: F64, last: F64, gamma: float, lam: float) -> F64:
    """Return the generalised advantage estimates, float64[steps, environments].

    Args:
        rewards, values: Of each step, float64[steps, environments].
        ends: Whether the episode ends with the step.
        bootstraps: The values of the last states of truncated episodes, 0 elsewhere: a truncation does not end what would follow.
        last: The values of the states after the last step.
    """
    result = np.zeros_like(rewards)
    following, later = last, np.zeros(rewards.shape[1])
    for step in range(len(rewards) - 1, -1, -1):
        goes_on = ~ends[step]
        target = rewards[step] + gamma * np.where(goes_on, following, bootstraps[step])
        later = target - values[step] + gamma * lam * goes_on * later
        result[step], following = later, values[step]
    return result


class Learner:
    """The networks, their optimiser, and the environments in which they act.

    Args:
        envs: Vector environments with observations ``Box`` (one-dimensional) or ``MultiBinary`` and actions ``Discrete``, in any mode of
            autoreset; ``infos["action_mask"]`` masks actions.
        settings: The hyperparameters.
        seed: The seed of everything random in the learner.
        reset: The function that resets the environments in a mask (all with ``None``) and returns observations and infos.

    Raises:
        TypeError: If the spaces are others.
    """

    def __init__(
        self, envs: Any, settings: Settings, seed: int, reset: Callable[[Bools | None], tuple[Any, Any]] | None = None
    ) -> None:
        space, actions = envs.single_observation_space, envs.single_action_space
        is_vector = isinstance(space, spaces.Box | spaces.MultiBinary) and len(space.shape or ()) == 1
        if not is_vector or not isinstance(actions, spaces.Discrete):
            raise TypeError(f"the back end `quick` learns from vectors with Discrete actions, found {space} and {actions}")
        self.envs, self.settings, self.generator = envs, settings, np.random.default_rng(seed)
        self._reset = reset or (lambda mask: envs.reset(options=None if mask is None else {"reset_mask": mask}))
        self._mode = envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        self.action_count, inputs = int(actions.n), int(space.shape[0])
        sizes = [Network.size(inputs, settings.hidden, outputs) for outputs in (self.action_count, 1)]
        self.parameters, self.gradient = np.zeros(sum(sizes), np.float32), np.zeros(sum(sizes), np.float32)
        cut, hidden = sizes[0], settings.hidden
        self.policy = Network((inputs, hidden, self.action_count), self.parameters[:cut], self.gradient[:cut])
        self.value = Network((inputs, hidden, 1), self.parameters[cut:], self.gradient[cut:])
        self.policy.initialise(self.generator, 0.01)
        self.value.initialise(self.generator, 1.0)
        self.moments, self.updates = np.zeros((2, len(self.parameters)), np.float32), 0
        self.returns = np.zeros(envs.num_envs)
        self.return_statistics = np.array([1e-4, 0.0, 1.0])
        """The count, the mean and the variance of the returns."""
        self.observations: F32 = np.zeros((envs.num_envs, inputs), np.float32)
        self.masks: Bools | None = None
        self.began = np.zeros(envs.num_envs, np.bool_)
        """Whether the next step of an environment begins an episode instead of taking an action."""

    def begin(self) -> None:
        """Reset all environments."""
        self.see(*self._reset(None))

    def see(self, observations: Any, infos: Mapping[str, Any]) -> None:
        """Choose the next actions from these observations."""
        self.observations = np.asarray(observations, np.float32)
        mask = infos.get("action_mask")
        self.masks = None if mask is None else np.asarray(mask, np.bool_)

    def act(self, observations: F32, masks: Bools | None, greedy: bool = False) -> tuple[Ints, F32]:
        """Choose actions; return them and their log probabilities."""
        logs = log_softmax(self.policy.forward(observations), masks)
        # The maximum of log probabilities with Gumbel noise is a sample.
        chosen = (logs if greedy else logs + self.generator.gumbel(size=logs.shape)).argmax(axis=1)
        return chosen, logs[np.arange(len(chosen)), chosen]

    def values(self, observations: Any) -> F64:
        """Return the values of states."""
        return self.value.forward(np.asarray(observations, np.float32))[:, 0].astype(np.float64)

    def collect(self, observer: Callable[..., None] | None = None) -> tuple[Batch, F64, F64]:
        """Take ``settings.steps`` steps; return the transitions, and the values and returns of all of them.

        ``observer`` is called after each step with the actions and what ``envs.step`` returned.
        """
        steps, count = self.settings.steps, self.envs.num_envs
        shape = (steps, count)
        observations = np.zeros((*shape, self.observations.shape[1]), np.float32)
        actions, logs = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        values, rewards, bootstraps = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        ends, is_taken = np.zeros(shape, np.bool_), np.ones(shape, np.bool_)
        masks = None if self.masks is None else np.ones((*shape, self.action_count), np.bool_)
        for step in range(steps):
            observations[step] = self.observations
            if masks is not None and self.masks is not None:
                masks[step] = self.masks
            actions[step], logs[step] = self.act(self.observations, self.masks)
            values[step] = self.values(self.observations)
            # In the mode NEXT_STEP, the step after an end is no transition.
            is_taken[step] = ~self.began
            seen = self.envs.step(actions[step])
            _, rewards[step], terminated, truncated, infos = seen
            if observer is not None:
                observer(actions[step], *seen)
            ends[step] = terminated | truncated
            cut = truncated & ~terminated
            if cut.any():
                bootstraps[step, cut] = self._bootstrap(seen[0], infos, cut)
            self._follow(seen[0], infos, ends[step])
        settings, last = self.settings, self.values(self.observations)
        rewards = self._scaled(rewards, ends) if settings.normalize_reward else rewards
        found = advantages(rewards, values, ends, bootstraps, last, settings.gamma, settings.lam)
        kept = np.flatnonzero(is_taken)

        def flat(array: npt.NDArray[Any]) -> Any:
            return array.reshape(steps * count, *array.shape[2:])[kept]

        arrays = {"log_probabilities": logs, "values": values, "advantages": found, "returns": found + values}
        singles: dict[str, Any] = {name: flat(array).astype(np.float32) for name, array in arrays.items()}
        batch = Batch(flat(observations), flat(actions), masks=None if masks is None else flat(masks), **singles)
        return batch, flat(values), flat(found + values)

    def _bootstrap(self, observations: Any, infos: Mapping[str, Any], cut: Bools) -> F64:
        """Return the values of the last states of truncated episodes."""
        if self._mode == AutoresetMode.SAME_STEP:
            return self.values(np.stack([infos["final_obs"][place] for place in np.flatnonzero(cut)]))
        return self.values(np.asarray(observations)[cut])

    def _follow(self, observations: Any, infos: Mapping[str, Any], ended: Bools) -> None:
        """See what the next actions are chosen from."""
        self.see(observations, infos)
        self.began = ended & (self._mode == AutoresetMode.NEXT_STEP)
        if self._mode == AutoresetMode.DISABLED and ended.any():
            observations, first_infos = self._reset(ended)
            masks = self.masks
            self.see(np.where(ended[:, None], observations, self.observations), first_infos)
            if masks is not None and self.masks is not None:
                self.masks = np.where(ended[:, None], self.masks, masks)

    def _scaled(self, rewards: F64, ends: Bools) -> F64:
        """Divide rewards by the running deviation of the discounted return."""
        result = np.empty_like(rewards)
        for step, row in enumerate(rewards):
            self.returns = self.returns * self.settings.gamma + row
            count, mean, variance = self.return_statistics
            total, shift = count + len(row), self.returns.mean() - mean
            spread = variance * count + self.returns.var() * len(row) + shift**2 * count * len(row) / total
            self.return_statistics = np.array([total, mean + shift * len(row) / total, spread / total])
            result[step] = row / np.sqrt(self.return_statistics[2] + 1e-8)
            self.returns[ends[step]] = 0.0
        return result

    def update(self, batch: Batch, share_done: float) -> dict[str, float]:
        """Improve the networks; return the means of what describes the update."""
        settings, sums = self.settings, np.zeros(5)
        rate = settings.learning_rate * (1.0 - share_done if settings.anneal else 1.0)
        size, count = len(batch.actions), 0
        for _ in range(settings.epochs):
            order = self.generator.permutation(size)
            for start in range(0, size, settings.minibatch):
                sums += self.losses(batch.part(order[start : start + settings.minibatch]))
                self._descend(rate)
                count += 1
        names = ("loss_policy", "loss_value", "entropy", "kl", "clip_fraction")
        return dict(zip(names, (sums / count).tolist(), strict=True))

    def losses(self, batch: Batch) -> tuple[float, float, float, float, float]:
        """Write the gradient of the loss of a minibatch; return both losses, the entropy, the divergence and the share of clipped ratios."""
        settings, size = self.settings, len(batch.actions)
        rows = np.arange(size)
        logs = log_softmax(self.policy.forward(batch.observations), batch.masks)
        probabilities = np.exp(logs)
        differences = logs[rows, batch.actions] - batch.log_probabilities
        ratios = np.exp(differences)
        gains = batch.advantages
        if size > 1:
            gains = (gains - gains.mean()) / (gains.std(ddof=1) + np.float32(1e-8))
        clipped = np.clip(ratios, 1.0 - settings.clip, 1.0 + settings.clip)
        loss_policy = -np.minimum(gains * ratios, gains * clipped).mean()
        # Where the clipped product is the smaller one, the ratio has no influence.
        slopes = np.where(gains * ratios <= gains * clipped, -gains * ratios, 0.0) / size
        entropies = -(probabilities * np.where(probabilities > 0, logs, 0.0)).sum(axis=1)
        by_logits = -probabilities * slopes[:, None]
        by_logits[rows, batch.actions] += slopes
        by_logits += (settings.entropy / size) * probabilities * (logs + entropies[:, None])
        self.policy.backward(by_logits.astype(np.float32))
        values = self.value.forward(batch.observations)[:, 0]
        errors = values - batch.returns
        if settings.clip_value:
            moved = np.clip(values - batch.values, -settings.clip, settings.clip)
            errors = np.where(np.abs(values - batch.values) <= settings.clip, errors, 0.0)
            loss_value = np.mean((batch.values + moved - batch.returns) ** 2)
        else:
            loss_value = np.mean(errors**2)
        self.value.backward((2.0 * settings.value / size * errors[:, None]).astype(np.float32))
        kl = np.mean((ratios - 1.0) - differences)
        is_clipped = np.mean(np.abs(ratios - 1.0) > settings.clip)
        return float(loss_policy), float(loss_value), float(entropies.mean()), float(kl), float(is_clipped)

    def _descend(self, rate: float) -> None:
        """Take a step of Adam, with the norm of the gradient clipped."""
        norm = float(np.sqrt(np.square(self.gradient, dtype=np.float64).sum()))
        gradient = self.gradient * np.float32(min(1.0, self.settings.max_norm / (norm + 1e-6)))
        self.updates += 1
        first, second = self.moments
        first += np.float32(0.1) * (gradient - first)
        second += np.float32(0.001) * (gradient * gradient - second)
        scale = np.float32(rate / (1.0 - 0.9**self.updates))
        root = np.sqrt(second) * np.float32(1.0 / np.sqrt(1.0 - 0.999**self.updates))
        self.parameters -= scale * first / (root + np.float32(self.settings.adam_eps))

    def state(self) -> dict[str, Any]:
        """Return everything that the learner's future depends on, but for the environments."""
        arrays = {name: getattr(self, name).copy() for name in _ARRAYS}
        return {**arrays, "updates": self.updates, "generator": self.generator.bit_generator.state}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        for name in _ARRAYS:
            getattr(self, name)[...] = state[name]
        self.updates, self.generator.bit_generator.state = int(state["updates"]), state["generator"]
