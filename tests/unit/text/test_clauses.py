"""How an expectation is split into the clauses that need evidence; worker and orchestrator must agree on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_text.clauses import literals, split_clauses


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("", ()),
        ("   \n  ", ()),
        ("The page title is X", ("The page title is X",)),
        ("A is shown and B is hidden", ("A is shown", "B is hidden")),
        ("A is shown AND B is hidden", ("A is shown", "B is hidden")),
        ("A is shown, B is hidden", ("A is shown", "B is hidden")),
        ("A is shown, and B is hidden", ("A is shown", "B is hidden")),
        ("A is shown; B is hidden; and C is gone", ("A is shown", "B is hidden", "C is gone")),
        ("A is shown. B is hidden.", ("A is shown", "B is hidden")),
        ("A is shown.", ("A is shown",)),
        ("A is shown\nB is hidden", ("A is shown", "B is hidden")),
        ("- A is shown\n* B is hidden\n• C is gone", ("A is shown", "B is hidden", "C is gone")),
        ("A is shown\n\nand B is hidden", ("A is shown", "B is hidden")),
        ("A is shown, then B is hidden", ("A is shown", "B is hidden")),
        ("A is shown and and B is hidden", ("A is shown", "B is hidden")),
    ],
)
def test_clauses_stand_between_and_comma_semicolon_full_stop_and_line_end(text: str, clauses: tuple[str, ...]):
    assert split_clauses(text) == clauses


@pytest.mark.parametrize(
    "text",
    [
        'The text "salt and pepper" is visible',
        'The text "one, two; three. four" is visible',
        "The text “salt and pepper” is visible",
        "The text ‘salt and pepper’ is visible",
        "The text 'salt and pepper' is visible",
        'The text "He said \\"you and me\\", then left" is visible',
        'The text "and" is visible',
        'The text " and " is visible',
    ],
)
def test_what_stands_in_quotes_is_never_split(text: str):
    assert split_clauses(text) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "The price is 3.50 EUR",
        "The brand is shown",
        "The URL is http://127.0.0.1:8000/login",
        "The version is 1.2.3",
        "The standard is met",
        "The amount is 1,299",
        "The Dr. Rossi row is shown",
        "Mrs. Ünal is the owner of No. 5",
    ],
)
def test_points_and_letters_inside_words_do_not_split(text: str):
    assert split_clauses(text) == (text,)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ('The list shows "A" and "B"', ('The list shows "A" and "B"',)),
        ('The list shows "A", "B" and "C"', ('The list shows "A", "B" and "C"',)),
        ('The list shows "A", "B", and "C"', ('The list shows "A", "B", and "C"',)),
        (
            'The title is "X", and the list shows "A" and "B"',
            ('The title is "X"', 'the list shows "A" and "B"'),
        ),
        ('The list shows\n"A"\n"B"', ('The list shows "A" "B"',)),
        ('"A" and "B" are shown', ('"A"', '"B" are shown')),
    ],
)
def test_a_list_of_literals_stays_one_clause(text: str, clauses: tuple[str, ...]):
    assert split_clauses(text) == clauses


def test_an_apostrophe_is_no_quote():
    assert split_clauses("The user's name and the shop's name are shown") == (
        "The user's name",
        "the shop's name are shown",
    )
    assert literals("It isn't the user's fault") == ()


def test_a_quote_without_its_partner_hides_nothing_and_ends_with_its_line():
    assert split_clauses('The 5" disk is shown and it is red\nThe title is "A and B"') == (
        'The 5" disk is shown',
        "it is red",
        'The title is "A and B"',
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("none", ()),
        ("The text \"A\" and “B” and ‘C’ and 'D'", ("A", "B", "C", "D")),
        ('The text "" is there', ("",)),
        (r'He said "\"yes\" \\ no"', (r'"yes" \ no',)),
        (r'The file "C:\temp\new" is there', (r"C:\temp\new",)),
        ('The text "${order}" is visible', ("${order}",)),
        ('"it\'s"', ("it's",)),
    ],
)
def test_literals_are_what_stands_between_quotes(text: str, found: tuple[str, ...]):
    assert literals(text) == found


WORDS = st.lists(
    st.sampled_from(["The", "text", '"A and B"', '"C, D"', "and", ",", ";", ".", "is", "shown", "'x'", "\n", "- ", '"'])
).map(" ".join)


@given(WORDS)
def test_clauses_are_parts_of_the_text_with_nothing_but_joints_between_them(text: str):
    clauses = split_clauses(text)
    assert all(clause.strip() == clause and clause for clause in clauses)
    for word in (word for clause in clauses for word in clause.split()):
        assert word.strip(",;.") in text


@given(st.text(alphabet="ab \"'\\,.;\nand“”‘’$-*", max_size=40))
def test_any_text_is_split_without_failing_and_without_empty_clauses(text: str):
    assert "" not in split_clauses(text)
    literals(text)


@given(st.lists(st.sampled_from(["A is shown", 'the text "x, y and z" is there', "it is red"]), min_size=1, max_size=4))
def test_splitting_a_clause_again_changes_nothing(clauses: list[str]):
    for clause in split_clauses("; ".join(clauses)):
        assert split_clauses(clause) == (clause,)


def test_a_direction_belongs_to_what_is_sorted():
    text = "The orders are sorted by date, newest first, and the list is shown, descending"
    assert split_clauses(text) == ("The orders are sorted by date, newest first", "the list is shown, descending")
    assert split_clauses('"A" is shown and newest first') == ('"A" is shown', "newest first")


def test_texts_that_tell_one_thing_are_in_one_clause():
    assert split_clauses('A row with "A", "B" and "C" is visible and "D" is shown') == (
        'A row with "A", "B" and "C" is visible',
        '"D" is shown',
    )
    assert split_clauses('Eine Zeile mit "A" und "B" ist sichtbar') == ('Eine Zeile mit "A" und "B" ist sichtbar',)
    assert split_clauses('The row with "A" is shown and "B" is shown') == ('The row with "A" is shown', '"B" is shown')
    assert split_clauses('The title starts with "A" and "B" is shown') == ('The title starts with "A"', '"B" is shown')


def test_what_the_next_claim_is_about_tells_no_place_of_the_one_before():
    two = ('"A" is shown in the row with "B" and "C"', '"D" is shown in the row with "E"')
    assert split_clauses(" and ".join(two)) == two
    assert split_clauses('The "A" button in the row with "B" and "C" is disabled') == (
        'The "A" button in the row with "B" and "C" is disabled',
    )


def test_a_word_that_says_nothing_of_a_list_parts_none():
    assert split_clauses('The tabs are "A", "B" and "C" again') == ('The tabs are "A", "B" and "C" again',)
    assert split_clauses('It shows "A" and also "B"') == ('It shows "A" and also "B"',)
    assert split_clauses('It shows "A" and "B" twice') == ('It shows "A"', '"B" twice')
