"""Times the Python package `bddl` on the activities that it ships: parsing, evaluating a goal, listing ground options.

Run by `cargo xtask peers`, which installs the package into a virtual environment of its own; prints one JSON object.
"""

import contextlib
import io
import json
import os
import resource
import sys
import time
from importlib.metadata import version

import bddl
from bddl.condition_evaluation import compile_state, create_scope, evaluate_state, get_ground_state_options
from bddl.logic_base import BinaryAtomicFormula, UnaryAtomicFormula
from bddl.parsing import parse_domain, parse_problem

FOLDER = os.path.join(os.path.dirname(bddl.__file__), "activity_definitions")
ACTIVITIES = sorted(name for name in os.listdir(FOLDER) if os.path.isdir(os.path.join(FOLDER, name)))
RELEASE = version("bddl")
# Release 1.0.0 always lists the ground options while it compiles a condition.
LAZY = {} if RELEASE.startswith("1.") else {"generate_ground_options": False}
TRUE = set()


class Backend:
    """Answers predicates from a set of ground atoms."""

    def __init__(self):
        self.classes = {}

    def get_predicate_class(self, token):
        if token not in self.classes:
            self.classes[token] = self.make(token)
        return self.classes[token]

    @staticmethod
    def make(token):
        class Unary(UnaryAtomicFormula):
            STATE_NAME = token

            def _evaluate(self, one):
                return (token, one.name) in TRUE

            def _sample(self, one, binary_state):
                raise NotImplementedError

        class Binary(BinaryAtomicFormula):
            STATE_NAME = token

            def _evaluate(self, one, other):
                return (token, one.name, other.name) in TRUE

            def _sample(self, one, other, binary_state):
                raise NotImplementedError

        return Unary if token in UNARY else Binary


class Thing:
    """A simulator's object: anything but a string, which would be taken for a variable."""

    def __init__(self, name):
        self.name = name


DOMAIN = "igibson" if RELEASE.startswith("1.") else "omnigibson"
UNARY = {
    "assembled", "broken", "burnt", "cooked", "dusty", "folded", "frozen", "future", "hot", "on_fire", "open", "perished",
    "real", "screwed", "sliced", "soaked", "stained", "timeset", "toggled_on", "unfolded",
}


def quietly(work):
    with contextlib.redirect_stdout(io.StringIO()):
        return work()


def seconds(work):
    begin = time.perf_counter()
    result = quietly(work)
    return time.perf_counter() - begin, result


def compiled(problem, options):
    _, objects, _, goal = problem
    scope = create_scope(objects)
    for name in scope:
        scope[name] = Thing(name)
    backend = Backend()
    return compile_state(goal, backend, scope=scope, object_map=objects, **options), backend, scope, objects


def listed(problem):
    conditions, backend, scope, objects = compiled(problem, {})
    return len(get_ground_state_options(conditions, backend, scope=scope, object_map=objects))


def evaluate(goals, rounds):
    for _ in range(rounds):
        for conditions, *_ in goals:
            evaluate_state(conditions)


def main():
    rounds = 20
    name = quietly(lambda: parse_domain(DOMAIN))[0]
    # The first time reads the files from disk.
    quietly(lambda: [parse_problem(activity, 0, name) for activity in ACTIVITIES])
    parsing, problems = seconds(lambda: [parse_problem(activity, 0, name) for activity in ACTIVITIES])
    goals = quietly(lambda: [compiled(problem, LAZY) for problem in problems]) if LAZY else None
    listing, counts = seconds(lambda: [listed(problem) for problem in problems])
    if goals is None:
        goals = quietly(lambda: [compiled(problem, {}) for problem in problems[1:]])
    evaluating, _ = seconds(lambda: evaluate(goals, rounds))
    json.dump(
        {
            "package": f"bddl {RELEASE}",
            "python": sys.version.split()[0],
            "activities": len(problems),
            "parse_us_per_activity": 1e6 * parsing / len(problems),
            "evaluate_us_per_goal": 1e6 * evaluating / (rounds * len(goals)),
            "options_s": listing,
            "options": sum(counts),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        },
        sys.stdout,
        indent=2,
    )
    print()


main()
