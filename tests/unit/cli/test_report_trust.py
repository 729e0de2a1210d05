"""Whatever tested pages and models write into a report, it stays text: escaped, and without effect in a real browser."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks import ATTACKS, EVERYTHING, NAMES, RUN, pages
from muster_views.folder import folder_name
from muster_views.material import artifact_paths
from muster_views.outcome import CaseOutcome


class _Elements(HTMLParser):
    """Collects the elements of a page, and every attribute that could run or fetch something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.suspicious: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            ours = (value or "").startswith(("#", "artifacts/", "../index.html", "log.txt", f"{RUN}-"))
            if name.startswith("on") or (name in ("href", "src", "action", "srcset", "data") and not ours):
                self.suspicious.append((name, value))


@pytest.mark.parametrize("text", [*ATTACKS, EVERYTHING])
def test_a_text_adds_no_element_and_no_attribute(text: str):
    for page, plain in zip(pages(text), pages("harmless"), strict=True):
        assert _Elements(page).tags.count("script") == 1
        assert set(_Elements(page).tags) <= set(_Elements(plain).tags)
        assert [found for found in _Elements(page).suspicious if "index.html" not in (found[1] or "")] == []
        assert "1337" not in page


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet="<>\"'&{}%#/=\\ \n\x00\x1b\u202eab", max_size=60))
def test_no_text_at_all_adds_an_element(text: str):
    for page, plain in zip(pages(text), pages("harmless"), strict=True):
        assert set(_Elements(page).tags) <= set(_Elements(plain).tags)
        assert "\x1b" not in page and "\u202e" not in page and "\x00" not in page


def test_names_of_artifacts_can_neither_leave_the_folder_nor_run():
    paths = artifact_paths(NAMES, RUN)
    assert sorted(paths) == sorted(NAMES)
    for path in paths.values():
        assert path.startswith("artifacts/") and ".." not in path.split("/")
        assert not set(path) & set("<>\"':% ")
        assert not path.endswith((".html", ".svg", ".js"))


def test_the_folder_of_a_run_is_a_plain_name_whatever_the_case_is_called():
    for text in ATTACKS:
        folder = folder_name(CaseOutcome(label=text, name=text, run="../run/../x"))
        assert not set(folder) & set("/\\<>\"': ") and not folder.startswith(".")
