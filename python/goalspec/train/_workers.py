"""Environments in several processes, with shared memory between them."""

from __future__ import annotations

import multiprocessing
import traceback
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from goalspec.train._environments import Task, TrainingEnvs

Bools = npt.NDArray[np.bool_]

_NOTHING = object()


class WorkerEnvs:
    """``TrainingEnvs`` whose environments are divided among processes; everything is as in one process, bit for bit.

    Observations, rewards, flags and actions are in shared memory; the rest comes through pipes.
    """

    def __init__(self, task: Task, count: int, seed: int, observation: str, workers: int) -> None:
        if not 1 < workers <= count:
            raise ValueError(f"expected 2 to {count} workers for {count} environments, found {workers}")
        self.task, self.num_envs = task, count
        self.metadata = {"autoreset_mode": AutoresetMode.DISABLED}
        borders = [count * worker // workers for worker in range(workers + 1)]
        self._slices = [slice(first, last) for first, last in zip(borders, borders[1:], strict=False)]
        context = multiprocessing.get_context("spawn")
        self._pipes, self._processes = [], []
        for part in self._slices:
            own, other = context.Pipe()
            arguments = (other, task, part.stop - part.start, seed, observation, part.start)
            process = context.Process(target=_serve, args=arguments, daemon=True)
            process.start()
            other.close()
            self._pipes.append(own)
            self._processes.append(process)
        described = [self._received(pipe) for pipe in self._pipes]
        self.single_observation_space, self.single_action_space, self._names, self._meanings = described[0]
        width = int(self.single_observation_space.shape[0])
        self._memory = SharedMemory(create=True, size=count * (8 * width + 64))
        self._observations, self._numbers = _views(self._memory, count, width)
        for pipe, part in zip(self._pipes, self._slices, strict=True):
            pipe.send(("share", (self._memory.name, count, width, part.start)))
        for pipe in self._pipes:
            self._received(pipe)
        self._rams: npt.NDArray[np.uint8] | None = None

    def _received(self, pipe: Any) -> Any:
        is_error, value = pipe.recv()
        if is_error:
            self.close()
            raise RuntimeError(f"a process of the environments failed:\n{value}")
        return value

    def _ask(self, name: str, arguments: list[Any]) -> list[Any]:
        """Ask the processes; one whose argument is ``_NOTHING`` is not asked, and its answer is ``None``."""
        asked = [(pipe, argument is not _NOTHING) for pipe, argument in zip(self._pipes, arguments, strict=True)]
        for (pipe, is_asked), argument in zip(asked, arguments, strict=True):
            if is_asked:
                pipe.send((name, argument))
        return [self._received(pipe) if is_asked else None for pipe, is_asked in asked]

    def observation_names(self) -> list[str]:
        return list(self._names)

    def action_meanings(self) -> list[str]:
        return list(self._meanings)

    def rams(self) -> npt.NDArray[np.uint8] | None:
        # The next step writes into the array.
        return None if self._rams is None else self._rams.copy()

    def reset(self, where: Bools | None = None) -> tuple[Any, dict[str, Any]]:
        mask = np.ones(self.num_envs, np.bool_) if where is None else where
        answers = self._ask("reset", [mask[part] if mask[part].any() else _NOTHING for part in self._slices])
        return self._observations.copy(), self._joined(answers)

    def step(self, actions: Any) -> tuple[Any, Any, Bools, Bools, dict[str, Any]]:
        self._numbers[:, 0] = actions
        infos = self._joined(self._ask("step", [None] * len(self._pipes)))
        rewards, flags = self._numbers[:, 1].copy(), self._numbers[:, 2:4].astype(np.bool_)
        infos.setdefault("goal", {})
        infos["env_reward"] = self._numbers[:, 4].copy()
        return self._observations.copy(), rewards, flags[:, 0], flags[:, 1], infos

    def _joined(self, answers: list[tuple[Any, ...] | None]) -> dict[str, Any]:
        """Return the infos of all environments from those of the processes that were asked."""
        found: list[Any] = [None, None, None]
        found[0] = self._rams
        for answer, part in zip(answers, self._slices, strict=True):
            for place, value in enumerate(answer or ()):
                if value is None:
                    continue
                if found[place] is None:
                    found[place] = np.zeros((self.num_envs, *value.shape[1:]), value.dtype)
                found[place][part] = value
        self._rams, masks, errors = found
        infos: dict[str, Any] = {} if masks is None else {"action_mask": masks}
        return infos if errors is None else {**infos, "goal": {"_error": errors}}

    def state(self) -> dict[str, Any]:
        states = self._ask("state", [None] * len(self._pipes))
        return {
            "episodes": [number for state in states for number in state["episodes"]],
            "actions": [own for state in states for own in state["actions"]],
        }

    def restore(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        parts = [{name: values[part] for name, values in state.items()} for part in self._slices]
        answers = self._ask("restore", parts)
        return self._observations.copy(), self._joined(answers)

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            try:
                pipe.send(("close", None))
            except (BrokenPipeError, OSError):
                continue
        for process in self._processes:
            process.join(5)
            if process.is_alive():
                process.terminate()
        self._processes = []
        if hasattr(self, "_memory"):
            self._memory.close()
            self._memory.unlink()
            del self._memory


def _views(memory: SharedMemory, count: int, width: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """Return the observations, and for each environment the action, the reward, both flags, and the true reward."""
    numbers = np.ndarray((count, 5), np.float64, memory.buf)
    observations = np.ndarray((count, width), np.float32, memory.buf, offset=numbers.nbytes)
    return observations, numbers


def _serve(pipe: Any, task: Task, count: int, seed: int, observation: str, first: int) -> None:
    """Run environments until the pipe closes. An exception is sent back as text."""
    import signal

    # The process of the learner decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        envs = TrainingEnvs(task, count, seed, observation, first)
        pipe.send((False, (envs.single_observation_space, envs.single_action_space, envs.observation_names(), envs.action_meanings())))
        observations: npt.NDArray[Any] = np.zeros((0, 0))
        numbers: npt.NDArray[Any] = observations
        memory: SharedMemory | None = None
        while True:
            name, argument = pipe.recv()
            if name == "close":
                break
            if name == "share":
                memory = SharedMemory(argument[0])
                rows = slice(argument[3], argument[3] + count)
                observations, numbers = (view[rows] for view in _views(memory, *argument[1:3]))
                answer: Any = None
            elif name == "step":
                seen, rewards, terminated, truncated, infos = envs.step(numbers[:, 0].astype(np.int64))
                observations[...] = seen
                results = (rewards, terminated, truncated, infos["env_reward"])
                for column, values in enumerate(results, start=1):
                    numbers[:, column] = values
                answer = (envs.rams(), infos.get("action_mask"), infos["goal"].get("_error"))
            elif name == "state":
                answer = envs.state()
            else:
                seen, infos = envs.reset(argument) if name == "reset" else envs.restore(argument)
                # Rows outside of the mask are not read.
                observations[...] = seen
                answer = (envs.rams(), infos.get("action_mask"), None)
            pipe.send((False, answer))
        del observations, numbers
        if memory is not None:
            memory.close()
    except (EOFError, BrokenPipeError):
        return
    except BaseException:
        pipe.send((True, traceback.format_exc()))
