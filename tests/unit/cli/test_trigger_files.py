"""Trigger files: what is read from them, and what is said about those that cannot be read."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from muster_cli.subcommands.trigger_admin import triggers
from muster_cli.trigger_files import read_trigger
from muster_cli.trigger_texts import describe_trigger
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment
from muster_protocol.triggers import Fire, Schedule, TriggerRow
from muster_views.trigger_view import describe_schedule

CASE = 'name: Buy\ntags: [smoke]\nsteps:\n  - action: Open "${base_url}"\n    expected: The page title is "Shop"\n'
NIGHTLY = """\
id: nightly
schedule: {cron: "0 2 * * *", timezone: Europe/Berlin}
cases: [cases]
variables: {base_url: "http://shop.test"}
suite: nightly
labels: {team: shop}
priority: high
"""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "buy.yaml").write_text(CASE)
    file = tmp_path / "nightly.yaml"
    file.write_text(NIGHTLY)
    return file


def reasons(file: Path, text: str) -> str:
    file.write_text(text)
    with pytest.raises(InvalidRequest) as caught:
        read_trigger(file)
    return "\n".join(caught.value.reasons)


def test_a_trigger_holds_its_cases_as_they_are_now(written: Path):
    trigger = read_trigger(written)
    (run,) = trigger.runs
    assert (trigger.id, trigger.schedule) == ("nightly", Schedule(cron="0 2 * * *", timezone="Europe/Berlin"))
    assert (run.id, run.job.name, run.suite, run.labels, run.priority) == (
        "",
        "Buy",
        "nightly",
        {"team": "shop"},
        "high",
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("schedule:", "shedule:"), "shedule: unknown key; did you mean 'schedule'?"),
        (("cron:", "crom:"), "schedule.crom: unknown key; did you mean 'cron'?"),
        (("0 2 * * *", "0 2 * *"), "schedule: cron: '0 2 * *': Wrong number of fields"),
        (("Europe/Berlin", "Europe/Bielefeld"), "timezone: 'Europe/Bielefeld' is not a time zone"),
        (("cases: [cases]", "cases: [case]"), "case does not exist"),
        (("cases: [cases]", "cases: cases"), "Expected `array`"),
        (("base_url:", "base:"), "--var base: no case has or uses a variable of that name"),
        (("id: nightly", "id: every night"), "id: 'every night' must be 1 to 64 letters"),
        (("priority: high", "priority: urgent"), "priority: 'urgent' is not valid; valid: critical, high, normal"),
        (("id: nightly", "- id"), "nightly.yaml"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_and_the_key(written: Path, change: tuple[str, str], problem: str):
    assert problem in reasons(written, NIGHTLY.replace(*change))


def test_a_file_that_is_no_trigger_says_what_one_has(written: Path):
    assert "a trigger has the keys id, schedule or event, and cases" in reasons(written, "hello")
    assert "a trigger has the keys id, schedule or event, and cases" in reasons(written, "")


def test_a_trigger_is_shown_with_what_became_of_its_times(written: Path):
    fires = (
        Fire(due=1_796_000_000.0, at=1_796_000_000.5, outcome="skipped", why="runs of the time before are not over"),
    )
    row = TriggerRow(trigger=read_trigger(written), handled_until=0.0, fires=fires, skipped=1)
    shown = describe_trigger(row, 1_796_000_001.0)
    assert "nightly: 0 2 * * * (Europe/Berlin)" in shown
    assert "skipped — runs of the time before are not over" in shown


def test_a_schedule_is_told_in_words():
    assert describe_schedule(Schedule(every_seconds=30, jitter_seconds=5)) == "every 30 s, up to 5 s later"


DEPLOY = """\
id: smoke
event: {type: deployment.done, source: "ci/**", where: {data.environment: staging}}
cases: [cases]
from_event:
  base_url: {field: data.url, allow: ["https://*.staging.example.com"]}
"""
EVENT = (
    '{"specversion": "1.0", "id": "1", "source": "ci/shop", "type": "deployment.done",'
    ' "data": {"environment": "staging", "url": "https://shop.staging.example.com"}}'
)


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (("", ""), 0, "runs Buy\n  base_url = https://shop.staging.example.com"),
        (
            ("staging", "production"),
            1,
            "nothing: smoke waits for deployment.done of ci/** with data.environment = staging",
        ),
        (("deployment.done", "push"), 1, "not push of ci/shop"),
        (("https://shop.", "https://evil.com/shop."), 2, "is not allowed (https://*.staging.example.com)"),
        (('"1.0"', '"0.3"'), 2, "no CloudEvent 1.0"),
    ],
)
def test_what_an_event_would_run_is_told_without_a_fleet(written: Path, change: tuple[str, str], code: int, told: str):
    written.write_text(DEPLOY)
    event = written.with_name("event.json")
    event.write_text(EVENT.replace(*change, 1))
    done = CliRunner().invoke(triggers, ["try", str(written), str(event)])
    assert (done.exit_code, told in done.output) == (code, True), done.output


def test_what_a_trigger_takes_of_an_event_has_to_be_used_by_a_case(written: Path):
    problem = reasons(written, DEPLOY.replace("base_url", "base_ulr"))
    assert "from_event: base_ulr: no case has or uses a variable of that name; did you mean base_url?" in problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("type:", "typ:"), "event.typ: unknown key; did you mean 'type'?"),
        (("field: data.url", "field: url"), "'url' is not a field of an event"),
        (("event:", "evnt:"), "evnt: unknown key; did you mean 'event'?"),
    ],
)
def test_what_is_wrong_about_an_event_is_told(written: Path, change: tuple[str, str], problem: str):
    assert problem in reasons(written, DEPLOY.replace(*change))


WATCH = """\
id: alerts
event: {type: alert.firing}
do: monitor
may_start: [TC_PING]
webhook: https://chat.example/hooks/1
suite: night
"""


def test_a_trigger_may_have_an_agent_look_in_place_of_running_cases(tmp_path: Path):
    file = tmp_path / "alerts.yaml"
    file.write_text(WATCH)
    trigger = read_trigger(file)
    (run,) = trigger.runs

    assert isinstance(run.job, Assignment)
    assert (run.job.agent, run.job.role, run.job.may_start) == ("monitor", "runner", ("TC_PING",))
    assert (run.job.goal.split(".")[0], run.webhook, run.suite) == (
        "An event has arrived: alert",
        "https://chat.example/hooks/1",
        "night",
    )
    assert trigger.overlap == "allow", "no alert is passed over while an earlier one is looked at"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("do: monitor", "do: monitor\ncases: [cases]"), "cases: not beside `do`"),
        (("do: monitor\n", ""), "goal, may_start: only beside `do`"),
        (("suite: night", "from_event: {a: data.a}"), "from_event: only test cases take variables"),
    ],
)
def test_what_does_not_go_with_an_agent_is_said(tmp_path: Path, change: tuple[str, str], problem: str):
    assert problem in reasons(tmp_path / "alerts.yaml", WATCH.replace(*change))
