"""The pages name every stream, bucket and kind of sub-task that the code has, and say how long rows are kept."""

import re
from pathlib import Path

from muster_bus.streams import stream_configs
from muster_protocol.buckets import BUCKETS, DAY
from muster_protocol.kinds import KINDS
from muster_protocol.subjects import Names

ROOT = Path(__file__).parents[3]
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
RETENTION = (ROOT / "docs/operations.md").read_text().partition("## Retention")[2].partition("\n## ")[0]


def first_cells(text: str) -> set[str]:
    """Return the names in backticks of the first cell of each row of the tables of a text."""
    return {
        name for cell in re.findall(r"^\| (.*?) \|", text, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", cell)
    }


def test_the_architecture_names_each_stream_and_bucket_and_no_other() -> None:
    named = first_cells(ARCHITECTURE.partition("## Names on NATS")[2])
    streams = {str(config.name) for config in stream_configs(Names())}

    assert named == streams | {bucket.name for bucket in BUCKETS}


def test_the_architecture_names_each_kind_with_its_agent() -> None:
    table = ARCHITECTURE.partition("| kind | agent |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", table, re.MULTILINE))

    assert set(rows) == {kind.name for kind in KINDS}
    for kind in KINDS:
        assert kind.name == "assign" or rows[kind.name].startswith(f"`{kind.agent}`" if kind.agent else "none")


def test_the_operations_page_says_how_long_each_bucket_keeps_its_rows() -> None:
    kept = {
        name: row.split(" | ")[1]
        for row in RETENTION.splitlines()
        if "bucket" in row
        for name in re.findall(r"`([A-Z_]+)`", row.rpartition("bucket")[2])
    }
    for bucket in BUCKETS:
        if bucket.ttl is not None and bucket.ttl >= DAY:
            days = round(bucket.ttl / DAY)
            assert kept[bucket.name] == ("a day" if days == 1 else f"{days} days")
