"""A separator before three figures groups thousands or parts decimals: told by what it stands beside."""

import pytest

from muster_text.amounts import is_sorted, relates


@pytest.mark.parametrize(
    ("seen", "wanted", "relation", "holds"),
    [
        ("41,250", "40,000", "at_least", True),
        ("41,250", "1204", "above", True),
        ("41,250", "100", "below", False),
        ("$1,000.50", "$1,000", "above", True),
        ("1.234", "1.000,50", "above", True),
        ("1,5", "1,234", "above", False),
        ("1.500", "2", "below", False),
        ("1.500", "2", "above", False),
        ("1.500", "1.200", "above", True),
    ],
)
def test_amounts_are_compared_by_one_convention(seen: str, wanted: str, relation: str, holds: bool):
    assert relates(seen, wanted, relation) == holds


@pytest.mark.parametrize(
    ("falling", "is_so"),
    [
        (["5,210", "2,904", "1,011", "905"], True),
        (["905", "5,210"], False),
        (["1.299,00 €", "49,90 €"], True),
        (["1.500", "1.200"], True),
    ],
)
def test_a_column_is_sorted_by_one_convention(falling: list[str], is_so: bool):
    assert is_sorted(falling, descending=True) == is_so
