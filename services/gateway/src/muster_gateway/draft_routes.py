"""HTTP routes for drafts: have a test case drafted, and read the draft."""

from typing import Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from muster_authoring.case_draft import draft_assignment, review_draft
from muster_client.batches import with_labels
from muster_gateway.context import Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import ACCEPTED, failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.problem_details import AnyRequest, Refusal
from muster_gateway.run_routes import read_view
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_gateway.submission import IdempotencyKey, answer_submitted, submit_all
from muster_gateway.views import Submitted
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment, RunRequest
from muster_text.request_rules import check_size, find_problems
from muster_views.texts import to_one_line

LONGEST_NAME = 80


class DraftRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a draft is wanted of."""

    instructions: str
    url: str = ""
    material: str = ""


class Draft(Struct, frozen=True, kw_only=True):
    """A drafted case, for a person to review; a draft never runs by itself."""

    run: str
    status: Literal["done", "failed"]
    summary: str
    case: str = ""
    """The case file in YAML, with remarks and open questions as comments."""
    questions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What to look at, such as sentences that no phrase reads."""
    faults: tuple[str, ...] = ()
    """Why it is no case."""


DRAFT_REQUEST = {"instructions": "A tester logs in and sees the orders", "url": "https://shop.example/login"}
DRAFT = {
    "run": operation_docs.RUN,
    "status": "done",
    "summary": "One case with three steps",
    "case": 'name: A tester logs in\nsteps:\n  - action: Open "https://shop.example/login"\n',
    "questions": ["Which user?"],
    "remarks": [],
    "faults": [],
}


_DRAFT_REQUEST = object_of(
    {
        "instructions": "What is to be tested, in a sentence or two",
        "url": "Page of the product that the drafter looks at first; it changes nothing there",
        "material": "A document, a diff or a page to draft from",
    },
    ["instructions"],
)


@post(
    "/drafts",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of(_DRAFT_REQUEST, DRAFT_REQUEST, "log-in", "A log-in")}),
    operation_id="submitDraft",
    summary="Have a test case drafted",
    description="JSON with `instructions` and, if wanted, `url` and `material`. The draft is written by an agent in a "
    "run of its own; read it at `GET /drafts/{run}`. It never runs by itself.",
    responses=ACCEPTED | failures(400, 409, 413, 503),
)
async def submit_draft(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    idempotency_key: IdempotencyKey = "",
) -> Response[Submitted]:
    """Submit the assignment to draft a case."""
    wanted = _read_draft_request(await request.body(), idempotency_key, gateway.settings.muster_prefix)
    gateway.require_bus()
    return answer_submitted(await submit_all(gateway.bus, with_labels((wanted,), request.auth.labels)))


@get(
    "/drafts/{run:str}",
    opt=VIEWER,
    operation_id="readDraft",
    summary="Read a draft",
    responses=success(Draft, 200, "The drafted case, as a file", DRAFT) | failures(400, 404, 409, 503),
)
async def read_draft(gateway: NamedDependency[Gateway], run: FromPath[str]) -> Draft:
    """Return the draft that a run has made."""
    shown = await read_view(gateway, run)
    job = shown.request.job if shown.request else None
    if not isinstance(job, Assignment) or job.deliverable != "case":
        raise Refusal(404, f"run {run!r} is not a draft of a case")
    if shown.verdict is None:
        raise Refusal(409, f"run {run!r} is {shown.run.status}: there is no draft yet")
    verdict = shown.verdict
    done = verdict.status == "done" and verdict.results
    found = await gateway.parse_in_thread(review_draft, verdict.results[-1].assigned.output) if done else None
    return Draft(
        run=run,
        status="done" if found and not found.faults else "failed",
        summary=verdict.summary,
        case=found.text if found else "",
        questions=found.questions if found else (),
        remarks=tuple(it.text for it in found.remarks) if found else (),
        faults=found.faults if found else (),
    )


def _read_draft_request(body: bytes, idempotency_key: str, prefix: str) -> RunRequest:
    """Return the request for a draft in JSON. Pure.

    Raises:
        TooLarge, InvalidRequest: it cannot be read or run.
    """
    check_size(len(body))
    try:
        wanted = codec.decode_asked(body, DraftRequest)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request for a draft cannot be read: {error}"]) from error
    job = draft_assignment(wanted.instructions, wanted.url, wanted.material)
    job = msgspec.structs.replace(job, name=to_one_line(wanted.instructions, LONGEST_NAME))
    request = RunRequest(job=job, idempotency_key=idempotency_key)
    if reasons := find_problems(request, prefix):
        raise InvalidRequest(reasons)
    return request


HANDLERS = (submit_draft, read_draft)
