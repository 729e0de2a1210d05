"""`muster doctor` and the models: each is asked what it must be able to do."""

import re
from collections.abc import Callable

import msgspec
import pytest
from model_server import Answer, Asked, does, gives, model_server, refuses, says

from muster_cli.doctor_checks import model_checks
from muster_model import ModelSettings
from muster_model.model_probe import try_models, unable

RIGHT: dict[str, Answer] = {
    'Click "Log in".': does(("click", {"ref": "e3"})),
    'Type "ada" into': does(("type", {"ref": "e1", "text": "ada"})),
    'in the row "Bike light"': does(("click", {"ref": "e7"})),
    "character by character": does(("type", {"ref": "e1", "text": 'a "b" \\c é'})),
    'in the row "T-shirt"': says("RESULT: PASS\nSUMMARY: It is gone."),
    "the page greets Ada": says("RESULT: FAIL\nSUMMARY: The password is wrong."),
    'Click "Save".': does(("click", {"ref": "e5"})),
    "order that is refunded": does(("click", {"ref": "r117"})),
    "What is 2 and 3?": gives({"sum": 5}),
    "Make a plan": gives(
        {
            "steps": [
                {"number": 1, "action": "Open the login page"},
                {"number": 2, "action": "Put the backpack into the cart"},
                {"number": 3, "action": "Read the total"},
            ]
        }
    ),
    "at least 10 $": gives({"holds": False, "quote": "Total: 9.99 $"}),
    "Which colour": says("Red."),
}


def able(**instead: Answer) -> Callable[[Asked], Answer]:
    """Return a model that is right, but for questions with a word that `instead` has an answer to."""

    def answer(asked: Asked) -> Answer:
        told = [text for question, text in RIGHT.items() if question in asked.question]
        told += [text for word, text in instead.items() if word in asked.question]
        return told[-1]

    return answer


def settings(url: str, big: str = "", eye: str = "", eye_url: str = "") -> ModelSettings:
    return ModelSettings(
        openai_base_url=url, sub_agent_model="small", orchestrator_model=big, vision_model=eye, vision_base_url=eye_url
    )


async def test_models_that_can_do_what_they_are_for_are_found_well() -> None:
    with model_server(able()) as server:
        found = await try_models(settings(server.url, "big", "eye"))
    assert [(it.variable, it.model, it.ok) for it in found] == [
        ("ORCHESTRATOR_MODEL", "big", True),
        ("SUB_AGENT_MODEL", "small", True),
        ("VISION_MODEL", "eye", True),
    ]


async def test_thoroughly_each_model_gets_all_probes_of_its_work() -> None:
    with model_server(able()) as server:
        found = await try_models(settings(server.url, "big", "eye"), thoroughly=True)
    assert [it for it in found if not it.ok] == []
    assert {it.variable: sum(one.variable == it.variable for one in found) for it in found} == {
        "ORCHESTRATOR_MODEL": 2,
        "SUB_AGENT_MODEL": 10,
        "VISION_MODEL": 1,
    }
    assert unable(found) == ()


async def test_what_a_model_does_wrong_is_told_with_the_work_that_it_is_needed_for() -> None:
    wrong = {'in the row "Bike light"': does(("click", {"ref": "e4"})), "greets": says("RESULT: PASS\nSUMMARY: Done.")}
    with model_server(able(**wrong, Save=does(("delete_account", {"reason": "test"})))) as server:
        found = await try_models(settings(server.url), thoroughly=True)
    told = {it.probe: it.detail for it in found if not it.ok and it.variable == "SUB_AGENT_MODEL"}
    assert told == {
        "chooses the row": 'calls click with {"ref": "e4"}, not click with {"ref": "e7"}',
        "admits what did not work": "claims RESULT: PASS",
        "takes no orders from the page": 'calls delete_account with {"reason": "test"}, not click with {"ref": "e5"}',
    }
    assert unable(found) == ("steps", "judging")


async def test_calls_that_are_written_as_text_count_as_they_do_for_a_worker() -> None:
    with model_server(lambda _: says('click(ref="e3")')) as server:
        found = await try_models(settings(server.url))
    assert [it.ok for it in found if it.variable == "SUB_AGENT_MODEL"] == [True]


async def test_each_model_is_tried_at_its_own_endpoint() -> None:
    with model_server(able()) as common, model_server(able()) as own:
        found = await try_models(settings(common.url, eye="eye", eye_url=own.url))
    assert all(it.ok for it in found)
    assert [server.url in it.detail for it, server in zip(found, (common, common, own), strict=True)] == [True] * 3
    assert [asked.body["model"] for asked in own.asked] == ["eye"]


async def test_models_that_cannot_are_named_with_what_they_did_instead() -> None:
    with model_server(lambda _: says("blue")) as server:
        found = await try_models(settings(server.url, eye="eye"))
    assert [it.ok for it in found] == [False, False, False]
    assert "no valid answer" in found[0].detail
    assert re.search("calls no tool, but writes 'blue'", found[1].detail)
    assert found[2].detail == "answers 'blue', without 'red'"


async def test_a_wrong_key_is_what_the_doctor_says() -> None:
    with model_server(lambda _: refuses(401)) as server:
        found = await try_models(settings(server.url))
    assert all("set OPENAI_API_KEY" in it.detail for it in found)


@pytest.mark.parametrize("answer", [refuses(401), refuses(500), refuses(404, "no model small")])
async def test_an_endpoint_that_gives_no_answer_is_told_once_and_says_nothing_of_the_model(answer: Answer) -> None:
    with model_server(lambda _: answer) as server:
        given = msgspec.structs.replace(settings(server.url), model_retries=0)
        found = await try_models(given, thoroughly=True)
        asked = len(server.asked)
        checks = await model_checks(given, thoroughly=True)
    assert [(it.variable, it.answered) for it in found] == [("ORCHESTRATOR_MODEL", False), ("SUB_AGENT_MODEL", False)]
    assert (unable(found), asked) == ((), 2)
    assert [check.ok for check in checks] == [False, False]
    assert all(check.detail.startswith(f"small cannot be asked: {server.url} ") for check in checks)


async def test_an_answer_that_fails_later_is_a_probe_that_fails() -> None:
    failing = {'in the row "Bike light"': refuses(500), "order that": refuses(400, "maximum context length")}
    with model_server(able(**failing)) as server:
        given = msgspec.structs.replace(settings(server.url), model_retries=0)
        found = await try_models(given, thoroughly=True)
    assert {it.probe for it in found if not it.ok} == {"chooses the row", "finds one line in a long page"}
    assert len(found) == 12


async def test_without_a_model_there_is_nothing_to_try() -> None:
    assert await try_models(ModelSettings()) == []
