"""What is said of targets, of changes and of the page's tree."""

import msgspec
import pytest
from muster_subagent.tools.outline import cut, masked, matching, part
from muster_subagent.tools.page_health import Health
from muster_subagent.tools.target_errors import refused

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_subagent.tools import TOOLS
from muster_subagent.tools.check_outcomes import refusal, verdict
from muster_subagent.tools.intents import intended_check
from muster_subagent.tools.page_changes import Acted, After, Changes
from muster_subagent.tools.targets import Control, Query, States, Survey, Target, best_of, query_of
from muster_subagent.tools.tool import ToolError

URL = "http://shop.test/cart"
ERROR = "chrome-error://chromewebdata/"

STATES = States(
    enabled=True, readonly=False, editable=False, checked=False, selected=False, focused=False, required=False, empty=False,
    expanded=False, collapsed=False,
)  # fmt: skip


def control(name: str = "Add", role: str = "button", place: str = "", **more: object) -> Control:
    plain = Control(
        role=role, tag=role, type="", name=name, place=place, text=name, value=None, states=STATES, hidden=False, secret=False,
        options=(),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **more)


def survey(*matches: Control, rank: tuple[int, ...] | None = (0, 0, 0), **more: object) -> Survey:
    plain = Survey(
        version=1, url="http://shop.test/", title="Shop", rank=rank if matches else None, total=len(matches), unknown_part=False,
        matches=matches, cover="", other=(), near=(("button", "Log in"), ("link", "Register")), any_kind=(),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **more)


@pytest.mark.parametrize(
    ("target", "found", "text"),
    [
        (Target("Login"), survey(), 'there is no "Login" on the page; closest: button "Log in"'),
        (Target("", "row"), survey(), 'there is no row on the page; it has: link "Register", button "Log in"'),
        (Target("Zzz"), survey(near=()), 'there is no "Zzz" on the page; it has nothing one could name'),
        (Target("Add"), survey(control(hidden=True)), 'button "Add" is on the page, but hidden'),
        (
            Target("Add"),
            survey(control(states=msgspec.structs.replace(STATES, enabled=False))),
            'button "Add" is disabled',
        ),
        (
            Target("Add"),
            survey(control(), cover='dialog "Cookies"'),
            'button "Add" is covered by dialog "Cookies": close or answer that first',
        ),
        (
            Target("Add"),
            survey(control(), rank=(1, 0, 0)),
            'button "Add" is behind an open dialog: answer that first',
        ),
    ],
)
def test_a_target_that_cannot_be_used_says_why(target: Target, found: Survey, text: str) -> None:
    error = refused(target, "click", found)
    assert (error.text, error.failure) == (text, Failure.ELEMENT_MISSING)
    assert error.where == "http://shop.test/"


def test_several_candidates_are_listed_with_how_to_choose() -> None:
    found = survey(control(place="Backpack"), control(place="Bike", role="link"))
    error = refused(Target("Add"), "click", found)
    assert error.failure == Failure.TARGET_UNCLEAR
    assert error.text == (
        '"Add" may mean 2 elements: 1) button "Add" in "Backpack"; 2) link "Add" in "Bike". '
        "Say which: by its role (such as role='button'), by what it is in (such as within='Backpack'), or by its ref in a snapshot"
    )


def test_the_best_frame_speaks_for_the_page() -> None:
    main = survey(control("Other"), rank=(0, 0, 1))
    frame = survey(control("Right"), rank=(0, 0, 0))
    found = best_of([main, survey(), frame])
    assert (found.total, found.matches[0].name, found.rank) == (1, "Right", (0, 0, 0))
    assert best_of([survey(), survey()]).total == 0


def test_a_target_needs_words() -> None:
    assert query_of(Target("Logo", "Image"), "read") == Query("Logo", "img", "", "read")
    with pytest.raises(ToolError, match="say which element"):
        query_of(Target(" "), "click")


SAME = Changes(
    url=False, title=False, scrolled=False, dialogs=(), closed=False, alerts=(), headings=(), lines=(), gone=(), touched=False,
    detached=False, focused=False, requested=False,
)  # fmt: skip


def acted(changes: Changes | None = SAME, **more: object) -> Acted:
    after = After(
        url="http://shop.test/", title="Shop", left=(), popups=0, fresh=changes is None, target=control(), changes=changes,
        headings=("Welcome",), alerts=(),
    )  # fmt: skip
    return Acted(msgspec.structs.replace(after, **more), "http://shop.test/")


def test_an_action_is_confirmed_by_any_change_but_a_mere_focus() -> None:
    assert not acted().changed
    assert acted().words() == "Nothing on the page was seen to change."
    assert not acted(msgspec.structs.replace(SAME, focused=True)).changed
    field = control(states=msgspec.structs.replace(STATES, editable=True))
    assert acted(msgspec.structs.replace(SAME, focused=True), target=field).changed
    for name in ("url", "title", "closed", "touched", "detached", "requested", "scrolled"):
        assert acted(msgspec.structs.replace(SAME, **{name: True})).changed
    assert acted(None).changed


