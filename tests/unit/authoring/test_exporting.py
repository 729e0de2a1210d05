"""Cases as Playwright tests: what is said for a sentence, and that what cannot be said is never left out."""

import ast
from typing import Any

import pytest
from sampling import mostly_slow

from muster_authoring.exporting.case_script import script_of
from muster_authoring.exporting.script_files import Format, file_name, file_of
from muster_authoring.exporting.script_parts import Script
from muster_cases.case_fields import LoadedCase
from muster_grammar import PHRASES, PhraseError, parse_action, parse_expectation
from muster_protocol.requests import DeviceSpec, RunRequest, Step, TestCase
from muster_protocol.step_recordings import Described, RecordedCall, StepRecording


def script(*steps: tuple[str, str], recordings: tuple[StepRecording, ...] = (), **more: Any) -> Script:
    """Return a case, whose first step stands in line 3, as a script."""
    made = tuple(Step(action=action, expected=expected) for action, expected in steps)
    request = RunRequest(job=TestCase(name="A case", steps=made, **more))
    return script_of(LoadedCase(request, "case.yaml", 1, tuple(range(3, 3 + len(steps)))), recordings)


def said(made: Script, form: Format = "pytest") -> list[str]:
    """Return the statements of the test, without comments."""
    text = file_of([made], "case.yaml", form)
    test = text[text.index("def test_" if form == "pytest" else "\ntest(") :].splitlines()[
        2 if form == "pytest" else 1 :
    ]
    return [
        line.strip() for line in test if line.strip() and not line.strip().startswith(("#", "//", '"""', "test(", "})"))
    ]


@pytest.mark.parametrize(
    ("action", "python", "typescript"),
    [
        (
            'Click the "Log in" button',
            'page.get_by_role("button", name="Log in", exact=True).click()',
            'await page.getByRole("button", { name: "Log in", exact: true }).click();',
        ),
        (
            'Type "a \\"b\\" {c}" into the "User name" field',
            'page.get_by_label(phrase("User name")).fill("a \\"b\\" {c}")',
            'await page.getByLabel(phrase("User name")).fill("a \\"b\\" {c}");',
        ),
        (
            'Click the second "Remove" button in the row with "Ada"',
            'inside(page, "Ada", page.get_by_role("button", name="Remove", exact=True)).nth(1).click()',
            'await inside(page, "Ada", page.getByRole("button", { name: "Remove", exact: true })).nth(1).click();',
        ),
        (
            'Click the last "Remove" button',
            'page.get_by_role("button", name="Remove", exact=True).last.click()',
            'await page.getByRole("button", { name: "Remove", exact: true }).last().click();',
        ),
        (
            'Leave the "User name" field',
            'page.get_by_label(phrase("User name")).blur()',
            'await page.getByLabel(phrase("User name")).blur();',
        ),
        (
            "Press Ctrl+A",
            'page.keyboard.press("Control+a")',
            'await page.keyboard.press("Control+a");',
        ),
    ],
)
def test_an_action_becomes_an_idiomatic_call(action: str, python: str, typescript: str):
    made = script((action, ""))
    assert (said(made)[0], said(made, "playwright-ts")[0]) == (python, typescript)


@pytest.mark.parametrize(
    ("expected", "python"),
    [
        (
            'The "Save" button is disabled',
            'expect(page.get_by_role("button", name="Save", exact=True).filter(visible=True)).to_be_disabled()',
        ),
        ('The text "6" is visible', 'expect(page.get_by_text(phrase("6")).filter(visible=True).first).to_be_visible()'),
        ('The text "6" is not visible', 'expect_no_text(page, "6")'),
        (
            'The "Save" link is not visible',
            'expect(page.get_by_role("link", name="Save").filter(visible=True)).to_have_count(0)',
        ),
        ('The URL ends with "/a.b"', 'expect(page).to_have_url(ending("/a.b"))'),
        ('The page title is not "Shop"', 'expect(page).not_to_have_title("Shop")'),
        (
            'The "Save" button is enabled within 20 seconds',
            'expect(page.get_by_role("button", name="Save", exact=True).filter(visible=True)).to_be_enabled(timeout=20000)',
        ),
    ],
)
def test_an_expectation_is_no_laxer_than_the_check(expected: str, python: str):
    assert said(script(('Click the "A" button', expected)))[1] == python


