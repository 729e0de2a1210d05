"""HTTP route that validates cases without running them."""

import re

from litestar import post
from litestar.di import NamedDependency

from muster_cases.case_loader import CaseError
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as examples
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.description.request_bodies import TAKES_CASES_OR_REQUEST
from muster_gateway.fleet.views import ProblemView, Validation
from muster_gateway.problem_details import AnyRequest
from muster_gateway.security.access_roles import RUNNER
from muster_gateway.submission import read_body
from muster_grammar.unread_sentences import unread_in
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import TestCase

MOST = 200
"""Maximum number of problems in a response."""
_BYTE = re.compile(r"\(byte (\d+)\)")
"""Position in msgspec's JSON errors."""


@post(
    "/cases/validate",
    opt=RUNNER,
    status_code=200,
    operation_class=TAKES_CASES_OR_REQUEST,
    operation_id="validateCases",
    summary="Validate cases without running them",
    description="Takes the same bodies as POST /runs and returns all problems with their places. Stores nothing.",
    responses=success(Validation, 200, "The cases, or their problems", examples.VALIDATION) | failures(400, 413, 415),
)
async def validate(request: AnyRequest, gateway: NamedDependency[Gateway]) -> Validation:
    """Return the cases in a text, or its problems."""
    content_type, body = request.headers.get("content-type", ""), await request.body()
    return await gateway.parse_in_thread(_validate_body, content_type, body, gateway.settings.muster_prefix)


def _validate_body(content_type: str, body: bytes, prefix: str = "muster") -> Validation:
    """Return the cases in a body, or their problems. Pure.

    Raises:
        Refusal: 415, the content type is not supported.
    """
    try:
        requests = read_body(content_type, body, prefix=prefix)
    except CaseError as error:
        wrong = (ProblemView(message=one.text, line=one.line, column=one.column) for one in error.problems[:MOST])
        return Validation(valid=False, problems=tuple(wrong), cases=())
    except InvalidRequest as error:
        return _describe_invalid(error.reasons, body)
    cases = tuple(request.job for request in requests if isinstance(request.job, TestCase))
    unread = tuple(f"{case.name}: {text}" if len(cases) > 1 else text for case in cases for text in unread_in(case))
    return Validation(valid=True, problems=(), cases=cases, requests=requests, unread=unread[:MOST])


def _describe_invalid(reasons: tuple[str, ...], body: bytes) -> Validation:
    problems = tuple(_locate_problem(reason, body) for reason in reasons[:MOST])
    return Validation(valid=False, problems=problems, cases=())


def _locate_problem(reason: str, body: bytes) -> ProblemView:
    """Return a problem with line and column, if the reason names a byte."""
    place = _BYTE.search(reason)
    if place is None:
        return ProblemView(message=reason, line=0, column=0)
    lines = body[: int(place.group(1))].decode(errors="replace").split("\n")
    return ProblemView(message=reason, line=len(lines), column=len(lines[-1]) + 1)


HANDLERS = (validate,)
