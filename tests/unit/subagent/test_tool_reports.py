"""What is said of targets, of changes and of the page's tree."""

from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from muster_devices.actions import Changes, Done, Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen
from muster_devices.outline import cut, elements_of, masked, matching, part_of_lines
from muster_devices.refusals import refusal_of
from muster_devices.screen import Element, Place, States
from muster_devices.web.page_health import judged
from muster_devices.web.page_looks import Query, best_of, query_of
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, Obstacle, ToolCall
from muster_subagent.secrets import Secrets
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import TOOLS
from muster_subagent.tools.check_outcomes import refusal, verdict
from muster_subagent.tools.intents import intended_check
from muster_subagent.tools.long_texts import kept
from muster_subagent.tools.page_changes import changes_in_words
from muster_subagent.tools.targets import target_of

URL = "http://shop.test/cart"
ERROR = "chrome-error://chromewebdata/"


def control(name: str = "Add", role: str = "button", place: str = "", **more: object) -> Element:
    plain = Element(role=role, native=role, name=name, place=place, text=name)
    return msgspec.structs.replace(plain, **more)


def survey(*matches: Element, rank: tuple[int, ...] | None = (0, 0, 0), **more: object) -> ElementsSeen:
    plain = ElementsSeen(
        version=1, place=Place(address="http://shop.test/", title="Shop"), rank=rank if matches else None,
        total=len(matches), matches=matches, near=(("button", "Log in"), ("link", "Register")),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **more)


@pytest.mark.parametrize(
    ("target", "found", "text"),
    [
        (target_of("Login"), survey(), 'there is no "Login" on the page; closest: button "Log in"'),
        (target_of("", "row"), survey(), 'there is no row on the page; it has: button "Log in", link "Register"'),
        (target_of("Zzz"), survey(near=()), 'there is no "Zzz" on the page; it has nothing one could name'),
        (target_of("Add"), survey(control(hidden=True)), 'button "Add" is on the page, but hidden'),
        (
            target_of("Add"),
            survey(control(states=States(enabled=False))),
            'button "Add" is disabled',
        ),
        (
            target_of("Add"),
            survey(control(), cover=Obstacle(words='dialog "Cookies"')),
            'button "Add" is covered by dialog "Cookies": close or answer that first',
        ),
        (
            target_of("Add"),
            survey(control(), rank=(1, 0, 0)),
            'button "Add" is behind an open dialog: answer that first',
        ),
    ],
)
def test_a_target_that_cannot_be_used_says_why(target: Target, found: ElementsSeen, text: str) -> None:
    error = refusal_of(target, "click", found)
    unknown = text.startswith("there is no ")
    assert (error.text, error.failure) == (text, Failure.NAME_UNKNOWN if unknown else Failure.ELEMENT_MISSING)
    assert error.where == "http://shop.test/"


def test_several_candidates_are_listed_with_how_to_choose() -> None:
    found = survey(control(place="Backpack"), control(place="Bike", role="link"))
    error = refusal_of(target_of("Add"), "click", found)
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
    assert query_of(target_of("Logo", "Image"), "read") == Query("Logo", "img", "read")
    with pytest.raises(DeviceRefused, match="say which element"):
        query_of(target_of(" "), "click")


SAME = Changes()


def done(changes: Changes | None = SAME, **more: object) -> Done:
    plain = Done(
        place=Place(address="http://shop.test/", title="Shop"), before="http://shop.test/", target=control(),
        changes=changes, headings=("Welcome",),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **more)


def words(changes: Changes | None = SAME, **more: object) -> str:
    return changes_in_words(done(changes, **more))


def test_an_action_is_confirmed_by_any_change_but_a_mere_focus() -> None:
    assert not done().changed
    assert words() == "Nothing on the page was seen to change."
    assert not done(msgspec.structs.replace(SAME, focused=True)).changed
    field = control(states=States(editable=True))
    assert done(msgspec.structs.replace(SAME, focused=True), target=field).changed
    for name in ("address", "title", "closed", "touched", "detached", "requested", "scrolled"):
        assert done(msgspec.structs.replace(SAME, **{name: True})).changed
    assert done(None).changed


