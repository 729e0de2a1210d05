"""The way to a model, over real HTTP: what servers do well, badly and not at all."""

import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from model_server import Answer, Asked, ModelServer, Script, does, each, gives, model_server, refuses, says
from msgspec import Struct
from prometheus_client import REGISTRY

from muster_model import (
    FIND_KEY,
    ContextFull,
    Endpoint,
    ModelError,
    Models,
    ModelSettings,
    ModelUnusable,
    OtherKey,
    Reply,
    System,
    Tier,
    Unparsable,
    User,
    ask_structured,
    connected_models,
)
from muster_model.settings import TIERS

MESSAGES = (System("You look at a page."), User("What do you see?"))


class Colour(Struct, frozen=True, forbid_unknown_fields=True):
    """A shape to be answered in."""

    name: str
    bright: bool


@asynccontextmanager
async def asked_of(script: Script, **more: object) -> AsyncGenerator[tuple[Models, Tier, ModelServer]]:
    with model_server(script) as server:
        settings = ModelSettings(
            openai_base_url=server.url,
            openai_api_key="key",
            sub_agent_model="small",
            **{"model_timeout_seconds": 5.0, **more},  # type: ignore[arg-type]
        )
        async with connected_models(settings) as models:
            assert models is not None
            tier = models.tier("sub_agent")
            assert tier is not None
            yield models, tier, server


async def test_a_reply_has_text_calls_tokens_and_what_they_cost():
    script = each(iter([says("I click.", ("click", {"element": "Save"}))]))
    async with asked_of(script, model_prices="small=1000/2000") as (models, tier, server):
        reply = await models.ask(tier, MESSAGES)
    [call] = reply.calls
    assert (reply.text, call.id, call.function.name) == ("I click.", "call_0", "click")
    assert json.loads(call.function.arguments) == {"element": "Save"}
    usage = reply.usage
    assert usage.input_tokens > 20
    assert usage.cost == pytest.approx(usage.input_tokens * 0.001 + usage.output_tokens * 0.002)
    assert (server.asked[0].body["max_tokens"], server.asked[0].body["temperature"]) == (2048, 0.1)


async def test_tokens_that_the_server_had_cached_are_counted_and_paid_as_such():
    def answers(details: object) -> Answer:
        body = json.loads(says("yes").body)
        body["usage"] = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
        return Answer(200, json.dumps(body | {"usage": body["usage"] | {"prompt_tokens_details": details}}).encode())

    before = REGISTRY.get_sample_value("muster_model_cached_tokens_total", {"gen_ai_request_model": "small"}) or 0.0
    script = each(iter([answers({"cached_tokens": 768}), answers(None), answers({"cached_tokens": 5000})]))
    async with asked_of(script, model_prices="small=1000/0/100") as (models, tier, _):
        usages = [(await models.ask(tier, MESSAGES)).usage for _ in range(3)]
    assert [usage.cached_tokens for usage in usages] == [768, 0, 1000]
    assert [round(usage.cost, 4) for usage in usages] == [0.3088, 1.0, 0.1]
    now = REGISTRY.get_sample_value("muster_model_cached_tokens_total", {"gen_ai_request_model": "small"})
    assert now == before + 1768


async def test_another_key_takes_the_place_of_the_endpoints_own_and_an_error_says_where_it_is_set():
    async def find(endpoint: Endpoint) -> OtherKey | None:
        return OtherKey("team's key", "it anew by `muster secrets set model.a.OPENAI_API_KEY`")

    async with asked_of(each(iter([says("yes"), refuses(401), says("yes")]))) as (models, tier, server):
        token = FIND_KEY.set(find)
        await models.ask(tier, MESSAGES)
        with pytest.raises(ModelUnusable, match=r"refuses the key: set it anew by `muster secrets set model\.a"):
            await models.ask(tier, MESSAGES)
        FIND_KEY.reset(token)
        await models.ask(tier, MESSAGES)
    assert [asked.key for asked in server.asked] == ["team's key", "team's key", "key"]


