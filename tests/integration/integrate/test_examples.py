"""The examples of docs/integrate.md, run as they are printed there, as the user and with the rights an outsider has."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml
from deployed import ROOT
from needed import needs
from node import workplace
from outside import Outside
from programs import Ended, ran

from muster_bus.run_store import find_request, find_verdict, read_entries
from muster_protocol import codec

pytestmark = pytest.mark.asyncio(loop_scope="module")
EXAMPLES = ROOT / "examples/integrate"
HELLO = str(EXAMPLES / "cases/hello.yaml")


async def example(*command: str, **variables: str) -> Ended:
    """Run an example."""
    return await ran(*command, cwd=EXAMPLES, **variables)


@asynccontextmanager
async def other_verdicts(outside: Outside, reply_to: str, correlation_id: str) -> AsyncGenerator[None]:
    """Tell the verdict of another run on a reply subject, again and again: somebody else has named it, too."""
    verdict = json.dumps({"run": "run-other", "status": "fail", "summary": "of another run"}).encode()

    async def tell() -> None:
        while True:
            await outside.fleet.bus.nc.publish(reply_to, verdict, headers={"Correlation-Id": correlation_id})
            await asyncio.sleep(0.02)

    telling = asyncio.create_task(tell())
    try:
        yield
    finally:
        telling.cancel()


async def test_python_over_nats_gets_the_verdict_with_its_correlation_id_and_asks_again_without_a_second_run(
    outside: Outside,
) -> None:
    async with other_verdicts(outside, "muster.replies.publisher.4711", "4711"):
        first = await example(sys.executable, "nats_client.py", **outside.nats, BUILD="4711")
    again = await example(sys.executable, "nats_client.py", **outside.nats, BUILD="4711")
    other = await example(sys.executable, "nats_client.py", **outside.nats, BUILD="4712")

    assert first.code == 0, first.said
    run = first.said.split()[1]
    assert first.said.splitlines()[1] == "4711 pass 1 of 1 sub-tasks passed"
    assert again == Ended(0, first.said.replace(f"run {run} ", f"run {run} (duplicate)"))
    assert other.code == 0
    assert run not in other.said
    stored = find_verdict(await read_entries(outside.fleet.bus, run))
    assert stored is not None
    assert (stored.correlation_id, stored.labels, stored.suite) == ("4711", {"build": "4711"}, "smoke")


@pytest.mark.slow
@pytest.mark.timeout(300)  # packages are fetched
async def test_javascript_over_nats_gets_the_verdict_with_its_correlation_id(outside: Outside) -> None:
    folder = await asyncio.to_thread(workplace, EXAMPLES / "javascript")

    async with other_verdicts(outside, "muster.replies.publisher.js.4711", "4711"):
        first = await ran("node", "submit.mjs", cwd=folder, **outside.nats, BUILD="4711")
    again = await ran("node", "submit.mjs", cwd=folder, **outside.nats, BUILD="4711")

    assert first.code == 0, first.said
    assert first.said.splitlines()[1] == "4711 pass 1 of 1 sub-tasks passed"
    assert "(duplicate)" in again.said
    assert again.said.splitlines()[1:] == first.said.splitlines()[1:]


@needs("curl")
async def test_curl_over_http_runs_a_file_and_a_second_time_finds_the_same_run(
    outside: Outside, tmp_path: Path
) -> None:
    first = await example("./submit.sh", HELLO, **outside.http, BUILD="4711", JUNIT=str(tmp_path / "junit"))
    again = await example("./submit.sh", HELLO, **outside.http, BUILD="4711")
    locked_out = await example("./submit.sh", HELLO, **(outside.http | {"MUSTER_KEY": "muster_wrong"}), BUILD="4713")

    assert first.code == 0, first.said
    assert "pass  1 of 1 sub-tasks passed" in first.said
    assert again == first
    (junit,) = (tmp_path / "junit").iterdir()
    assert (junit.stem, 'tests="1"' in junit.read_text()) == (first.said.split()[0], True)
    assert locked_out.code == 2
    assert "refused: " in locked_out.said


@needs("curl")
@pytest.mark.slow
async def test_curl_says_what_is_wrong_with_a_file_and_where(outside: Outside, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("name: Nothing\nsteps:\n  - actoin: Look\n")

    ended = await example("./submit.sh", str(tmp_path / "wrong.yaml"), **outside.http)

    assert ended.code == 2
    assert "actoin" in ended.said


async def test_a_request_that_cannot_be_run_comes_back_on_its_reply_subject_with_its_correlation_id(
    outside: Outside,
) -> None:
    request = {"job": {"type": "no such thing"}, "reply_to": "muster.replies.publisher.bad", "correlation_id": "b 7"}
    async with outside.server.trial("publisher") as stranger:
        replies = await stranger.client.subscribe("muster.replies.publisher.bad")
        await stranger.client.publish("muster.requests.bad-1", json.dumps(request).encode())
        await stranger.client.flush()
        message = await replies.next_msg(timeout=30)

    assert message.headers is not None
    assert message.headers["Correlation-Id"] == "b 7"
    assert json.loads(message.data)["type"] == "rejected"


async def test_a_verdict_is_told_again_only_where_the_run_was_to_tell_it(outside: Outside) -> None:
    ended = await example(sys.executable, "nats_client.py", **outside.nats, BUILD="4714")
    run = ended.said.split()[1]
    known = await find_request(outside.fleet.bus, run)
    assert known is not None
    async with outside.server.trial("publisher") as stranger:
        own = await stranger.client.subscribe("muster.replies.publisher.>")
        curious = {"job": {"type": "drill", "count": 1}, "reply_to": "muster.replies.publisher.mine", "id": run}
        other_job = await stranger.client.request("muster.submit", json.dumps(curious).encode(), timeout=15)
        same = json.loads(codec.encode(known)) | {"reply_to": "muster.replies.publisher.mine"}
        same_job = await stranger.client.request("muster.submit", json.dumps(same).encode(), timeout=15)
        right = json.loads(codec.encode(known))
        await stranger.client.request("muster.submit", json.dumps(right).encode(), timeout=15)
        told = {(await own.next_msg(timeout=15)).subject for _ in range(2)}

    assert json.loads(other_job.data)["kind"] == "conflict"
    assert json.loads(same_job.data) == {"type": "accepted", "run": run, "duplicate": True}
    assert told == {"muster.replies.publisher.4714", "muster.replies.publisher.mine"}, "both are the same user's"


def workflow_steps() -> list[dict[str, str]]:
    """Return the steps of the GitHub workflow that run commands."""
    jobs = yaml.safe_load((EXAMPLES / "github-workflow.yaml").read_text())["jobs"]
    return [step for step in jobs["cases"]["steps"] if "run" in step]


@pytest.mark.slow
async def test_what_the_github_workflow_runs_leaves_the_junit_file_and_the_report_it_uploads(tmp_path: Path) -> None:
    (tmp_path / "cases").symlink_to(EXAMPLES / "cases")
    _, step = workflow_steps()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    ended = await ran("bash", "-euo", "pipefail", "-c", step["run"], cwd=tmp_path, PATH=path, GITHUB_SHA="c0ffee")

    assert ended.code == 0, ended.said
    assert 'name="commit" value="c0ffee"' in (tmp_path / "results.xml").read_text()
    assert (tmp_path / "report/index.html").is_file()


@pytest.mark.slow
async def test_the_github_workflow_is_one_by_the_published_schema() -> None:
    ended = await example(
        *(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"),
        "github-workflow.yaml",
    )

    assert ended.code == 0, ended.said


@pytest.mark.slow
async def test_the_line_of_the_crontab_runs_as_cron_would_and_is_quiet_unless_a_case_fails(tmp_path: Path) -> None:
    (line,) = [line for line in (EXAMPLES / "crontab").read_text().splitlines() if line and line[0] != "#"]
    *when, command = line.split(maxsplit=5)
    home = tmp_path / "muster"
    (home / "cases").mkdir(parents=True)
    (home / "nightly.sh").symlink_to(EXAMPLES / "nightly.sh")
    (home / "cases/hello.yaml").symlink_to(HELLO)
    cron = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "MUSTER_BIN": str(Path(sys.executable).parent)}

    quiet = await ran("/bin/sh", "-c", command, cwd=tmp_path, **cron)
    (home / "cases/wrong.yaml").write_text(Path(HELLO).read_text().replace('contains "hello"', 'contains "bye"'))
    loud = await ran("/bin/sh", "-c", command, cwd=tmp_path, **cron)

    assert len(when) == 5
    assert "%" not in command, "cron would take it for the end of the line"
    assert quiet == Ended(0, "")
    assert loud.code == 1
    assert 'contains "bye"' in loud.said
    assert "Exit code 1; the report is in" in loud.said
