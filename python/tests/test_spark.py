"""Data frames scored by Spark: the rows are those of one process, also if a worker dies half-way."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import goalspec
import pytest
from conftest import FILL, TANK_WORLD
from test_score_table import text

pyarrow = pytest.importorskip("pyarrow")
sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: scoring on Spark is not tested")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java: scoring on Spark is not tested", allow_module_level=True)

import goalspec.spark  # noqa: E402

LIMITS = goalspec.TraceLimits(states=100)


@pytest.fixture(name="spark", scope="module")
def local_session() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2,4]").appName("goalspec")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": str(Path(__file__).parent),
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def tank() -> goalspec.Library:
    return goalspec.loads(TANK_WORLD, name="tank.world.toml").add(FILL, name="fill.game")


def traces(count: int) -> list[tuple[int, str]]:
    rows = [(k, text([0.0, 2.0] * (k % 3) + [0.5])) for k in range(count)]
    rows[7] = (7, "{")
    rows[11] = (11, text([0.0] * 400))
    return rows


def one_process(rows: list[tuple[Any, str]]) -> list[dict[str, Any]]:
    keys, states = zip(*rows, strict=True)
    table = pyarrow.table({"trace": list(keys), "states": list(states)})
    found: list[dict[str, Any]] = goalspec.score_table(tank(), table, limits=LIMITS).to_pylist()
    return found


def collected(df: Any) -> list[dict[str, Any]]:
    return sorted((row.asDict() for row in df.collect()), key=lambda row: row["trace"])


def test_a_worker_that_dies_half_way_changes_no_row(spark: Any, tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")

    def kill_once(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if 60 in batch["trace"].to_pylist() and not os.path.exists(mark):
                open(mark, "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    rows = traces(120)
    frame = spark.createDataFrame(rows, "trace long, states string").repartition(6)
    expected = one_process(rows)
    assert [row["trace"] for row in expected if row["error"] is not None] == [7, 11]
    scored = goalspec.spark.score(frame.mapInArrow(kill_once, frame.schema), tank(), limits=LIMITS, verify=True)
    assert os.path.exists(mark)
    assert collected(scored) == expected


def test_keys_and_lists_keep_their_types(spark: Any) -> None:
    frame = spark.createDataFrame([("a", [0.0, 2.0]), ("b", [0.0])], "trace string, `tank.level` array<double>")
    scored = goalspec.spark.score(frame, tank())
    assert scored.schema["trace"].dataType == frame.schema["trace"].dataType
    assert [(row["trace"], row["score"], row["count_filled"]) for row in collected(scored)] == [("a", 1.0, 1), ("b", 0.0, 0)]


def test_files_are_traces(spark: Any, tmp_path: Path) -> None:
    for k in range(4):
        (tmp_path / f"{k}.jsonl").write_text(text([0.0, 2.0] * (k + 1)))
    files = spark.read.format("binaryFile").load(str(tmp_path)).selectExpr("path AS trace", "content AS states")
    assert [row["score"] for row in collected(goalspec.spark.score(files, tank(), verify=True))] == [1.0, 2.0, 2.0, 2.0]


def test_wrong_data_frames_are_refused(spark: Any) -> None:
    with pytest.raises(KeyError, match="no column `trace`"):
        goalspec.spark.score(spark.createDataFrame([(1,)], "key long"), tank())
    with pytest.raises(ValueError, match="a row for each entry of a state"):
        goalspec.spark.score(spark.createDataFrame([("a", 1, "set")], "trace string, state long, kind string"), tank())
    doubled = spark.createDataFrame([(1, text([0.0]))] * 2, "trace long, states string")
    with pytest.raises(goalspec.GoalspecError, match="1 distinct keys"):
        goalspec.spark.score(doubled, tank(), verify=True)