async def test_a_busy_server_is_asked_again_when_it_says():
    answers = [refuses(429, "slow down", Retry_After="1"), refuses(503), says("at last")]
    async with asked_of(each(iter(answers))) as (models, tier, server):
        reply = await models.ask(tier, MESSAGES)
    assert (reply.text, len(server.asked)) == ("at last", 3)


async def test_a_server_that_stays_busy_is_named():
    async with asked_of(lambda _: refuses(429, "slow down"), model_retries=1) as (models, tier, server):
        with pytest.raises(ModelError, match=r"answers HTTP 429: .*slow down; MODEL_REQUESTS_PER_MINUTE"):
            await models.ask(tier, MESSAGES)
    assert len(server.asked) == 2


async def test_a_page_in_place_of_an_answer_is_told_with_the_setting():
    page = Answer(200, b"<html>log in</html>")
    async with asked_of(lambda _: page, model_retries=0) as (models, tier, _server):
        with pytest.raises(ModelError, match=r"does not answer with JSON: check that \w+_BASE_URL is right"):
            await models.ask(tier, MESSAGES)


async def test_a_server_that_hangs_is_given_up_after_the_time_it_has():
    never = threading.Event()
    hung = Answer(200, b"{}", wait=never)
    async with asked_of(lambda _: hung, model_timeout_seconds=0.3, model_retries=1) as (models, tier, server):
        with pytest.raises(ModelError, match=r"did not answer within 0\.3 s"):
            await models.ask(tier, MESSAGES)
    assert len(server.asked) == 2


async def test_a_wrong_key_is_named_and_not_tried_again():
    async with asked_of(lambda _: refuses(401, "bad key")) as (models, tier, server):
        with pytest.raises(ModelUnusable, match="set OPENAI_API_KEY"):
            await models.ask(tier, MESSAGES)
    assert len(server.asked) == 1


async def test_a_model_that_is_not_there_is_named():
    async with asked_of(lambda _: refuses(404, "no model small")) as (models, tier, _):
        with pytest.raises(ModelUnusable, match="knows no model 'small'"):
            await models.ask(tier, MESSAGES)


async def test_each_tier_is_asked_at_its_own_endpoint_with_its_own_key_and_else_at_the_common_one():
    with model_server(lambda _: says("here")) as common, model_server(lambda _: says("there")) as own:
        settings = ModelSettings(
            openai_base_url=common.url,
            openai_api_key="common key",
            sub_agent_model="small",
            orchestrator_model="large",
            orchestrator_api_key="planner's key",
            vision_model="eye",
            vision_base_url=own.url,
            vision_api_key="eye's key",
        )
        async with connected_models(settings) as models:
            assert models is not None
            said = [(await models.ask(tier, MESSAGES)).text for name in TIERS if (tier := models.tier(name))]
    assert said == ["here", "here", "there"]
    assert [(it.body["model"], it.key) for it in common.asked] == [("large", "planner's key"), ("small", "common key")]
    assert [(it.body["model"], it.key) for it in own.asked] == [("eye", "eye's key")]


async def test_a_fault_names_the_setting_of_the_endpoint_that_has_it():
    with model_server(lambda _: says("here")) as common, model_server(lambda _: refuses(401)) as own:
        settings = ModelSettings(
            openai_base_url=common.url,
            sub_agent_model="small",
            vision_model="eye",
            vision_base_url=own.url,
            vision_api_key="wrong",
            orchestrator_model="large",
            orchestrator_base_url="http://127.0.0.1:9/v1",
            model_retries=0,
        )
        async with connected_models(settings) as models:
            assert models is not None
            large, small, eye = (models.tier(name) for name in TIERS)
            assert large and small and eye
            assert (await models.ask(small, MESSAGES)).text == "here"
            with pytest.raises(ModelUnusable, match="set VISION_API_KEY"):
                await models.ask(eye, MESSAGES)
            with pytest.raises(ModelError, match="ORCHESTRATOR_BASE_URL is right"):
                await models.ask(large, MESSAGES)
    assert "wrong" not in repr(eye)


