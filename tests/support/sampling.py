"""Which of many inputs are tried at every run; the others are tried with all tests."""

from collections.abc import Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


def mostly_slow(values: Iterable[T], quick: int = 8) -> list[T | ParameterSet]:
    """Return the parameters of a test: one in `quick` of them is tried at every run."""
    return [
        value if at % quick == 0 else pytest.param(value, marks=pytest.mark.slow) for at, value in enumerate(values)
    ]
