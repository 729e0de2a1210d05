"""Of what sort a sentence says that a message is."""

import pytest

from muster_subagent.tools.sorts_of_messages import are_otherwise, sort_said


@pytest.mark.parametrize(
    ("clause", "sort"),
    [
        ('The success message "Saved" is shown', "success"),
        ('A successful toast notification "Saved" appears', "success"),
        ('Die Erfolgsmeldung "Gespeichert" ist sichtbar', "success"),
        ('The validation error message "Required" is shown', "error"),
        ('The error "Required" is shown', "error"),
        ('The text "A success message" is visible', ""),
        ('The message "Error 42" is visible', ""),
        ('Neither the error message "A" nor the success message "B" is visible', ""),
    ],
)
def test_only_what_is_said_outside_of_quotes_tells_the_sort(clause: str, sort: str) -> None:
    assert sort_said(clause) == sort


def test_a_message_of_no_known_sort_may_be_any() -> None:
    assert are_otherwise("success", ("error",))
    assert not any(
        are_otherwise(said, marked) for said, marked in (("success", ("error", "")), ("success", ()), ("", ("error",)))
    )
