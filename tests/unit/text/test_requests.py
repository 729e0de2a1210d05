"""Run requests as outside systems write them: what they mean, and what is said about those that cannot be run."""

from typing import Any

import msgspec
import pytest

from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment, DeviceSpec, Drill, Exploration, Limits, RunRequest, Step, TestCase
from muster_protocol.submit_replies import Accepted, Rejected, correlation_headers
from muster_text.request_rules import decode_request, find_problems, with_id_and_time

GOLDEN = b"""{
  "id": "nightly-42",
  "job": {
    "type": "test_case",
    "name": "A visitor buys a backpack",
    "preconditions": ["The shop is open at ${base_url}"],
    "variables": {"base_url": "http://127.0.0.1:8000"},
    "secrets": ["SHOP_PASSWORD"],
    "tags": ["smoke"],
    "domains": ["127.0.0.1"],
    "steps": [
      {"action": "Open \\"${base_url}/login\\"", "expected": "The page title is \\"Demo shop\\""},
      {"action": "Type \\"${secret:SHOP_PASSWORD}\\" into the \\"Password\\" field"}
    ]
  },
  "suite": "shop", "labels": {"team": "checkout"}, "priority": "high",
  "limits": {"timeout_seconds": 600, "max_subtasks": 30, "max_calls": 500, "max_tokens": 100000, "max_cost": 1.5},
  "reply_to": "acme.verdicts", "webhook": "https://ci.example/hook", "idempotency_key": "build-4711"
}"""


def test_a_request_as_an_outside_system_writes_it_means_this():
    assert decode_request(GOLDEN) == RunRequest(
        id="nightly-42",
        job=TestCase(
            name="A visitor buys a backpack",
            preconditions=("The shop is open at ${base_url}",),
            variables={"base_url": "http://127.0.0.1:8000"},
            secrets=("SHOP_PASSWORD",),
            tags=("smoke",),
            domains=("127.0.0.1",),
            steps=(
                Step(action='Open "${base_url}/login"', expected='The page title is "Demo shop"'),
                Step(action='Type "${secret:SHOP_PASSWORD}" into the "Password" field'),
            ),
        ),
        suite="shop",
        labels={"team": "checkout"},
        priority="high",
        limits=Limits(timeout_seconds=600, max_subtasks=30, max_calls=500, max_tokens=100_000, max_cost=1.5),
        reply_to="acme.verdicts",
        webhook="https://ci.example/hook",
        idempotency_key="build-4711",
    )


def test_the_least_that_can_be_asked_for():
    least = b'{"job":{"type":"test_case","name":"n","steps":[{"action":"a","expected":"e"}]}}'

    request = decode_request(least)
    assert (request.priority, request.limits, request.id) == ("normal", Limits(), "")
    assert decode_request(b'{"job":{"type":"drill"}}').job == Drill(count=10)


def test_answers_read_as_documented():
    assert codec.encode(Accepted(run="r")) == b'{"type":"accepted","run":"r"}'
    assert codec.encode(Accepted(run="r", duplicate=True)) == b'{"type":"accepted","run":"r","duplicate":true}'
    assert codec.encode(Rejected(reasons=("no",))) == b'{"type":"rejected","reasons":["no"]}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"buy a backpack", "cannot be read"),
        (b"{}", "`job`"),
        (b'{"job":{"type":"test_case","name":"n","steps":[]}}', "$.job.steps"),
        (b'{"job":{"type":"test_case","name":"","steps":[{"action":"a","expected":"e"}]}}', "$.job.name"),
        (b'{"job":{"type":"test_case","name":"n","steps":[{"action":"","expected":"e"}]}}', "$.job.steps[0].action"),
        (b'{"job":{"type":"dance"}}', "'dance'"),
        (b'{"job":{"type":"drill"},"priority":"urgent"}', "$.priority"),
        (b'{"job":{"type":"drill"},"limits":{"timeout":5}}', "$.limits.timeout: unknown key"),
        (b'{"job":{"type":"drill"},"limits":{"timeout_seconds":0}}', "timeout_seconds"),
        (b'{"job":{"type":"drill","count":0}}', "$.job.count"),
    ],
)
def test_a_request_that_cannot_be_read_says_where_it_goes_wrong(text: bytes, said: str):
    with pytest.raises(InvalidRequest) as caught:
        decode_request(text)
    [reason] = caught.value.reasons
    assert said in reason


