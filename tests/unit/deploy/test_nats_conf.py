"""deploy/nats.conf speaks of the subjects, streams and buckets of the code, and of no others."""

import re
from pathlib import Path

import pytest

from muster_bus.streams import OBJECTS, RUNS_CONSUMER, stream_configs
from muster_protocol.buckets import BUCKETS
from muster_protocol.cloud_events import OWN
from muster_protocol.subjects import Names

CONF = re.sub(r"#.*", "", (Path(__file__).resolve().parents[3] / "deploy/nats.conf").read_text())
NAMES = Names()
RUN = "*"
SUBJECTS = {
    *(NAMES.submit, NAMES.request(RUN), NAMES.events(RUN), NAMES.journal("*.*.*"), NAMES.control(RUN)),
    *(f"{NAMES.prefix}.tasks.*.*", NAMES.log(RUN, "*"), NAMES.log(RUN, "orchestrator"), NAMES.verdict(RUN)),
    *(NAMES.dead("WEBHOOKS"), NAMES.dead_letters, NAMES.fleet_calls, NAMES.webhook(RUN), NAMES.webhook(RUN, "*")),
    *(
        NAMES.dead("REQUESTS"),
        NAMES.dead("TASKS"),
        NAMES.dead("EVENTS"),
        NAMES.cloud_event(">"),
        f"{NAMES.prefix}.events.alert.*",
        f"{NAMES.prefix}.events.{OWN}>",
        NAMES.live(">"),
        NAMES.live(NAMES.journal("*.*.*")),
    ),
    *(NAMES.opening("*", "*", "*", "*"), NAMES.sessions_ready),  # pyright: ignore[reportArgumentType]
    *(NAMES.live(NAMES.control(RUN)), NAMES.sessions_open, NAMES.session_host("*"), NAMES.session_events(RUN, "*")),
}
REPLIES = {"muster.replies.>", "muster.replies.publisher.>"}
"""Where verdicts go out to other accounts; the code knows them only as what a request says."""


def test_every_subject_is_one_the_code_uses() -> None:
    named = set(re.findall(r'"(muster\.[^"]+)"', CONF))

    assert named - REPLIES <= SUBJECTS
    assert SUBJECTS - named == set(), "the code uses it and no user may"


def test_every_stream_and_bucket_is_one_that_is_provisioned() -> None:
    streams = {config.name for config in stream_configs(NAMES)}
    buckets = {bucket.name for bucket in BUCKETS}
    apis = re.findall(
        r'"\$JS\.(?:API\.(?:STREAM\.(?:MSG\.)?+|DIRECT\.|CONSUMER\.(?:MSG\.)?+)[A-Z]+|ACK|FC)\.(\w+)', CONF
    )

    assert set(apis) <= streams | {f"KV_{bucket}" for bucket in buckets} | {f"OBJ_{OBJECTS}"}
    assert set(re.findall(r'"\$KV\.(\w+)', CONF)) == buckets - {"DEFINITIONS"}, "which only an admin writes"
    assert set(re.findall(r'"\$O\.(\w+)', CONF)) == {OBJECTS}
    assert f"$JS.ACK.REQUESTS.{RUNS_CONSUMER}.>" in CONF


def test_only_the_formats_that_the_client_reads_are_switched_on() -> None:
    assert "feature_flags { js_ack_fc_v2: false, js_api_reply_v2: false }" in CONF


def said_of(account: str) -> str:
    """Return what nats.conf says of an account."""
    (found,) = re.findall(rf"^  {account} {{\n(.*?)^  }}", CONF, re.MULTILINE | re.DOTALL)
    return found


def subjects_in(text: str, what: str) -> set[str]:
    """Return the subjects of a list such as `publish: [...]`."""
    return {
        subject
        for part in re.findall(rf"{what}: \[(.*?)\]", text, re.DOTALL)
        for subject in re.findall(r'"([^"]+)"', part)
    }


@pytest.mark.parametrize("account", ["SUBAGENT", "SESSIONS", "GATEWAY", "OUTSIDE"])
def test_an_account_imports_what_its_user_may_say_and_hear_and_nothing_else(account: str) -> None:
    text = said_of(account)
    imported = {
        kind: set(re.findall(rf'{kind}: {{ account: (?!NOBODY)\w+, subject: "([^"]+)"', text))
        for kind in ("service", "stream")
    }
    own = {kind: set(re.findall(rf'{kind}: "([^"]+)"', text)) for kind in ("service", "stream")}
    may = {subject for subject in subjects_in(text, "(?:publish|allow)") if not subject.startswith("_")}
    hears = {subject for subject in subjects_in(text, "subscribe") if not subject.startswith("_")}

    said = imported["service"] | own["stream"]
    assert said <= may <= said | own["service"]
    assert own["service"] | imported["stream"] == {
        subject.replace("replies.publisher.", "replies.") for subject in hears
    }


def test_only_the_main_account_has_jetstream_and_everything_it_exports_is_for_accounts_that_are_named() -> None:
    exported = re.findall(r"{ (?:service|stream): \"[^\"]+\".*", said_of("MUSTER").partition("imports")[0])

    assert CONF.count("jetstream: enabled") == 1
    assert exported and all("accounts: [" in line for line in exported)
    assert all(
        '{ account: NOBODY, subject: "nobody.>" }, to: "$JS.API.>"' in said_of(one)
        for one in ("SUBAGENT", "SESSIONS", "GATEWAY")
    )
