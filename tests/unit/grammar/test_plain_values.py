"""What stands without quotes beside a verb of values: the end of a name, a thing, a state, or the value itself."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    "sentence",
    [
        "The Lien is Hidden",
        "The Lien is not Displayed",
        'The "Lien" field is not Mandatory',
        'The "Status" field is not Mandatory',
        'The "Destination" field is not Norway',
        "Billing info differs from Shipping info",
        "Verify Start date is same as Authorization Signature Date",
        "The total equals Shipping",
        "Validate page is Content Managed",
        "The System should display the Role",
        "Excel dump must contain Correct values",
        "I will see Distance as a column",
        "Country is not selected in Country dropdown",
        'User verifies that Selection Stage is already selected as "Applied"',
        "The Credit Card is visible",
        "I can see both Tickets in the bag view",
        "I should see the message saying item is added to list",
    ],
)
def test_what_may_be_no_value_or_no_name_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "element", "value"),
    [
        ("The order status is not Closed", "order status", "Closed"),
        ("The Status field is Active", "Status", "Active"),
        ("The Account Status is Enabled", "Account Status", "Enabled"),
        ('The "Country" field is Norway', "Country", "Norway"),
        ('The "Country" field is not "Mandatory"', "Country", "Mandatory"),
        ('The "Total" amount changes to 5', "Total", "5"),
        ("The discount should amount to 600", "discount", "600"),
    ],
)
def test_a_value_that_is_surely_one_is_read(sentence: str, element: str, value: str):
    (check,) = parse_expectation(sentence)

    assert (check.tool, check.arguments["element"], check.arguments["value"]) == ("check_value", element, value)


@pytest.mark.parametrize(
    "sentence", ["The title is Vehicles", "the title should be Vehicles", 'The title is "Vehicles"']
)
def test_the_title_is_that_of_the_page_with_quotes_and_without(sentence: str):
    (check,) = parse_expectation(sentence)

    assert (check.tool, check.arguments) == ("check_title", {"title": "Vehicles"})


@pytest.mark.parametrize(
    ("sentence", "element"),
    [
        ("Change the Loan Amount to 600", "Loan Amount"),
        ("Update the loan amount to 600", "loan amount"),
        ("Set the amount to 600", "amount"),
        ("Set the price change to 600", "price change"),
        ("Set the order default to 600", "order default"),
        ("Set the max updates to 600", "max updates"),
    ],
)
def test_a_noun_before_to_is_the_end_of_the_name_and_no_verb(sentence: str, element: str):
    (typed,) = parse_action(sentence)

    assert (typed.tool, typed.arguments) == ("type", {"element": element, "text": "600"})


@pytest.mark.parametrize(
    "sentence",
    [
        'I select the random value in the "Accessories" list',
        'Choose a random value from "Country"',
        'saved invoice name should be same as entered "Credit"',
        "Enter Product ID in PDP entry field",
        "Provide the ISBN in the key ISBN text box",
        "Enter the required Start Time",
        "Select Trigger type from Trigger drop down",
        "Select SFDC Status as approved",
        "Select Phone as Preferred Contact Method",
        "Selects 2 Debts from the list",
        "User selects created Requirement from prefill dropdown",
        "Select Quick View for a random product",
    ],
)
def test_an_act_that_says_something_else_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    ("sentence", "element", "option"),
    [
        ("Select country as Norway", "country", "Norway"),
        ("Select Norway as Country", "Country", "Norway"),
        ("User selects 200 km in distance dropdown", "distance", "200 km"),
        ("I select Holiday gift guide from Gift dropdown", "Gift", "Holiday gift guide"),
        ('I choose "Category" as a parent taxon', "parent taxon", "Category"),
    ],
)
def test_what_is_surely_an_option_is_selected(sentence: str, element: str, option: str):
    (chosen,) = parse_action(sentence)

    assert (chosen.tool, chosen.arguments) == ("select", {"element": element, "options": [option]})


def test_an_empty_option_is_one():
    (chosen,) = parse_action('I select country as ""')

    assert chosen.arguments == {"element": "country", "options": [""]}


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [("The Credit Card is visible", '"Credit Card" is visible'), ('The "Lien" field is not Mandatory', "")],
)
def test_a_proposal_neither_cuts_a_name_nor_makes_a_value_of_a_state(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


def test_no_proposal_selects_what_is_called_as_lists_are():
    assert not rewritten("Select Phone as Preferred Contact Method", "action", parse_action)
