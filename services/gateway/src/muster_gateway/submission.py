"""Parses submitted bodies and submits requests to the fleet."""

from collections.abc import Sequence
from email.message import Message
from typing import Annotated

from litestar import Response
from litestar.params import HeaderParameter
from msgspec.structs import replace

from muster_bus import Bus
from muster_cases.case_loader import load_text
from muster_client.runs import submit
from muster_gateway.problem_details import Refusal, orchestrator_unavailable, service_unavailable
from muster_gateway.views import Submitted, SubmittedRun
from muster_protocol import codec
from muster_protocol.errors import Conflict, InvalidRequest, Refused
from muster_protocol.requests import Conversation, RunRequest
from muster_protocol.stored_cases import CaseFormat
from muster_text.request_rules import check_size, decode_request, with_id_and_time

JSON = "application/json"
YAML = frozenset({"application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"})
GHERKIN = frozenset({"text/x-gherkin", "text/x.cucumber.gherkin+plain", "application/x-gherkin"})
MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
FORMS: dict[str, CaseFormat] = {
    **dict.fromkeys(YAML, "yaml"),
    **dict.fromkeys(GHERKIN, "gherkin"),
    **dict.fromkeys(MARKDOWN, "markdown"),
}
"""Content types of case files."""
_CASES = "application/yaml, text/x-gherkin or text/markdown"
ANSWER_SECONDS = 10.0
IdempotencyKey = Annotated[
    str,
    HeaderParameter(name="Idempotency-Key", max_length=200, description="Requests with the same key are one run"),
]
"""The header with which a submission may be repeated."""


def read_body(content_type: str, body: bytes, key: str = "", prefix: str = "muster") -> tuple[RunRequest, ...]:
    """Return the requests in a body, at least one; several with one key `k` get the keys `k/1`, `k/2` … Pure.

    `prefix` is the first token of the fleet's subjects, which `reply_to` may not use.

    Raises:
        TooLarge: a request is too large.
        InvalidRequest: the body is invalid; each reason names its place.
        Refusal: 415, the content type is not supported.
    """
    kind = _media_type(content_type)
    if kind == JSON:
        requests = (decode_request(body, prefix),)
        if isinstance(requests[0].job, Conversation):
            raise Refusal(400, "conversations are opened with POST /conversations, which gives them your rights")
    elif kind in FORMS:
        requests = tuple(case.request for case in load_text(_decode_text(body), source="body", form=FORMS[kind]))
    else:
        sent = kind or "a body without a Content-Type"
        raise Refusal(415, f"send {JSON} (a run request), or {_CASES} (test cases), not {sent}")
    for request in requests:
        check_size(len(codec.encode(request)))
    return with_keys(requests, key)


def with_keys(requests: Sequence[RunRequest], key: str) -> tuple[RunRequest, ...]:
    """Return requests with an idempotency key; several with one key `k` get the keys `k/1`, `k/2` …; none: as they are.

    Pure.
    """
    if not key:
        return tuple(requests)
    keys = [key] if len(requests) == 1 else [f"{key}/{number}" for number in range(1, len(requests) + 1)]
    return tuple(replace(request, idempotency_key=key) for request, key in zip(requests, keys, strict=True))


def read_case_text(content_type: str, body: bytes) -> tuple[str, CaseFormat]:
    """Return the text of a body of test cases, and the form it is in. Pure.

    Raises:
        InvalidRequest: the body is not UTF-8 text.
        Refusal: 415, the content type is none of a case file.
    """
    kind = _media_type(content_type)
    if kind not in FORMS:
        raise Refusal(415, f"send test cases ({_CASES}), not {kind or 'a body without a Content-Type'}")
    return _decode_text(body), FORMS[kind]


def _media_type(content_type: str) -> str:
    header = Message()
    header["Content-Type"] = content_type
    return header.get_content_type() if content_type else ""


def _decode_text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequest([f"the body is not UTF-8 text: {error.reason} at byte {error.start}"]) from error


async def submit_all(bus: Bus, requests: tuple[RunRequest, ...]) -> tuple[SubmittedRun, ...]:
    """Submit requests one after another; a refusal names the ones accepted before it."""
    done: list[SubmittedRun] = []
    for request in requests:
        try:
            done.append(await _submit(bus, request))
        except Refusal as error:
            if not done:
                raise
            accepted = ", ".join(run.run for run in done)
            note = f"{len(done)} of {len(requests)} cases were accepted before: {accepted}"
            raise Refusal(error.status, *error.reasons, note, retry=error.retry) from error
    return tuple(done)


def answer_submitted(runs: tuple[SubmittedRun, ...], batch: str = "") -> Response[Submitted]:
    """Return the answer to a submission, with the address of its first run."""
    submitted = Submitted(run=runs[0].run, duplicate=runs[0].duplicate, runs=runs, batch=batch)
    return Response(submitted, status_code=202, headers={"Location": f"/runs/{runs[0].run}"})


async def _submit(bus: Bus, request: RunRequest) -> SubmittedRun:
    if not request.idempotency_key:  # the fleet derives the id from the key
        request = with_id_and_time(request, bus.clock.now())
    try:
        accepted = await submit(bus, request, ANSWER_SECONDS)
    except Conflict as error:
        raise Refusal(409, *error.reasons) from error
    except InvalidRequest as error:
        raise Refusal(400, *error.reasons) from error
    except Refused as error:
        raise orchestrator_unavailable(error) from error
    except TimeoutError as error:
        raise service_unavailable(
            f"no answer within {ANSWER_SECONDS:g} s: {_name(request)} may or may not be queued; "
            "submitting again with that id or the same Idempotency-Key is safe"
        ) from error
    return SubmittedRun(run=accepted.run, duplicate=accepted.duplicate)


def _name(request: RunRequest) -> str:
    return f"run {request.id!r}" if request.id else f"the run of key {request.idempotency_key!r}"