def request(*steps: Step, **more: Any) -> RunRequest:
    of_case = {key: more.pop(key) for key in ("variables", "secrets", "preconditions") if key in more}
    case = TestCase(name="n", steps=steps or (Step(action="a", expected="e"),), **of_case)
    return RunRequest(job=case, **more)


def test_a_sound_request_has_no_problems():
    assert find_problems(decode_request(GOLDEN)) == ()


def test_a_case_that_expects_nothing_at_all_is_no_test():
    [reason] = find_problems(request(Step(action="a"), Step(action="b", expected="  ")))
    assert reason == "test case 'n' expects nothing: at least one step needs an 'expected'"


@pytest.mark.parametrize("at", [-1.0, 1e300])
def test_a_time_that_no_clock_shows_is_refused(at: float):
    [reason] = find_problems(request(requested_at=at))
    assert reason == "requested_at must be Unix seconds, or left out"


@pytest.mark.parametrize("id", ["two words", "a.b", "a*", "a>", "x" * 65, "ü"])
def test_an_id_must_fit_into_a_subject(id: str):
    [reason] = find_problems(request(id=id))
    assert repr(id) in reason


@pytest.mark.parametrize(
    "subject", ["$JS.API.STREAM.DELETE.RUNS", "a b", "a.*", "a.>", "a\r\nPUB x", "a..b", ".a", "a."]
)
def test_a_reply_subject_one_cannot_publish_to_is_refused(subject: str):
    [reason] = find_problems(request(reply_to=subject))
    assert reason.startswith(f"reply_to {subject!r} must be a plain subject outside muster")


@pytest.mark.parametrize(
    "subject", ["", "answers", "_INBOX.abc.def", "team/answers.for:me", "verdicte.für.uns", "muster.replies.me"]
)
def test_other_reply_subjects_are_fine(subject: str):
    assert find_problems(request(reply_to=subject)) == ()


@pytest.mark.parametrize("subject", ["muster.requests.x", "muster.tasks.act.normal", "muster", "muster.runs.r.events"])
def test_a_verdict_is_never_sent_into_the_fleets_own_subjects(subject: str):
    assert find_problems(request(reply_to=subject))
    assert not find_problems(request(reply_to=subject), "another")
    assert find_problems(request(reply_to="another.requests.x"), "another")


@pytest.mark.parametrize("where", ["action", "expected", "precondition"])
def test_a_secret_that_is_used_must_be_listed_wherever_it_is_used(where: str):
    use = 'the PIN is "${secret:PIN}"'
    step = Step(action=use if where == "action" else "a", expected=use if where == "expected" else "e")
    before = (use,) if where == "precondition" else ()

    [reason] = find_problems(request(step, preconditions=before))
    assert reason == "${secret:PIN} is used but 'PIN' is not listed under secrets"
    assert find_problems(request(step, preconditions=before, secrets=("PIN",))) == ()


@pytest.mark.parametrize("name", ["hunter2!", "two words", "", "a-b", "PIN}", "1PIN"])
def test_what_is_listed_as_a_secret_must_be_a_name_and_not_a_value(name: str):
    [reason] = find_problems(request(secrets=(name,)))
    assert "list names, never values" in reason


@pytest.mark.parametrize("name", ["two words", "", "secret:PIN", "1st", "a}"])
def test_a_variable_needs_a_name_that_can_be_used(name: str):
    assert any("is not a valid name" in reason for reason in find_problems(request(variables={name: "x"})))


def test_a_variable_may_not_smuggle_a_secret():
    [reason] = find_problems(request(variables={"password": "${secret:PIN}"}, secrets=("PIN",)))
    assert reason.startswith("variable 'password' contains a secret")


