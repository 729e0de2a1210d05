"""Which runs `muster list` shows."""

from muster_cli.subcommands.list_runs import filter_rows
from muster_protocol.logs import RunRow


def test_runs_are_filtered_by_status_suite_and_batch_together():
    rows = [
        RunRow(run="a", name="a", status="pass", suite="s", labels={"batch": "b"}),
        RunRow(run="b", name="b", status="fail", suite="s", labels={"batch": "b"}),
        RunRow(run="c", name="c", status="pass", suite="t"),
    ]

    def shown(*status: str, suite: str = "", batch: str = "") -> str:
        return "".join(row.run for row in filter_rows(rows, status, suite, batch))

    assert (shown(), shown(batch="b"), shown("pass", batch="b"), shown(suite="t"), shown(batch="x")) == (
        *("abc", "ab", "a", "c"),
        "",
    )
