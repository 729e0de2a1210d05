"""Which of many inputs and tests are tried at every run; the others are tried with all tests."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


def mostly_slow(values: Iterable[T], quick: int = 8) -> list[T | ParameterSet]:
    """Return the parameters of a test: one in `quick` of them is tried at every run."""
    return [
        value if at % quick == 0 else pytest.param(value, marks=pytest.mark.slow) for at, value in enumerate(values)
    ]


def lies_in(item: pytest.Item, folder: Path) -> bool:
    """Return whether a test's file is below a folder, by its text: paths take a second for the tests that there are."""
    return str(item.path).startswith(f"{folder}/")


def mark_rest_as_slow(items: Iterable[pytest.Item], folder: Path, *, a_file: int) -> None:
    """Leave at most `a_file` tests of each file below a folder, evenly spread, to every run; mark the others as slow.

    For files that show one rule on many pages, each of which costs a browser half a second.
    """
    files: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if lies_in(item, folder) and item.get_closest_marker("slow") is None:
            files[item.path].append(item)
    for tests in files.values():
        step = max(len(tests) / a_file, 1)
        kept = {int(number * step) for number in range(a_file)}
        for index, test in enumerate(tests):
            if index not in kept:
                test.add_marker(pytest.mark.slow)
