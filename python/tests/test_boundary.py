"""A search for arguments that make the engine panic: random ones, the same in every run.

`GOALSPEC_BOUNDARY=20000 pytest tests/test_boundary.py` tries more of them, and `GOALSPEC_BOUNDARY_SEED` others.
"""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import FILL, ROOT, TANK_WORLD

import goalspec

COUNT = int(os.environ.get("GOALSPEC_BOUNDARY", "150"))
SEED = int(os.environ.get("GOALSPEC_BOUNDARY_SEED", "1"))

# A panic would be `pyo3_runtime.PanicException`, which is none of these.
EXPECTED = (goalspec.GoalspecError, ValueError, TypeError, KeyError, IndexError, OverflowError)

PROGRAMS = [
    "game/throw-to-bin.game",
    "game/faulty.game",
    "bddl/watering_the_garden.bddl",
    "pddl/delivery/domain.pddl",
    "pddl/delivery/one_van.pddl",
    "rgg/berries.yaml",
    "reward/rally.py",
    "worlds/kitchen.world.toml",
]

VALUES: list[Any] = [
    None, True, False, 0, -1, 2, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", "tank",
    "tank2", "é🙂", "\0", "level", [], [0.0], [1, 2, 3], [1, 2, 3, 4], ["tank"], {}, {"tank": {}}, {"level": 1.0}, b"x", (1,), object(), np.float32(1),
    np.int64(7), np.bool_(True), np.array([1.0, 2.0, 3.0]), np.zeros((0, 3)), np.zeros((2, 2), complex), np.array(["a"]),
]  # fmt: skip


def mutated(text: str, choose: random.Random) -> str:
    """Return a text with a few pieces removed, doubled, or replaced."""
    for _ in range(choose.randrange(1, 4)):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 1, 2, 8, 40, 200]))
        insert = choose.choice(["", text[start:end] * 2, "(", ")", '"', "🙂", "\0", "0", "-", ":", "\n", "9" * 40, "?x"])
        text = text[:start] + insert + text[end:]
    return text


def tank() -> goalspec.Library:
    return goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})


def try_program(choose: random.Random) -> None:
    path = choose.choice(PROGRAMS)
    text = mutated((ROOT / "examples" / path).read_text(), choose)
    name = choose.choice([path, path, path, "x", "a.pddl", "-", "", "é.game", "x.world.toml"])
    library = goalspec.loads(text, name=name, strict=False)
    repr(library), library._repr_html_(), goalspec.describe(library)
    for found in goalspec.check(library):
        str(found), found.to_dict()
    for program in library:
        repr(program), program.cost(), program.diagnostics
        for call in (goalspec.Monitor, goalspec.RewardFunction, goalspec.options):
            try:
                call(program)
            except EXPECTED:
                pass
    goalspec.format(text, name)


def try_states(choose: random.Random) -> None:
    def value(depth: int) -> Any:
        if depth > 0 and choose.random() < 0.6:
            keys = ["set", "facts", "not", "fluents", "removed", "t", "action", "index", "clock", "tank", "level", "count", "on", "position", "x"]
            return choose.choice(
                [
                    {choose.choice(keys): value(depth - 1) for _ in range(choose.randrange(3))},
                    [value(depth - 1) for _ in range(choose.randrange(4))],
                    ["leaking", "tank"],
                    ["fuel", "tank", value(0)],
                ]
            )
        return choose.choice(VALUES)

    library = tank()
    states = [{"set": {"tank": {"level": choose.random()}}}, value(4), value(4)]
    monitor = goalspec.Monitor(library)
    for state in states:
        monitor.step(state, time=choose.choice([None, 0.0, float("nan"), -1.0]), action=choose.choice([None, "", "a"]))
    monitor.finish()
    goalspec.Trace.from_states(library, states)


def try_columns(choose: random.Random) -> None:
    names = ["tank.level", "tank.count", "tank.on", "tank.position", "leaking(tank)", "fuel(tank)", "tank.position.x", "", "()", "(", ".", "é.x", "leaking()"]
    columns = {choose.choice(names): choose.choice(VALUES) for _ in range(choose.randrange(3))}
    trace = goalspec.Trace.from_columns(
        tank(), columns, time=choose.choice([None, [0.0], [1.0, 0.0]]), action=choose.choice([None, ["a"], [None]])
    )
    trace.to_list()
    goalspec.score(tank(), trace)


