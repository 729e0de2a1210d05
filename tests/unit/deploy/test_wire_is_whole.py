"""The schemas tell of all that goes over NATS: each subject has a channel, each stored row a bucket that names it."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

from muster_protocol.buckets import BUCKETS
from muster_protocol.subjects import Names
from muster_protocol.wire_schema import CHANNELS, json_schema

ROOT = Path(__file__).parents[3]
ROWS = {bucket.name: {row.__name__ for row in bucket.rows} for bucket in BUCKETS}
PARAMETER = "PARAMETER"
OF_ANY_TYPE = "muster.dead."
"""Dead letters: each holds the message that could not be processed, whatever it was."""


def subjects() -> Iterator[str]:
    """Yield what each name of a subject begins with, up to its first parameter."""
    names = Names()
    for name, member in vars(Names).items():
        if name.startswith("_") or (not isinstance(member, property) and not inspect.isfunction(member)):
            continue
        given = getattr(names, name)
        subject = given if isinstance(given, str) else given(*(PARAMETER for _ in inspect.signature(given).parameters))
        if subject.startswith("muster."):
            yield subject.partition(PARAMETER)[0]


def stored() -> Iterator[tuple[Path, str, str]]:
    """Yield the bucket and the type of each place in the product that opens rows."""
    for place in ("packages", "services", "cli"):
        for file in (ROOT / place).rglob("src/**/*.py"):
            tree = ast.parse(file.read_text())
            texts = {
                target.id: node.value.value
                for node in tree.body
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
                for target in node.targets
                if isinstance(target, ast.Name) and isinstance(node.value.value, str)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    yield from ((file, *found) for found in in_call(node, texts))


def in_call(call: ast.Call, texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each name of a bucket among the arguments that a type follows."""
    for first, second in zip(call.args, call.args[1:], strict=False):
        text = first.value if isinstance(first, ast.Constant) else texts.get(getattr(first, "id", ""))
        if text in ROWS and isinstance(second, ast.Name):
            yield text, second.id


def test_every_subject_has_a_channel():
    addresses = [channel.address for channel in CHANNELS]
    found = set(subjects()) - {OF_ANY_TYPE}

    assert len(found) > 15
    assert [it for it in found if not any(address.startswith(it) for address in addresses)] == []


def test_every_row_is_named_by_its_bucket_or_private_to_orchestrators():
    found = list(stored())

    assert {bucket for _, bucket, _ in found} == ROWS.keys()
    assert [it for it in found if ROWS[it[1]] and it[2] not in ROWS[it[1]]] == []
    private = [file for file, bucket, _ in found if not ROWS[bucket]]
    assert all(file.is_relative_to(ROOT / "services/orchestrator") for file in private)


def test_the_schema_has_every_row():
    assert {row for rows in ROWS.values() for row in rows} <= json_schema()["$defs"].keys()
