"""Words that tell a kind, a look, a status or an act are no names; a place of several elements is that of each."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation


@pytest.mark.parametrize(
    "sentence",
    [
        "I should see the Invoices Title",
        "I see the Due Date in the Modal",
        "I see a Link to the Invoice in the Links Section",
        "The page displays a conflict message on the screen",
        "200 OK sorted list",
        'I should see a ".badge" within "#basket"',
        'I should see "Ada" as a reviewer',
        'The opacity of "Basket" is "0.5"',
        "The file name gets Approved",
        "Verify All invoices should be selected",
        "User verifies that On hold status message is displayed",
    ],
)
def test_what_tells_a_kind_is_no_name_in_a_claim(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Open Profile page → check the new badges",
        "Open several windows → save same note twice",
        "Choose valid payment option",
        "Type XSS string in the comment field",
        'Enter invalid characters (e.g., "§§")',
        "Go to Saved Orders and Click on Export dropdown menu",
        "Click on print quickly",
        'Select the Nightly Build for "main"',
        "Provide DueDate as current date",
        "Click on Invoice Details Link Archive",
    ],
)
def test_what_tells_a_kind_or_another_act_is_no_name_in_an_act(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I see the Print, Share and Export buttons in the header",
        'I see "Print", "Share" and "Export" buttons in the header',
        'I see the "Print" button, the "Share" button and the "Export" button in the header',
        "I see the Print button, the Share button and the Export button in the header",
    ],
)
def test_the_place_behind_the_last_of_several_elements_is_that_of_each(sentence: str):
    checks = parse_expectation(sentence)

    assert [check.arguments["element"] for check in checks] == ["Print", "Share", "Export"]
    assert all(check.arguments["within"] == ["in banner"] for check in checks)


def test_elements_of_other_kinds_have_a_place_of_their_own():
    field, link = parse_expectation('I see the "Search" field and the "Cart" link in the header')

    assert "within" not in field.arguments
    assert link.arguments["within"] == ["in banner"]
