"""What people ask for in a chat is done, end to end: real processes and a real browser; only the model is a script."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from chatting import Chat, ChatStage, Reply, chat_stage
from model_server import Answer, Asked, does, says
from pages import site
from phone_server import capabilities, phone_server
from shop_screens import shop as shop_app

from muster_protocol import codec

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(300)]
SHOP = '<title>Demo shop</title><h1>Demo shop</h1><a href="/cart">Cart</a>'
CART = '<title>Cart</title><h1>Cart</h1><p>Your cart is empty</p><a href="/">Back to the shop</a>'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[ChatStage]:
    folder = tmp_path_factory.mktemp("fleet")
    with phone_server(shop_app()) as phone:
        phones = {"pixel": {"server": phone.url, "capabilities": capabilities("UiAutomator2")}}
        (folder / "phones.json").write_bytes(codec.encode({"phones": phones}))
        more = {"PHONES": str(folder / "phones.json"), "THINK_SLOTS": "2"}
        async with chat_stage(folder, ("orchestrator", "subagent", "sessions"), **more) as made:
            yield made


def does_in_turn(skill: str, *calls: tuple[str, dict[str, Any]]) -> Reply:
    """Return a script that loads a skill, makes calls, waits for the run of the last one, and tells how it ended."""
    begun = (("load_skill", {"name": skill}), *calls)

    def script(asked: Asked) -> Answer:
        if asked.turn < len(begun):
            return does(begun[asked.turn])
        if asked.turn == len(begun) and asked.last.startswith("started: "):
            return does(("show_run", {"run": asked.last.split()[1].strip(";"), "wait_seconds": 30}))
        first = asked.last.splitlines()[0]
        if " running" in first or " queued" in first:
            return does(("show_run", {"run": first.split()[0], "wait_seconds": 30}))
        return says(asked.last)

    return script


async def answer_of(chat: Chat, text: str) -> str:
    """Return the answer to a message whose act is allowed."""
    await chat.says(text)
    shown = await chat.reaches("asking")
    [question] = shown["questions"]
    given = {"question": question["id"], "text": "yes"}
    (await chat.api.post(f"/runs/{chat.id}/answer", json=given)).raise_for_status()
    return (await chat.reaches("idle"))["messages"][-1]["text"]


async def test_explore_the_demo_shop_run_a_testcase_and_tell_which_tests_are_flaky(stage: ChatStage):
    with site() as shop:
        shop.pages |= {"/": SHOP, "/cart": CART}
        case = f'name: The cart is empty\nsteps: [{{action: Open "{shop.url}/cart", expected: The page title is "Cart"}}]\n'
        put = await stage.api.put("/cases/TC_CART_01", content=case, headers={"Content-Type": "application/yaml"})
        put.raise_for_status()
        explores = ("start_exploration", {"url": shop.url, "max_steps": 12})
        stage.replies |= {
            "Explore the demo shop": does_in_turn("exploration-web", explores),
            "Run testcase TC_CART_01": does_in_turn("execution", ("start_stored_case", {"case": "TC_CART_01"})),
            "which tests are flaky?": does_in_turn("false-positive-detection", ("show_health", {})),
        }
        chat = await stage.opens()
        explored = await answer_of(chat, "Explore the demo shop")
        ran = await chat.asks("Run testcase TC_CART_01")
        flaky = await chat.asks("which tests are flaky?")

    assert " DONE: Explore " in explored.splitlines()[0]
    assert " PASS: The cart is empty" in ran.splitlines()[0]
    assert "The cart is empty" in flaky
    assert "The words of the goal ask for exploration-web." in str(stage.asked[0].messages[0]["content"])


@pytest.mark.parametrize(("skill", "app"), [("exploration-mobile", "phone"), ("exploration-stb", "set-top-box")])
async def test_simulated_devices_are_explored_from_a_chat(stage: ChatStage, skill: str, app: str):
    stage.replies[f"Explore the {app}"] = does_in_turn(skill, ("start_exploration", {"app": app, "max_steps": 60}))
    explored = await answer_of(await stage.opens(), f"Explore the {app}")

    assert " DONE: Explore " in explored.splitlines()[0]


async def test_a_phone_of_the_fleet_is_found_and_explored_from_a_chat(stage: ChatStage):
    explores = ("start_exploration", {"phone": "pixel", "max_steps": 15})
    stage.replies["Explore the shop on the pixel"] = does_in_turn("exploration-mobile", ("show_fleet", {}), explores)
    explored = await answer_of(await stage.opens(), "Explore the shop on the pixel")

    assert " DONE: Explore " in explored.splitlines()[0]
    told = [str(message["content"]) for asked in stage.asked for message in asked.messages]
    assert any("phones: pixel (android, free)" in it for it in told)
    run = explored.split()[0]
    shown = (await stage.api.get(f"/maps/{run}")).json()
    assert len(shown["states"]) > 1
