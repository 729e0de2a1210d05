"""A sub-task that asks a person: its worker lets go of it, and whoever gets it with the answer repeats nothing."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from controlled_page import controlled_page
from fleet import Fleet, fleet
from model_server import Answer, Asked, does, model_server, passes
from msgspec.structs import replace
from played_owner import Owner
from waiting import eventually

from muster_protocol.journal import CallFinished, CallStarted, ModelReplied, Suspended, Taken


@pytest.fixture
async def group(tmp_path: Path) -> AsyncGenerator[Fleet]:
    async with fleet(tmp_path, SECRET_CODE_WORD="hush-hush") as group:
        await group.start("sessions")
        yield group


@pytest.mark.slow
async def test_a_question_frees_the_slot_and_another_worker_goes_on_with_the_answer_in_the_same_page(group: Fleet):
    with controlled_page() as page:
        first = await group.start("subagent")
        owner = Owner(group)
        ask = 'ask "What is the code in the mail?" and remember the answer as ${code}'
        check = 'The text "Count: 2" is visible'
        action = f'Open "{page.url}", click the "Count" button, {ask}, click the "Count" button'
        await owner.begins(action, expected_result=check)

        asks = await owner.asked()
        assert (asks.id, asks.text) == (f"{owner.run}.step-1.1:2", "What is the code in the mail?")
        await eventually(owner.queue_is_empty, "the message is acked and the slot is free")
        assert [type(it) for it in (await owner.journal())[-2:]] == [CallStarted, Suspended]
        assert page.counted == 1
        first.kill()
        await first.wait()
        await group.start("subagent")

        await owner.answers(asks, " 4711\n")
        result = await owner.result()

        assert (result.status, result.step.captured) == ("pass", {"code": "4711"})
        assert page.counted == 2
        started = [it.index for it in await owner.journal(CallStarted)]
        assert started == [0, 1, 2, 2, 3, 4]
        assert [it.index for it in await owner.journal(CallFinished)] == [0, 1, 2, 3, 4]
        assert len(await owner.journal(Taken)) == 2
        await eventually(owner.queue_is_empty, "nothing is left in the queue")
        lines = await owner.lines()
        assert any("waits for an answer: What is the code in the mail?" in line for line in lines)
        assert any('A person answers "4711" (kept as ${code}).' in line for line in lines)


@pytest.mark.slow
async def test_several_questions_of_one_sub_task_are_asked_one_after_another(group: Fleet):
    await group.start("subagent")
    owner = Owner(group)
    action = 'Ask "One?" and remember the answer as ${a}, ask "Two, after ${a}?" and remember the answer as ${b}'
    await owner.begins(f'{action}, run the command "echo ${{a}} ${{b}}"', expected_result='The output contains "x y"')

    await owner.answers(await owner.asked(1), "x")
    second = await owner.asked(2)
    assert (second.id, second.text) == (f"{owner.run}.step-1.1:1", "Two, after x?")
    await owner.answers(second, "y")

    result = await owner.result()
    assert (result.status, result.step.captured) == ("pass", {"a": "x", "b": "y"}), result.summary


async def test_secrets_are_masked_in_questions_and_answers(group: Fleet):
    await group.start("subagent")
    owner = Owner(group)
    action = 'Ask "Is ${secret:CODE_WORD} right?" and remember the answer as ${said}'
    await owner.begins(action, secrets=("CODE_WORD",))

    asks = await owner.asked()
    await owner.answers(asks, "yes, hush-hush is right")

    result = await owner.result()
    assert "hush" not in asks.text
    assert "hush" not in result.step.captured["said"]
    assert not [line for line in await owner.lines() if "hush" in line]


@pytest.mark.slow
async def test_a_model_that_asked_goes_on_from_its_replies_and_is_told_the_answer(tmp_path: Path):
    def script(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("execute_command", {"command": "echo once >> log.txt"}))
        if asked.turn == 1:
            assert "ask_person" in asked.tools
            return does(("ask_person", {"question": "Which code is in the mail?"}))
        assert 'A person answers "4711".' in asked.last
        return does(("execute_command", {"command": "cat log.txt && echo 4711"}), passes())

    with model_server(script) as model:
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "small"}
        async with fleet(tmp_path, **settings) as group:
            await group.start("sessions")
            first = await group.start("subagent")
            owner = Owner(group)
            action = "In the terminal, confirm the account with the code from the mail"
            notice = "The session was opened anew after its host was lost."
            await owner.begins(action, expected_result='The output contains "4711"', notice=notice)

            asks = await owner.asked()
            assert asks.text == "Which code is in the mail?"
            assert notice in model.asked[0].question
            first.kill()
            await first.wait()
            await group.start("subagent")
            await owner.answers(asks, "4711")
            result = await owner.result()

            assert (result.status, result.iterations, len(model.asked)) == ("pass", 3, 3), result.summary
            assert len(await owner.journal(ModelReplied)) == 3
            [last] = [
                it.outcome for it in await owner.journal(CallFinished) if "4711" in it.outcome.text and it.index == 2
            ]
            assert last.text.count("once") == 1
            assert sum(notice in line for line in await owner.lines()) >= 1


@pytest.mark.slow
async def test_a_model_has_as_much_money_as_the_run_has_left(tmp_path: Path):
    def script(asked: Asked) -> Answer:
        return does(("find", {"text": f"turn {asked.turn}"}))

    with model_server(script) as model:
        settings = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "key",
            "SUB_AGENT_MODEL": "small",
            "MODEL_PRICES": "small=1000/1000",
        }
        async with fleet(tmp_path, **settings) as group:
            await group.start("sessions")
            await group.start("subagent")
            owner = Owner(group)
            task = await owner.begins("Tidy up")
            budget = replace(task.budget, cost=5.0)
            second = Owner(group)
            await second.begins("Tidy up", budget=budget)

            result = await second.result()

            assert (result.status, result.failure, result.cause) == ("fail", "money_spent", "budget")
            assert "max_cost" in result.summary
            assert 0 < result.usage.cost <= 5.0
            assert (await owner.result()).iterations > result.iterations
