"""Tables of traces, scored as tables: every form of traces, errors and limits as rows, and equal rows in every process."""

from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import goalspec
import numpy as np
import pytest
from conftest import FILL, TANK_WORLD
from goalspec._score_table import TableTask, table_task

pyarrow = pytest.importorskip("pyarrow")

HEADER = '{"format":"goalspec-trace","version":1,"world":"tank"}\n'

# A game whose bindings are the pairs of many objects, and one whose conditions take work.
CROWD_WORLD = """
name = "crowd"
[types]
person = {}
[objects]
PEOPLE
[attributes]
size = { kind = "real", of = "person" }
[functions]
size = { parameters = "?p - person", attribute = "size" }
"""

PAIRS = """
(define (game pairs) (:domain crowd)
    (:constraints (preference taller (exists (?a ?b - person) (at-end (> (size ?a) (size ?b))))))
    (:scoring (count taller)))
"""

# A reward function that raises in the frames with a large ball.
RAISES = """
from ocatari.ram.pong import Ball

def reward_function(objects):
    ball = next(one for one in objects if isinstance(one, Ball))
    return 1 / (ball.w - 9)
"""


@pytest.fixture(name="tank")
def tank_library() -> goalspec.Library:
    return goalspec.loads(TANK_WORLD, name="tank.world.toml").add(FILL, name="fill.game")


def text(levels: list[float]) -> str:
    states = (json.dumps({"set": {"tank": {"level": level}}}) for level in levels)
    return HEADER + "".join(f"{state}\n" for state in states)


def texts(runs: dict[Any, list[float]]) -> Any:
    return pyarrow.table({"trace": list(runs), "states": [text(levels) for levels in runs.values()]})


RUNS: dict[Any, list[float]] = {f"run {k}": [0.0, 2.0] * (k % 3) + [0.5] for k in range(20)}


def test_all_forms_have_equal_rows(tank: goalspec.Library) -> None:
    traces = [goalspec.Trace.from_columns(tank, {"tank.level": levels}, name=name) for name, levels in RUNS.items()]
    batch = goalspec.TraceBatch(traces)
    by_text = texts(RUNS)
    compressed = pyarrow.table({"trace": list(RUNS), "states": [gzip.compress(text(run).encode()) for run in RUNS.values()]})
    lists = pyarrow.table({"trace": list(RUNS), "tank.level": list(RUNS.values())})
    scores = [min(k % 3, 2) for k in range(20)]
    expected = goalspec.score_table(tank, by_text)
    assert expected["score"].to_pylist() == scores
    assert expected["count_filled"].to_pylist() == scores
    assert expected["error"].null_count == len(RUNS)
    assert expected["trace"].to_pylist() == list(RUNS)
    assert expected["terminal"].to_pylist() == [4 if k % 3 == 2 else None for k in range(20)]
    pandas = pytest.importorskip("pandas")
    for table in (batch, batch.to_arrow(), batch.to_arrow(by="trace"), compressed, lists):
        assert goalspec.score_table(tank, table).equals(expected)
    frame = goalspec.score_table(tank, pandas.DataFrame(lists.to_pydict()))
    assert frame.to_pylist() == expected.to_pylist()
    assert goalspec.score_table(tank, by_text, jobs=4).equals(expected)
    assert goalspec.score_table(tank, by_text, engine="reference").equals(expected)
    with pytest.raises(ValueError, match="unknown layout `rows`: expected `entry` or `trace`"):
        batch.to_arrow(by="rows")


def test_the_rows_are_the_scores_of_score(tank: goalspec.Library) -> None:
    traces = [goalspec.Trace.from_columns(tank, {"tank.level": run}, name=name) for name, run in RUNS.items()]
    report = goalspec.score(tank, traces)
    rows = goalspec.score_table(tank, texts(RUNS)).to_pylist()
    assert [(row["trace"], row["score"], row["states"], row["terminal"]) for row in rows] == [
        (outcome.trace, outcome.score, outcome.states, outcome.terminal) for outcome in report
    ]


@pytest.mark.parametrize("kind", ["int8", "uint32", "int64", "large_string", "string_view", "string"])
def test_keys_come_back_in_their_type(tank: goalspec.Library, kind: str) -> None:
    keys = pyarrow.array([3, 1, 2]).cast(pyarrow.string()).cast(getattr(pyarrow, kind)())
    table = pyarrow.table({"trace": keys, "tank.level": [[0.0, 2.0], [0.0], [0.0, 2.0, 0.0, 2.0]]})
    rows = goalspec.score_table(tank, table)
    assert rows["trace"].combine_chunks().equals(keys)
    assert rows.schema.field("trace").type == keys.type
    assert goalspec.score_table(tank, table.slice(0, 0)).schema == rows.schema


