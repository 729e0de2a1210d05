"""What the bench of critic, validator and recovery adds up."""

import importlib
import sys
from pathlib import Path
from typing import Any

from muster_protocol.causes import Cause
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
around: Any = importlib.import_module("around")
scoring: Any = importlib.import_module("scoring")


def ended(status: str, cause: Cause | None, fault: Cause | None) -> Any:
    usage = Usage(model_calls=2, input_tokens=100, output_tokens=10)
    verdict = Verdict(run="r", name="n", status=status, cause=cause, usage=usage)  # pyright: ignore[reportArgumentType]
    return scoring.Result(scoring.Trial("case", "bug" if fault else "", fault), verdict, 1.5)


def test_wrong_verdicts_and_what_was_spent_are_counted_in_each_mode():
    results = [
        ended("pass", None, None),
        ended("fail", Cause.PRODUCT, None),
        ended("pass", None, Cause.PRODUCT),
        ended("fail", Cause.PRODUCT, Cause.PRODUCT),
        scoring.Result(scoring.Trial("case", "bug", Cause.PRODUCT), None, 2.0),
    ]
    assert around.row_of("off", results) == around.Row("off", 5, 1, 1, 1, 8, 440, 8.0)