def try_arrays(choose: random.Random) -> None:
    columns = choose.choice([["tank.level"], ["tank.level", "tank.count"], ["tank.position.x", "tank.position.y", "tank.position.z"], []])
    vector = goalspec.VectorMonitor(tank(), choose.choice([1, 2, 70]), columns)
    shape = choose.choice([(1, 1), (2, 1), (2, 2), (70, 3), (0, 0), (2,), (2, 1, 1)])
    states = choose.choice([np.zeros(shape), np.full(shape, np.nan), np.full(shape, 1e300), np.ones(shape)[::-1]])
    mask = choose.choice([None, np.ones(2, bool), np.zeros(70, bool), np.ones(0, bool), np.ones((2, 2), bool)])
    vector.step(states, where=mask, last=choose.choice([None, mask]))
    vector.state(choose.choice([None, np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32).T]))
    vector.finish(choose.choice([0, 1, -1, 100]))
    vector.reset(mask)


def try_rewards(choose: random.Random) -> None:
    text = (ROOT / "examples/reward/rally.py").read_text()
    function = goalspec.RewardFunction(goalspec.loads(text, name="rally.py"))
    classes = choose.choice([["Player", "Ball", "Enemy"], ["Ball"], []])
    vector = function.vector(2, objects=classes)
    shape = choose.choice([(2, len(classes), 4), (2, 3, 3), (0, 0, 0), (2, 1)])
    extreme = choose.choice([0, 2**31 - 1, -(2**31)])
    for _ in range(2):
        vector.step_ram(np.full(choose.choice([(2, 128), (2, 127), (1, 128)]), choose.randrange(256), np.uint8))
        vector.step(np.full(shape, extreme, np.int32), present=choose.choice([None, np.ones((2, len(classes)), bool), np.ones((1, 1), bool)]))
    keys = ["category", "x", "y", "w", "h", "prev_xy", "rgb", "value", "hud", "orientation", "visible"]
    function([{key: choose.choice([*VALUES, "Ball", "Player"]) for key in keys} for _ in range(2)], choose.choice([None, 1, "a", 0.5]))


def try_plans(choose: random.Random) -> None:
    domain = (ROOT / "examples/pddl/delivery/domain.pddl").read_text()
    problem = (ROOT / "examples/pddl/delivery/one_van.pddl").read_text()
    goal = choose.choice([None, "(and)", "(", "(at red mill)", mutated("(sometime (at red mill))", choose)])
    plan = mutated((ROOT / "examples/pddl/delivery/one_van.plan").read_text(), choose)
    goalspec.validate(problem, plan, domain=domain, goal=goal, skip_inapplicable=choose.random() < 0.5)
    goalspec.plan(mutated(problem, choose), domain=domain, goal=goal, time_limit=0.2, memory_limit=choose.choice([0, 1 << 26, 1 << 32]))


def try_tables(choose: random.Random) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = goalspec.TraceBatch([goalspec.Trace.from_columns(tank(), {"tank.level": [0.0, 1.5]}, name=name) for name in "ab"]).to_arrow()
    place = choose.randrange(table.num_columns)
    column, length = table.column_names[place], table.num_rows
    values = choose.choice([[None] * length, [choose.randrange(-3, 3)] * length, [1e300] * length, ["x"] * length, [[1]] * length, ["state"] * length, ["[]"] * length])
    kind = choose.choice([None, pyarrow.int8(), pyarrow.string(), pyarrow.float32(), pyarrow.binary()])
    try:
        changed = table.set_column(place, choose.choice([column, "y", "é"]), pyarrow.array(values, kind))
    except pyarrow.ArrowException:
        changed = table.slice(choose.randrange(length), choose.randrange(length))
    given = choose.choice([changed, changed, changed.drop_columns([column]) if column in changed.column_names else None, *VALUES])
    call = choose.choice([goalspec.TraceBatch.from_arrow, goalspec.Trace.from_arrow])
    call(choose.choice([tank(), "pong", "tank"]), given)