def test_changes_are_told_in_words() -> None:
    news = msgspec.structs.replace(SAME, lines=("Added", "Saved!"), alerts=("Saved!",), title=True)
    assert words(news) == 'The title is now "Shop". Alert: "Saved!". New on the page: "Added".'
    gone = msgspec.structs.replace(SAME, gone=("Backpack",))
    assert words(gone) == 'No longer there: "Backpack".'
    assert words(None) == 'The page is now "Shop" at http://shop.test/. It shows "Welcome".'
    assert words(gone, pending=("GET /api",)).endswith('Still loading: "GET /api".')


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
    assert part_of_lines(TREE, "onesie") == [
        "- listitem [ref=e7]:",
        "  - generic [ref=e8]: Onesie",
        '  - button "Remove" [ref=e9]',
    ]
    assert part_of_lines(TREE, "nothing") == []


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
        ("check_text", {"text": "x", "absent": True}, judged(Place(address=URL, status=200)), None),
        ("check_text", {"text": "x", "absent": True}, judged(Place(address=URL, status=422)), None),
        ("check_text", {"text": "x", "absent": True}, judged(Place(address=URL, status=404)), Failure.EXPECTATION_FALSE),
        ("check_text", {"text": "x", "absent": True}, judged(Place(address=URL, status=500)), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, judged(Place(address=ERROR, status=0)), Failure.UNREACHABLE),
        ("check_text", {"text": "x"}, judged(Place(address=ERROR), "net::ERR_TOO_MANY_REDIRECTS"), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, Place(address="about:blank", empty=True), Failure.UNREACHABLE),
        ("check_text", {"text": "x"}, judged(Place(address=ERROR), "net::ERR_TOO_MANY_REDIRECTS"), Failure.SERVER_ERROR),
        ("check_text", {"text": "x", "absent": True}, Place(address="about:blank"), None),
        ("check_text", {"text": "x"}, judged(Place(address=URL, status=500)), None),
        ("check_text", {"text": "x"}, judged(Place(address=ERROR, status=0)), Failure.UNREACHABLE),
        ("check_count", {"element": "x", "count": 0}, judged(Place(address=URL, status=500)), Failure.SERVER_ERROR),
        ("check_count", {"element": "x", "count": 1}, judged(Place(address=URL, status=500)), None),
        ("check_count", {"element": "x", "count": 1, "comparison": "at_most"}, judged(Place(address=URL, status=410)), Failure.EXPECTATION_FALSE),
        ("check_url", {"url": "/x"}, judged(Place(address=URL, status=502)), Failure.SERVER_ERROR),
        ("check_url", {"url": "/x"}, judged(Place(address=URL, status=404)), None),
        ("check_title", {"title": "x", "negate": True}, judged(Place(address=URL, status=404)), Failure.EXPECTATION_FALSE),
        ("check_response_text", {"text": "x"}, judged(Place(address=ERROR, status=0)), None),
    ],
)  # fmt: skip
def test_what_a_page_can_prove_depends_on_what_it_answered(
    tool: str, arguments: dict[str, ArgumentValue], page: Place, failure: Failure | None
) -> None:
    assert refusal(intended_check(TOOLS[tool], ToolCall(tool=tool, arguments=arguments)), page) == failure


def test_an_action_that_leads_to_an_error_page_says_so() -> None:
    broken = judged(Place(address="http://shop.test/", status=502))
    assert words(None, place=broken, failure=broken.failure).endswith("But that is: the page answered HTTP 502.")
    assert broken.failure == Failure.SERVER_ERROR
    assert judged(Place(address=ERROR)).failure == Failure.UNREACHABLE
    assert judged(Place(address=URL, status=404)).failure is None


def test_a_tree_in_lines_is_read_as_elements() -> None:
    found = elements_of(TREE)
    assert [(one.role, one.name, one.ref, one.level) for one in found[:2]] == [
        ("generic", "", "e1", 0),
        ("heading", "Cart", "e2", 1),
    ]
    field, link = found[-2:]
    assert (field.role, field.name, field.value, link.name) == ("textbox", "PIN", "1234", "Terms: all")
    assert found[4].text == "Backpack"


def test_a_long_text_with_half_a_character_is_kept_whole():
    files: list[bytes] = []

    def store(name: str, data: bytes, _kind: str) -> ArtifactRef:
        files.append(data)
        return ArtifactRef(name=name, sha256="", size=len(data))

    ctx = cast("ToolContext", SimpleNamespace(secrets=Secrets({}), store=store, call="r.n.1:0"))
    kept(ctx, "page", "\ud83d" + "x" * 10_000)
    assert files == [b"?" + b"x" * 10_000]
