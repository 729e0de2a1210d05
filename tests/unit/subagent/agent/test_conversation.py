"""What a model is asked: always within the room there is, and with a result for every call."""

from envelopes import a_task
from hypothesis import given
from hypothesis import strategies as st

from muster_model import AskedCall, Assistant, Reply, ToolResult, User
from muster_model.chat_messages import Function, count_tokens
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_subagent.agent.loop_detection import repeated
from muster_subagent.agent.question_messages import Answered, Turn, conversation, question
from muster_subagent.results import Made
from muster_subagent.tools import TOOLS


def task(**more: object) -> SubTask:
    return a_task(id="r.n.1", run="r", node="n", attempt=1, dispatch=1, **{"description": "Buy it", **more})  # type: ignore[arg-type]


def turn(number: int, text: str = "done") -> Turn:
    call = AskedCall(f"c{number}", Function("click", '{"element": "Save"}'))
    return Turn(Reply(calls=(call,)), (Answered(f"c{number}", f'click("Save {number}")', text),))


def test_the_question_has_the_step_its_clauses_values_secrets_and_the_page():
    asked = question(
        task(
            description="Buy ${item} with ${secret:PIN}",
            covers=(0,),
            values={"item": "a bag"},
            secrets=("PIN",),
            state="Opened the shop",
            written=("All with ${secret:PIN}",),
        ),
        ['"${item}" is there'],
        "- button",
    )
    for part in (
        "Buy a bag with",
        '1. "a bag" is there',
        "${item} = a bag",
        "${secret:PIN}",
        "Opened the shop",
        "- button",
        "All",
    ):
        assert part in asked


def test_what_a_worker_must_know_beside_the_state_is_in_the_question_only_where_there_is_something():
    notice = "The session was opened anew."
    assert f"# Mind this\n{notice}" in question(task(notice=notice), [], "- button")
    assert "# Mind this" not in question(task(), [], "- button")


def test_every_call_has_its_result_after_it():
    messages = conversation(task(), [], "page", [turn(1), turn(2)], instructions="Do it.", tools="", room=8000)
    kinds = [type(message) for message in messages[2:]]
    assert kinds == [Assistant, ToolResult, Assistant, ToolResult]


def test_calls_that_were_text_get_their_results_as_text():
    written = Turn(Reply(text='click(element="Save")'), (Answered("", "click(Save)", "clicked"),), "go on")
    last = conversation(task(), [], "page", [written], instructions="Do it.", tools="", room=8000)[-1]
    assert last == User("Result of click(Save):\nclicked\n\ngo on")


def test_calls_that_were_not_made_are_told_of_once_with_the_last_that_was():
    why = "not done: the page has changed since; look at it first"
    calls = tuple(AskedCall(f"c{number}", Function("click", "{}")) for number in range(3))
    answers = tuple(Answered(call.id, "click", why, made=False) for call in calls[1:])
    stopped = Turn(Reply(calls=calls), (Answered("c0", "click", "clicked"), *answers))
    said, result = conversation(task(), [], "page", [stopped], instructions="Do it.", tools="", room=8000)[-2:]
    assert said == Assistant(tool_calls=calls[:1])
    assert result == ToolResult("c0", f"clicked\n(2 further calls {why})")


def test_where_no_call_of_a_reply_was_made_the_first_tells_why():
    calls = tuple(AskedCall("same", Function("finish", "{}")) for _ in range(2))
    none = tuple(Answered("same", "finish", "not done: the reply claims two results", made=False) for _ in calls)
    said, result = conversation(
        task(), [], "page", [Turn(Reply(calls=calls), none)], instructions="Do it.", tools="", room=8000
    )[-2:]
    assert said == Assistant(tool_calls=calls[:1])
    assert isinstance(result, ToolResult)
    assert result.content.startswith("not done: the reply claims two results")


def test_of_the_secrets_there_are_those_are_named_that_the_step_names():
    secret = {"secrets": ("PIN", "KEY"), "covers": (1,)}
    assert "# Secrets" not in question(task(**secret), [], 'textbox "Password"')
    asked = question(task(**{**secret, "description": "Log in with ${secret:PIN}"}), [], "")
    assert "# Secrets, written like this\n${secret:PIN}" in asked
    assert "KEY" not in asked


def test_near_the_limit_old_turns_become_one_line_each_and_the_newest_stay_whole():
    turns = [turn(number, f"outcome {number}\n" + "x" * 3000) for number in range(1, 9)]
    messages = conversation(task(), [], "page", turns, instructions="Do it.", tools="", room=4000)
    asked = messages[1]
    assert isinstance(asked, User)
    assert '- click("Save 1"): outcome 1' in asked.content
    assert messages[-1] == ToolResult("c8", turns[-1].answers[0].text)
    assert count_tokens(messages) <= 4000


@given(st.lists(st.text(max_size=9000), max_size=20), st.text(max_size=30_000), st.integers(1500, 8000))
def test_whatever_came_before_the_question_fits(texts: list[str], view: str, room: int):
    turns = [turn(number, text) for number, text in enumerate(texts)]
    assert count_tokens(conversation(task(), [], view, turns, instructions="Do it.", tools="", room=room)) <= room


def made(text: str, *, by_model: bool = True) -> Made:
    return Made(
        0,
        ToolCall(tool="click", arguments={"element": "a"}),
        TOOLS["click"],
        ToolOutcome(status="ok", text=text),
        by_model,
    )


def test_the_same_call_with_the_same_outcome_counts_as_going_in_circles():
    assert repeated([]) == 0
    assert repeated([made("a"), made("b")]) == 1
    assert repeated([made("a"), made("b"), made("a"), made("a")]) == 3
    assert repeated([made("a"), made("a", by_model=False)]) == 1
