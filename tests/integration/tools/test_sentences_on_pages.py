"""What sentences as testers write them do on a page: on a sound one they hold, on one with the fault they do not."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_action, parse_expectation
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome

STEPS = "<ol><li>Cart</li><li{payment}>Payment</li><li{review}>Review</li></ol>"
TABS = (
    "<div role=tablist><button role=tab aria-selected={details}>Details</button>"
    "<button role=tab aria-selected={notes}>Notes</button></div>"
)
FIELDS = (
    "<form><p><label>Name <input></label> {name}</p><p style='margin-top:300px'><label>Mail <input></label> {mail}</p>"
    "</form>"
)
PEOPLE = (
    "<table><tr><th>Name<th>Email<th>Role</tr><tr><td>Bob<td>{bob}<td>Admin</tr>"
    "<tr><td>Eve<td>eve@other.test<td>Guest</tr></table>"
)
FOLDERS = "<ul aria-label=Folders><li>{name}</li></ul><p>Photos</p>"
CURRENT = ' aria-current="step"'


async def _holds(user: User, sentence: str) -> None:
    for call in parse_expectation(sentence):
        await user.ok(call.tool, **call.arguments)


async def _fails(user: User, sentence: str) -> ToolOutcome:
    """Return the outcome of the first check that does not hold."""
    patience, user.ctx.action_timeout = user.ctx.action_timeout, 0.3
    try:
        for call in parse_expectation(sentence):
            if (outcome := await user(call.tool, **call.arguments)).status != "ok":
                return outcome
    finally:
        user.ctx.action_timeout = patience
    raise AssertionError(sentence)


@pytest.mark.parametrize(
    ("sentence", "sound", "faulty"),
    [
        (
            'The "Payment" step is active',
            STEPS.format(payment=CURRENT, review=""),
            STEPS.format(payment=' aria-current="false"', review=CURRENT),
        ),
        (
            '"Payment" is the current step',
            STEPS.format(payment=CURRENT, review=""),
            STEPS.format(payment=' aria-current="false"', review=CURRENT),
        ),
        (
            '"Payment" is not the current step',
            STEPS.format(payment=' aria-current="false"', review=CURRENT),
            STEPS.format(payment=CURRENT, review=""),
        ),
        (
            'The active tab is "Details"',
            TABS.format(details="true", notes="false"),
            TABS.format(details="false", notes="true"),
        ),
        (
            'I see the error "Required" for the "Name" field',
            FIELDS.format(name="<span>Required</span>", mail=""),
            FIELDS.format(name="", mail="<span>Required</span>"),
        ),
        (
            'The user sees the "Required" validation message from the "Name" field',
            FIELDS.format(name="<span>Required</span>", mail=""),
            FIELDS.format(name="", mail=""),
        ),
        (
            '"Email" of "Bob" contains "@shop.test"',
            PEOPLE.format(bob="bob@shop.test"),
            PEOPLE.format(bob="bob@evil.test") + "<p>x@shop.test</p>",
        ),
        ('"Bob"\'s role is "Admin"', PEOPLE.format(bob="b"), PEOPLE.format(bob="b").replace("Admin", "Guest")),
        (
            'A row with "Bob" and "Admin" is visible',
            PEOPLE.format(bob="b"),
            "<h2>Bob</h2>" + PEOPLE.format(bob="b").replace("Admin", "Owner").replace("Guest", "Admin"),
        ),
        ('The folder "Photos" is in the list', FOLDERS.format(name="Photos"), FOLDERS.format(name="Music")),
        ('The folder "Photos" is not in the list', FOLDERS.format(name="Music"), FOLDERS.format(name="Photos")),
        ('Only "Milk" is shown in the list', "<ul><li>Milk</ul>", "<ul><li>Milk<li>Eggs</ul>"),
        ("She should be notified that 'Mail sent'", "<p role=status>Mail sent</p>", "<p role=status>Mail lost</p>"),
        ('No error message "Too short" is shown', "<p>Fine</p>", "<p>Too short</p>"),
        (
            '"Norway" is preselected in "Country"',
            "<select aria-label=Country><option>Chile<option selected>Norway</select>",
            "<select aria-label=Country><option selected>Chile<option>Norway</select>",
        ),
        (
            'I see "Home" and "Help" in the menu',
            "<ul role=menu><li role=menuitem>Home<li role=menuitem>Help</ul>",
            "<p>Home</p><ul role=menu><li role=menuitem>About<li role=menuitem>Help</ul>",
        ),
        (
            'The dialog has a "Cancel" button',
            "<dialog open aria-label=Sure><button>Cancel</button></dialog>",
            "<dialog open aria-label=Sure><p>x</p></dialog><button style='margin-top:300px'>Cancel</button>",
        ),
        (
            'The error below the "Name" field says "Required"',
            FIELDS.format(name="<br><span>Required</span>", mail=""),
            FIELDS.format(name="", mail="") + "<p>Fine</p>",
        ),
        (
            "Der Schritt 'Zahlung' ist aktuell",
            STEPS.format(payment=CURRENT, review="").replace("Payment", "Zahlung"),
            STEPS.format(payment=' aria-current="false"', review=CURRENT).replace("Payment", "Zahlung"),
        ),
        ("Verify Login panel exists", "<section aria-label=Login><p>x</p></section>", "<p>Login panel</p>"),
    ],
)
async def test_a_sentence_holds_on_the_sound_page_alone(
    look: User, site: Site, sentence: str, sound: str, faulty: str
) -> None:
    await look.open(site.page(sound))
    await _holds(look, sentence)
    await look.open(site.page(faulty))
    assert (await _fails(look, sentence)).failure == Failure.EXPECTATION_FALSE


async def test_a_step_that_nothing_marks_is_undecided(look: User, site: Site) -> None:
    """A page that paints two of its steps another colour does not say which is the current one."""
    await look.open(site.page(STEPS.format(payment=" style='color:red'", review=" style='color:green'")))
    for sentence in ('The "Payment" step is active', '"Payment" is not the current step'):
        assert (await _fails(look, sentence)).failure != Failure.EXPECTATION_FALSE


LOGIN = (
    "<label>Password <input id=password value=old></label><label>Note <input id=note></label>"
    "<script>document.querySelector('#password').addEventListener('input', event => {"
    "if (!event.target.value) document.querySelector('#note').focus() })</script>"
)


async def test_a_text_goes_into_the_field_that_was_cleared_for_it(do: User, site: Site) -> None:
    """Though the page moves the focus meanwhile."""
    await do.open(site.page(LOGIN))
    for call in parse_action('Clear the "Password" field and type "new"'):
        await do.ok(call.tool, **call.arguments)
    await do.ok("check_value", element="Password", value="new")
    await do.ok("check_value", element="Note", value="")


PARTS = (
    "<div role=group aria-label='Form A'><button onclick='document.title=\"A\"'>Save</button></div>"
    "<div role=group aria-label='Form B'><button onclick='document.title=\"B\"'>Save</button></div>"
)


async def test_several_texts_tell_which_of_several_rows_is_meant(do: User, site: Site) -> None:
    edit = "<td><button onclick='this.replaceWith(this.parentElement.parentElement.cells[1].textContent + 1)'>Edit</button>"
    rows = "".join(
        f"<tr><td>{name}<td>{role}{edit}" for name, role in (("Ada", "Guest"), ("Ada", "Admin"), ("Bob", "Admin"))
    )
    await do.open(site.page(f"<h2>Eve</h2><table>{rows}</table>"))
    [click] = parse_action('Click the "Edit" button in the row with "Ada" and "Admin"')
    assert "Admin1" in (await do.ok(click.tool, **click.arguments)).text
    for wrong in ("Eve", "Bob"):
        [click] = parse_action(f'Click the "Edit" button in the row with "{wrong}" and "Guest"')
        await do.bad(click.tool, **click.arguments)


async def test_a_part_that_has_a_noun_of_its_own_is_the_place(do: User, site: Site) -> None:
    await do.open(site.page(PARTS))
    for sentence, title in (('Click "Save" button on "Form B" CRF', "B"), ('Click "Save" in the task "Form A"', "A")):
        for call in parse_action(sentence):
            await do.ok(call.tool, **call.arguments)
        await do.ok("check_title", title=title)
