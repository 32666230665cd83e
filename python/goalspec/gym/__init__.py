"""Goals as rewards of Gymnasium environments.

>>> from goalspec.gym import AtariRam, Fields
>>> Fields({"tank.level": 0}).columns
['tank.level']
>>> AtariRam("Pong").columns[:4]
['player', 'player.x', 'player.y', 'player.w']
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    raise ImportError("goalspec.gym requires Gymnasium: `pip install 'goalspec[gym]'`")

from goalspec.gym._extractors import AtariRam, Extractor, Fields, Grid, OCAtariObjects
from goalspec.gym._planning import PlanningEnv
from goalspec.gym._resource_env import ResourceEnv, ResourceVectorEnv
from goalspec.gym._vector import VectorGoalReward
from goalspec.gym._wrapper import GoalReward

__all__ = [
    "AtariRam",
    "Extractor",
    "Fields",
    "GoalReward",
    "Grid",
    "OCAtariObjects",
    "PlanningEnv",
    "ResourceEnv",
    "ResourceVectorEnv",
    "VectorGoalReward",
]
