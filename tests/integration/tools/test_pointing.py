"""Sentences that point at an element by kind, place in line and neighbours mean one element of a page, or are refused."""

import pytest_asyncio
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome

PAGE = """
<header><nav><a href=#h>Home</a></nav></header>
<main>
 <form role=search><input type=search placeholder="What?" id=search></form>
 <h2>Profile</h2>
 <label for=n>Name</label> <input id=n> <button id=n-help>?</button><br>
 <label for=p>Secret</label> <input type=password id=p>
 <div class=stack><label for=em style=display:block>Email</label><input id=em style=display:block>
  <p id=wrong style=margin:0>Not an address</p></div>
 <button id=save-profile>Save</button>
 <h2>Billing</h2>
 <textarea id=note></textarea>
 <button id=save-billing>Save</button>
 <ul aria-label=Todos>
  <li><span>Buy milk</span> <input type=checkbox id=milk> <button id=x-milk>Remove</button></li>
  <li><span>Call Ada</span> <input type=checkbox id=ada> <button id=x-ada>Remove</button></li>
  <li><span>Sleep</span> <input type=checkbox id=sleep> <button id=x-sleep>Remove</button></li>
 </ul>
 <table id=users><caption>Users</caption>
  <thead><tr><th colspan=2><button>Name</button><th><button>Email</button><th>Act</thead>
  <tr><td>1<td>Ada<td>ada@x.org<td><a href=#1 id=edit-ada>Edit</a>
  <tr><td>2<td>Grace<td>grace@x.org<td><a href=#2 id=edit-grace>Edit</a></table>
 <table id=teams><caption>Teams</caption>
  <tr><th>Name<th>Size<tr><td>Ada<td>3<tr><td>Bob<td>4</table>
 <form onsubmit="return false"><button id=send>Go for it</button></form>
 <div data-testid=badge id=badge style=width:9px;height:9px onclick=""></div><button class=b2 id=by-class>Q</button>
 <a href=#o id=logout>Log out</a><p>Log out now</p>
</main><footer><a href=#f id=f-home>Home</a></footer>
<script>addEventListener('click', (e) => document.title = e.target.id)</script>"""

DIALOGS = """<button id=open onclick="d.showModal()">Open</button><button>Save</button>
<dialog id=d aria-label=Sure><p>Delete 2 files?</p><button onclick="d.close()">Save</button></dialog>"""

CLICKED = {
    'Click the first "Remove" button': "x-milk",
    'Click the last "Remove" button': "x-sleep",
    'Click the button in the 2nd item of the "Todos" list': "x-ada",
    'Click the "Remove" button next to "Call Ada"': "x-ada",
    'Click the checkbox next to "Sleep"': "sleep",
    'Check the checkbox of "Buy milk"': "milk",
    'Click the button next to the "Name" field': "n-help",
    "Click the search field": "search",
    "Click the text area": "note",
    "Click the password field": "p",
    'Click the field below "Email"': "em",
    'Click the field after the "Name" field': "p",
    'Click the "Save" button under the heading "Profile"': "save-profile",
    'Click the "Save" button under the heading "Billing"': "save-billing",
    'Click the "Save" button above "Billing"': "save-profile",
    'Click the "Edit" link in the row with "Grace"': "edit-grace",
    'Click the "Edit" link in the row with "Ada" in the "Users" table': "edit-ada",
    'Click the link in the second row of the "Users" table': "edit-grace",
    "Click the submit button": "send",
    'Click the "Home" link in the footer': "f-home",
    'Click the element with test id "badge"': "badge",
    "Click css=button.b2": "by-class",
    "Click the element with xpath \"//button[contains(@class, 'b2')]\"": "by-class",
    "Click log out": "logout",
    'Click the second link within "#users"': "edit-grace",
    'Click the "Home" link in css="footer"': "f-home",
}
REFUSED = {
    'Click the "Edit" link in the table': 'the table may mean 2 elements: 1) table "Users"',
    "Click the checkbox": "checkbox may mean 3 elements",
    "Click the third link in the footer": "there is no 3rd link",
    "Click log": 'there is no "log"',
    'Click the "Save" button below "Nowhere"': 'there is nothing below "Nowhere" on the page',
    "Click css=nav[": 'there is no css "nav["',
    'Click xpath="//nav["': 'there is no xpath "//nav["',
    "Click the radio button": "there is no radio",
    'Click the link within "#nowhere"': "nowhere",
}
HOLDS = (
    'The "Email" column of the row with "Grace" is "grace@x.org"',
    'The "Email" of "Ada" in the "Users" table is "ada@x.org"',
    '"Bob"\'s "Size" is "4"',
    'The "Users" table has 2 rows',
    'The first row of the "Teams" table contains "Ada"',
    "There are 3 items in the list",
    "The search field is empty",
    "The text area is empty",
    'The checkbox next to "Sleep" is not checked',
    'The text "Home" is visible in the navigation',
    'I see "Grace" within "#users"',
    'I do not see "Grace" in the "#teams" element',
)
FALSE = (
    'The "Email" column of the row with "Grace" is "ada@x.org"',
    '"Bob"\'s "Size" is "3"',
    'The first row of the "Teams" table contains "Bob"',
    "There are 2 items in the list",
    'The text "Profile" is visible in the navigation',
    'The second row of the "Users" table does not contain "Grace"',
    'There is no "Save" button in the "Nothing" section',
    'The text "Ada" is not visible in the third row of the "Teams" table',
    'I see "Grace" within "#teams"',
    'I do not see "Grace" within "#nowhere"',
)


