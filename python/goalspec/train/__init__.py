"""Training on derived rewards: can an agent learn a program, and does learning it raise what is really wanted.

>>> from goalspec.train import PRESETS
>>> PRESETS["vector"].settings.learning_rate
0.001
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    raise ImportError("goalspec.train requires Gymnasium: `pip install 'goalspec[gym]'`, for Atari games `goalspec[atari]`")

from goalspec.train._alarm import EXIT_CODES, Alarm, Check, rank_sum_z, spearman
from goalspec.train._curves import Curve, draw
from goalspec.train._environments import Task, TrainingEnvs, task_of
from goalspec.train._observations import ObjectVector
from goalspec.train._presets import PRESETS, Preset, preset
from goalspec.train._run import Config, Result, train_seed
from goalspec.train._seeds import train_seeds
from goalspec.train.quick import Learner, Settings

__all__ = [
    "Alarm",
    "Check",
    "Config",
    "Curve",
    "EXIT_CODES",
    "Learner",
    "ObjectVector",
    "PRESETS",
    "Preset",
    "Result",
    "Settings",
    "Task",
    "TrainingEnvs",
    "draw",
    "preset",
    "rank_sum_z",
    "spearman",
    "task_of",
    "train_seed",
    "train_seeds",
]
