"""A fault or a decoy where a recording is replayed: no false pass, no false heal, although the model is sure of itself.

What was recorded on the healthy site is replayed on one with a fault, with the policy that would keep a heal at once.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import NamedTuple

import pytest
import pytest_asyncio
from model_server import Script
from pages import Page, Visit
from remembering import OPEN, Rerunner, Steps, rerunner, sure
from sampling import mostly_slow

SEND = '<button formaction="@/done">Send</button>'
DRAFT = '<button formaction="@/draft">Save draft</button>'
FIELDS = '<label>Name <input name="name"></label> <label>Nickname <input name="nick"></label>'
FORM = f'<h1>Sign up</h1><form action="@/nowhere">{FIELDS} {SEND} {DRAFT}</form>'


def _greets(visit: Visit) -> str:
    return f"<h1>Welcome, {visit.fields['name']}</h1><p>We have written to you.</p>"


def _keeps(visit: Visit) -> str:
    return f"<h1>Welcome, {visit.fields['name']}</h1><p>Your draft is kept.</p>"


SITE: Mapping[str, Page] = {"": FORM, "done": _greets, "draft": _keeps, "news": "<h1>Welcome, Ann</h1>"}
SIGN_UP: Steps = [OPEN, ("Fill in the form as Ann and send it", 'The text "Welcome, Ann" is visible')]
CART = """<h1>Cart</h1><p><button onclick="total.textContent = '$59.98'; note.textContent = 'Doubled'">Double it</button></p>
<p id="note" role="status"></p>
<dl><dt>Total</dt><dd id="total">$29.99</dd></dl><h2>You may like</h2><p>Hat: $10.00</p>"""
DOUBLE: Steps = [OPEN, ("Have the cart hold twice as much", 'The "Total" field has the value "$59.98"')]


FILLED = (("type", {"element": "Name", "text": "Ann"}), ("click", {"element": "Send"}))
DOUBLED = (("click", {"element": "Double it"}),)
TAKES_DRAFT = ("click", {"element": "Save draft"})


class Mutant(NamedTuple):
    """What the site has become, and what the model does if it is asked."""

    form: str
    model: Script = sure()
    pages: Mapping[str, Page] = {}


def form(*, send: str = SEND, draft: str = DRAFT) -> str:
    """Return the form with other buttons."""
    return FORM.replace(SEND, send).replace(DRAFT, draft)


NEWS = '<button formaction="@/news">Send</button>'
HIDDEN = SEND.replace("<button", '<button style="display:none"')
OF_THE_FORM = {
    "the button does something else": Mutant(form(send=SEND.replace("done", "draft"))),
    "the labels are swapped": Mutant(form(send=SEND.replace("done", "draft"), draft=DRAFT.replace("draft", "done"))),
    "swapped, and a model that goes back": Mutant(
        form(send=SEND.replace("done", "draft"), draft=DRAFT.replace("draft", "done")),
        sure(("back", {}), TAKES_DRAFT),
    ),
    "the button does nothing": Mutant(form(send='<button type="button">Send</button>')),
    "the button asks first": Mutant(form(send=SEND.replace("<button", "<button onclick=\"return confirm('Sure?')\""))),
    "only the decoy is left": Mutant(form(send=""), sure(TAKES_DRAFT)),
    "a decoy in its very place": Mutant(
        form(send=SEND.replace("Send", "Delete").replace("done", "draft"), draft=""),
        sure(("click", {"element": "Delete"})),
    ),
    "a decoy in its very place that leads to the same page": Mutant(
        form(send=SEND.replace("Send", "Unsubscribe")), sure(("click", {"element": "Unsubscribe"}))
    ),
    "it is hidden": Mutant(form(send=HIDDEN), sure(TAKES_DRAFT)),
    "it is in a menu": Mutant(
        form(send=f"<details><summary>More</summary>{SEND}</details>"),
        sure(("click", {"element": "More"}), ("click", {"element": "Send"})),
    ),
    "it is disabled": Mutant(form(send=SEND.replace("<button", "<button disabled")), sure(TAKES_DRAFT)),
    "two are called so": Mutant(form(send=f"{NEWS} {SEND}"), sure(("click", {"element": "Send", "within": ["1st"]}))),
    "the model does less": Mutant(form(send=SEND.replace("Send", "Submit")) + "<h2>Welcome, Ann</h2>"),
    "the model does more": Mutant(
        form(send=SEND.replace("Send", "Submit")), sure(("click", {"element": "Submit"}), ("back", {}), TAKES_DRAFT)
    ),
    "the value is lost": Mutant(form(), pages={"done": "<h1>Welcome, nobody</h1>"}),
    "the server fails": Mutant(form(), pages={"done": "<h1>Out of order</h1>"}),
    "the fields' labels are swapped": Mutant(
        form().replace("Name <", "@ <").replace("Nickname <", "Name <").replace("@ <", "Nickname <")
    ),
}
OF_THE_TOTAL = {
    "a wrong total": Mutant(CART.replace("$59.98", "$31.99")),
    "a wrong total beside a decoy": Mutant(CART.replace("$59.98", "$31.99").replace("Hat: $10.00", "Gift set: $59.98")),
    "a decoy that has the words of the total": Mutant(
        CART.replace("$59.98", "$31.99").replace("Hat: $10.00", "<dl><dt>Gift set in total</dt><dd>$59.98</dd></dl>")
    ),
    "the button is gone, and the total is right at once": Mutant(
        CART.replace("$29.99", "$59.98").replace("Double it", "Hide"), sure()
    ),
    "a decoy in its very place turns the total right and does something else": Mutant(
        CART.replace("Double it", "Keep for later").replace("Doubled", "Kept"),
        sure(("click", {"element": "Keep for later"})),
    ),
    "another button turns the total right": Mutant(
        CART.replace("Double it", "Hide").replace(
            "<h2>", "<p><button onclick=\"total.textContent='$59.98'\">Gift set</button></p><h2>"
        ),
        sure(("click", {"element": "Gift set"})),
    ),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def again(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rerunner]:
    async with rerunner(tmp_path_factory.mktemp("fleet")) as made:
        yield made


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def is_refused(again: Rerunner, mutant: Mutant, healthy: Mapping[str, Page], steps: Steps, cold: Script) -> None:
    before = await again.recorded(healthy, steps, cold)
    seen = await again.run({**healthy, "": mutant.form, **mutant.pages}, steps, mutant.model, heal="use")

    assert seen.verdict.status == "fail", f"a false pass: {seen.verdict.summary}"
    after = await again.recorded(healthy, steps, cold)
    await again.rows.put(before.key, before)
    assert (after.step, after.proposal, after.episodes) == (before.step, None, ()), "a false heal"


@pytest.mark.parametrize("name", mostly_slow(OF_THE_FORM, 24))
async def test_a_fault_of_the_form_is_neither_passed_nor_healed(again: Rerunner, name: str):
    await is_refused(again, OF_THE_FORM[name], SITE, SIGN_UP, sure(*FILLED))


@pytest.mark.parametrize("name", mostly_slow(OF_THE_TOTAL))
async def test_a_fault_of_the_total_is_neither_passed_nor_healed(again: Rerunner, name: str):
    await is_refused(again, OF_THE_TOTAL[name], {"": CART}, DOUBLE, sure(*DOUBLED))


async def test_a_second_button_of_that_name_in_another_form_is_not_mistaken_for_the_recorded_one(again: Rerunner):
    await again.recorded(SITE, SIGN_UP, sure(*FILLED))
    seen = await again.run({**SITE, "": f"<form>{NEWS}</form>{FORM}"}, SIGN_UP, None)
    assert (seen.verdict.status, seen.asked, seen.last.source) == ("pass", 0, "recording"), seen.verdict.summary
