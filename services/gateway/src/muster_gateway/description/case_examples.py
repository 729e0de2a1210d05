"""Examples of API responses about stored cases and requirements."""

from muster_gateway.description.operation_docs import CASE_YAML, RUN

DIGEST = "3f9c27d1a0b4e8653f9c27d1a0b4e8653f9c27d1a0b4e8653f9c27d1a0b4e865"
VERSION: dict[str, object] = {
    "number": 3,
    "digest": DIGEST,
    "at": 1796000000.0,
    "by": "ann",
    "note": "the new login page",
}
STANDING: dict[str, object] = {
    "case": "TC_AUTH_01",
    "name": "A visitor buys a backpack",
    "suite": "shop",
    "tags": ["smoke"],
    "covers": ["REQ-7"],
    "run": RUN,
    "status": "pass",
    "at": 1796000003.4,
}
LISTED: dict[str, object] = {
    "id": "TC_AUTH_01",
    "file": "TC_AUTH_01.yaml",
    "newest": VERSION,
    "cases": [STANDING],
}
LIBRARY: dict[str, object] = {"cases": [LISTED]}
CASE: dict[str, object] = {
    "case": LISTED,
    "version": VERSION,
    "file": "TC_AUTH_01.yaml",
    "text": CASE_YAML,
    "versions": [VERSION],
}
PUSHED: dict[str, object] = {"id": "TC_AUTH_01", "version": VERSION, "fresh": True}
REQUIREMENT: dict[str, object] = {"id": "REQ-7", "state": "passed", "cases": [STANDING]}
REQUIREMENTS: dict[str, object] = {"requirements": [REQUIREMENT]}
