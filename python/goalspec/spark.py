"""Scoring of data frames on a Spark cluster, by ``DataFrame.mapInArrow``. Requires ``pip install 'goalspec[spark]'``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from goalspec import _optional
from goalspec._errors import GoalspecError
from goalspec._score_table import TableTask, TraceLimits, describe_difference, table_task
from goalspec._scoring import Programs

__all__ = ["score"]

_ENTRY_COLUMNS = {"state", "kind"}

# Names of types of Arrow by the name of the type of Spark.
_TYPES = {"string": "StringType", "int64": "LongType", "double": "DoubleType", "bool": "BooleanType"}


class _Batches:
    """The function of ``mapInArrow``, which is pickled as its texts."""

    def __init__(self, task: TableTask, names: list[str]) -> None:
        self._task = task
        self._names = names

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from self._task(batch.rename_columns(self._names)).to_batches()


def _schema(df: Any, task: TableTask) -> Any:
    """Return the schema of the rows; the key has the type of the input."""
    types = _optional.require("pyspark.sql.types", "spark")
    pyarrow = _optional.require("pyarrow", "spark")
    empty = task(pyarrow.table({"trace": pyarrow.array([], pyarrow.string()), "states": pyarrow.array([], pyarrow.string())}))
    fields = [types.StructField("trace", df.schema["trace"].dataType)]
    fields += [types.StructField(field.name, getattr(types, _TYPES[str(field.type)])()) for field in list(empty.schema)[1:]]
    return types.StructType(fields)


def score(
    df: Any,
    programs: Programs,
    *,
    limits: TraceLimits | None = None,
    semantics: str = "spec",
    any_world: bool = False,
    verify: bool = False,
) -> Any:
    """Score the traces of a data frame by programs, with ``score_table`` in ``mapInArrow``.

    The programs travel as texts, and each worker compiles them once.

    Args:
        df: A ``pyspark.sql.DataFrame`` with one row for each trace: texts or lists, as ``score_table`` takes them. Files of traces are
            ``spark.read.format("binaryFile").load(path).selectExpr("path AS trace", "content AS states")``.
        programs: As in ``score_table``.
        limits: The limits for each trace, without which a trace could end its worker whenever it is tried.
        semantics: As in ``score_table``.
        any_world: As in ``score_table``.
        verify: Whether the data frame is computed at once, kept (``persist``), and checked by key: every trace has one row for each program.

    Returns:
        A ``pyspark.sql.DataFrame`` with the rows of ``score_table``, computed when it is used.

    Raises:
        CheckError: If a program has errors.
        KeyError: If the data frame has no column ``trace``.
        ValueError: If the data frame has several rows for a trace.
        GoalspecError: With ``verify``, if rows are missing or doubled.
        ImportError: If Spark is not installed.
    """
    _optional.require("pyspark", "spark")
    task = table_task(programs, limits=limits, semantics=semantics, any_world=any_world)
    if "trace" not in df.columns:
        names = ", ".join(f"`{name}`" for name in df.columns)
        raise KeyError(f"the data frame has no column `trace` with the keys of the traces; its columns are {names}")
    if set(df.columns) >= _ENTRY_COLUMNS:
        raise ValueError(
            "the data frame has a row for each entry of a state, and batches could split a trace: "
            "give it a row for each trace, such as `TraceBatch.to_arrow(by='trace')`"
        )
    # Spark reads a dot in the name of a column as a part of the column.
    plain = df.toDF(*(f"column_{index}" for index in range(len(df.columns))))
    scored = plain.mapInArrow(_Batches(task, list(df.columns)), _schema(df, task))
    if not verify:
        return scored
    scored = scored.persist()
    distinct = scored.select("trace", "program").distinct().count()
    wrong = describe_difference(df.count(), task.scorer().rows_per_trace(), scored.count(), distinct)
    if wrong is not None:
        raise GoalspecError(wrong)
    return scored
