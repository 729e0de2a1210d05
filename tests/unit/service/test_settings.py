"""Settings that are wrong are told in words, all at once, without what may be a secret; misspelt ones are noticed."""

import difflib
import itertools

import msgspec
import pytest

from muster_gateway.settings import GatewaySettings
from muster_orchestrator.settings import OrchestratorSettings
from muster_service.settings import BusSettings, SettingsError, load
from muster_service.wrong_settings import NEAR, Misspelt, find_misspelt
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.settings import SubAgentSettings

KINDS: tuple[type[BusSettings], ...] = (OrchestratorSettings, SubAgentSettings, SessionHostSettings, GatewaySettings)


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("ACT_SLOTS", "two", "is text of 3 characters; valid: whole number, from 1"),
        ("ACT_SLOTS", "1.5", "is the number 1.5; valid: whole number, from 1"),
        ("ACT_SLOTS", "0", "is the number 0; valid: whole number, from 1"),
        ("ACT_SLOTS", " 2", "is text of 2 characters with a space at its start or end; valid: whole number"),
        ("ACK_WAIT_SECONDS", "15s", "begins with a digit (numbers have no unit); valid: number, from 0.5 to 3600"),
        ("SHUTDOWN_SECONDS", "nan", "is the number nan; valid: number, from 0"),
        ("SHUTDOWN_SECONDS", "inf", "is the number inf; valid: number, from 0"),
        ("PROVISION", "yes", "is text of 3 characters; valid: 1 or 0"),
        ("LOG_FORMAT", "xml", "is text of 3 characters; valid: `auto`, `console`, `json`"),
        ("MUSTER_PREFIX", "a.b", "is text of 3 characters; valid: text that matches `^[A-Za-z0-9_-]{1,64}$`"),
    ],
)
def test_a_wrong_value_is_told_in_words_with_what_is_valid(variable: str, value: str, told: str):
    with pytest.raises(SettingsError) as error:
        load(SubAgentSettings, {variable: value})
    assert str(error.value).startswith(f"environment variable `{variable}` is ")
    assert told in str(error.value)


def test_all_wrong_values_are_told_at_once_and_none_is_shown():
    with pytest.raises(SettingsError) as error:
        load(SubAgentSettings, {"ACT_SLOTS": "sk-secret", "METRICS_PORT": "hunter2", "NATS_PASSWORD": "kept"})
    told = str(error.value)
    assert "`ACT_SLOTS`" in told
    assert "`METRICS_PORT`" in told
    assert not any(value in told for value in ("sk-secret", "hunter2", "kept"))


def test_every_default_is_valid():
    for kind in KINDS:
        load(kind, {})


@pytest.mark.parametrize("variable", ["ACT_SLOT", "ACTSLOTS", "MUSTER_ACT_SLOTS", "act_slots"])
def test_a_variable_named_like_a_setting_that_is_not_set_is_noticed(variable: str):
    environ = {variable: "3", "PATH": "/bin", "MUSTER_TOKEN": "x", "NATS_URL": "nats://127.0.0.1:1"}
    assert find_misspelt(SubAgentSettings, environ) == (Misspelt(variable, "ACT_SLOTS"),)
    assert find_misspelt(SubAgentSettings, {**environ, "ACT_SLOTS": "2"}) == ()


def test_no_setting_of_any_service_passes_for_a_misspelt_one_of_another():
    names = {field.encode_name for kind in KINDS for field in msgspec.structs.fields(kind)}
    alike = [
        pair
        for pair in itertools.combinations(sorted(names), 2)
        if difflib.SequenceMatcher(None, *pair).ratio() >= NEAR
    ]
    own = [{field.encode_name for field in msgspec.structs.fields(kind)} for kind in KINDS]
    assert [pair for pair in alike if not all(set(pair) <= names for names in own if set(pair) & names)] == []
