"""Stored cases: what may be stored, and what a name stands for."""

import pytest

from muster_cases.case_library import check_case, choose, find_version, id_of
from muster_cases.case_loader import load_text
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import TestCase
from muster_protocol.stored_cases import CaseFile, CaseOutline, CaseVersion, StoredCase

YAML = (
    "name: One\ncovers: [REQ-7]\nsteps:\n  - action: Click the 'Cart' link\n    expected: The page title is \"Cart\"\n"
)
GHERKIN = '@covers:REQ-8\nFeature: F\n  @covers:REQ-7\n  Scenario: S\n    When I open "http://a/"\n    Then the page title is "A"\n'
MARKDOWN = '# M\n\nCovers: REQ-7, REQ-8\n\n1. Open "http://a/"\n   - Expected: the page title is "A"\n'


def stored(id: str, *suites: str, versions: int = 1) -> StoredCase:
    return StoredCase(
        id=id,
        file=f"{id}.yaml",
        cases=tuple(CaseOutline(name=f"{id} {suite}", suite=suite) for suite in suites),
        versions=tuple(CaseVersion(number=number, digest=str(number)) for number in range(1, versions + 1)),
    )


LIBRARY = [stored("TC_AUTH_01", "shop", versions=3), stored("TC_CART_02", "shop", "cart"), stored("TC_MAIL_03", "mail")]


@pytest.mark.parametrize(
    ("text", "form", "covers"),
    [(YAML, "yaml", ("REQ-7",)), (GHERKIN, "gherkin", ("REQ-8", "REQ-7")), (MARKDOWN, "markdown", ("REQ-7", "REQ-8"))],
)
def test_a_case_in_any_form_says_what_it_covers(text: str, form: str, covers: tuple[str, ...]):
    (case,) = load_text(text, form=form)  # pyright: ignore[reportArgumentType]
    assert isinstance(case.request.job, TestCase)
    assert case.request.job.covers == covers


def test_a_file_that_can_be_run_is_stored_with_what_is_in_it():
    checked = check_case(CaseFile(name="TC_1.yaml", text=YAML, suite="shop"))
    assert (checked.id, checked.cases) == ("TC_1", (CaseOutline(name="One", suite="shop", covers=("REQ-7",)),))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("TC_1.yaml", "name: x\n", "needs the key 'steps'"),
        ("TC_1.yaml", f"app: shop.yaml\n{YAML}", "this case has no file"),
        ("TC_1.feature", "", "no test case found"),
        ("TC_1.yaml", "---\n".join(YAML.replace("One", str(number)) for number in range(201)), "at most 200 cases"),
        ("TC 1.yaml", YAML, "must be 1 to 64 letters"),
        ("../../TC_1.yaml", YAML, "without a folder"),
        ("validate.yaml", YAML, "is taken by the HTTP API"),
        ("TC_1.txt", YAML, "a case is a file that ends in"),
    ],
)
def test_what_cannot_be_run_by_its_name_is_not_stored(name: str, text: str, said: str):
    with pytest.raises(InvalidRequest) as caught:
        check_case(CaseFile(name=name, text=text))
    assert said in " ".join(caught.value.reasons)


def test_a_name_is_a_case_or_a_suite():
    assert [(one.case.id, one.version.number) for one in choose(LIBRARY, "TC_AUTH_01")] == [("TC_AUTH_01", 3)]
    assert [one.version.number for one in choose(LIBRARY, "TC_AUTH_01", 2)] == [2]
    assert [one.case.id for one in choose(LIBRARY, "suite:shop")] == ["TC_AUTH_01", "TC_CART_02"]
    assert id_of("TC_AUTH_01.feature") == "TC_AUTH_01"


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("TC_AUTH_1", 0, "there is no stored case 'TC_AUTH_1'; did you mean 'TC_AUTH_01'?"),
        ("suite:shp", 0, "there is no suite of stored cases 'shp'; did you mean 'shop'?"),
        ("qqq", 0, "`muster cases list` shows all"),
        ("TC_AUTH_01", 4, "has no version 4; it has 1 to 3"),
        ("suite:shop", 2, "a version belongs to a case"),
    ],
)
def test_an_unknown_name_gives_the_closest(name: str, version: int, said: str):
    with pytest.raises(InvalidRequest) as caught:
        choose(LIBRARY, name, version)
    assert said in caught.value.reasons[0]


def test_a_version_that_is_no_longer_remembered_is_told():
    late = StoredCase(id="A", file="A.yaml", cases=(), versions=(CaseVersion(number=9, digest="9"),))
    assert find_version(late, 0).number == 9
    with pytest.raises(InvalidRequest, match="it has 9 to 9"):
        find_version(late, 8)
