"""Progress of long calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def observer(progress: bool | Callable[[int, int], object] | None) -> Iterator[Callable[[int, int], object] | None]:
    """Give a function of the numbers of steps done and of all steps: ``progress`` itself, or for ``True`` one that moves a progress bar."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        yield progress
        return
    try:
        tqdm = import_module("tqdm.auto").tqdm
    except ImportError as error:
        raise ImportError("progress=True requires tqdm: `pip install tqdm`") from error
    with tqdm() as bar:

        def move(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield move
