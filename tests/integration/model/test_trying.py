"""`muster doctor` and the models: each is asked what it must be able to do."""

from model_server import Answer, Asked, does, gives, model_server, refuses, says

from muster_model import ModelSettings
from muster_model.model_probe import try_models


def able(asked: Asked) -> Answer:
    if "add numbers" in asked.text:
        return gives({"sum": 5})
    if asked.tools:
        return does(("say", {"word": "muster"}))
    return says("Red." if "data:image/png;base64," in asked.text else "?")


async def test_models_that_can_do_what_they_are_for_are_found_well() -> None:
    with model_server(able) as server:
        found = await try_models(
            ModelSettings(
                openai_base_url=server.url, orchestrator_model="big", sub_agent_model="small", vision_model="eye"
            )
        )
    assert [(it.variable, it.model, it.ok) for it in found] == [
        ("ORCHESTRATOR_MODEL", "big", True),
        ("SUB_AGENT_MODEL", "small", True),
        ("VISION_MODEL", "eye", True),
    ]


async def test_each_model_is_tried_at_its_own_endpoint() -> None:
    with model_server(able) as common, model_server(able) as own:
        settings = ModelSettings(
            openai_base_url=common.url, sub_agent_model="small", vision_model="eye", vision_base_url=own.url
        )
        found = await try_models(settings)
    assert all(it.ok for it in found)
    assert [server.url in it.detail for it, server in zip(found, (common, common, own), strict=True)] == [True] * 3
    assert [asked.body["model"] for asked in own.asked] == ["eye"]


async def test_models_that_cannot_are_named_with_what_they_did_instead() -> None:
    with model_server(lambda _: says("blue")) as server:
        found = await try_models(ModelSettings(openai_base_url=server.url, sub_agent_model="small", vision_model="eye"))
    assert [it.ok for it in found] == [False, False, False]
    assert "no valid answer" in found[0].detail
    assert found[1].detail == "calls no tool: 'blue'"
    assert "red square and answers 'blue'" in found[2].detail


async def test_a_wrong_key_is_what_the_doctor_says() -> None:
    with model_server(lambda _: refuses(401)) as server:
        found = await try_models(ModelSettings(openai_base_url=server.url, sub_agent_model="small"))
    assert all("set OPENAI_API_KEY" in it.detail for it in found)


async def test_without_a_model_there_is_nothing_to_try() -> None:
    assert await try_models(ModelSettings()) == []