def test_changes_are_told_in_words() -> None:
    news = msgspec.structs.replace(SAME, lines=("Added", "Saved!"), alerts=("Saved!",), title=True)
    assert acted(news).words() == 'The title is now "Shop". Alert: "Saved!". New on the page: "Added".'
    gone = msgspec.structs.replace(SAME, gone=("Backpack",))
    assert acted(gone).words() == 'No longer there: "Backpack".'
    assert acted(None).words() == 'The page is now "Shop" at http://shop.test/. It shows "Welcome".'
    assert acted(gone, left=("GET /api",)).words().endswith('Still loading: "GET /api".')


TREE = """- generic [ref=e1]:
  - heading "Cart" [level=1] [ref=e2]
  - list [ref=e3]:
    - listitem [ref=e4]:
      - generic [ref=e5]: Backpack
      - button "Remove" [ref=e6]
    - listitem [ref=e7]:
      - generic [ref=e8]: Onesie
      - button "Remove" [ref=e9]
  - textbox "PIN" [ref=e10]: "1234"
  - 'link "Terms: all" [ref=e11]'""".splitlines()


def test_a_part_of_the_tree_is_the_smallest_that_has_the_words() -> None:
    assert part(TREE, "onesie") == [
        "- listitem [ref=e7]:",
        "  - generic [ref=e8]: Onesie",
        '  - button "Remove" [ref=e9]',
    ]
    assert part(TREE, "nothing") == []


def test_what_has_the_words_is_shown_with_what_it_is_in() -> None:
    assert matching(TREE, "onesie") == [TREE[0], TREE[2], TREE[6], TREE[7]]
    assert matching(TREE, "Terms: all") == [TREE[0], TREE[10]]


def test_a_long_tree_is_cut_with_a_note() -> None:
    assert cut(TREE, limit=2).splitlines()[2].startswith("… 9 more lines left out")
    assert cut(TREE) == "\n".join(TREE)


def test_passwords_are_masked_in_the_tree() -> None:
    assert masked(TREE, ["1234"], "•••")[9] == '  - textbox "PIN" [ref=e10]: "•••"'
    assert masked(TREE, ["Remove"], "•••")[5] == TREE[5]


def test_a_check_that_is_false_says_what_was_expected_and_seen() -> None:
    outcome = verdict(False, "the title", '"x"', "http://shop.test/")
    assert (outcome.status, outcome.failure) == ("failed", Failure.EXPECTATION_FALSE)
    assert outcome.text == 'expected the title; seen: "x"'
    assert verdict(True, "the title", '"x"').failure is None


@pytest.mark.parametrize(
    ("tool", "arguments", "page", "failure"),
    [
        ("check_text", {"text": "x", "absent": True}, Health(URL, 200), None),
        ("check_text", {"text": "x", "absent": True}, Health(URL, 422), None),
        ("check_text", {"text": "x", "absent": True}, Health(URL, 404), Failure.EXPECTATION_FALSE),
        ("check_text", {"text": "x", "absent": True}, Health(URL, 500), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, Health(ERROR, 0), Failure.UNREACHABLE),
        ("check_text", {"text": "x"}, Health(ERROR, 0, reason="net::ERR_TOO_MANY_REDIRECTS"), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, Health("about:blank", 0, empty=True), Failure.UNREACHABLE),
        ("check_text", {"text": "x"}, Health(ERROR, 0, reason="net::ERR_TOO_MANY_REDIRECTS"), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, Health("about:blank", 0), None),
        ("check_text", {"text": "x"}, Health(URL, 500), None),
        ("check_text", {"text": "x"}, Health(ERROR, 0), Failure.UNREACHABLE),
        ("check_count", {"element": "x", "count": 0}, Health(URL, 500), Failure.SERVER_ERROR),
        ("check_count", {"element": "x", "count": 1}, Health(URL, 500), None),
        ("check_count", {"element": "x", "count": 1, "comparison": "at_most"}, Health(URL, 410), Failure.EXPECTATION_FALSE),
        ("check_url", {"url": "/x"}, Health(URL, 502), Failure.SERVER_ERROR),
        ("check_url", {"url": "/x"}, Health(URL, 404), None),
        ("check_title", {"title": "x", "negate": True}, Health(URL, 404), Failure.EXPECTATION_FALSE),
        ("check_response_text", {"text": "x"}, Health(ERROR, 0), None),
    ],
)  # fmt: skip
def test_what_a_page_can_prove_depends_on_what_it_answered(
    tool: str, arguments: dict[str, ArgumentValue], page: Health, failure: Failure | None
) -> None:
    assert refusal(intended_check(TOOLS[tool], ToolCall(tool=tool, arguments=arguments)), page) == failure


def test_an_action_that_leads_to_an_error_page_says_so() -> None:
    assert acted(None).failure is None
    assert acted(None, status=502).failure == Failure.SERVER_ERROR
    assert acted(None, status=502).words().endswith("But that is: the page answered HTTP 502.")
    assert acted(None, url=ERROR).failure == Failure.UNREACHABLE
