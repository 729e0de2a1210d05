"""HTTP routes for notes about finished runs."""

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from muster_client.run_notes import read_notes
from muster_gateway.context import Gateway
from muster_gateway.description import operation_docs
from muster_gateway.description.operation_docs import ACCEPTED, failures, success
from muster_gateway.description.request_bodies import JSON, media_of, object_of, taking
from muster_gateway.problem_details import AnyRequest
from muster_gateway.security.access_roles import RUNNER, VIEWER
from muster_gateway.submission import IdempotencyKey, answer_submitted, submit_all
from muster_gateway.views import Submitted
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest
from muster_text.request_rules import check_size, find_problems
from muster_views.investigation import read_investigation


class NoteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be found out about a run."""

    workspace: str = ""
    question: str = ""


class NoteList(Struct, frozen=True, kw_only=True):
    """The notes beside a run, oldest first."""

    notes: tuple[Note, ...]


NOTE_REQUEST = {"workspace": "shop", "question": "Is it the new checkout?"}
NOTES = {
    "notes": [
        {
            "run": operation_docs.RUN,
            "source": "run-51c0ffee00112233",
            "agent": "investigator",
            "at": 1796000102.5,
            "status": "done",
            "summary": "The checkout answers with an error of its database, so no order is made.",
            "findings": [
                {
                    "text": "The order is refused",
                    "quote": "POST https://shop.example/orders → 500",
                    "source": "network",
                }
            ],
        }
    ]
}


_NOTE_REQUEST = object_of(
    {
        "workspace": "Name of a workspace with the product's source, to look into it as well",
        "question": "A question that the report should answer",
    }
)


@post(
    "/runs/{run:str}/notes",
    opt=RUNNER,
    status_code=202,
    operation_class=taking({JSON: media_of(_NOTE_REQUEST, NOTE_REQUEST, "shop", "A shop")}, required=False),
    operation_id="investigateRun",
    summary="Have an agent find out why a run failed",
    description="The agent `investigator` works in a run of its own, whose address is `Location`. What it finds is "
    "kept as a note beside the run, which stays as it is.",
    responses=ACCEPTED | failures(400, 404, 409, 413, 503),
)
async def investigate_run(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    idempotency_key: IdempotencyKey = "",
) -> Response[Submitted]:
    """Submit the assignment to investigate a run."""
    wanted = _read_note_request(await request.body())
    await gateway.require_run(run)
    job = await read_investigation(gateway.bus, run, workspace=wanted.workspace, question=wanted.question)
    asked = RunRequest(job=job, idempotency_key=idempotency_key)
    if reasons := find_problems(asked, gateway.settings.muster_prefix):
        raise InvalidRequest(reasons)
    return answer_submitted(await submit_all(gateway.bus, (asked,)))


@get(
    "/runs/{run:str}/notes",
    opt=VIEWER,
    operation_id="listNotes",
    summary="List what was found out about a run",
    description="The notes that were made after its end. None of them changes its verdict.",
    responses=success(NoteList, 200, "The notes", NOTES) | failures(400, 404, 503),
)
async def list_notes(gateway: NamedDependency[Gateway], run: FromPath[str]) -> NoteList:
    """Return the notes beside a run."""
    await gateway.require_run(run)
    return NoteList(notes=await read_notes(gateway.bus, run))


def _read_note_request(body: bytes) -> NoteRequest:
    """Return what is to be found out, from JSON; without a body: why it failed. Pure.

    Raises:
        TooLarge, InvalidRequest: it cannot be read.
    """
    check_size(len(body))
    try:
        return codec.decode_asked(body, NoteRequest) if body.strip() else NoteRequest()
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request for a note cannot be read: {error}"]) from error


HANDLERS = (investigate_run, list_notes)