@pytest.mark.parametrize(
    ("step", "statuses"),
    [
        (('Open "http://shop.test"', ""), "400"),
        (('Type "A" into "B" and click the "Send" button', ""), "500"),
        (('Open "http://shop.test"', 'The title is "Shop"'), "500"),
        (('Open "http://shop.test"', 'The text "Shop" is visible'), None),
        (
            ('Open "http://shop.test"', 'The text "Shop" is visible and the text "Sorry" is not visible'),
            "500, 404, 410",
        ),
        (('Type "A" into "B"', ""), None),
    ],
)
def test_a_script_fails_on_the_answers_of_a_page_on_which_a_run_does(step: tuple[str, str], statuses: str | None):
    last, typed = said(script(step))[-1], said(script(step), "playwright-ts")[-1]
    assert (last == f"expect_answer(page, {statuses})") is (statuses is not None)
    assert (typed == f"await expectAnswer(page, {statuses});") is (statuses is not None)


@pytest.mark.parametrize(
    ("expected", "part", "claim"),
    [
        (
            'The "Save" button is not visible in the "Cart" section',
            'part_of(page, "Cart").filter(visible=True)',
            '.locator(page.get_by_role("button", name="Save")).filter(visible=True)).to_have_count(0)',
        ),
        (
            'The "Save" button is not visible in the dialog',
            'page.get_by_role("dialog").filter(visible=True)',
            '.locator(page.get_by_role("button", name="Save")).filter(visible=True)).to_have_count(0)',
        ),
        (
            'There are 2 buttons in the row with "Ada"',
            'part_of(page, "Ada").filter(visible=True)',
            '.locator(page.get_by_role("button")).filter(visible=True)).to_have_count(2)',
        ),
        (
            'The text "Sold" is not visible in the row with "Ada"',
            'part_of(page, "Ada").filter(visible=True)',
            ').not_to_contain_text("Sold", use_inner_text=True, ignore_case=True)',
        ),
    ],
)
def test_what_is_counted_or_missing_in_a_part_needs_the_part(expected: str, part: str, claim: str):
    first, second, *_ = said(script(('Click the "A" button', expected)))[1:]
    assert first == f"expect({part}).to_have_count(1)"
    assert second == f"expect({part}{claim}"


def test_what_must_not_be_there_is_looked_for_after_what_must_be():
    made = said(script(('Click the "A" button', 'The text "Old" is not visible and the text "New" is visible')))
    assert ['"New"' in line for line in made[1:3]] == [True, False]


def test_values_come_from_the_environment_and_remembered_ones_from_the_page():
    steps = (
        ('Open "${base_url}/a?b={c}" and type "${secret:PIN}" into the "PIN" field and type "${class}" into "X"', ""),
        ('Remember the "Order number" as ${order}', 'The text "No. ${order}" is visible'),
    )
    made = script(*steps, variables={"base_url": "http://shop.test", "class": "x"}, secrets=("PIN",))
    assert said(made)[:6] == [
        'base_url = os.environ.get("VAR_BASE_URL", "http://shop.test")',
        'class_ = os.environ.get("VAR_CLASS", "x")',
        'secret_pin = os.environ["SECRET_PIN"]',
        'page.goto(f"{base_url}/a?b={{c}}")',
        'page.get_by_label(phrase("PIN")).fill(secret_pin)',
        'page.get_by_label(phrase("X")).fill(class_)',
    ]
    assert 'await page.getByLabel(phrase("X")).fill(class_);' in said(made, "playwright-ts")
    assert 'const secretPin = given("SECRET_PIN");' in said(made, "playwright-ts")
    assert "await page.goto(`${baseUrl}/a?b={c}`);" in said(made, "playwright-ts")
    assert 'order = value_of(labelled(page, "Order number"))' in said(made)
    assert not any("ORDER" in line for line in said(made)), "it is no variable of the environment"


def test_a_dialog_is_answered_before_the_act_that_opens_it():
    made = script(('Click the "Remove" link and accept the dialog', 'A dialog says "Sure?"'))
    assert said(made) == [
        "answer_next_dialog(page, True)",
        'page.get_by_role("link", name="Remove", exact=True).click()',
        'expect_dialog(page, "Sure?")',
    ]


@pytest.mark.parametrize(
    ("answered", "with_what"),
    [
        ('Enter "x" in the prompt and click OK', 'True, "x"'),
        ('Type "x" into the prompt and click "Cancel"', "False"),
        ('Answer the prompt with "y"', 'True, "y"'),
    ],
)
def test_what_is_typed_into_a_prompt_goes_with_its_answer(answered: str, with_what: str):
    made = script(('Click the "Ask" button', ""), (answered, ""))
    text = file_of([made], "case.yaml", "pytest")
    assert text.count("    answer_next_dialog(") == text.count(f"    answer_next_dialog(page, {with_what})") == 1
    assert made.unsaid == ()


