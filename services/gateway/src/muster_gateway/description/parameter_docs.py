"""Adds examples and common descriptions of parameters to the API description."""

from typing import Any, cast

from litestar.enums import ParamType
from litestar.openapi.spec import Operation, Parameter

from muster_gateway.description.operation_docs import RUN

ETAG = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'
TEXTS = {
    "path run": "Id of a run, from its submission or `GET /runs`",
    "path conversation": "Id of a conversation, from `GET /conversations`",
    "path node": "Id of a sub-task, from `GET /runs/{run}`",
    "path name": "Name of a file, from `GET /runs/{run}/artifacts`, slashes included",
    "path suite": "Name of a suite, from `GET /suites`",
    "path case": "Id of a stored case, from `GET /cases`",
    "path batch": "Id of a batch, as `POST /runs` answers it",
    "path requirement": "Id of a requirement, from `GET /requirements`",
    "path id": "Id of a state, from `GET /maps/{run}`",
    "path trigger": "Id of a trigger, from `GET /triggers`",
    "path secret": "Name of a secret, from `GET /secrets`",
    "path sender": "Name of a sender: the first part of its events' source, and in EVENT_SECRETS",
    "path number": "Number of a dead letter, from `GET /dead`",
    "header Last-Event-ID": "The last `id` received, to resume after it; browsers send it",
}
"""Default descriptions by place and name of the parameter."""
EXAMPLES: dict[str, object] = {
    "path run": RUN,
    "path conversation": RUN,
    "path node": "n1",
    "path name": "n1.1/page.png",
    "path suite": "smoke",
    "path case": "TC_AUTH_01",
    "path phone": "pixel",
    "path batch": "batch-3f9c27d1a0b4e865",
    "path requirement": "REQ-7",
    "path trigger": "nightly-shop",
    "path id": "5f1c0a7b",
    "query app": "shop.example",
    "query base": "run-77aa0b1c2d3e4f50",
    "query covers": "REQ-7",
    "query version": 3,
    "query replaces": "",
    "query note": "the new login page",
    "path secret": "SHOP_PASSWORD",
    "path sender": "github",
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
    "query v": ETAG[1:13],
    "query limit": 20,
    "readState query at": 3,
    "assistCases query line": 4,
    "assistCases query column": 16,
    "listRuns query cursor": "WzE3OTYwMDAwMDAuMCwicnVuLTNmOWMwYTFiMmMzZDRlNWYiXQ",
    "listDead query cursor": "3",
    "listCases query cursor": "TC_AUTH_01",
    "listRequirements query cursor": "REQ-7",
    "header Last-Event-ID": 812,
    "header Idempotency-Key": "build-4711-backpack",
    "header Range": "bytes=0-1023",
    "header If-Range": ETAG,
    "header If-None-Match": ETAG,
}
"""Examples by place and name of the parameter, prefixed with the operation where they differ."""


def describe(operation: Operation) -> None:
    """Add an example, and a description if missing, to each parameter of an operation, in place."""
    for parameter in operation.parameters or ():
        if not isinstance(parameter, Parameter):
            continue
        key = f"{ParamType(parameter.param_in).value} {parameter.name}"
        parameter.description = parameter.description or TEXTS.get(key)
        parameter.example = cast("Any", EXAMPLES.get(f"{operation.operation_id} {key}", EXAMPLES.get(key)))
