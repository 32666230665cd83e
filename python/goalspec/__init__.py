"""Goals as programs: read, check, run, explain.

>>> import goalspec
>>> library = goalspec.load("@throw-to-bin")
>>> report = goalspec.score(library)
>>> report[0].score
10.0
>>> report[0].preferences["throwToBin"].count
2
"""

from goalspec._audits import Audit, ProgramAudit, audit
from goalspec._diagnostics import Diagnostic, Edit, Fix, Related
from goalspec._errors import CheckError, GameError, GoalspecError, RefusedError, RewardError, ScoreError, TraceError
from goalspec._frames import Frames
from goalspec._games import Analysis, Study, analyse, simulate
from goalspec._library import Library, Program, check, describe, explain, format, load, loads, playability
from goalspec._monitors import Monitor, NewSatisfaction, VectorMonitor, VectorVerdict, Verdict
from goalspec._planning import Options, PlanResult, Validation, options, plan, validate
from goalspec._rewards import Reward, RewardFunction, VectorReward, VectorRewardFunction
from goalspec._score_table import TraceLimits, score_table
from goalspec._scoring import Outcome, PreferenceOutcome, Report, Satisfaction, score
from goalspec._simulators import PredicateBackend, SimulatorMonitor
from goalspec._tables import Table
from goalspec._traces import Trace, TraceBatch, convert, read_traces

__all__ = [
    "Analysis",
    "Audit",
    "CheckError",
    "Diagnostic",
    "Edit",
    "Fix",
    "Frames",
    "GameError",
    "GoalspecError",
    "Library",
    "Monitor",
    "NewSatisfaction",
    "Options",
    "Outcome",
    "PlanResult",
    "PredicateBackend",
    "PreferenceOutcome",
    "Program",
    "ProgramAudit",
    "RefusedError",
    "Related",
    "Report",
    "Reward",
    "RewardError",
    "RewardFunction",
    "Satisfaction",
    "ScoreError",
    "SimulatorMonitor",
    "Study",
    "Table",
    "Trace",
    "TraceBatch",
    "TraceError",
    "TraceLimits",
    "Validation",
    "VectorMonitor",
    "VectorReward",
    "VectorRewardFunction",
    "VectorVerdict",
    "Verdict",
    "analyse",
    "audit",
    "check",
    "convert",
    "describe",
    "explain",
    "format",
    "load",
    "loads",
    "options",
    "plan",
    "playability",
    "read_traces",
    "score",
    "score_table",
    "simulate",
    "validate",
]
