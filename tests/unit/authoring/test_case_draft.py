"""What becomes of a draft that an agent hands in: a file that a person reviews, or faults."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from muster_authoring.case_check import check_paths
from muster_authoring.case_draft import (
    LARGEST_MATERIAL,
    draft_assignment,
    find_draft_problem,
    review_draft,
)
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import RunRequest
from muster_text.request_rules import find_problems

GOOD: dict[str, Any] = {
    "name": "A tester logs in",
    "secrets": ["SHOP_PASSWORD"],
    "steps": [
        {"action": 'Open "http://127.0.0.1:8000/login"', "expected": 'The page title is "Demo shop"'},
        {"action": 'Type "${secret:SHOP_PASSWORD}" into the "Password" field'},
        {"action": 'Click the "Log in" button', "expected": 'The text "Hello" is visible'},
    ],
    "questions": ["Which user logs in?"],
}


def with_step(**step: str) -> dict[str, Any]:
    return GOOD | {"steps": [*GOOD["steps"], step]}


def test_a_good_draft_is_a_file_that_the_check_accepts_with_its_questions_as_comments(tmp_path: Path):
    found = review_draft(GOOD)
    assert (found.faults, found.remarks, found.questions) == ((), (), ("Which user logs in?",))
    assert "# Open question: Which user logs in?\n" in found.text
    (tmp_path / "draft.yaml").write_text(found.text)
    assert check_paths([tmp_path / "draft.yaml"]) == (1, ())
    assert yaml.safe_load(found.text)["steps"] == GOOD["steps"]
    assert find_draft_problem(GOOD, strict=True) == ""


NO_CASES: list[tuple[Any, str]] = [
    (None, "it is not a draft of a case"),
    ("steps", "it is not a draft of a case"),
    ({**GOOD, "steps": []}, "it is not a draft of a case"),
    (GOOD | {"run": True}, "unknown field `run`"),
    ({**GOOD, "secrets": []}, "SHOP_PASSWORD"),
    (with_step(action='Open "${nowhere}"'), "step 4: nothing is known by the name ${nowhere}"),
    (GOOD | {"steps": [{"action": 'Click "A"'}]}, "expect"),
]


@pytest.mark.parametrize(("output", "said"), NO_CASES)
def test_what_the_check_would_refuse_even_with_a_model_is_a_fault(output: Any, said: str):
    assert said in "\n".join(review_draft(output).faults)
    assert said in find_draft_problem(output, strict=False)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"action": "Frobnicate the orders"}, "for a model: no phrase fits «Frobnicate the orders»"),
        ({"action": 'Click "A"', "expected": "it dances"}, "for a model: no phrase fits «it dances»"),
        (
            {"action": 'Type "a" into the "Name" field and then click the "Send" button'},
            'one step each: «Type "a" into the "Name" field», «click the "Send" button»',
        ),
        ({"action": 'Type "swordfish" into the "Your password" field'}, 'the value of "Your password" is written down'),
    ],
)
def test_what_a_person_may_be_left_to_look_at_is_sent_back_once_and_then_a_comment(step: dict[str, str], said: str):
    output = with_step(**step)
    assert said in find_draft_problem(output, strict=True)
    assert find_draft_problem(output, strict=False) == ""
    lines = review_draft(output).text.splitlines()
    comment = next(index for index, line in enumerate(lines) if said in line)
    assert lines[comment].startswith("  # ")
    assert lines[comment + 1].startswith("  - action: ")


@pytest.mark.parametrize("quoted", ['Click the "Salt and pepper" link', 'Type "a, b and c" into the "Name" field'])
def test_a_joint_within_a_quoted_text_joins_no_acts(quoted: str):
    assert review_draft(with_step(action=quoted)).remarks == ()


def test_a_question_cannot_write_into_the_file():
    text = "Who?\nsteps: []\r\x85secrets: [A]\u2028name: other\x00"
    found = review_draft(GOOD | {"questions": [text], "name": "a\nsteps: []"})
    assert found.faults == ()
    read = yaml.safe_load(found.text)
    assert read["name"] == "a\nsteps: []"
    assert (read["steps"], read["secrets"]) == (GOOD["steps"], GOOD["secrets"])


def test_the_assignment_can_be_run_and_names_its_material_its_sentences_and_one_host():
    job = draft_assignment("Log in as ${secret:USER}", "http://shop.test:81/login", "+ a line", "change.diff")
    assert find_problems(RunRequest(job=job)) == ()
    assert (job.agent, job.deliverable, job.domains) == ("drafter", "case", ("shop.test:81",))
    assert (job.inputs["change.diff"], job.secrets) == ("+ a line", ("USER",))
    assert 'Open "${base_url}/login"' in job.inputs["sentences"]


def test_nothing_to_draft_from_and_too_much_are_refused_with_what_to_do():
    with pytest.raises(InvalidRequest, match="Say it in a sentence or two"):
        draft_assignment("  ")
    with pytest.raises(InvalidRequest, match="give the part that matters"):
        draft_assignment("Log in", material="x" * (LARGEST_MATERIAL + 1))
