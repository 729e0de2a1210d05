"""Italic letters, short denials, places for values, what follows an arrow, and proposals that said something else."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("I press the *Publish* button", 'click(element="Publish", role="button")'),
        ('Check the "Mail" box in the "Rates" section', 'check(element="Mail", within="Rates")'),
        (
            'Enter street "Elm 4", mobile phone "12" and postal code "34"',
            'type(element="street", text="Elm 4"), type(element="mobile phone", text="12"), '
            'type(element="postal code", text="34")',
        ),
        ("Fill in IBAN: `DE12`", 'type(element="IBAN", text="DE12")'),
        ('Choose Kind of room: "Double"', 'select(element="Kind of room", options=["Double"])'),
        ('Click "☰" in the top bar', 'click(element="☰")'),
        ("Click *Archive all*", 'click(element="Archive all")'),
        ("Click *Mail* → *Print*", 'click(element="Mail"), click(element="Print")'),
        ("Click Tools > Print", 'click(element="Tools"), click(element="Print")'),
        ('Type "<script>alert(1)</script>" into "Bio"', 'type(element="Bio", text="<script>alert(1)</script>")'),
        ("Reload the page (`Ctrl + R` or `F5`)", "browser_reload()"),
        ('Type "<b>" into "Bio"', 'type(element="Bio", text="<b>")'),
    ],
)
def test_an_action_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        "Click the bin icon → Shows a warning",
        "Click tile → Navigate to step 2",
        "Open DevTools > Sources",
        "Open browser settings > Privacy",
        "Click edit icon on an expense row",  # any of them
        "Click Radio button",  # a name or a kind
        'Type "<nickname>" into "Name"',
        "Reload the page (a+b)",  # no chord
        "Click Rows.add 4 times",
        'Set back to "Draft"',
        'Check the "Rates" section',  # it has no mark
        "Find an HTML element on the page",
    ],
)
def test_an_action_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('The "Undo" link isnt visible', 'check_visible(element="Undo", role="link", absent=true)'),
        ('I dont see "Draft"', 'check_text(text="Draft", absent=true)'),
        ('The "Undo" link cant be clicked', 'check_state(element="Undo", role="link", state="disabled")'),
        ("I see an *Undo last step* link", 'check_visible(element="Undo last step", role="link")'),
        ("I do not see the *Undo* link", 'check_visible(element="Undo", role="link", absent=true)'),
        ('The text "Hi {name}" is not visible', 'check_text(text="Hi {name}", absent=true)'),
        ("*Stored* is visible", 'check_text(text="Stored")'),
        ('I see "[removed]"', 'check_text(text="[removed]")'),
        ('The "Mode *" field is required', 'check_state(element="Mode *", state="required")'),
        ('The text "<begin-1 end-1>" is visible', 'check_text(text="<begin-1 end-1>")'),
        ('The output contains "in <module>"', 'check_output(text="in <module>")'),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    "sentence",
    [
        'A toast shows "{file name} was removed"',
        'The page shows "Paused until [DAY]"',
        'The page shows "Edited by [Author]"',
        'Overview shows "Team Overview" title',  # of the page
        'The title contains "<title>"',
        "**Phone:** visible in the header",  # on a phone
        'The value of "**Mode**" is "Fast"',
        "Verification message is displayed",
        'The background changes to "blue"',
        'The icon changes to "Moon"',
        'Console shows "done"',  # the browser's, or a part of the page
        "The queue is *not* empty and *not* paused",
        "I see *Remove '<member>'*",
        'The "<Title>" page is displayed',
        'The page shows "+ X free days"',
        'The "Pace" dropdown shows "Slow, Even, Fast"',  # its options
        "I see the *Shop > Cart* page",
    ],
)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('I go to "admin/rights/new"', "Open /admin/rights/new"),
        ("Click Text box", 'Click "Text box"'),
        ("I navigate to Cars - Models", ""),
        ("In the sidebar, click Admin → Rights", 'Click "Admin" in the sidebar and click "Rights"'),
        ('From the header, select "Admin" > "Rights"', 'Click "Admin" from the header and click "Rights"'),
        ("Disable auto save in Preferences", 'Disable "auto save" in "Preferences"'),
        ('Check the "Rates" section', ""),
        ('Check that the "Test" accounts are listed', ""),
        ('Select "Rooms" as 3', ""),  # 3 is what is chosen
        ("Open browser console (F12 → Console tab)", ""),
        ("Select sort of bill (Paper, Mail)", ""),
        ('Click the "Rates" panel button', ""),  # a button of the panel, or one of this name
    ],
)
def test_a_proposal_of_an_action(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ('The value of "**Mode**" is "**Fast**"', 'The value of "Mode" is "Fast"'),
        ('Console shows: "done"', 'The browser console shows "done"'),
        ("**Phone:** visible in the header", ""),
        ("**Empty state:** Hint shown", ""),
        ('The "Pace" dropdown shows "Slow, Even, Fast"', ""),
        ('After import, the state should be "done"', ""),
        ("Verification message is displayed", ""),
        ("I verify “Thank you“ is displayed", "I verify “Thank you” is displayed"),
        ("Guest sees Ada's new note after reload", ""),
        ('Level shows "Gold" (Active)', ""),  # claimed as well
        ('Level shows "Gold" (unchanged)', 'Level shows "Gold"'),
    ],
)
def test_a_proposal_of_a_claim(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal
