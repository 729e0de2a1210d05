"""Descriptions of the API's responses, and examples."""

from http import HTTPStatus
from typing import Any, cast

from litestar.openapi import ResponseSpec
from litestar.openapi.spec import (
    Example,
)

from muster_gateway.description.request_bodies import REQUEST
from muster_gateway.problem_details import MEDIA_TYPE, Problem
from muster_gateway.views import Submitted

RUN = "run-3f9c0a1b2c3d4e5f"

SUBMITTED = {"run": RUN, "duplicate": False, "runs": [{"run": RUN, "duplicate": False}]}

STEERED = {"run": RUN, "changed": True}

RERUNS = {"runs": [{"run": "run-77aa0b1c2d3e4f50", "rerun_of": RUN, "duplicate": False}]}

ROW: dict[str, object] = {
    "run": RUN,
    "name": "A visitor buys a backpack",
    "status": "fail",
    "cause": "product",
    "summary": "the page title is not what was expected",
    "suite": "smoke",
    "tags": ["smoke"],
    "done": 1,
    "total": 12,
    "tokens": 4210,
    "cost": 0.0063,
    "model_calls": 5,
    "requested_at": 1796000000.0,
    "started_at": 1796000000.2,
    "ended_at": 1796000003.4,
}

RUN_LIST = {"runs": [ROW], "cursor": ""}

CHANGES = f"""event: live
data: {{"cursor": 811}}
id: 811

event: row
data: {{"run": "{RUN}", "name": "A visitor buys a backpack", "status": "running", "done": 1, "total": 12}}
id: 812

"""

VERDICT: dict[str, object] = {
    "run": RUN,
    "name": "A visitor buys a backpack",
    "status": "fail",
    "cause": "product",
    "summary": "the page title is not what was expected",
    "failed_node": "n1",
    "expected": "Demo shop",
    "seen": "Error",
    "where": "http://127.0.0.1:8000/login",
    "duration": 3.2,
}

NODE: dict[str, object] = {
    "id": "n1",
    "kind": "step",
    "state": "failed",
    "status": "fail",
    "title": 'Open "http://127.0.0.1:8000/login"',
    "number": 1,
    "description": 'Open "http://127.0.0.1:8000/login"',
    "attempt": 1,
    "usage": {"calls": 2, "model_calls": 1, "input_tokens": 3900, "output_tokens": 310, "cost": 0.0063},
    "clauses": [],
    "artifacts": ["n1.1/page.png"],
}

FAILURE = {
    "node": "n1",
    "summary": "the page title is not what was expected",
    "expected": "Demo shop",
    "seen": "Error",
    "where": "http://127.0.0.1:8000/login",
    "cause": "product",
    "meaning": "the product did not do what was expected",
    "why": "the expectation was checked and does not hold",
    "literals": ["Demo shop"],
}

RUN_VIEW = {
    "run": ROW,
    "request": REQUEST,
    "nodes": [NODE],
    "verdict": VERDICT,
    "waits_for": "",
    "questions": [{"id": f"{RUN}.n1.1:0", "text": "Which code is in the mail?", "node": "n1"}],
    "history": [{"at": 1796000000.3, "text": "Session main opened on sessions-1", "bad": False}],
    "failure": FAILURE,
    "focus": "n1",
    "refused": {"cancel": "The run is over (fail)."},
}
RUN_MOMENT = {
    "event": {"number": 3, "at": 1796000001.5, "type": "dispatched", "text": "run-3f9c0a1b2c3d4e5f.step-1.1: Log in"},
    "events": 12,
    "run": RUN_VIEW,
    "waits": ["step-1 is queued or with a worker", "step-2 waits for step-1 (running)"],
    "next_at": 0.0,
}

EVENTS = {
    "entries": [{"sequence": 812, "epoch": 1, "at": 1796000000.2, "events": [{"type": "run_closed"}]}],
    "cursor": 812,
}

ARTIFACTS = {
    "artifacts": [
        {
            "name": "n1.1/page.png",
            "size": 48211,
            "content_type": "image/png",
            "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "stored_at": "2026-11-21T23:18:00+00:00",
            "element": {"x": 391.0, "y": 239.0, "width": 497.0, "height": 44.0},
        }
    ]
}

_FAILURES: dict[int, tuple[str, str]] = {
    400: ("The request is invalid", "steps[0].action: it must not be empty"),
    404: (
        "Not found",
        "there is no run 'run-1'; GET /runs lists all runs",
    ),
    409: ("Conflicts with the current state", "run 'run-1' exists with another job; use another id or idempotency key"),
    413: ("The body is too large", "the body is too large, the limit is 1048576 bytes"),
    415: ("The content type is not supported", "send application/json or application/yaml"),
    416: ("The range is outside the file", "the range is outside the file, which has 48211 bytes"),
    503: (
        "Unavailable; Retry-After says when to try again",
        "NATS is unreachable: this gateway has no connection to it",
    ),
}


def failures(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the descriptions of an operation's error responses."""
    return {status: _failure(status) for status in statuses}


def _failure(status: int) -> ResponseSpec:
    description, reason = _FAILURES[status]
    problem = {"status": status, "title": HTTPStatus(status).phrase, "reasons": [reason]}
    return ResponseSpec(
        Problem,
        generate_examples=False,
        description=description,
        media_type=MEDIA_TYPE,
        examples=[Example(value=problem)],
    )


def success(kind: Any, status: int, description: str, example: object) -> dict[int, ResponseSpec]:  # noqa: ANN401
    """Return the description of an operation's success response, with an example."""
    examples = examples_of(example)
    return {status: ResponseSpec(kind, generate_examples=False, description=description, examples=examples)}


def examples_of(value: object) -> list[Example]:
    """Return a value as the examples of a response."""
    return [Example(value=cast("Any", value))]


ACCEPTED = success(Submitted, 202, "Accepted; it will end in exactly one verdict", SUBMITTED)
