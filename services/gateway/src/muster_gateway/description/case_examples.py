"""Examples of API responses about stored cases, requirements, triggers and secrets."""

from muster_gateway.description.operation_docs import RUN
from muster_gateway.description.request_bodies import CASE_YAML

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

TRIGGER: dict[str, object] = {
    "id": "nightly-shop",
    "starts": "0 2 * * MON-FRI (Europe/Berlin)",
    "overlap": "skip",
    "catch_up_seconds": 600.0,
    "cases": ["A visitor buys a backpack"],
    "next": [1796086800.0],
    "fires": [
        {
            "due": 1796000400.0,
            "at": 1796000401.0,
            "outcome": "skipped",
            "runs": [RUN],
            "why": "runs of the time before are not over",
        }
    ],
    "fired": 12,
    "skipped": 1,
    "missed": 0,
    "refused": 0,
}
TRIGGERS: dict[str, object] = {"triggers": [TRIGGER]}
BACKFILL = {"from": "2026-11-20T00:00:00", "to": "2026-11-24T12:00:00"}

SECRET: dict[str, object] = {
    "name": "SHOP_PASSWORD",
    "key": "3f9c27d1a0b4",
    "current": True,
    "at": 1796000000.0,
    "by": "ann",
}
SECRETS: dict[str, object] = {
    "public": "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
    "key": "3f9c27d1a0b4",
    "secrets": [SECRET],
}
SEALED = {"sealed": "q83vEjRWeJCrze8SNFZ4kA==", "key": "3f9c27d1a0b4"}
