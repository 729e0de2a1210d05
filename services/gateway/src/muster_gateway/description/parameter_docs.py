"""What the description says of parameters: an example of each, and what those are that every handler takes."""

from typing import Any, cast

from litestar.enums import ParamType
from litestar.openapi.spec import Operation, Parameter

from muster_gateway.description.operation_docs import RUN

ETAG = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'
TEXTS = {
    "path run": "Id of a run, as submitting it answered and `GET /runs` lists it",
    "path node": "Id of a sub-task, as `GET /runs/{run}` lists it",
    "path name": "Name of a file, as `GET /runs/{run}/artifacts` lists it, with its slashes",
    "path suite": "Name of a suite, as `GET /suites` lists it",
    "path number": "Number of a dead letter, as `GET /dead` lists it",
    "header Last-Event-ID": "The newest `id` that came on a stream before, to go on behind it; browsers send it",
}
"""Of parameters by where and what they are, where their handlers say nothing."""
EXAMPLES: dict[str, object] = {
    "path run": RUN,
    "path node": "n1",
    "path name": "n1.1/page.png",
    "path suite": "smoke",
    "path number": 3,
    "query run": [RUN],
    "query node": "n1",
    "query name": "A visitor buys a backpack",
    "query suite": "smoke",
    "query tag": "smoke",
    "query text": "backpack",
    "query status": ["running", "parked"],
    "query cause": ["product"],
    "query source": ["orchestrator", "worker-*"],
    "query kind": ["error"],
    "query level": "warning",
    "query format": "json",
    "query since": 1796000000,
    "query until": 1796086400,
    "query after": 812,
    "query attempt": 1,
    "query limit": 20,
    "listRuns query cursor": "WzE3OTYwMDAwMDAuMCwicnVuLTNmOWMwYTFiMmMzZDRlNWYiXQ",
    "listDead query cursor": "3",
    "header Last-Event-ID": 812,
    "header Idempotency-Key": "build-4711-backpack",
    "header Range": "bytes=0-1023",
    "header If-Range": ETAG,
    "header If-None-Match": ETAG,
}
"""One of each parameter, by where and what it is; by the operation too where it is not the same in all of them."""


def describe(operation: Operation) -> None:
    """Give each parameter of an operation its example, and a text where it has none, in place."""
    for parameter in operation.parameters or ():
        if not isinstance(parameter, Parameter):
            continue
        key = f"{ParamType(parameter.param_in).value} {parameter.name}"
        parameter.description = parameter.description or TEXTS.get(key)
        parameter.example = cast("Any", EXAMPLES.get(f"{operation.operation_id} {key}", EXAMPLES.get(key)))
