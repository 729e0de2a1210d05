"""Ids, placeholders, settings and subjects: the small things everything is named by."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from muster_protocol.ids import is_token, new_id, run_id_for, task_id
from muster_protocol.subjects import Names
from muster_protocol.tool_calls import ArgumentValue
from muster_service.settings import BusSettings, SettingsError, load
from muster_text.values import UnknownValue, fill, fill_arguments, placeholder_names, secret_names


@pytest.mark.parametrize("text", ["a", "A-b_9", "x" * 64, "run-3f9c"])
def test_letters_digits_dash_and_underscore_make_a_token(text: str):
    assert is_token(text)


@pytest.mark.parametrize("text", ["", "a.b", "a b", "*", ">", "x" * 65, "ü", "a\n", "a/b", "$a"])
def test_nothing_else_is_a_token(text: str):
    assert not is_token(text)


def test_new_ids_are_tokens_and_differ():
    made = {new_id("run") for _ in range(1000)}

    assert len(made) == 1000
    assert all(is_token(id) and id.startswith("run-") for id in made)


@given(st.text())
def test_the_id_that_follows_from_a_text_is_a_token_and_always_the_same(key: str):
    assert is_token(run_id_for(key))
    assert run_id_for(key) == run_id_for(key)


def test_a_task_is_named_by_run_node_and_attempt():
    assert task_id("run-1", "step-2", 3) == "run-1.step-2.3"


def test_placeholders_are_filled_and_secrets_stay():
    text = "${user} pays ${total.net} with ${secret:CARD}"

    assert fill(text, {"user": "Ada", "total.net": "9"}) == "Ada pays 9 with ${secret:CARD}"
    assert (placeholder_names(text), secret_names(text)) == (("user", "total.net"), ("CARD",))


def test_a_placeholder_nobody_set_is_named():
    with pytest.raises(UnknownValue, match=r"\$\{order\} has no value: set it as a variable or remember it") as caught:
        fill("${order}", {"other": "1"})
    assert caught.value.name == "order"


def test_a_value_is_put_in_as_it_is_and_not_filled_again():
    assert fill("${a}", {"a": "${b} \\1 ${secret:PIN}", "b": "no"}) == "${b} \\1 ${secret:PIN}"


@pytest.mark.parametrize("text", ["$order", "{order}", "${}", "${1st}", "${two words}", "$ {order}", "${order"])
def test_what_only_resembles_a_placeholder_stays(text: str):
    assert fill(text, {}) == text


def test_arguments_are_filled_wherever_they_hold_text():
    arguments: dict[str, ArgumentValue] = {
        "text": "${a}",
        "all": ["${a}", "b"],
        "count": 3,
        "exact": True,
        "none": None,
    }

    assert fill_arguments(arguments, {"a": "1"}) == {
        "text": "1",
        "all": ["1", "b"],
        "count": 3,
        "exact": True,
        "none": None,
    }


class Wanted(BusSettings, frozen=True, kw_only=True, rename=str.upper):
    slots: Annotated[int, Meta(ge=1)] = 4


def test_settings_come_from_variables_of_the_same_name_in_capitals():
    given = {"NATS_URL": "nats://x:1", "SLOTS": "8", "PROVISION": "true", "ACK_WAIT_SECONDS": "2.5", "PATH": "/bin"}

    settings = load(Wanted, given)
    assert (settings.nats_url, settings.slots, settings.provision) == ("nats://x:1", 8, True)
    assert (settings.ack_wait_seconds, settings.max_runs) == (2.5, 256)


def test_an_empty_variable_counts_as_not_set():
    assert load(Wanted, {"SLOTS": "", "NATS_URL": ""}) == Wanted()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SLOTS", "many"),
        ("SLOTS", "0"),
        ("PROVISION", "perhaps"),
        ("ACK_WAIT_SECONDS", "0.1"),
        ("METRICS_PORT", "70000"),
        ("MUSTER_PREFIX", "my team"),
        ("MUSTER_PREFIX", "a.b"),
    ],
)
def test_a_setting_that_cannot_be_used_names_its_variable(name: str, value: str):
    with pytest.raises(SettingsError, match=f"environment variable `{name}`"):
        load(Wanted, {name: value})


def test_names_under_the_default_prefix():
    it = Names()

    assert it.request("r") == "muster.requests.r"
    assert it.events("r") == "muster.runs.r.events"
    assert it.tasks("act", "high") == "muster.tasks.act.high"
    assert it.journal("r.n.1") == "muster.journal.r.n.1"
    assert (it.control("r"), it.log("r", "s"), it.dead("TASKS")) == (
        "muster.control.r",
        "muster.logs.r.s",
        "muster.dead.TASKS",
    )
    assert (it.submit, it.verdict("r")) == ("muster.submit", "muster.live.verdicts.r")
    assert it.live(it.events("r")) == "muster.live.runs.r.events"
    assert it.live(it.journal("r.*.*")) == "muster.live.journal.r.*.*"
    assert (it.sessions_open, it.session_host("h"), it.session_events("r", "main")) == (
        "muster.sessions.open",
        "muster.sessions.host.h",
        "muster.sessions.events.r.main",
    )
    assert (it.stream("RUNS"), it.bucket("RUN_LIST"), it.tasks_consumer("act", "high")) == (
        "RUNS",
        "RUN_LIST",
        "act-high",
    )


def all_names(it: Names) -> set[str]:
    of_runs = {it.request("r"), it.events("r"), it.control("r"), it.log("r", "s"), it.verdict("r"), it.journal("t")}
    of_sessions = {it.sessions_open, it.session_host("h"), it.session_events("r", "n")}
    return of_runs | of_sessions | {it.submit, it.tasks("act", "high"), it.dead("X"), it.stream("X"), it.bucket("Y")}


def test_every_name_under_another_prefix_is_its_own():
    theirs = Names.under("team-b")

    assert not all_names(Names()) & all_names(theirs)
    assert all(name.startswith(("team-b.", "TEAM-B_")) for name in all_names(theirs))
    assert theirs.live(theirs.events("r")) == "team-b.live.runs.r.events"


@pytest.mark.parametrize("prefix", ["", "a.b", "a b", "*"])
def test_a_prefix_must_be_one_token(prefix: str):
    with pytest.raises(ValueError, match="must be one subject token"):
        Names.under(prefix)
