"""Runs with a model: planned, carried out and judged by jobs that ask a scripted model over real HTTP."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from model_server import Answer, Asked, does, fails, gives, passes, says
from thinking import MARK, SIGN_UP, Play, Stage, plan_as_written, stage


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with stage(tmp_path_factory.mktemp("fleet")) as made:
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_free_step_is_carried_out_by_the_model_and_its_expectation_is_checked_by_phrase(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        fill = ("type", {"element": "Name", "text": "Ann"})
        return does(fill, ("click", {"element": "Send"}), passes())

    steps = [
        ('Open "@/"', 'The title is "Page"'),
        ("Fill in the form as Ann and send it", 'The text "Welcome" is visible'),
    ]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert (verdict.status, verdict.summary) == ("pass", "2 of 2 sub-tasks passed")
    by_phrase, by_model = verdict.results
    assert (by_phrase.source, by_phrase.iterations) == ("phrase", 0)
    assert (by_model.source, by_model.iterations, by_model.usage.model_calls) == ("model", 1, 1)
    assert [act.tool for act in by_model.step.acts] == ["type", "click"]
    assert [(it.check, it.by, it.passed) for it in by_model.step.evidence] == [("check_text", "phrase", True)]
    assert verdict.usage.input_tokens > 200


@pytest.mark.slow
async def test_a_compound_step_is_split_and_an_implicit_one_added_and_the_log_says_so(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            parts: list[dict[str, object]] = [
                {"covers": [1], "description": "Open the site", "why": ""},
                {"covers": [], "description": "Put the name Ann in", "why": "the form needs one"},
                {"covers": [2], "description": "Fill in the mail", "why": "two actions"},
                {"covers": [2], "description": "Send it off", "why": ""},
            ]
            return gives({"sub_tasks": parts})
        if "# Step\nPut the name" in asked.question:
            return does(("type", {"element": "Name", "text": "Ann"}), passes())
        if "# Step\nFill in" in asked.question:
            assert "Fill in the mail and send it off" in asked.question
            return does(("type", {"element": "Mail", "text": "ann@example.org"}), passes())
        return does(("click", {"element": "Send"}), passes())

    steps = [
        ('Open "@/"', 'The title is "Page"'),
        ("Fill in the mail and send it off", 'The text "Welcome" is visible'),
    ]
    verdict, run = await on_stage.run(Play(SIGN_UP, steps, script))

    assert verdict.status == "pass", verdict.summary
    assert [result.node for result in verdict.results] == ["step-1", "added-1", "step-2-1", "step-2-2"]
    lines = await on_stage.lines(run)
    assert any("[Orchestrator] Planning: decomposed test case into 4 sub-tasks" in line for line in lines)
    assert any("step 2 split into 2; added 'Put the name Ann in' (the form needs one)" in line for line in lines)


async def test_a_plan_that_drops_a_step_is_sent_back_and_then_replaced_by_the_steps_as_written(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return gives({"sub_tasks": [{"covers": [1], "description": "Open it", "why": ""}]})
        return does(("click", {"element": "Send"}), passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", 'The text "Welcome" is visible')]
    verdict, run = await on_stage.run(Play(SIGN_UP, steps, script))

    assert [result.node for result in verdict.results] == ["step-1", "step-2"]
    assert any(
        "the model's plan cannot be used: step 2 is covered by no sub-task" in line
        for line in await on_stage.lines(run)
    )


async def test_a_missing_command_is_installed_by_a_recovery_and_the_step_then_passes(on_stage: Stage):
    questions: list[str] = []

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(3)
        if asked.role == "evaluator":
            assert "command_missing" in asked.question
            return gives(
                {
                    "action": "recover",
                    "reason": "greet is not installed",
                    "cause": "environment",
                    "recovery": "Install the missing command greet from install.sh",
                    "recovery_expected": "",
                }
            )
        if "# Step\nInstall the missing" in asked.question:
            install = "sh install.sh && export PATH=$HOME/.local/bin:$PATH"
            return does(("execute_command", {"command": install}), passes())
        if asked.turn == 0:
            questions.append(asked.question)
            return does(("execute_command", {"command": "greet Ann"}))
        found = "not found" not in asked.last
        return does(passes()) if found else does(fails("greet is not there", blocked=True))

    installer = """mkdir -p $HOME/.local/bin