def test_vectors_facts_and_missing_values(tank: goalspec.Library) -> None:
    table = pyarrow.table(
        {
            "trace": ["full", "missing", "ragged", "short", "fraction"],
            "tank.level": [[0.0, 2.0], [0.0, None, 2.0], [0.0, 2.0], [0.0], [0.0, 2.0]],
            "tank.position": [[[0, 0, 0], [1, 2, 3]], None, [[0, 0, 0], [1, 2]], [[0, 0, 0]], None],
            "leaking(tank)": [[True, False], [None, None, True], [True, True], [False, True], [True, True]],
            "tank.count": [[1.0, 2.0], None, None, None, [1.0, 2.5]],
            "time": [[0.0, 0.5], None, None, None, None],
            "action": [[None, "fill"], None, None, None, None],
        }
    )
    rows = {row["trace"]: row for row in goalspec.score_table(tank, table).to_pylist()}
    assert [rows[key]["score"] for key in ("full", "missing")] == [1.0, 1.0]
    for key, message in {
        "ragged": "expected vectors of 3 numbers, found one of 2 in state 2",
        "short": "the lists of the trace have 1 and 2 values",
        "fraction": "column `tank.count`: expected an integer",
    }.items():
        assert message in rows[key]["error"]
        assert rows[key]["score"] is rows[key]["states"] is None


def test_a_trace_that_cannot_be_read_is_an_error_row(tank: goalspec.Library) -> None:
    table = pyarrow.table({"trace": ["a", "b", "c", None, "e"], "states": [text([0, 2]), "{", None, text([0]), HEADER]})
    rows = goalspec.score_table(tank, table).to_pylist()
    assert [row["trace"] for row in rows] == ["a", "b", "c", None, "e"]
    assert [row["score"] for row in rows] == [1.0, None, None, None, None]
    found = [row["error"] for row in rows]
    assert found[0] is None
    assert "[trace/" in found[1]
    assert found[2:4] == ["the trace has no text [trace/wrong-type]", "the trace has no key [trace/wrong-type]"]
    assert "[trace/empty]" in found[4]
    with pytest.raises(goalspec.TraceError, match="trace"):
        goalspec.score_table(tank, table, on_error="raise")


def test_limits_are_error_rows(tank: goalspec.Library) -> None:
    runs: dict[Any, list[float]] = {"short": [0.0, 2.0], "long": [0.0] * 5000 + [0.5, 0.2] * 10}

    def errors(limits: goalspec.TraceLimits) -> list[str | None]:
        found: list[str | None] = goalspec.score_table(tank, texts(runs), limits=limits)["error"].to_pylist()
        return found

    assert errors(goalspec.TraceLimits()) == [None, None]
    for limits, message in {
        goalspec.TraceLimits(states=100): "the limit of 100 states per trace is exceeded [trace/over-limit]",
        goalspec.TraceLimits(bytes=1000): "the limit of 1000 bytes per trace is exceeded [trace/over-limit]",
        goalspec.TraceLimits(work=30): "[run/over-budget]",
    }.items():
        short, long = errors(limits)
        assert short is None
        assert long is not None and message in long
    for error in errors(goalspec.TraceLimits(seconds=1e-9)):
        assert error is not None and "of time per trace is exceeded [trace/over-limit]" in error
    bomb = pyarrow.table({"trace": [0], "states": [gzip.compress(text([0.0]).encode() + b" " * (1 << 24))]})
    found = goalspec.score_table(tank, bomb, limits=goalspec.TraceLimits(bytes=1 << 20))
    assert "bytes per trace is exceeded [trace/over-limit]" in found["error"][0].as_py()