def test_a_dialog_that_nothing_opens_is_named():
    [unsaid] = script(("Accept the dialog", "")).unsaid
    assert "nothing was done that opens a dialog" in unsaid.why


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (("Frobnicate the wumpus", ""), "no phrase reads it"),
        (('Click the "A" button', "The wumpus sings"), "no phrase reads it"),
        (('Click the button next to "Backpack"', ""), "next to"),
        (("Swipe left", ""), "no counterpart"),
        (('Click the "A" button', 'There are at least 2 buttons in the row with "Ada"'), "at_least"),
        (('Click the "A" button', "The response status is 200"), "right after it is opened"),
    ],
)
@pytest.mark.parametrize("form", ["playwright-py", "playwright-ts", "pytest"])
def test_what_cannot_be_said_is_named_with_its_line_and_stops_the_test(form: Format, step: tuple[str, str], why: str):
    made = script(('Open "http://shop.test"', ""), ('Click the "Save" button', ""), step)
    [unsaid] = made.unsaid
    assert unsaid.line == 5
    assert why in unsaid.why
    text = file_of([made], "case.yaml", form)
    stop = "throw new Error(" if form == "playwright-ts" else "raise NotImplementedError("
    assert f'{stop}"case.yaml:5: ' in text


SEND = RecordedCall(
    tool="click",
    effect="act",
    does="point",
    target=Described(role="button", name="Send", place="Sign up"),
)
FILL = RecordedCall(
    tool="type",
    effect="idempotent",
    does="enter",
    arguments={"text": "${name}"},
    target=Described(role="textbox", name="Name"),
)
BANNER = RecordedCall(
    tool="click", effect="act", does="point", target=Described(role="button", name="OK"), optional=True
)
CHECK = RecordedCall(tool="check_text", effect="check", arguments={"text": "Thanks"}, clause="It says thanks a lot")


def test_a_step_that_no_phrase_reads_comes_from_its_recording():
    known = StepRecording(
        action="Sign up as ${name}", expected="It says thanks a lot", calls=(BANNER, FILL, SEND, CHECK), shape="name"
    )
    step = ("Sign up as  ${name}", "It says thanks a lot")
    made = script(step, recordings=(known,), variables={"name": "Ann"})
    assert not made.unsaid
    assert said(made)[1:] == [
        'dismiss_if_shown(page, page.get_by_role("button", name="OK", exact=True))',
        'page.get_by_role("textbox", name="Name", exact=True).fill(name)',
        'inside(page, "Sign up", page.get_by_role("button", name="Send", exact=True)).click()',
        'expect(page.get_by_text(phrase("Thanks")).filter(visible=True).first).to_be_visible()',
    ]


def test_a_clause_that_no_recorded_check_has_proved_is_named():
    known = StepRecording(action="Sign up", expected="It is nice", calls=(SEND,))
    made = script(("Sign up", "It is nice"), recordings=(known,))
    assert [unsaid.what for unsaid in made.unsaid] == ["It is nice"]


@pytest.mark.parametrize("share", mostly_slow(range(4), 4))
def test_every_example_of_every_phrase_is_said_or_named(share: int):
    examples = [example for phrase in PHRASES for example in phrase.examples][share::4]
    read = 0
    for example in examples:
        for parse, step in ((parse_action, (example, "")), (parse_expectation, ('Click "A"', example))):
            try:
                calls = parse(example)
            except PhraseError:
                continue
            read += 1
            made = script(step)
            lines = [one for one in said(made) if "os.environ" not in one]
            assert made.unsaid or len(lines) >= len(calls), example
            ast.parse(file_of([made], "case.yaml", "pytest"))
    assert read > 75


def test_names_of_files_are_such_as_each_tool_looks_for():
    forms: tuple[Format, ...] = ("playwright-py", "playwright-ts", "pytest")
    named = [file_name("01-Buy a bag", form) for form in forms]
    assert named == ["case_01_buy_a_bag.py", "01-buy-a-bag.spec.ts", "test_01_buy_a_bag.py"]
    assert [file_name("email", form) for form in forms] == ["case_email.py", "email.spec.ts", "test_email.py"]
    assert file_name("ご注文", "pytest") != file_name("会計", "pytest")