printf '#!/bin/sh\\necho hello $1\\n' > $HOME/.local/bin/greet
chmod +x $HOME/.local/bin/greet"""
    steps = [
        ('Open "@/"', 'The title is "Page"'),
        (f"Create the file install.sh with the content:\n{installer}", ""),
        ("Have the command greet say hello to Ann", 'The output contains "hello Ann"'),
    ]
    verdict, run = await on_stage.run(Play(SIGN_UP, steps, script))

    assert verdict.status == "pass", verdict.summary
    told = "Evaluation of step-3: recover, cause environment — greet is not installed; first: Install the missing"
    assert any(told in line for line in await on_stage.lines(run))
    assert [(result.node, result.status) for result in verdict.results] == [
        ("step-1", "pass"),
        ("step-2", "pass"),
        ("step-3", "fail"),
        ("step-3-r1", "pass"),
        ("step-3", "pass"),
    ]
    before, after = questions
    for asked in (before, after):
        assert '(showed: "Page")' in asked
        assert re.search(r"\nNow at: http://127\.0\.0\.1:\d+/c\d+/\n", asked), asked
        assert "\n\n# Where commands run\n" in asked
        assert ", bash; commands begin in " in asked
    installed = "Recoveries have changed the machine: Install the missing command greet from install.sh"
    assert installed in after
    assert installed not in before


@pytest.mark.parametrize(("step", "cause"), [('Pay the bill with "Pay now"', "product"), ("Pay the bill", "agent")])
async def test_an_evaluator_that_says_stop_ends_the_run_with_its_cause_and_reason(
    on_stage: Stage, step: str, cause: str
):
    """The product is to blame for the lack of what the step names, and never for that of what a model thought of."""

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "evaluator":
            reason = "the page has no such button"
            return gives(
                {"action": "stop", "reason": reason, "cause": "product", "recovery": "", "recovery_expected": ""}
            )
        return does(("click", {"element": "Pay now"})) if asked.turn == 0 else does(fails("no button", blocked=True))

    steps = [('Open "@/"', 'The title is "Page"'), (step, 'The text "Paid" is visible')]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert (verdict.status, verdict.cause) == ("fail", cause)
    assert "no button" in verdict.summary
    left = [file.content_type for file in verdict.results[-1].artifacts]
    assert left == ["image/png", "text/plain; charset=utf-8"], "a picture of the page, and its source"
    assert "there is no element" in verdict.seen or "Pay now" in verdict.expected


async def test_a_pass_without_evidence_is_sent_back_once_and_then_refused(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "looker":
            return gives({"holds": True, "quote": "Everything is in order", "answer": "yes"})
        return does(("click", {"element": "Send"}), passes()) if asked.turn == 0 else does(passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", "Everything about the order looks right")]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert (verdict.status, verdict.cause) == ("fail", "agent")
    assert 'its quote "Everything is in order" is not on the page' in verdict.summary
    assert verdict.results[-1].iterations == 2


async def test_a_free_text_expectation_is_looked_at_with_question_and_answer_stored(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "looker":
            return gives(
                {"holds": True, "quote": "Thank you, we have written to you.", "answer": "It thanks the user."}
            )
        return does(("click", {"element": "Send"}), passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Send the form", "The page thanks the user for signing up")]
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert verdict.status == "pass", verdict.summary
    [looked] = [it for result in verdict.results for it in result.step.evidence if it.check == "look"]
    assert looked.arguments == '{"statement":"The page thanks the user for signing up"}'
    assert (looked.by, looked.seen) == ("model", "Thank you, we have written to you.")
    assert verdict.results[-1].usage.model_calls == 2


@pytest.mark.slow
async def test_a_question_about_a_picture_is_answered_by_the_model_that_sees(tmp_path: Path):
    async with stage(tmp_path, VISION_MODEL="eye") as own:

        def script(asked: Asked) -> Answer:
            if asked.role == "planner":
                return plan_as_written(2)
            if asked.role in ("picture", "looker"):
                assert asked.body["model"] == "eye"
                assert "data:image/png;base64," in asked.text
                if asked.role == "looker":
                    return gives({"holds": True, "quote": "", "answer": "The button is green."})
                return says("There is one green button.")
            if asked.turn == 0:
                return does(("take_screenshot", {"question": "What colour is the button?"}))
            assert "There is one green button." in asked.last
            return does(("click", {"element": "Send"}), passes())

        steps = [
            ('Open "@/"', 'The title is "Page"'),
            ("Send the form by its button", "The colours of it all look friendly"),
        ]
        verdict, _ = await own.run(Play(SIGN_UP, steps, script))

        assert verdict.status == "pass", verdict.summary
        [looked] = [it for result in verdict.results for it in result.step.evidence if it.check == "look"]
        assert [artifact.content_type for artifact in looked.artifacts] == ["image/png"]


@pytest.mark.slow
async def test_a_state_that_has_grown_is_summed_up_by_a_job_of_its_own(on_stage: Stage):
    told: list[str] = []

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(12)
        if asked.role == "summariser":
            told.append(asked.question)
            return says("The form at @/ was opened many times.".replace("@", MARK.search(asked.text)[0]))  # type: ignore[index]
        assert "The form at" in asked.question
        return does(("click", {"element": "Send"}), passes())

    often = [(f'Open "@/?{"x" * 150}{n}"', 'The title is "Page"') for n in range(11)]
    verdict, _ = await on_stage.run(Play(SIGN_UP, [*often, ("Send the form", 'The text "Welcome" is visible')], script))

    assert verdict.status == "pass", verdict.summary
    assert len(told) == 1
    assert len(verdict.results) == 12


@pytest.mark.slow
async def test_a_long_output_is_summed_up_for_the_model_and_kept_whole(on_stage: Stage):
    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "summary":
            assert "line 1 " in asked.last
            return says("400 lines, the last one says 400.")
        if asked.turn == 0:
            place = MARK.search(asked.text)
            assert place
            return does(("execute_command", {"command": f"for n in $(seq 400); do echo line $n of {place[0]}; done"}))
        assert "400 lines, the last one says 400." in asked.last
        assert "line 200 " not in asked.text
        return does(passes())

    steps = [('Open "@/"', 'The title is "Page"'), ("Have a command count to 400", "The exit code is 0")]
    before = len(on_stage.model.asked)
    verdict, _ = await on_stage.run(Play(SIGN_UP, steps, script))

    assert verdict.status == "pass", verdict.summary
    assert [artifact.content_type.partition(";")[0] for artifact in verdict.results[-1].artifacts] == ["text/plain"]
    assert "summary" in {asked.role for asked in on_stage.model.asked[before:]}


LISTED = """<h1>Cart</h1><ul><li>Backpack <button onclick="document.title='no backpack'">Remove</button></li>
<li>Mug <button onclick="document.title='no mug'">Remove</button></li></ul>"""


@pytest.mark.slow
async def test_a_model_that_writes_its_calls_is_asked_for_a_number_where_a_name_means_several(on_stage: Stage):
    asked_for: list[str] = []

    def script(asked: Asked) -> Answer:
        if asked.role == "planner":
            return plan_as_written(2)
        if asked.role == "picture":
            asked_for.append(asked.question)
            return gives({"number": 2})
        answers = [str(it["content"]) for it in asked.messages]
        if any("Clicked" in text for text in answers):
            return says("RESULT: PASS\nSUMMARY: The mug is gone.")
        return says('<tool_call>\n{"name": "click", "arguments": {"element": "Remove"}}\n</tool_call>')

    steps = [('Open "@/"', 'The title is "Page"'), ("Remove the mug from the cart at @/", 'The title is "no mug"')]
    verdict, _ = await on_stage.run(Play({"": LISTED}, steps, script))
    assert verdict.status == "pass", verdict.summary
    [question] = asked_for
    assert '1. button "Remove" in "Backpack' in question
    assert '2. button "Remove" in "Mug' in question
