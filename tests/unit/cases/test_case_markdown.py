"""Cases written in Markdown: what becomes of headings, lists and tables, and what is said about those that are wrong."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster_cases.case_loader import CaseError, LoadedCase, load_text
from muster_protocol.requests import Limits, RunRequest, Step, TestCase

ROOT = Path(__file__).parents[3]
FULL = """\
# The shop

Some words about it. Note: they are read by nobody.

- **Tags:** web
- Variables:
  - `base_url`: http://127.0.0.1:8000
  - user = "a b"
- Secrets: SHOP_PASSWORD

## A member logs in

Tags: smoke, `login`
Timeout: 2 min
Max calls: 50
**Suite**: shop
Priority: High
On fail: continue
Domains: 127.0.0.1, *.shop.test
Labels: team=checkout, stage = test

### Preconditions

1. The shop is open
   at "${base_url}"
2. The command `grep` is installed

### Steps

| # | **Action** | Expected result |
|--:|------------|-----------------|
| 1 | Open "${base_url}/login" | The page title is "Demo \\| shop" |
| 2 | **Type** "__x__" into the *User name* field | |
| 3 | Click the "Log in" button | "Hello" is visible<br>the URL contains "/p" |

### A remark

Nothing to do here.

## The tester finds it

1. Open <http://127.0.0.1:8000/a_b_c>
2. [ ] Type "Backpack" into
   the "Search" field
   → the field "Search"
   has the value "Backpack"

3. Click the "Search" button
   - **Expected:** the text "1 \\"x\\" found" is visible
   - the text "Onesie"
     is not visible
4. Run the command
   ```
   echo a

   echo b
   ```
   Expected result: the output contains "a"
