"""A model whose replies lead nowhere is ended soon, with words for a person, not with the instructions of the model."""

import pytest
from lone_agent import goal, result_of
from model_server import Answer, Asked, does, says


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (does(("run_command", '{"command": "ls')), "the arguments are not JSON"),
        (does(("finish", "[1]")), "the arguments must be a JSON object"),
        (does(("finish", "null")), "the arguments must be a JSON object"),
        (does(("delete_everything", {})), "there is no tool 'delete_everything'"),
    ],
    ids=["half", "list", "null", "unknown"],
)
async def test_calls_that_cannot_be_made_end_the_work_as_repeated_ones_do(reply: Answer, said: str):
    asked: list[Asked] = []

    def script(it: Asked) -> Answer:
        asked.append(it)
        return reply

    result = await result_of(script, goal())
    assert (result.status, result.failure, len(asked)) == ("fail", "unparsable", 5)
    assert result.summary.startswith("none of the model's calls could be made, 5 replies in a row: ")
    assert said in result.summary


async def test_a_model_that_finds_the_right_call_goes_on():
    done = {"status": "failed", "summary": "enough"}

    def script(it: Asked) -> Answer:
        return does(("nothing", {})) if it.number < 4 else does(("finish", done))

    result = await result_of(script, goal())
    assert (result.failure, result.summary) == ("gave_up", "enough")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (says("I'm sorry, I can't help with that."), "it says: “I'm sorry, I can't help with that.”"),
        (says(""), "its replies are empty"),
        (says("Let me think about", finish="length"), "its replies are cut off at the limit of tokens (SUB_AGENT_MAX_"),
        (says("", finish="content_filter"), "the content filter of its server keeps its replies back"),
    ],
    ids=["refusal", "empty", "cut", "filter"],
)
async def test_a_model_that_says_nothing_usable_is_quoted(reply: Answer, said: str):
    result = await result_of(lambda _: reply, goal())
    assert (result.status, result.failure) == ("fail", "unparsable")
    assert said in result.summary
    assert "write one line per call" not in result.summary