def try_frames(choose: random.Random) -> None:
    program = goalspec.loads((ROOT / "examples/reward/rally.py").read_text(), name="rally.py")
    count = choose.randrange(4)
    thing = {key: choose.choice([*VALUES, "Ball", "Player", 7]) for key in ("category", "x", "y", "w", "h", "prev_xy", "value", "hud")}
    objects = choose.choice([np.zeros((count, 128), np.uint8), np.zeros((count, 3)), [[thing]] * count, [[]] * count, thing, None])
    numbers = choose.choice([[0] * count, [choose.choice(VALUES)] * count, [-1] * count, [float("nan")] * count])
    flags = choose.choice([[False] * count, np.ones(count, bool), [choose.choice(VALUES)] * count])
    goalspec.audit(program, goalspec.Frames(objects, numbers, choose.choice([numbers, [None] * count]), flags, flags, choose.choice([numbers, [0] * count])))


def try_monitors(choose: random.Random) -> None:
    horizon = choose.choice([None, 1, 2, 100, 2**31, 0, -1, 2**40, 10**400])
    options = {"horizon": horizon, "exact": choose.random() < 0.3, "explain": choose.random() < 0.5, "columns": choose.choice([None, ["tank.level"]])}
    monitor = goalspec.Monitor(tank(), **options)
    for _ in range(choose.randrange(4)):
        level = choose.choice([0.0, 1.5, 1e300, float("nan")])
        monitor.step([level] if options["columns"] else {"set": {"tank": {"level": level}}})
    other = pickle.loads(pickle.dumps(monitor))
    assert other.steps == monitor.steps
    other.state(choose.choice([None, np.zeros(3, np.float32), np.zeros(other.state_size, np.float32)]))
    monitor.finish(), other.finish()


def try_engines(choose: random.Random) -> None:
    text = mutated((ROOT / "examples/reward/rally.py").read_text(), choose)
    # The engine `python` has no limits: it runs programs that end.
    engine = choose.choice(["auto", "fast", "reference", "", "é", *(["python"] if "while" not in text else [])])
    function = goalspec.RewardFunction(goalspec.loads(text, name="rally.py", strict=False), choose.choice([None, "atari/pong"]), engine=engine)
    things = [{"category": name, "x": choose.randrange(-5, 200), "y": 90, "w": 2, "h": 4} for name in ("Ball", "Player", "Enemy")]
    function(things)
    function.vector(1, objects=["Ball"]).step(np.zeros((1, 1, 4), np.int32))


def try_simulators(choose: random.Random) -> None:
    class Simulator:
        def get_predicate(self, name: str, /, *objects: object) -> object:
            return choose.choice([True, False, False]) if choose.random() < 0.98 else choose.choice(VALUES)

    names = ["pot_plant.n.01_1", "shelf.n.01_1", "water.n.06_1", "é"]
    objects = choose.choice([None, {choose.choice(names): choose.choice(VALUES)}])
    program = goalspec.load(choose.choice(["@watering-the-garden", "@game-night", "@berries", "@throw-to-bin"]))
    monitor = goalspec.SimulatorMonitor(program[0], choose.choice([Simulator(), Simulator(), None]), objects=objects, explain=choose.random() < 0.5)
    for _ in range(choose.randrange(5)):
        monitor.step(time=choose.choice([None, 1.0, float("nan"), -1e300]), action=choose.choice([None, "é"]), last=choose.random() < 0.2)
    monitor.finish()


TRIALS: list[Callable[[random.Random], None]] = [
    *[try_program, try_states, try_columns, try_arrays, try_rewards, try_plans, try_tables, try_frames, try_monitors, try_engines, try_simulators]
]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.__name__)
def test_arguments_never_make_the_engine_panic(trial: Callable[[random.Random], None]) -> None:
    refused = 0
    for index in range(COUNT // 10 if trial is try_plans else COUNT):
        try:
            trial(random.Random(f"{SEED} {trial.__name__} {index}"))
        except EXPECTED:
            refused += 1
        except pytest.skip.Exception:
            raise
        except BaseException as error:
            raise AssertionError(f"argument set {index} of seed {SEED}") from error
    assert refused > 0
