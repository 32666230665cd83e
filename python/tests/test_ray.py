"""Data sets scored by tasks of Ray: the rows are those of one process, also if a worker dies half-way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import goalspec
import pytest
from conftest import FILL, TANK_WORLD
from goalspec._score_table import TableTask, table_task
from test_score_table import RAISES, recording, text

pyarrow = pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray", reason="Ray is not installed: scoring on Ray is not tested")
pytest.importorskip("ray.data", reason="Ray Data is not installed: scoring on Ray is not tested")

import goalspec.ray  # noqa: E402


@pytest.fixture(name="cluster", scope="module", autouse=True)
def local_cluster() -> Iterator[None]:
    # The tests' folder is where the workers find this module.
    environment = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def tank() -> goalspec.Library:
    return goalspec.loads(TANK_WORLD, name="tank.world.toml").add(FILL, name="fill.game")


def traces(count: int) -> Any:
    states = [text([0.0, 2.0] * (k % 3) + [0.5]) for k in range(count)]
    states[7] = "{"
    states[11] = text([0.0] * 400)
    return pyarrow.table({"trace": list(range(count)), "states": states})


LIMITS = goalspec.TraceLimits(states=100)


def by_key(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["trace"], row["program"]))


@dataclass(frozen=True)
class KillingTask(TableTask):
    """A task that ends the worker of the batch with one of the traces, the first few times."""

    marks: str = ""
    trace: int = 0
    times: int = 0

    def __call__(self, table: Any) -> Any:
        if self.trace in table["trace"].to_pylist():
            deaths = len(os.listdir(self.marks))
            if deaths < self.times:
                open(f"{self.marks}/{deaths}", "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(table)


@pytest.fixture(name="kill")
def killing_tasks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int, int], Path]:
    """Return a function that makes tasks end the worker of a trace a number of times, and returns the folder with a file for each death."""

    def kill(trace: int, times: int) -> Path:
        marks = tmp_path / "marks"
        marks.mkdir()

        def task(*arguments: Any, **options: Any) -> KillingTask:
            return KillingTask(**vars(table_task(*arguments, **options)), marks=str(marks), trace=trace, times=times)

        monkeypatch.setattr(goalspec.ray, "table_task", task)
        return marks

    return kill


def test_a_worker_that_dies_half_way_changes_no_row(kill: Callable[[int, int], Path]) -> None:
    table = traces(200)
    expected = goalspec.score_table(tank(), table, limits=LIMITS).to_pylist()
    assert [row["trace"] for row in expected if row["error"] is not None] == [7, 11]
    assert "[trace/over-limit]" in expected[11]["error"]
    marks = kill(100, 1)
    dataset = ray.data.from_arrow(table).repartition(10)
    scored = goalspec.ray.score(dataset, tank(), batch_traces=20, limits=LIMITS, verify=True)
    assert len(list(marks.iterdir())) == 1
    assert by_key(scored.take_all()) == expected


def test_a_trace_that_always_kills_its_worker_ends_the_job(kill: Callable[[int, int], Path]) -> None:
    marks = kill(20, 1000)
    dataset = ray.data.from_arrow(traces(40)).repartition(4)
    scored = goalspec.ray.score(dataset, tank(), batch_traces=4, retries=2, limits=LIMITS)
    with pytest.raises(Exception, match="died|crashed|SYSTEM_ERROR|unexpectedly"):
        scored.take_all()
    assert len(list(marks.iterdir())) == 3


def test_order_is_kept_if_asked_for() -> None:
    table = traces(120)
    scored = goalspec.ray.score(
        ray.data.from_arrow(table).repartition(12), tank(), batch_traces=7, keep_order=True, limits=LIMITS
    )
    assert scored.take_all() == goalspec.score_table(tank(), table, limits=LIMITS).to_pylist()


def test_a_reward_function_that_raises_is_an_error_row() -> None:
    table = pyarrow.table({"trace": ["good", "bad"], "states": [recording([10, 11]), recording([10, 9, 8, 9])]})
    rows = goalspec.ray.score(ray.data.from_arrow(table), goalspec.loads(RAISES, name="raises.py")).take_all()
    errors = {row["trace"]: row["error"] for row in rows}
    assert errors["good"] is None
    assert "ZeroDivisionError" in errors["bad"]


def test_files_are_traces(tmp_path: Path) -> None:
    for k in range(5):
        (tmp_path / f"{k}.jsonl").write_text(text([0.0, 2.0] * (k + 1)))
    files = ray.data.read_binary_files(str(tmp_path), include_paths=True)
    dataset = files.rename_columns({"path": "trace", "bytes": "states"})
    rows = by_key(goalspec.ray.score(dataset, tank(), verify=True).take_all())
    assert [row["score"] for row in rows] == [1.0, 2.0, 2.0, 2.0, 2.0]
    assert all(row["trace"].endswith(f"{k}.jsonl") for k, row in enumerate(rows))


def test_wrong_data_sets_are_refused() -> None:
    entries = goalspec.TraceBatch([goalspec.Trace.from_columns(tank(), {"tank.level": [0.0]}, name="a")]).to_arrow()
    with pytest.raises(ValueError, match="a row for each entry of a state"):
        goalspec.ray.score(ray.data.from_arrow(entries), tank())
    with pytest.raises(ValueError, match="batches of at least one trace"):
        goalspec.ray.score(ray.data.from_arrow(traces(20)), tank(), batch_traces=0)
    with pytest.raises(ValueError, match="a number of retries"):
        goalspec.ray.score(ray.data.from_arrow(traces(20)), tank(), retries=-1)
    doubled = ray.data.from_arrow(pyarrow.concat_tables([traces(20), traces(20)]))
    with pytest.raises(goalspec.GoalspecError, match="20 distinct keys"):
        goalspec.ray.score(doubled, tank(), verify=True)
