"""Where submissions are graded: in processes of this machine, or on the workers of a Dask scheduler."""

from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import multiprocessing
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from typing import TypeVar

from .errors import GradingRefused

_PARENT_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)
_ANSWER = 30
_WORKER = 60
"""How many seconds a scheduler may take to answer, and its first worker to come."""

T = TypeVar("T")
R = TypeVar("R")


def processes(jobs: int, scratch: Path) -> Executor:
    """That many processes of this machine; what they leave in temporary folders is left below `scratch`."""
    context = multiprocessing.get_context("fork")
    return concurrent.futures.ProcessPoolExecutor(jobs, context, initializer=_bound, initargs=(str(scratch),))


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of the Dask scheduler at an address, such as tcp://10.0.0.1:8786.

    A worker that dies loses nothing: the scheduler gives what it had to another. Raises `GradingRefused`
    where the extra is missing, the scheduler does not answer or it has no worker.
    """
    try:
        import distributed
    except ImportError:
        raise GradingRefused(
            "grading on a cluster needs the extra `cluster`",
            "the package distributed is not installed.",
            "Install it: pip install 'forge-workbook[cluster]', here and on every worker.",
        ) from None
    try:
        client = distributed.Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise GradingRefused(
            "no scheduler answers",
            f"{address}: {type(error).__name__}.",
            "Start one with `dask scheduler`, and name the address that it prints.",
        ) from None
    with contextlib.closing(client):
        try:
            client.wait_for_workers(1, timeout=_WORKER)
        except TimeoutError:
            raise GradingRefused(
                "the scheduler has no worker",
                f"{address} had none for {_WORKER} s.",
                "Start some where the course is installed: dask worker ADDRESS --nthreads 1 --nworkers -1",
            ) from None
        yield client.get_executor(pure=False)


def spread(
    executor: Executor, work: Callable[[T], R], tasks: Iterable[T], *, ahead: int
) -> Iterator[tuple[int, R | Exception]]:
    """The number of each task and its result, or why there is none; at most `ahead` wait at the workers."""
    waiting: dict[concurrent.futures.Future[R], int] = {}
    left = enumerate(tasks)
    try:
        while True:
            with contextlib.suppress(concurrent.futures.BrokenExecutor):
                for number, task in islice(left, ahead - len(waiting)):
                    waiting[executor.submit(work, task)] = number
            if not waiting:
                return
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                number = waiting.pop(future)
                try:
                    result: R | Exception = future.result()
                except (Exception, concurrent.futures.CancelledError) as error:
                    result = error
                yield number, result
    finally:
        for future in waiting:
            future.cancel()


def _bound(scratch: str) -> None:
    """End this worker when the command ends, however it ends; its kernels end with it."""
    tempfile.tempdir = scratch
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
    except (OSError, AttributeError):
        return  # not Linux
