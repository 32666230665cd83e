"""Tables through the Arrow C stream interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import FILL, TANK_WORLD

import goalspec

LEVELS = [0.0, 1.5, 0.5, 2.0]


def tank() -> goalspec.Library:
    return goalspec.loads(FILL, name="fill.game", files={"tank.world.toml": TANK_WORLD})


def trace(name: str = "<columns>", levels: list[float] = LEVELS) -> goalspec.Trace:
    columns = {"tank.level": levels, "tank.on": [True] * len(levels), "leaking(tank)": [False] * len(levels)}
    return goalspec.Trace.from_columns(tank(), columns, time=np.arange(len(levels)), action=["fill"] * len(levels), name=name)


class Stream:
    """An object of another library: it has only the method of the interface."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_table_is_a_mapping_of_arrays() -> None:
    table = goalspec.score(tank(), trace()).table("preference")
    assert table["preference"].tolist() == ["filled"] and table["count"].tolist() == [2]
    assert table.num_rows == 1 and "count" in table and "x" not in table and len(table) == len(list(table))
    with pytest.raises(KeyError, match="unknown column `counts`"):
        table["counts"]
    assert "filled" in table._repr_html_()


def test_without_a_kind_the_table_is_that_of_the_programs() -> None:
    follow = "from ocatari.ram.pong import Ball\ndef reward_function(objects):\n    return float(len(objects))\n"
    rewards = goalspec.score(goalspec.loads(follow, name="follow.py"), frames_file())
    assert rewards.table()["frames"].tolist() == rewards.table("episode")["frames"].tolist() == [2]
    assert goalspec.score(tank(), trace()).table()["preference"].tolist() == ["filled"]
    with pytest.raises(ValueError, match="unknown table `row`"):
        rewards.table("row")


def frames_file() -> goalspec.Trace | str:
    import tempfile

    from goalspec._frames import recording

    ball = {"category": "Ball", "x": 60, "y": 79, "w": 2, "h": 4}
    frames = goalspec.Frames([[ball], [ball]], [0, 1], [0, 2], [False, True], [False, False], [0, 0])
    path = Path(tempfile.mkdtemp()) / "frames.jsonl"
    path.write_bytes(recording("atari/pong", frames))
    return str(path)


@pytest.mark.parametrize("by", ["preference", "state"])
def test_frames_of_other_libraries_equal_the_table(by: str) -> None:
    pyarrow, pandas, polars = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))
    report = goalspec.score(tank(), [trace(), trace("other", [0.0, 0.5])], per_step=True)
    table = report.table(by)
    converted = report.to_arrow(by), report.to_pandas(by), report.to_polars(by), pyarrow.table(Stream(table)), polars.DataFrame(Stream(table))
    for frame in converted:
        names = frame.column_names if isinstance(frame, pyarrow.Table) else list(frame.columns)
        assert names == list(table)
        for name in names:
            column = frame[name]
            values = column.to_pylist() if isinstance(frame, pyarrow.Table) else column.to_list()
            for value, cell in zip(values, table[name].tolist(), strict=True):
                missing = value is None or value is pandas.NA or value != value
                assert (cell is None or cell != cell) if missing else value == cell
    assert all(isinstance(kind, pandas.ArrowDtype) for kind in report.to_pandas(by).dtypes)


def test_a_report_is_a_stream_itself() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    report = goalspec.score(tank(), trace())
    assert pyarrow.table(report).equals(report.to_arrow())
    # A consumer may ask for other types.
    wanted = pyarrow.schema([field.with_type(pyarrow.large_string()) if field.type == pyarrow.string() else field for field in report.to_arrow().schema])
    assert pyarrow.RecordBatchReader.from_stream(report, wanted).read_all()["preference"].to_pylist() == ["filled"]


def test_traces_go_out_and_come_in_again(tmp_path: Path) -> None:
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    own = trace()
    table = own.to_arrow()
    assert set(table["kind"].to_pylist()) == {"state", "set", "not"}
    # The layout is that of Parquet files.
    own.save(tmp_path / "own.parquet")
    read = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "own.parquet")
    assert read.to_pydict() == table.to_pydict()
    frames = [table, own.to_polars(), Stream(own), table.to_batches()[0], own, table.cast(other_types(pyarrow, table.schema)), polars.from_arrow(table)]
    for frame in frames:
        other = goalspec.Trace.from_arrow(tank(), frame)
        assert other.to_list() == own.to_list()
        assert goalspec.score(tank(), other)[0].score == 2.0
    assert own.to_pandas()["state"].tolist()[-1] == len(LEVELS)


def other_types(pyarrow: Any, schema: Any) -> Any:
    def other(kind: Any) -> Any:
        return {pyarrow.int64(): pyarrow.int32(), pyarrow.string(): pyarrow.large_string()}.get(kind, kind)

    return pyarrow.schema([field.with_type(other(field.type)) for field in schema], metadata=schema.metadata)