def test_variables_cannot_use_variables():
    [reason] = find_problems(request(variables={"url": "${base}/login", "base": "http://x"}))
    assert reason == "variable 'url' uses ${base}: variables cannot use variables"


def test_all_problems_are_told_at_once():
    bad = request(Step(action='Type "${secret:A}" and "${secret:B}"'), id="a b", reply_to="x y", secrets=("C D",))
    assert len(find_problems(bad)) == 6


def test_a_request_without_an_id_gets_one_and_keeps_the_one_it_has():
    assert with_id_and_time(request(), 5.0).id.startswith("run-")
    assert with_id_and_time(request(), 5.0).id != with_id_and_time(request(), 5.0).id
    assert with_id_and_time(request(id="mine"), 5.0).id == "mine"


def test_an_assignment_without_a_name_is_called_by_its_goal_in_one_line():
    def name(goal: str, name: str = "assignment") -> str:
        return with_id_and_time(RunRequest(job=Assignment(goal=goal, agent="researcher", name=name)), 5.0).job.name

    assert name("Where are\n  errors handled?") == "Where are errors handled?"
    assert name("x" * 100) == "x" * 79 + "…"
    assert name("Where?", name="Mine") == "Mine"
    assert name(" ") == "assignment"


def test_the_time_of_a_request_is_set_once():
    assert with_id_and_time(request(), 5.0).requested_at == 5.0
    assert with_id_and_time(with_id_and_time(request(), 5.0), 9.0).requested_at == 5.0
    assert with_id_and_time(request(requested_at=1e10), 9.0).requested_at == 9.0, "nobody asks tomorrow"


def test_preparing_changes_nothing_else():
    wanted = request(id="mine", suite="s", labels={"a": "b"}, limits=Limits(max_calls=3))
    assert msgspec.structs.replace(with_id_and_time(wanted, 5.0), requested_at=0.0) == wanted


@pytest.mark.parametrize("id", ["", "build 4711", "a" * 200, "7f3c-04/main#12"])
def test_a_correlation_id_may_be_any_short_line_of_ascii(id: str):
    assert find_problems(RunRequest(job=Drill(), correlation_id=id)) == ()
    assert correlation_headers(id) == ({"Correlation-Id": id} if id else {})


@pytest.mark.parametrize(
    "id", ["a\r\nNats-Msg-Id: 1", "a\n", " a", "a ", "a\0b", "caf\u00e9", "a" * 201, "\x7f", "\u2028"]
)
def test_a_correlation_id_cannot_smuggle_anything_into_headers(id: str):
    (said,) = find_problems(RunRequest(job=Drill(), correlation_id=id))

    assert said == "correlation_id must be at most 200 printable ASCII characters in one line"


@pytest.mark.parametrize(
    ("job", "name"),
    [
        (Exploration(url="https://shop.example:8443/start?x=1"), "Explore shop.example:8443"),
        (Exploration(device=DeviceSpec(kind="appium", name="pixel")), "Explore pixel"),
        (Exploration(url="https://shop.example", name="Nightly"), "Nightly"),
    ],
)
def test_an_exploration_without_a_name_is_called_by_its_app(job: Exploration, name: str):
    assert with_id_and_time(RunRequest(job=job), 1.0).job.name == name


def test_what_every_list_of_runs_carries_has_bounds():
    labels = {str(number): "x" for number in range(101)} | {"build": "b" * 1_001}
    case = TestCase(name="n" * 1_001, steps=(Step(action="a", expected="b"),), tags=("t" * 1_001,))
    assert find_problems(RunRequest(job=case, suite="s" * 250_000, labels=labels)) == (
        "the name has 1,001 characters, the limit is 1,000",
        "suite has 250,000 characters, the limit is 1,000",
        "a tag has 1,001 characters, the limit is 1,000",
        "label 'build' has 1,001 characters, the limit is 1,000",
        "a run has at most 100 labels, not 102",
    )
    assert find_problems(RunRequest(job=Drill(name="n" * 1_000), suite="s" * 1_000)) == ()