def test_bindings_and_memory_are_limited() -> None:
    people = "\n".join(f'p{k} = {{ type = "person", name = "p{k}" }}' for k in range(100))
    crowd = goalspec.loads(CROWD_WORLD.replace("PEOPLE", people), name="crowd.world.toml").add(PAIRS, name="pairs.game")
    table = pyarrow.table({"trace": [0], "p0.size": [[1.0, 2.0]], "p1.size": [[2.0, 1.0]]})
    assert goalspec.score_table(crowd, table)["score"].to_pylist() == [1.0]
    for engine in ("fast", "reference"):
        limits = goalspec.TraceLimits(bindings=9_999)
        error = goalspec.score_table(crowd, table, limits=limits, engine=engine)["error"][0].as_py()
        assert "has 10000 bindings; the limit is 9999" in error
        limits = goalspec.TraceLimits(bindings=10_000)
        assert goalspec.score_table(crowd, table, limits=limits, engine=engine)["error"].null_count == 1
    error = goalspec.score_table(crowd, table, limits=goalspec.TraceLimits(memory=1000))["error"][0].as_py()
    assert "its bindings and conditions take" in error


def recording(widths: list[int]) -> str:
    head = {"format": "goalspec-screens-1", "game": "pong", "hud": True}
    lines = [json.dumps(head)]
    for index, width in enumerate(widths):
        row = ["Ball", 60, 79, width, 4, 60, 79, 0, 1, [0, 0, 0], None]
        frame = {"t": index, "ep": 0, "a": None if index == 0 else 0, "r": 0.0, "term": False, "trunc": False, "objs": [row]}
        lines.append(json.dumps(frame))
    return "\n".join(lines) + "\n"


def test_a_reward_function_that_raises_is_an_error_row() -> None:
    library = goalspec.loads(RAISES, name="raises.py")
    table = pyarrow.table({"trace": [1, 2], "states": [recording([10, 11]), recording([10, 9, 8, 9])]})
    good, bad = goalspec.score_table(library, table).to_pylist()
    assert (good["score"], good["states"], good["error"]) == (1.5, 2, None)
    assert bad["score"] is None
    assert bad["error"].startswith("ZeroDivisionError: ")
    assert bad["error"].endswith("in line 6 (in 2 of 4 frames, first in frame 1)")
    limited = goalspec.score_table(library, table, limits=goalspec.TraceLimits(states=3)).to_pylist()
    assert limited[0] == good
    assert "the limit of 3 states" in limited[1]["error"]


def test_several_programs_and_worlds(tank: goalspec.Library) -> None:
    both = tank.add(FILL.replace("game fill", "game again").replace("filled", "refilled"), name="again.game")
    both = both.add(RAISES, name="raises.py")
    table = pyarrow.table({"trace": ["tank", "pong"], "states": [text([0, 2]), recording([10])]})
    rows = goalspec.score_table(both, table).to_pylist()
    assert [(row["trace"], row["program"]) for row in rows] == [
        (trace, program) for trace in ("tank", "pong") for program in ("fill.game", "again.game", "raises.py")
    ]
    assert [row["score"] for row in rows] == [1.0, 1.0, None, None, None, 1.0]
    assert [(row["count_filled"], row["count_refilled"]) for row in rows[:2]] == [(1, None), (None, 1)]
    assert all(rows[place]["error"] is not None for place in (2, 3, 4))
    # The rows of a program do not depend on the programs beside it.
    alone = goalspec.score_table(both["again.game"], table).to_pylist()
    assert [row["score"] for row in alone] == [1.0, None]