async def test_an_address_where_nobody_answers_is_named():
    settings = ModelSettings(openai_base_url="http://127.0.0.1:9/v1", sub_agent_model="small", model_retries=0)
    async with connected_models(settings) as models:
        assert models is not None
        tier = models.tier("sub_agent")
        assert tier is not None
        with pytest.raises(ModelError, match=r"nothing answers at http://127\.0\.0\.1:9/v1.*OPENAI_BASE_URL"):
            await models.ask(tier, MESSAGES)


async def test_a_question_that_is_too_long_is_told_apart():
    full = refuses(400, "This model's maximum context length is 4096 tokens")
    async with asked_of(lambda _: full) as (models, tier, _):
        with pytest.raises(ContextFull):
            await models.ask(tier, MESSAGES)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>hello</html>", b'{"choices": [{"mess', b"null", b"[]", b'"text"', b"{}", b'{"choices": "x"}'],
    ids=["empty", "html", "half", "null", "list", "string", "object", "no list"],
)
async def test_an_answer_that_is_no_answer_is_an_error_in_words(body: bytes):
    async with asked_of(lambda _: Answer(200, body), model_retries=0) as (models, tier, _):
        with pytest.raises(ModelError, match=r"127\.0\.0\.1"):
            await models.ask(tier, MESSAGES)


@pytest.mark.parametrize(
    "body",
    [
        *('{"choices": [{"message": null}]}', '{"choices": [{"message": {}}]}'),
        *('{"choices": ["x"]}', '{"choices": [null]}', '{"choices": [{"message": "hi"}]}'),
        '{"choices": [{"message": {"content": 5, "tool_calls": "click"}}]}',
        '{"choices": [{"message": {"tool_calls": ["click", {"function": null}, {"function": "click"}]}}]}',
    ],
)
async def test_an_answer_without_a_message_is_an_empty_reply(body: str):
    async with asked_of(lambda _: Answer(200, body.encode())) as (models, tier, _):
        reply = await models.ask(tier, MESSAGES)
    assert (reply.text, reply.calls) == ("", ())