def test_tables_that_are_no_traces_are_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = trace().to_arrow()
    with pytest.raises(KeyError, match="no column `state`"):
        goalspec.Trace.from_arrow(tank(), table.drop_columns(["state"]))
    with pytest.raises(TypeError, match="column `state`"):
        goalspec.Trace.from_arrow(tank(), table.set_column(0, "state", pyarrow.array([[1]] * len(table))))
    with pytest.raises(TypeError, match="an object with `__arrow_c_stream__`"):
        goalspec.Trace.from_arrow(tank(), {"state": [1]})
    with pytest.raises(ValueError, match="no value in `state`"):
        goalspec.Trace.from_arrow(tank(), table.set_column(0, "state", pyarrow.nulls(len(table), pyarrow.int64())))
    place = table.schema.get_field_index("name")
    with pytest.raises(goalspec.TraceError, match="levels"):
        goalspec.Trace.from_arrow(tank(), table.set_column(place, "name", pyarrow.array(["levels"] * len(table))))


def test_batches_of_traces_are_one_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    traces = [trace(f"run {number}", [0.0] * number + [1.5]) for number in range(1, 8)]
    batch = goalspec.TraceBatch(traces)
    table = batch.to_arrow()
    again = goalspec.TraceBatch.from_arrow(tank(), table)
    assert again.keys == batch.keys == [f"run {number}" for number in range(1, 8)]
    assert [one.to_list() for one in again] == [one.to_list() for one in traces]
    # Row groups are smaller than traces.
    parquet.write_table(table, tmp_path / "many.parquet", row_group_size=5)
    batches = list(goalspec.read_traces(tmp_path / "many.parquet", tank(), batch=3))
    assert [len(one) for one in batches] == [3, 3, 1]
    read = [one for batch in batches for one in batch]
    assert [one.name for one in read] == batch.keys
    assert [one.to_list() for one in read] == [one.to_list() for one in traces]
    assert [outcome.score for outcome in goalspec.score(tank(), batches[0])] == [1.0, 1.0, 1.0]
    assert len(batch[1:3]) == 2 and batch[-1].name == "run 7"
    with pytest.raises(ValueError, match="several traces"):
        goalspec.Trace.from_arrow(tank(), table)
    with pytest.raises(ValueError, match="names no built-in world"):
        goalspec.read_traces(tmp_path / "many.parquet")
    with pytest.raises(ValueError, match="at least 1 trace"):
        goalspec.read_traces(tmp_path / "many.parquet", tank(), batch=0)


def test_a_table_without_keys_is_one_trace(tmp_path: Path) -> None:
    trace().save(tmp_path / "one.parquet")
    (batch,) = goalspec.read_traces(tmp_path / "one.parquet", tank())
    assert [one.to_list() for one in batch] == [trace().to_list()]
    (tmp_path / "no.parquet").write_text("no")
    with pytest.raises(goalspec.TraceError, match="no.parquet"):
        goalspec.read_traces(tmp_path / "no.parquet", tank())


def test_the_rows_of_a_trace_follow_one_another(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = goalspec.TraceBatch([trace("a"), trace("b")]).to_arrow()
    scattered = pyarrow.concat_tables([table, table.slice(0, table.num_rows // 2)])
    parquet.write_table(scattered, tmp_path / "many.parquet")
    with pytest.raises(ValueError, match="rows of the trace `a` do not follow one another"):
        goalspec.TraceBatch.from_arrow(tank(), scattered)
    with pytest.raises(goalspec.TraceError, match="rows of the trace `a` do not follow one another"):
        list(goalspec.read_traces(tmp_path / "many.parquet", tank()))


def test_integer_keys_are_texts(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = goalspec.TraceBatch([trace("7"), trace("8")]).to_arrow()
    numbered = table.set_column(0, "trace", table["trace"].cast(pyarrow.int64()))
    parquet.write_table(numbered, tmp_path / "many.parquet")
    (batch,) = goalspec.read_traces(tmp_path / "many.parquet", tank())
    assert batch.keys == goalspec.TraceBatch.from_arrow(tank(), numbered).keys == ["7", "8"]


@pytest.mark.parametrize(("method", "module", "extra"), [("to_arrow", "pyarrow", "arrow"), ("to_pandas", "pandas", "pandas"), ("to_polars", "polars", "polars")])
def test_a_missing_package_is_one_sentence(method: str, module: str, extra: str) -> None:
    code = f"""
import sys
sys.modules[{module!r}] = None
import goalspec
try:
    goalspec.score(goalspec.load("@throw-to-bin")).{method}()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"this requires {module}: `pip install 'goalspec[{extra}]'`\n"


def test_importing_the_package_imports_numpy_alone() -> None:
    code = "import sys, goalspec; print([name for name in ('pyarrow', 'pandas', 'polars', 'tqdm') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