def test_wrong_calls_are_refused(tank: goalspec.Library, examples: Path) -> None:
    with pytest.raises(KeyError, match="no column `trace`"):
        goalspec.score_table(tank, pyarrow.table({"key": [1]}))
    with pytest.raises(TypeError, match="expected texts or integers, found Float64"):
        goalspec.score_table(tank, pyarrow.table({"trace": [1.5], "states": [""]}))
    with pytest.raises(ValueError, match="no columns of states"):
        goalspec.score_table(tank, pyarrow.table({"trace": [1]}))
    with pytest.raises(TypeError, match="expected a list for each trace, found Float64"):
        goalspec.score_table(tank, pyarrow.table({"trace": [1], "tank.level": [1.0]}))
    with pytest.raises(TypeError, match="expected an Arrow table"):
        goalspec.score_table(tank, [1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown value `none` for on_error"):
        goalspec.score_table(tank, texts(RUNS), on_error="none")
    with pytest.raises(ValueError, match="at least one job"):
        goalspec.score_table(tank, texts(RUNS), jobs=0)
    with pytest.raises(ValueError, match="positive number for the limit `states`, found 0"):
        goalspec.TraceLimits(states=0)
    with pytest.raises(goalspec.RefusedError, match="is a planning problem"):
        goalspec.score_table(examples / "pddl/delivery/one_van.pddl", texts(RUNS))
    entries = goalspec.TraceBatch(
        goalspec.Trace.from_columns(tank, {"tank.level": [0.0]}, name=name) for name in ("a", "b")
    ).to_arrow()
    with pytest.raises(ValueError, match="the rows of the trace `a` do not follow one another"):
        goalspec.score_table(tank, pyarrow.concat_tables([entries, entries]))


def test_an_unknown_column_is_an_error_of_every_trace(tank: goalspec.Library) -> None:
    rows = goalspec.score_table(tank, pyarrow.table({"trace": [1, 2], "tank.levle": [[0.0], [1.0]]}))
    for error in rows["error"].to_pylist():
        assert "unknown attribute `levle`" in error


def test_tasks_travel_as_texts_and_are_compiled_once(tank: goalspec.Library) -> None:
    task = table_task(tank, limits=goalspec.TraceLimits(states=7))
    copy: TableTask = pickle.loads(pickle.dumps(task))
    assert copy == task
    assert copy.scorer() is task.scorer()
    again = goalspec.loads(TANK_WORLD, name="tank.world.toml").add(FILL, name="fill.game")
    assert table_task(again, limits=goalspec.TraceLimits(states=7)).scorer() is task.scorer()
    assert table_task(again, limits=goalspec.TraceLimits(states=8)).scorer() is not task.scorer()


def test_another_process_has_equal_rows(tank: goalspec.Library, tmp_path: Path) -> None:
    (tmp_path / "task").write_bytes(pickle.dumps((table_task(tank), texts(RUNS))))
    program = "import pickle, sys; task, table = pickle.load(open(sys.argv[1], 'rb')); pickle.dump(task(table), sys.stdout.buffer)"
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "task"], capture_output=True, check=True)
    assert pickle.loads(done.stdout).equals(goalspec.score_table(tank, texts(RUNS)))


def keyed_parquet(path: Path, tank: goalspec.Library, keys: range, group: int) -> None:
    import pyarrow.parquet

    runs = (goalspec.Trace.from_columns(tank, {"tank.level": [0.0, 2.0] * (k % 4)} | {"tank.level": [0.0, 2.0] * (k % 4) + [0.0]}, name=str(k)) for k in keys)
    pyarrow.parquet.write_table(goalspec.TraceBatch(runs).to_arrow(), path, row_group_size=group)


@pytest.mark.parametrize("shards", [1, 3, 7])
@pytest.mark.parametrize("group", [1, 5, 64, 100_000])
def test_shards_of_tables_are_all_traces(tank: goalspec.Library, tmp_path: Path, shards: int, group: int) -> None:
    import pyarrow.parquet

    (tmp_path / "tank.world.toml").write_text(TANK_WORLD)
    (tmp_path / "fill.game").write_text(FILL)
    data = tmp_path / "data"
    data.mkdir()
    keyed_parquet(data / "a.parquet", tank, range(0, 40), group)
    (data / "b.jsonl").write_text(text([0.0, 2.0]))
    keyed_parquet(data / "c.parquet", tank, range(40, 61), group)
    found = []
    for number in range(1, shards + 1):
        arguments = ["score", "--shard", f"{number}/{shards}", "-o", "part-{i}.parquet", "fill.game", "tank.world.toml", "data"]
        done = subprocess.run(
            [sys.executable, "-m", "goalspec", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found.append(pyarrow.parquet.read_table(tmp_path / f"part-{number}.parquet"))
    assert {len(part) for part in found} <= {62 // shards, 62 // shards + 1}
    rows = pyarrow.concat_tables(found).to_pydict()
    keys = [*map(str, range(40)), "data/b.jsonl", *map(str, range(40, 61))]
    assert rows["trace"] == keys
    assert rows["error"] == [None] * 62
    assert rows["score"] == [1.0 if key == "data/b.jsonl" else min(int(key) % 4, 2) for key in keys]


def test_numpy_arrays_of_lists_are_taken(tank: goalspec.Library) -> None:
    levels = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(np.tile([0.0, 2.0], 3).astype(np.float32)), 2)
    rows = goalspec.score_table(tank, pyarrow.table({"trace": [0, 1, 2], "tank.level": levels}))
    assert rows["score"].to_pylist() == [1.0, 1.0, 1.0]