@pytest.mark.parametrize("count", ["many", None, -4, float("nan"), float("inf"), [1]])
async def test_a_count_of_tokens_that_is_none_counts_nothing(count: object):
    usage = {"prompt_tokens": count, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": count}}
    body = {"choices": [{"message": {"content": [{"type": "text", "text": "Hello"}]}}], "usage": usage}
    async with asked_of(lambda _: Answer(200, json.dumps(body).encode())) as (models, tier, _):
        reply = await models.ask(tier, MESSAGES)
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("Hello", 0, 3)
    assert reply.usage.cached_tokens == 0


async def test_cached_tokens_are_read_as_deepseek_tells_them():
    body = b'{"choices": [{}], "usage": {"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 6}}'
    async with asked_of(lambda _: Answer(200, body)) as (models, tier, _):
        assert (await models.ask(tier, MESSAGES)).usage.cached_tokens == 6


async def test_an_error_that_is_sent_as_an_answer_is_told():
    async with asked_of(lambda _: Answer(200, b'{"error": {"message": "no credits"}}')) as (models, tier, _):
        with pytest.raises(ModelError, match="no credits"):
            await models.ask(tier, MESSAGES)


async def test_arguments_that_are_an_object_or_no_json_are_passed_on_as_text():
    script = each(iter([does(("a", '{"half":'), ("b", {"x": 1}))]))
    async with asked_of(script) as (models, tier, _):
        reply = await models.ask(tier, MESSAGES)
    assert [call.function.arguments for call in reply.calls] == ['{"half":', '{"x": 1}']


async def test_a_model_whose_server_takes_no_tools_is_told_of_them_in_words():
    def script(asked: Asked) -> Answer:
        if "tools" in asked.body:
            return refuses(400, "small does not support tools")
        return says('click(element="Save")')

    properties: dict[str, object] = {"element": {}, "within": {}}
    parameters: dict[str, object] = {"type": "object", "properties": properties, "required": ["element"]}
    tool: dict[str, object] = {"name": "click", "description": "Click an element.", "parameters": parameters}
    async with asked_of(script) as (models, tier, server):
        reply = await models.ask(tier, MESSAGES, tools=[{"type": "function", "function": tool}])
    system, question = server.asked[-1].messages
    assert reply.text == 'click(element="Save")'
    assert system["content"].startswith("You look at a page.")
    assert "- click(element, within?) Click an element." in system["content"]
    assert "RESULT: PASS" in system["content"]
    assert question["content"] == "What do you see?"


async def test_what_a_server_does_not_know_is_left_out_from_then_on():
    def script(asked: Asked) -> Answer:
        if "max_tokens" in asked.body:
            return refuses(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in asked.body:
            return refuses(400, "Unsupported value: 'temperature' does not support 0.1")
        return says(str(asked.body["max_completion_tokens"]))

    async with asked_of(script) as (models, tier, server):
        assert (await models.ask(tier, MESSAGES)).text == "2048"
        before = len(server.asked)
        assert (await models.ask(tier, MESSAGES)).text == "2048"
    assert len(server.asked) == before + 1


async def shaped(models: Models, tier: Tier) -> Colour:
    async def ask(messages: tuple[object, ...], form: dict[str, object]) -> Reply:
        return await models.ask(tier, messages, response_format=form)  # type: ignore[arg-type]

    return await ask_structured(ask, MESSAGES, Colour)  # type: ignore[arg-type]


async def test_a_shape_is_asked_for_by_schema_and_in_words():
    async with asked_of(lambda _: gives({"name": "red", "bright": True})) as (models, tier, server):
        assert await shaped(models, tier) == Colour("red", bright=True)
    form = server.asked[0].body["response_format"]["json_schema"]
    assert (form["strict"], form["schema"]["required"]) == (True, ["name", "bright"])
    assert "one JSON object of this schema" in server.asked[0].last


async def test_a_server_without_structured_output_is_asked_in_words_alone():
    def script(asked: Asked) -> Answer:
        if "response_format" in asked.body:
            return refuses(400, "response_format json_schema is not supported by this server")
        return says('Sure! ```json\n{"name": "red", "bright": true}\n``` I hope {this} helps.')

    async with asked_of(script) as (models, tier, _):
        assert await shaped(models, tier) == Colour("red", bright=True)


async def test_an_answer_of_the_wrong_shape_is_asked_for_again_with_the_reason():
    answers = each(iter([gives({"name": 5, "bright": True}), gives({"name": "red", "bright": False})]))
    async with asked_of(answers) as (models, tier, server):
        assert await shaped(models, tier) == Colour("red", bright=False)
    assert "Expected `str`, got `int`" in server.asked[1].last


@pytest.mark.parametrize("text", ["", "no idea", '{"name": "red"', '{"name": "red"}', "[1, 2]", "{" * 3000])
async def test_two_answers_of_no_shape_are_unparsable(text: str):
    async with asked_of(lambda _: says(text)) as (models, tier, server):
        with pytest.raises(Unparsable):
            await shaped(models, tier)
    assert len(server.asked) == 2


async def test_questions_are_counted_by_model_with_tokens_money_and_the_kind_of_a_failure():
    def shown(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(name, {"gen_ai_request_model": "small"} | labels) or 0.0

    def totals() -> tuple[float, ...]:
        chat = {"gen_ai_operation_name": "chat", "gen_ai_provider_name": "openai"}
        return (
            shown("muster_model_calls_total", result="ok"),
            shown("muster_model_calls_total", result="error"),
            shown("gen_ai_client_token_usage_sum", gen_ai_token_type="input", **chat),
            shown("muster_model_cost_usd_total"),
            shown("gen_ai_client_operation_duration_seconds_count", error_type="", **chat),
            shown("gen_ai_client_operation_duration_seconds_count", error_type="ModelUnusable", **chat),
        )

    answers = each(iter([says("yes"), refuses(401)]))
    async with asked_of(answers, model_prices="small=1000/2000", model_retries=0) as (models, tier, _):
        before = totals()
        usage = (await models.ask(tier, MESSAGES)).usage
        with pytest.raises(ModelUnusable):
            await models.ask(tier, MESSAGES)
    grown = [after - then for after, then in zip(totals(), before, strict=True)]
    assert grown == pytest.approx([1, 1, usage.input_tokens, usage.cost, 1, 1])