def helpers(made: Script) -> dict[str, Any]:
    """Return what the Python script of a case defines."""
    defined: dict[str, Any] = {}
    exec(compile(file_of([made], "case.yaml", "pytest"), "case.py", "exec"), defined)
    return defined


def test_every_case_of_a_file_stays_a_test_of_its_own_whatever_it_is_called():
    names = ["Same", "Same", "Same 2", "same!", "Same 2 2", "Area in m²", "Area in m2", "ﬁne", "fine", "日本", "!", "?"]
    scripts = [script(("Wait 1 second", ""))._replace(name=name) for name in names]
    tests = [
        it.name for it in ast.parse(file_of(scripts, "case.yaml", "pytest")).body if isinstance(it, ast.FunctionDef)
    ]
    defined: dict[str, Any] = {}
    exec(compile(file_of(scripts, "case.yaml", "pytest"), "case.py", "exec"), defined)
    assert len({test for test in tests if test.startswith("test_") and test in defined}) == len(names)
    typescript = file_of(scripts, "case.yaml", "playwright-ts").splitlines()
    assert len({line for line in typescript if line.startswith("test(")}) == len(names)


@pytest.mark.parametrize("name", ["phrase", "partOf", "part_of", "process", "started", "expect", "folder", "lambda"])
def test_a_value_is_not_called_like_what_the_test_uses(name: str):
    made = script((f'Type "${{{name}}}" into "Name"', f'The row "A" shows "${{{name}}}"'), variables={name: "x"})
    for form in ("pytest", "playwright-ts"):
        [given] = [line for line in said(made, form) if "VAR_" in line]
        assert given.removeprefix("const ").split(" ")[0].endswith("_"), given


@pytest.mark.parametrize(
    "used", ["${a_b} ${a.b}", "${URL} ${url}", "${userName} ${user_name}", "${secret_pin} ${secret:PIN}"]
)
def test_values_that_a_script_would_take_for_one_are_named(used: str):
    made = script((f'Type "{used}" into "Name"', ""), secrets=("PIN",))
    assert [unsaid.what for unsaid in made.unsaid] == [used.replace(" ", " and ")]


def test_a_value_that_is_used_before_it_is_remembered_is_named():
    made = script(('Type "${no}" into "Name"', ""), ('Remember the "No." as ${no}', 'The text "${no}" is visible'))
    assert [(unsaid.line, unsaid.what) for unsaid in made.unsaid] == [(4, "${no}")]


@pytest.mark.parametrize("expected", ["The exit code is 0", 'The output contains "done"'])
def test_what_no_command_of_the_case_has_put_out_is_named(expected: str):
    assert [unsaid.what for unsaid in script(("Wait 1 second", expected)).unsaid] == [expected]
    assert not script(('Run the command "true"', ""), ("Wait 1 second", expected)).unsaid


def test_each_case_begins_with_an_empty_folder():
    made = script(('Write "x" to the file "a.txt"', 'The file "a.txt" contains "x"'))
    assert (said(made)[0], said(made, "playwright-ts")[0]) == ("fresh_folder()", "freshFolder();")
    defined = helpers(made)
    defined["write_file"]("a.txt", "x")
    defined["expect_file"]("a.txt", "x")
    defined["fresh_folder"]()
    with pytest.raises(FileNotFoundError):
        defined["expect_file"]("a.txt")


@pytest.mark.parametrize(
    ("expected", "helper"),
    [
        ('The text "${x}" is visible', "phrase"),
        ('The page title contains "${x}"', "containing"),
        ('The URL contains "${x}"', "whole"),
        ('The URL ends with "${x}"', "ending"),
    ],
)
def test_a_text_that_turns_out_to_be_empty_is_not_everywhere(expected: str, helper: str):
    made = script(("Wait 1 second", expected))
    assert f"{helper}(x)" in file_of([made], "case.yaml", "pytest")
    with pytest.raises(AssertionError, match="everywhere"):
        helpers(made)[helper]("")
    typescript = file_of([made], "case.yaml", "playwright-ts")
    assert "throw new Error('an empty text is everywhere')" in typescript
    assert 'const x = given("VAR_X");' in typescript


@pytest.mark.parametrize("kind", ["appium", "screens"])
def test_a_case_for_another_device_than_a_browser_is_named(kind: Any):
    [unsaid] = script(('Click "A"', ""), device=DeviceSpec(kind=kind)).unsaid
    assert unsaid.what == f"device: {kind}"
