"""Days and amounts as people write them."""

from datetime import date

import pytest

from muster_text.amounts import is_sorted, relates
from muster_text.days import day_of, written

TODAY = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("today", "2026-01-31"),
        ("tomorrow", "2026-02-01"),
        ("today + 3 days", "2026-02-03"),
        ("today+1 week", "2026-02-07"),
        ("in 1 month", "2026-02-28"),
        ("2 weeks ago", "2026-01-17"),
        ("1 year ago", "2025-01-31"),
        ("today - 13 months", "2024-12-31"),
    ],
)
def test_a_day_is_counted_from_today(words: str, day: str):
    found = day_of(words, TODAY)
    assert found is not None
    assert written(found) == day


@pytest.mark.parametrize("words", ["", "3 days", "someday", "today and tomorrow", "in 99999 years", "todays + 3"])
def test_what_says_no_day_is_none(words: str):
    assert day_of(words, TODAY) is None


def test_a_date_is_written_in_the_form_that_is_asked_for():
    forms = ["dd.mm.yyyy", "M/d/yy", "MMM dd, yyyy", "yyyy-MM-dd"]
    assert [written(date(2026, 3, 4), form) for form in forms] == ["04.03.2026", "3/4/26", "Mar 04, 2026", "2026-03-04"]


@pytest.mark.parametrize(
    ("seen", "relation", "wanted"),
    [
        ("$29.99", "above", "10"),
        ("Total: 1,234.50 €", "at_least", "1.234,50 EUR"),
        ("-5", "below", "0"),
        ("3 items", "same", "3"),
        ("31.12.2026", "above", "Dec 30, 2026"),
        ("01/02/2026", "below", "2026-03-01"),
    ],
)
def test_amounts_are_compared_by_what_they_amount_to(seen: str, relation: str, wanted: str):
    assert relates(seen, wanted, relation)
    assert not relates(wanted, seen, relation) or relation in ("same", "at_least")


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        ("$20", "€10"),
        ("20 %", "$1"),
        ("2026-01-31", "1"),
        ("1.234", "1000"),
        ("1 of 20", "0"),
        ("none", "0"),
        ("", "0"),
    ],
)
def test_what_cannot_be_compared_for_sure_is_not_above(seen: str, wanted: str):
    assert not relates(seen, wanted, "above")


def test_texts_are_sorted_by_size_or_by_letters():
    assert is_sorted(["$9.50", "$20.00", "$1,000.00"])
    assert not is_sorted(["$20.00", "$9.50"])
    assert is_sorted(["cup", "Bun", "ale"], descending=True)
    assert is_sorted(["Jan 5, 2026", "2026-02-01"])


@pytest.mark.parametrize(
    ("rising", "is_so"),
    [
        (["31/01/2026", "01/02/2026", "15/03/2026"], True),
        (["01/02/2026", "15/03/2026", "31/01/2026"], False),
        (["01/31/2026", "02/01/2026"], True),
        (["01/02/2026", "03/04/2026"], True),
        (["01/02/2026", "02/01/2026"], None),
        (["31/01/2026", "02/01/2026", "Feb 3, 2026"], False),
        (["Arm", "Ärmel", "Zoe"], True),
        (["Arm", "Zoe", "Ärmel"], True),
        (["Zoe", "Ärmel", "Arm"], False),
    ],
)
def test_a_column_is_read_by_one_convention_or_its_order_is_open(rising: list[str], is_so: bool | None):
    assert is_sorted(rising) is is_so
