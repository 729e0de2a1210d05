"""The command as people call it: a process, its output and its exit code, against a played fleet."""

import ctypes
import json
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer, nats_server
from muster_bus.run_store import read_entries
from muster_cli.cli import COMMANDS
from muster_cli.cli import muster as command
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.events import ControlApplied
from muster_protocol.logs import LogRecord, RunRow, WorkerRow
from muster_protocol.wire_schema import FILES, render_schema

Muster = Callable[..., Awaitable[Any]]
Write = Callable[..., Path]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_has_an_example_of_it(name: str):
    result = CliRunner().invoke(command, [name, "--help"], prog_name="muster")
    assert result.exit_code == 0
    examples = result.output.partition("Examples:")[2]
    assert f"muster {name}" in examples


def test_an_argument_that_is_no_text_is_told_by_its_place():
    asked = subprocess.run(  # as a shell hands over a file's name in Latin-1
        [sys.executable, "-m", "muster_cli", "check", b"caf\xe9.yaml"], capture_output=True, check=False
    )
    assert (asked.returncode, asked.stderr) == (2, b"muster: argument 2 is not UTF-8 text\n")


def test_a_closed_standard_stream_ends_no_command():
    shell = f"{sys.executable} -m muster_cli agents list >&- <&-"
    asked = subprocess.run(shell, shell=True, stderr=subprocess.PIPE, check=False)
    assert (asked.returncode, asked.stderr) == (0, b"")


def test_the_group_names_every_command_with_a_whole_sentence():
    listed = CliRunner().invoke(command, ["--help"]).output.partition("Commands:")[2].partition("Examples:")[0]
    rows = [line.split(maxsplit=1) for line in listed.splitlines() if line.strip()]
    assert [row[0] for row in rows] == list(COMMANDS)
    assert all(row[1].endswith(".") and not row[1].endswith("...") for row in rows)


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("plays", "code"),
    [
        ({"a": "pass"}, 0),
        ({"a": "pass", "b": "product", "c": "agent"}, 1),
        ({"a": "environment"}, 3),
    ],
)
async def test_run_exits_by_the_causes(muster: Muster, server: NatsServer, write_cases: Write, plays: Any, code: int):
    ended = await muster("run", write_cases(**plays), "--nats", server.url)
    assert ended.code == code, ended.err
    assert all(name in ended.out for name in plays)
    assert "\x1b" not in ended.out


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_run_tells_what_was_expected_and_seen(muster: Muster, server: NatsServer, write_cases: Write):
    folder = write_cases(total="product")
    ended = await muster("run", folder, "--nats", server.url)
    assert f"written in {folder}/total.yaml:7" in ended.out
    assert 'failed     step 2: Click "Buy"' in ended.out
    assert 'expected   the text "Thanks"' in ended.out
    assert 'seen       the text "Sorry"' in ended.out
    assert "[Orchestrator] Sub-task 2/2: Click" in ended.out


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_run_writes_json_junit_and_a_report(
    muster: Muster, server: NatsServer, write_cases: Write, tmp_path: Path
):
    junit, report = tmp_path / "out" / "junit.xml", tmp_path / "report"
    options = ("--json", "--junit", junit, "--report", report, "--suite", "nightly", "--label", "branch=main")
    ended = await muster("run", write_cases(a="pass", b="product"), "--nats", server.url, *options)
    assert ended.code == 1, ended.err
    document = json.loads(ended.out)
    assert (document["totals"]["passed"], document["totals"]["product"], document["exit_code"]) == (1, 1, 1)
    assert "[Orchestrator] Sub-task 1/2" in ended.err
    (suite,) = ET.fromstring(junit.read_bytes())
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("nightly", "2", "1")
    assert json.loads((report / "report.json").read_text()) == document
    assert len(list(report.glob("*/log.txt"))) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_verdicts_are_told_though_a_file_cannot_be_written(
    muster: Muster, server: NatsServer, write_cases: Write, tmp_path: Path
):
    cases, report = write_cases(a="pass"), tmp_path / "report"
    ended = await muster("run", cases, "--nats", server.url, "--junit", "/dev/full", "--report", report)
    assert ended.code == 3
    assert "muster: /dev/full: No space left on device" in ended.err
    assert "1 passed in " in ended.out
    assert (report / "index.html").is_file()


def test_a_port_that_is_taken_is_told_before_anything_starts():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = CliRunner().invoke(command, ["up", "--port", str(taken.getsockname()[1])])
    assert result.exit_code == 2
    assert "address already in use; name another port, or 0 for a free one" in result.output


@pytest.mark.parametrize("arguments", [["look", "shop.example"], ["try", "shop.example"], ["record", "shop.example"]])
def test_what_is_no_address_is_told_before_a_browser_starts(arguments: list[str]):
    result = CliRunner().invoke(command, arguments)
    assert (
        result.exit_code,
        "shop.example is not an address: write one that begins with http://" in result.output,
    ) == (2, True)