"""


def load(text: str) -> list[LoadedCase]:
    return load_text(text, "f.md", "folder", "markdown")


def reasons(text: str) -> list[str]:
    with pytest.raises(CaseError) as caught:
        load(text)
    return list(caught.value.reasons)


def steps(text: str) -> tuple[Step, ...]:
    (found,) = load(text)
    assert isinstance(found.request.job, TestCase)
    return found.request.job.steps


def test_headings_lists_and_tables_become_requests_with_every_field():
    shared = {"base_url": "http://127.0.0.1:8000", "user": "a b"}
    first = TestCase(
        name="A member logs in",
        steps=(
            Step(action='Open "${base_url}/login"', expected='The page title is "Demo | shop"'),
            Step(action='Type "__x__" into the User name field'),
            Step(action='Click the "Log in" button', expected='"Hello" is visible\nthe URL contains "/p"'),
        ),
        preconditions=('The shop is open at "${base_url}"', "The command `grep` is installed"),
        tags=("web", "smoke", "login"),
        variables=shared,
        secrets=("SHOP_PASSWORD",),
        domains=("127.0.0.1", "*.shop.test"),
        on_fail="continue",
    )
    second = TestCase(
        name="The tester finds it",
        steps=(
            Step(action="Open http://127.0.0.1:8000/a_b_c"),
            Step(
                action='Type "Backpack" into the "Search" field', expected='the field "Search" has the value "Backpack"'
            ),
            Step(
                action='Click the "Search" button',
                expected='the text "1 \\"x\\" found" is visible\nthe text "Onesie" is not visible',
            ),
            Step(action="Run the command:\necho a\n\necho b", expected='the output contains "a"'),
        ),
        tags=("web",),
        variables=shared,
        secrets=("SHOP_PASSWORD",),
    )
    request = RunRequest(
        job=first,
        suite="shop",
        labels={"team": "checkout", "stage": "test"},
        priority="high",
        limits=Limits(timeout_seconds=120, max_calls=50),
    )
    assert load(FULL) == [
        LoadedCase(request, "f.md", 11, (32, 33, 34)),
        LoadedCase(RunRequest(job=second, suite="folder"), "f.md", 40, (42, 43, 48, 52)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# C\n1. x\n   - y",  # marked below
        "# C\n1. x\n   => y",
        "# C\n1) x\n\n   Expected outcome: y",
        "# C\n1. x\n\nExpected: y",
        "# C\n1. x\n- Expected: y",
        "# C\n## Steps\n1. x\n   1. y",
        "# C\nSteps:\n1. x\n   * y",
        "C\n=\n\nPreconditions: z\n\n1. x\n   - Expected:\n     - y",
        "# C\n| Action | Expected |\n|-|-|\n| x | y |",
        "# C\n| Step | Action | Expected results |\n|-|-|-|\n| 1. | x | y |",
        "# C\n| Step | Result |\n|-|-|\n| x | y |",
    ],
)
def test_steps_may_be_written_in_several_ways(text: str):
    marked = text if text != "# C\n1. x\n   - y" else f"{text}\n# D\n1. x\n   - Expected: y"
    job = load(marked)[0].request.job
    assert isinstance(job, TestCase)
    assert (job.name, job.steps) == ("C", (Step(action="x", expected="y"),))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('Type "**a** _b_ \\\\ <b>" in', 'Type "**a** _b_ \\\\ <b>" in'),
        ("Run `ls *.py _x_`", "Run `ls *.py _x_`"),
        ("**Open the _page_**", "Open the page"),
        ("Remember it as ${order_id_}", "Remember it as ${order_id_}"),
        ("Multiply 2 * 3 * 4 \\* 5", "Multiply 2 * 3 * 4 * 5"),
        ('Click **"Save"**', 'Click "Save"'),
        ("Press &amp; [x](y)", "Press &amp; [x](y)"),
    ],
)
def test_marks_are_taken_from_sentences_and_left_in_quotes(written: str, read: str):
    assert steps(f"# C\n1. {written}\n   - Expected: y\n")[0].action == read


def test_cases_of_one_name_are_told_apart():
    found = load("# C\n1. x\n   - Expected: y\n\n# C\n1. x\n   - Expected: y\n")
    assert [case.request.job.name for case in found] == ["C", "C #2"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Just words.\n",
        "# About\n\n1. Install\n   - on Linux\n2. Run\n\n- Tags: none\n",
        "# About\n\n| Step | Description |\n|---|---|\n| 1 | x |\n",
    ],
)
def test_a_text_in_which_nothing_is_expected_of_anything_is_no_case(text: str):
    assert reasons(text)[0].startswith("f.md: no test case found; a case is a heading with")


GOOD = "\n# Good\n1. x\n   - Expected: y\n"
TABLE = "# C\n| Action | Expected |\n|---|---|\n"
PROBLEMS = {  # what: (text, beginning of the reason)
    "an unknown column": (
        "# C\n\n| Action | Expectd |\n|---|---|\n| x | y |\n",
        "3:1: unknown column 'expectd' in a table of steps; did you mean 'expected'?",
    ),
    "another table": (
        f"{GOOD}\n| Browser | Version |\n|---|---|\n| x | y |\n",
        "6:1: unknown column 'browser' in a table of steps; valid: action, expected",
    ),
    "no column for actions": ("# C\n| Expected |\n|---|\n| y |\n", "2:1: a table of steps needs one column 'Action'"),
    "two columns for actions": (
        "# C\n| Action | Action | Expected |\n|---|---|---|\n| x | x | y |\n",
        "2:1: a table of steps needs one column 'Action'",
    ),
    "a text for a number": (
        "# C\n| Step | Action | Expected |\n|---|---|---|\n| open | x | y |\n",
        "4:1: the number column contains text",
    ),
    "a cell too many": (f"{TABLE}| x | y | z |\n", "4:1: this row has 3 cells but the table 2 columns; write a | in"),
    "a row without action": (f"{TABLE}| | y |\n", "4:1: this step has no action"),
    "an item without action": (f"{GOOD}2.\n", "5:1: this step has no action"),
    "no expectation": ("# C\nPreconditions: z\n\n1. x\n", "1:1: 'C' expects nothing: at least one step needs"),
    "no steps": (f"{GOOD}\n# Bad\n\nSome words.\n", "6:1: 'Bad' has no steps: a case needs a numbered list or a table"),
    "tags of nothing": (f"{GOOD}\n## Bad\n\nTags: a\n", "6:1: 'Bad' has no steps"),
    "no heading": ("1. x\n   - Expected: y\n", "1:1: these steps have no heading"),
    "an empty heading": ("#\n1. x\n   - Expected: y\n", "1:1: this case needs a name"),
    "a plain list of steps": ("# C\n## Steps\n- x\n# D\n1. x\n   => y\n", "3:1: steps must be a numbered list"),
    "a mistyped key": (f"{GOOD}\nSecrts: PIN\n", "6:1: unknown key 'Secrts'; did you mean 'secrets'?"),
    "a mistyped key in a list": (f"{GOOD}\n- Secrts: PIN\n", "6:1: unknown key 'Secrts'; did you mean 'secrets'?"),
    "a key without value": (f"{GOOD}\nTags:\n\nWords.\n", "8:1: a list of tags must follow the line above"),
    "a key without value in a list": (f"{GOOD}\n- Tags:\n", "6:1: 'Tags' has no value"),
    "a list below a value": (
        "# C\n## Tags\n- a\n  - b\n## D\n1. x\n   => y\n",
        "4:3: an item of the list 'tags' cannot",
    ),
    "a block for a value": (f"{GOOD}\n- Tags:\n\n  ```\n  a\n  ```\n", "8:3: 'tags' must be a list"),
    "a wrong limit": (
        f"{GOOD}\nTimeout: soon\n",
        "6:1: 'timeout_seconds' must be a number, not 'soon'",
    ),
    "a variable without value": (
        f"{GOOD}\nVariables: x\n",
        "6:1: 'variables' must be NAME=VALUE, not 'x'",
    ),
    "an undeclared secret": ("# C\n1. ${secret:PIN}\n   => y\n", "1:1: ${secret:PIN} is used but 'PIN' is not listed"),
    "a block outside of a step": (f"{GOOD}\n```\na\n```\n", "6:1: a code block outside a step"),
    "a table in a step": (
        "# C\n1. x\n\n   | a |\n   |---|\n   | b |\n   - Expected: y\n",
        "4:4: a step cannot contain a table",
    ),
    "two blocks in a step": (
        "# C\n1. x\n   ```\n   a\n   ```\n   ```\n   b\n   ```\n   => y\n",
        "6:4: a step can have one code block",
    ),
    "many lines to be seen": (
        "# C\n1. x\n   - Expected: y\n     ```\n     a\n     b\n     ```\n",
        "4:6: an expected text must",
    ),
    "YAML before the text": (f"---\ntags: x\n---\n{GOOD}", "1:1: YAML front matter is not supported"),
    "a long line": (f"{GOOD}{'x' * 4001}", "5:1: this line is longer than 4000 characters"),
    "a long name": (f"# {'x' * 301}\n1. x\n   => y\n", "1:1: 'name' has 301 characters, the limit is 300"),
}


@pytest.mark.parametrize("what", PROBLEMS)
def test_what_is_wrong_is_named_with_its_place(what: str):
    text, expected = PROBLEMS[what]
    assert any(reason.startswith(f"f.md:{expected}") for reason in reasons(text)), reasons(text)


def test_all_problems_of_a_file_are_told_at_once_in_the_order_of_their_places():
    text = f"Timeout: x\n{GOOD}Tags:\n\n# Bad\n{TABLE}| | y |\n"
    assert [int(reason.split(":")[1]) for reason in reasons(text)] == [1, 8, 12]


LINES = st.sampled_from(
    [
        "# C",
        "## Steps",
        "## Tags",
        "### D",
        "1. x",
        "   - Expected: y",
        "2. z",
        "- Tags: a",
        "Tags:",
        "- b",
        "Timeout: 5",
        "| Action | Expected |",
        "|---|---|\n",
        "| x | y |",
        "| x |",
        "| a | b | c |",
        "```",
        "   ```",
        "    code",
        "> q",
        "",
        "Expected: y",
        "→ y",
        "Variables: a=b",
        "---",
        "===",
        "<br>",
        "- - -",
        "1.",
        "[a]: b",
        "   1. n\n",
        "| \\| | `",
        "- Secrets:",
        "  - b",
        "  ```",
    ]
)


@settings(deadline=None)
@given(st.text(max_size=100) | st.lists(LINES | st.text(max_size=12), max_size=25).map("\n".join))
def test_no_text_makes_the_reader_fail_in_another_way(text: str):
    try:
        assert load(text)
    except CaseError as error:
        assert error.problems


def test_every_markdown_example_of_the_case_documentation_is_a_valid_file():
    blocks = re.findall(r"```markdown\n(.*?)```\n", (ROOT / "docs/cases.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        assert load(block)
