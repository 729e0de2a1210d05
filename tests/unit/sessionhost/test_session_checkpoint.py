"""What a checkpoint says of a page, and what is made of it when a session is opened anew."""

import msgspec
import pytest

from muster_devices.web.page_state import PageState, WebState, digest, reading, saved_of
from muster_sessionhost.checkpoint import Reopened, SavedSession, describe_reopening
from muster_text.redaction import Redactor

SNAPSHOT = """- generic [active] [ref=e1]:
  - heading "Shop" [level=1] [ref=e2]
  - textbox "Name" [active] [ref=f1e3]: Ada
  - link "Home" [ref=e5] [cursor=pointer]:
    - /url: /"""


def read(snapshot: str = SNAPSHOT, url: str = "http://a/", title: str = "Shop", files: str = "") -> str:
    return digest(reading(url, title, files, snapshot))


def test_references_focus_pointer_and_space_are_nothing_a_page_reads():
    plain = SNAPSHOT.replace(" [ref=e1]", " [ref=e77]").replace(" [active]", "").replace(" [cursor=pointer]", "")

    assert read(plain.replace("\n", "\n\n") + "  ") == read()


@pytest.mark.parametrize(
    "other",
    [
        read(SNAPSHOT.replace("Ada", "Bob")),
        read(SNAPSHOT.replace("level=1", "level=2")),
        read(url="http://a/?x"),
        read(title="Other"),
        read(files="1"),
    ],
)
def test_text_values_address_title_and_files_are(other: str):
    assert other != read()


def test_nothing_of_the_text_itself_is_in_what_is_stored():
    assert "Ada" not in read()
    assert len(read()) == 64


@pytest.mark.parametrize(
    ("saved", "same", "expected"),
    [
        (None, True, Reopened("different", 0, "there is no checkpoint of it")),
        (SavedSession(after=4), True, Reopened("same", 4, "")),
        (SavedSession(after=4), False, Reopened("different", 4, "its reopened pages do not read as they did")),
        (
            SavedSession(missing="files had been written in it"),
            True,
            Reopened("different", 0, "files had been written in it"),
        ),
    ],
)
def test_what_is_said_of_a_session_opened_anew(saved: SavedSession | None, same: bool, expected: Reopened):
    assert describe_reopening(saved, same=same) == expected


@pytest.mark.parametrize(
    "state",
    [
        WebState(storage={"cookies": [{"name": "token", "value": "hunter2"}], "origins": []}),
        WebState(pages=(PageState(url="http://a/?p=hunter2"),)),
        WebState(pages=(PageState(url="http://a/", storage={"p": "hunter2"}),)),
    ],
)
def test_a_checkpoint_that_had_to_leave_a_secret_out_says_so(state: WebState):
    saved = saved_of(state, Redactor(["hunter2"]))

    assert "secret" in saved.missing
    assert b"hunter2" not in saved.state


def test_a_checkpoint_without_any_secret_stays_as_it_is():
    storage = {
        "cookies": [{"name": "a", "value": "b"}],
        "origins": [{"origin": "http://a", "localStorage": [{"name": "c"}]}],
    }
    state = WebState(storage=storage, pages=(PageState(url="http://a/", reads="x"),))

    saved = saved_of(state, Redactor(["hunter2"]))
    assert (msgspec.json.decode(saved.state, type=WebState), saved.missing) == (state, "")
    assert saved_of(WebState(), Redactor(["hunter2"])).missing == ""


def test_stored_data_that_is_no_text_is_told_as_missing():
    """lz-string's `compress` makes of any text one with halves of characters."""
    items = [{"name": "cart", "value": "\u1f81\ud83d"}]
    for state in (
        WebState(storage={"origins": [{"origin": "http://a", "localStorage": items}]}),
        WebState(pages=(PageState(url="http://a/", storage={"cart": "\udfff"}),)),
    ):
        assert "not Unicode text" in saved_of(state, Redactor()).missing


def test_a_page_that_may_be_the_answer_to_an_action_is_told_as_missing():
    state = WebState(pages=(PageState(url="http://a/", acted=True),))

    assert "the answer to an action" in saved_of(state, Redactor()).missing