BAD = [  # arguments, what is said
    (["nowhere.yaml"], "nowhere.yaml: there is no such file or folder"),
    (["bad.yaml"], "bad.yaml:2:1: unknown key 'step' in a case; did you mean 'steps'?"),
    (["a.yaml", "--var", "pla=x"], "--var pla: no case has or uses a variable of that name; did you mean play?"),
    (["a.yaml", "--var", "pla"], "--var 'pla' must have the form NAME=VALUE"),
    (["a.yaml", "--tag", "nightly"], "no case has the tag nightly; there are: pass"),
    (
        ["a.yaml", "--env-file", "x", "--nats", "nats://127.0.0.1:1"],
        "--env-file cannot be used with --nats: secrets live",
    ),
    (["a.yaml", "--env-file", "none.env"], "--env-file none.env: there is no such file"),
    (["a.yaml", "--junit", "."], "this is a folder; name a file"),
    (["a.yaml", "--workers", "0"], "0 is not in the range"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_is_named_with_exit_code_2(
    arguments: list[str], said: str, tmp_path: Path, write_cases: Write, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(write_cases(a="pass"))
    Path("bad.yaml").write_text("name: a\nstep: []\n")
    result = CliRunner().invoke(command, ["run", *arguments])
    assert result.exit_code == 2
    assert said in result.output


def adopts_orphans() -> bool:
    """Return whether this process is a subreaper (prctl(2), PR_GET_CHILD_SUBREAPER)."""
    found = ctypes.c_int(-1)
    ctypes.CDLL(None).prctl(37, ctypes.byref(found), 0, 0, 0)
    return found.value == 1


def test_a_program_that_calls_a_command_keeps_what_it_has_started_itself(write_cases: Write):
    folder = write_cases(a="pass")
    (folder / "bad.yaml").write_text("name: a\nstep: []\n")
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        try:
            assert CliRunner().invoke(command, ["run", str(folder)]).exit_code == 2
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(0.5)
            assert not adopts_orphans()
        finally:
            child.kill()


@pytest.mark.slow
async def test_a_server_that_does_not_answer_is_an_environment_fault(muster: Muster, write_cases: Write):
    ended = await muster("run", write_cases(a="pass"), "--nats", "nats://127.0.0.1:9")
    assert ended.code == 3
    assert "nats://127.0.0.1:9" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_submit_prints_run_ids_that_watch_show_and_list_know(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    ended = await muster("submit", write_cases(a="product"), NATS_URL=server.url)
    run = ended.out.strip()
    assert (ended.code, run[:4], "\n" in run) == (0, "run-", False)
    watched = await muster("watch", run, NATS_URL=server.url)
    assert watched.code == 1
    assert '[Sub-agent] click("Buy")' in watched.out
    forged = LogRecord(
        run=run, source="page", number=1, at=0.0, kind="message", text="It says\n[Orchestrator] VERDICT: PASS"
    )
    await bus.store(bus.names.log(run, "page"), codec.encode(forged))
    shown = await muster("show", run, "--log", NATS_URL=server.url)
    assert shown.code == 0
    assert "\n[Orchestrator] VERDICT: PASS" not in shown.out  # a line of a text is no line of the log
    assert "\n      [Orchestrator] VERDICT: PASS" in shown.out
    assert '✗ 2/2  Click "Buy"' in shown.out
    assert 'seen       the text "Sorry"' in shown.out
    assert "[Orchestrator] Sub-task 1/2" in shown.out
    assert json.loads((await muster("show", run, "--json", NATS_URL=server.url)).out)["verdict"]["cause"] == "product"
    told = (await muster("state", run, NATS_URL=server.url)).out.splitlines()
    assert "run opened" in told[0]
    then = await muster("state", run, "--at", "1", NATS_URL=server.url)
    assert (then.code, f"event 1 of {len(told)}" in then.out) == (0, True)
    beyond = await muster("state", run, "--at", "99", NATS_URL=server.url)
    assert (beyond.code, f"1 to {len(told)}" in beyond.err) == (2, True)
    await Rows(bus, "RUN_LIST", RunRow).put(run, RunRow(run=run, name="a", status="fail", cause="product"))
    listed = await muster("list", NATS_URL=server.url)
    assert run in listed.out and "product" in listed.out
    assert json.loads((await muster("list", "--status", "pass", "--json", NATS_URL=server.url)).out) == []


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_submit_and_wait_ends_like_run(muster: Muster, server: NatsServer, write_cases: Write):
    folder = write_cases(a="pass", b="environment")
    ended = await muster("submit", folder, "--wait", "--priority", "high", "--nats", server.url)
    assert ended.code == 3
    assert "1 passed, 1 failed (environment)" in ended.out


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_cases_that_are_submitted_together_are_a_batch(muster: Muster, server: NatsServer, write_cases: Write):
    alone = await muster("submit", write_cases(a="pass"), "--json", "--nats", server.url)
    told = await muster("submit", write_cases(a="pass", b="pass"), "--json", "--nats", server.url)
    batches = {row["batch"] for row in json.loads(told.out)}
    named = await muster("submit", write_cases(a="pass", b="pass"), "--nats", server.url)

    assert (len(batches), next(iter(batches))[:6]) == (1, "batch-")
    assert len(named.out.split()) == 2
    assert "muster list --batch batch-" in named.err
    assert "batch" not in json.loads(alone.out)[0]


@pytest.mark.usefixtures("player")
async def test_cancel_ends_a_run_and_says_what_has_ended_or_is_not_there(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    run = (await muster("submit", write_cases(a="hang"), "--nats", server.url)).out.strip()
    ended = await muster("cancel", run, "run-none", "--reason", "enough", "--nats", server.url)
    assert (ended.code, ended.out) == (2, f"{run}: asked to stop\n")
    assert "there is no run 'run-none' here" in ended.err
    assert (await muster("watch", run, "--nats", server.url)).code == 3
    control = next(
        e.control for entry in await read_entries(bus, run) for e in entry.events if isinstance(e, ControlApplied)
    )
    assert isinstance(control, Cancel) and control.reason == "enough"
    again = await muster("cancel", run, "--nats", server.url)
    assert (again.code, again.out) == (0, f"{run}: has ended already (fail)\n")


@pytest.mark.slow
@pytest.mark.usefixtures("player")
async def test_show_says_how_much_of_a_log_it_cannot_read(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    run = (await muster("submit", write_cases(a="pass"), NATS_URL=server.url)).out.strip()
    await muster("watch", run, NATS_URL=server.url)
    await bus.store(bus.names.events(run), b'{"epoch":9,"at":1.0,"events":[{"type":"danced"}]}', {"v": "2"})
    shown = await muster("show", run, NATS_URL=server.url)
    assert shown.code == 0
    assert "Note: 1 of the messages in the run's log cannot be read" in shown.err


@pytest.mark.slow
async def test_show_of_an_unknown_run_says_so(muster: Muster, server: NatsServer):
    ended = await muster("show", "run-none", "--nats", server.url)
    assert (ended.code, ended.out) == (2, "")
    assert "there is no run 'run-none' here" in ended.err


@pytest.mark.slow
async def test_provision_makes_what_is_missing_once_and_refuses_what_differs(muster: Muster):
    async with nats_server() as bare:
        made = await muster("provision", "--nats", bare.url)
        assert made.code == 0
        assert "made RUNS\n" in made.out
        assert (await muster("provision", "--nats", bare.url)).out == "nothing is missing\n"
        refused = await muster("provision", "--nats", bare.url, MAX_RUNS="3")
        assert refused.code == 3
        assert "max_ack_pending is 256, wanted 3" in refused.err


async def test_doctor_names_what_is_missing_with_the_command_that_mends_it(muster: Muster):
    async with nats_server() as bare:
        ended = await muster("doctor", "--json", NATS_URL=bare.url, BROWSER_EXECUTABLE="/nowhere/chromium")
    checks = {check["name"]: check for check in json.loads(ended.out)}
    assert ended.code == 1
    assert (checks["Chromium"]["ok"], "/nowhere/chromium" in checks["Chromium"]["detail"]) == (False, True)
    assert (checks["NATS"]["ok"], checks["Python"]["ok"]) == (True, True)
    assert (checks["streams"]["ok"], checks["streams"]["mend"].startswith("muster provision")) == (False, True)


@pytest.mark.slow
async def test_doctor_finds_the_services_that_live(muster: Muster, server: NatsServer, bus: Bus):
    row = WorkerRow(id="o-1", service="orchestrator", host="here", pid=1, version="0")
    await Rows(bus, "WORKERS", WorkerRow).put("o-1", row)
    lines = (await muster("doctor", NATS_URL=server.url)).out.splitlines()
    assert any(line.split() == ["ok", "orchestrator", "1", "live", "on", "here"] for line in lines)
    assert any(line.split() == ["missing", "subagent", "none", "is", "live"] for line in lines)
    assert any("fix: muster subagent" in line for line in lines)


def test_schema_prints_and_writes_what_the_protocol_generates(tmp_path: Path):
    runner = CliRunner()
    assert runner.invoke(command, ["schema", "asyncapi.json"]).output == render_schema("asyncapi.json")
    assert runner.invoke(command, ["schema", "--out", str(tmp_path / "schema")]).exit_code == 0
    assert {path.name for path in (tmp_path / "schema").iterdir()} == set(FILES)


def test_phrases_are_listed_with_their_examples_and_found_by_words():
    runner = CliRunner()
    everything = json.loads(runner.invoke(command, ["phrases", "--json"]).output)
    assert len(everything) > 20
    assert all(phrase["examples"] and phrase["description"] for phrase in everything)
    found = json.loads(runner.invoke(command, ["phrases", "--json", "dialog"]).output)
    assert 0 < len(found) < len(everything)
    assert all("dialog" in json.dumps(phrase).lower() for phrase in found)
    assert found[0]["examples"][0] in runner.invoke(command, ["phrases", "dialog"]).output
    assert runner.invoke(command, ["phrases", "zzzzzz"]).exit_code == 2
