"""Scoring of data sets on a Ray cluster, by tasks of ``ray.data``. Requires ``pip install 'goalspec[ray]'``."""

from __future__ import annotations

from typing import Any

from goalspec import _optional
from goalspec._errors import GoalspecError
from goalspec._score_table import TraceLimits, describe_difference, table_task
from goalspec._scoring import Programs

__all__ = ["score"]

_ENTRY_COLUMNS = {"state", "kind"}


def score(
    dataset: Any,
    programs: Programs,
    *,
    batch_traces: int = 4096,
    retries: int = 2,
    keep_order: bool = False,
    limits: TraceLimits | None = None,
    semantics: str = "spec",
    any_world: bool = False,
    verify: bool = False,
) -> Any:
    """Score the traces of a data set by programs, with ``score_table`` in tasks of ``Dataset.map_batches``.

    The programs travel as texts, and each worker compiles them once. A task whose worker dies runs again, and gives the same rows.

    Args:
        dataset: A ``ray.data.Dataset`` with one row for each trace: texts or lists, as ``score_table`` takes them. Files of traces are
            ``ray.data.read_binary_files(path, include_paths=True).rename_columns({"path": "trace", "bytes": "states"})``.
        programs: As in ``score_table``.
        batch_traces: The maximum number of traces of a batch.
        retries: How often a task runs again whose worker died. Then the job fails, instead of losing worker after worker.
        keep_order: Whether the rows are in the order of the traces. Otherwise the order is that in which batches are finished.
        limits: The limits for each trace, without which a trace could end its worker whenever it is tried.
        semantics: As in ``score_table``.
        any_world: As in ``score_table``.
        verify: Whether the data set is computed at once, and checked by key: every trace has one row for each program.

    Returns:
        A ``ray.data.Dataset`` with the rows of ``score_table``, computed when it is used.

    Raises:
        CheckError: If a program has errors.
        ValueError: If the data set has several rows for a trace, or an option is not positive.
        GoalspecError: With ``verify``, if rows are missing or doubled.
        ImportError: If Ray is not installed.
    """
    if batch_traces < 1:
        raise ValueError(f"expected batches of at least one trace, found {batch_traces}")
    if retries < 0:
        raise ValueError(f"expected a number of retries, found {retries}")
    _optional.require("ray.data", "ray")
    _optional.require("pyarrow", "ray")
    task = table_task(programs, limits=limits, semantics=semantics, any_world=any_world)
    columns = set(dataset.columns() or ())
    if columns >= _ENTRY_COLUMNS:
        raise ValueError(
            "the data set has a row for each entry of a state, and batches could split a trace: "
            "give it a row for each trace, such as `TraceBatch.to_arrow(by='trace')`"
        )
    # Tasks, not actors: as many actors as there are cores leave none for reading, and nothing moves.
    scored = dataset.map_batches(
        task,
        batch_size=batch_traces,
        batch_format="pyarrow",
        zero_copy_batch=True,
        ray_remote_args_fn=lambda: {"max_retries": retries},
    )
    if keep_order:
        scored.context.execution_options.preserve_order = True
    if not verify:
        return scored
    scored = scored.materialize()
    distinct = scored.groupby(["trace", "program"]).count().count()
    wrong = describe_difference(dataset.count(), task.scorer().rows_per_trace(), scored.count(), distinct)
    if wrong is not None:
        raise GoalspecError(wrong)
    return scored