async def made(look: User, sentence: str, *, check: bool = False) -> ToolOutcome:
    """Return what the last call of a sentence came to."""
    outcomes = [await look(it.tool, **it.arguments) for it in (parse_expectation if check else parse_action)(sentence)]
    return outcomes[-1]


@pytest_asyncio.fixture(loop_scope="session")
async def page(look: User, site: Site) -> User:
    await look.open(site.page(PAGE))
    look.ctx.action_timeout = 0.3
    return look


async def test_a_sentence_points_at_one_element(page: User) -> None:
    page.ctx.action_timeout = 2.0
    wrong: list[str] = []
    for sentence, expected in CLICKED.items():
        outcome = await made(page, sentence)
        clicked = await page.script("document.title")
        if outcome.status != "ok" or clicked != expected:
            wrong.append(f"{sentence}: {clicked}, {outcome.text}")
    assert not wrong


async def test_what_markup_marks_is_typed_into_and_chosen_from(page: User, site: Site) -> None:
    """As names are: by a test id, a selector or a path."""
    options = "<option>UK<option>France"
    await page.open(site.page(f"<input data-testid=mail><input class=who><select id=land>{options}</select><p>-"))
    for act in (
        'Type "a@b.c" into the element with test id "mail"',
        'Type "Ada" into css="input.who"',
        'Select "France" in the element with xpath "//select[@id=\'land\']"',
    ):
        assert (outcome := await made(page, act)).status == "ok", outcome.text
    for claim in (
        'The field with test id "mail" is "a@b.c"',
        'css="input.who" is "Ada"',
        'xpath="//select" is "France"',
    ):
        assert (outcome := await made(page, claim, check=True)).status == "ok", outcome.text
    assert (await made(page, 'xpath="//select" is "UK"', check=True)).status == "failed"


async def test_what_may_mean_several_or_nothing_is_refused(page: User) -> None:
    for sentence, told in REFUSED.items():
        outcome = await made(page, sentence)
        assert outcome.status == "error", sentence
        assert told in outcome.text, outcome.text


async def test_a_check_looks_at_what_the_sentence_points_at(page: User) -> None:
    held = {sentence: await made(page, sentence, check=True) for sentence in HOLDS}
    assert {sentence: it.text for sentence, it in held.items() if it.status != "ok"} == {}
    failed = {sentence: await made(page, sentence, check=True) for sentence in FALSE}
    assert [sentence for sentence, it in failed.items() if it.status == "ok"] == []


async def test_the_dialog_is_also_one_that_the_page_draws(look: User, site: Site) -> None:
    await look.open(site.page(DIALOGS))
    look.ctx.action_timeout = 2.0
    assert (await made(look, "The dialog is visible", check=True)).status == "failed"
    for sentence in ('Click the "Open" button', 'Click the "Save" button in the dialog'):
        if sentence.endswith("dialog"):
            assert (await made(look, 'The dialog contains "Delete 2 files?"', check=True)).status == "ok"
            assert (await made(look, 'The dialog contains "Delete 3 files?"', check=True)).status == "failed"
        assert (await made(look, sentence)).status == "ok"
    assert "there is nothing in dialog" in (await made(look, 'Click the "Save" button in the dialog')).text


async def test_links_that_lead_nowhere_are_not_the_same(do: User, site: Site) -> None:
    """A script makes something else of each: the first row is not to be deleted in the place of another one."""
    for href in ("#", "", "javascript:void(0)", "#!"):
        rows = "".join(
            f"<tr><td>{name}<td><a href='{href}' onclick='s.textContent+=`{name}`;return false'>Delete</a></tr>"
            for name in ("Ada", "Bob")
        )
        await do.open(
            site.page(f"<table>{rows}</table><p id=s>gone: </p><a href=/help>Help</a> <a href=/help>Help</a>")
        )
        assert (await do.bad("click", element="Delete")).failure is Failure.TARGET_UNCLEAR
        await do.ok("click", element="Delete", within="Bob")
        await do.ok("check_text", text="gone: Bob")
    await do.ok("click", element="Help")
