"""Dialogs of the browser: seen at once, held by the session's host, never answered silently."""

from typing import Any

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

REMOVE = """<button onclick="o.textContent = confirm('Remove it?') ? 'Removed' : 'Kept'">Remove</button><p id=o></p>"""


async def test_a_click_that_opens_a_dialog_returns_and_says_so(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE))
    outcome = await do.ok("click", element="Remove")
    assert outcome.text.startswith('It opened a confirm dialog: "Remove it?"')
    assert do.session.answered == []
    await do.ok("check_dialog", text="Remove it?")
    outcome = await do.ok("dialog", accept=True)
    assert 'Accepted a confirm dialog: "Remove it?". Clicked button "Remove".' in outcome.text
    assert '"Removed"' in outcome.text
    assert do.session.answered == [True]
    await do.ok("check_text", text="Removed")


async def test_a_dialog_is_dismissed(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE))
    await do.ok("click", element="Remove")
    await do.ok("dialog", accept=False)
    await do.ok("check_text", text="Kept")


async def test_a_click_on_the_buttons_of_a_dialog_answers_it(do: User, site: Site) -> None:
    ask = "<button onclick=\"document.title = prompt('Name?', 'nobody')\">Ask</button>"
    await do.open(site.page(f"{REMOVE}{ask}<button onclick=\"alert('Done')\">Tell</button><button>OK</button>"))
    await do.ok("click", element="Remove")
    assert "accept or dismiss it first" in (await do.bad("click", element="Yes")).text  # it has no such button
    await do.ok("click", element="OK", within=["in dialog"])
    await do.ok("check_text", text="Removed")
    await do.ok("click", element="Remove")
    await do.ok("click", element="Cancel", role="button")
    await do.ok("check_text", text="Kept")
    await do.ok("click", element="Ask")
    await do.ok("click", element="OK")
    await do.ok("check_title", title="nobody")
    await do.ok("click", element="Tell")
    await do.bad("click", element="Cancel")
    await do.ok("click", element="OK")
    assert do.session.answered == [True, False, True, True]


async def test_to_dismiss_a_dialog_is_done_once_it_is_closed(do: User, site: Site) -> None:
    await do.open(site.page("<button onclick=\"confirm('Remove it?')\">Remove</button>"))
    await do.ok("click", element="Remove")
    assert (await do.ok("dialog", accept=False)).confirmed
    await do.ok("click", element="Remove")
    assert not (await do.ok("dialog", accept=True)).confirmed


async def test_a_prompt_is_answered_with_a_text(do: User, site: Site) -> None:
    await do.open(site.page("<button onclick=\"document.title = prompt('Name?', 'nobody')\">Ask</button>"))
    outcome = await do.ok("click", element="Ask")
    assert 'a prompt dialog: "Name?" with "nobody" in it' in outcome.text
    await do.ok("dialog", accept=True, text="Ada")
    await do.ok("check_title", title="Ada")


ASK = "<button onclick=\"document.title = prompt('Name?', 'nobody') ?? 'refused'\">Ask</button>"


@pytest.mark.parametrize(
    ("tool", "given", "title"),
    [
        ("dialog", {"accept": True}, "Ada"),
        ("click", {"element": "OK"}, "Ada"),
        ("dialog", {"accept": True, "text": "Grace"}, "Grace"),
        ("click", {"element": "Cancel"}, "refused"),
    ],
)
async def test_what_is_typed_into_a_prompt_waits_for_an_answer(
    do: User, site: Site, tool: str, given: dict[str, Any], title: str
) -> None:
    await do.open(site.page(ASK))
    await do.ok("click", element="Ask")
    outcome = await do.ok("dialog", text="Ada")
    assert "It waits for an answer" in outcome.text
    assert do.session.answered == []
    await do.ok(tool, **given)
    await do.ok("check_title", title=title)
    await do.ok("click", element="Ask")
    await do.ok("dialog", accept=True)
    await do.ok("check_title", title="nobody")


async def test_only_a_prompt_is_typed_into(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE))
    outcome = await do.bad("dialog", text="Ada")
    assert "no dialog is open" in outcome.text
    await do.ok("click", element="Remove")
    for given in ({"text": "Ada"}, {}):
        outcome = await do.bad("dialog", **given)
        assert outcome.failure == Failure.INVALID_CALL
        assert "say whether to accept or to dismiss it" in outcome.text
    await do.ok("dialog", accept=True)


async def test_nothing_else_is_done_while_a_dialog_is_open(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE))
    await do.ok("click", element="Remove")
    for tool, arguments in [
        ("click", {"element": "Remove"}),
        ("check_text", {"text": "Removed"}),
        ("snapshot", {}),
        ("browser_navigate", {"url": site.url}),
    ]:
        outcome = await do.bad(tool, **arguments)
        assert outcome.failure == Failure.INVALID_CALL
        assert 'the page waits for an answer to a confirm dialog: "Remove it?"' in outcome.text
    await do.ok("execute_command", command="echo the shell does not mind")
    await do.ok("dialog", accept=True)


async def test_a_dialog_that_a_dialog_leads_to_is_told_too(do: User, site: Site) -> None:
    script = "if (confirm('Sure?')) alert('Done')"
    await do.open(site.page(f'<button onclick="{script}">Go</button>'))
    await do.ok("click", element="Go")
    outcome = await do.ok("dialog", accept=True)
    assert 'It opened an alert dialog: "Done"' in outcome.text
    await do.ok("check_dialog", text="Done")
    await do.ok("dialog", accept=True)
    assert await do.script("1") == 1


async def test_a_dialog_that_opens_after_the_click_is_part_of_it(do: User, site: Site) -> None:
    await do.open(site.page("<button onclick=\"setTimeout(() => alert('Later'), 300)\">Go</button>"))
    outcome = await do.ok("click", element="Go")
    assert 'It opened an alert dialog: "Later"' in outcome.text
    await do.ok("dialog", accept=True)


async def test_a_dialog_that_opens_while_a_check_looks_is_no_verdict(do: User, site: Site) -> None:
    await do.open(site.page("<p>x</p>"))
    await do.script("void setTimeout(() => setTimeout(() => alert('Session expired'), 400), 0)")
    outcome = await do("check_text", text="never there")
    assert (outcome.status, outcome.failure) == ("error", Failure.EXPECTATION_FALSE)
    assert outcome.seen == 'an alert dialog: "Session expired"'
    await do.ok("dialog", accept=True)


async def test_an_alert_that_nobody_expects_is_the_products(do: User, site: Site) -> None:
    await do.open(site.page("<button onclick=\"alert('Something went wrong')\">Go</button><button>On</button>"))
    await do.ok("click", element="Go")
    for tool, arguments in [("click", {"element": "On"}), ("check_text", {"text": "Go"})]:
        outcome = await do.bad(tool, **arguments)
        assert (outcome.failure, outcome.seen) == (
            Failure.EXPECTATION_FALSE,
            'an alert dialog: "Something went wrong"',
        )
    await do.ok("dialog", accept=True)


async def test_an_answer_without_a_dialog_says_there_is_none(do: User, site: Site) -> None:
    await do.open(site.page("x"))
    outcome = await do.bad("dialog", accept=True)
    assert outcome.text == "no dialog is open: the page has not asked anything"
    assert outcome.failure == Failure.ELEMENT_MISSING
    outcome = await do.bad("check_dialog", text="Really?")
    assert (outcome.status, outcome.failure) == ("failed", Failure.EXPECTATION_FALSE)


async def test_an_unanswered_dialog_outlasts_the_time_of_its_click(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE))
    do.ctx.action_timeout = 2.0
    await do.ok("click", element="Remove")
    await do.ok("execute_command", command="sleep 2.1")
    outcome = await do.ok("dialog", accept=True)
    assert '"Removed"' in outcome.text
    assert await do.script("o.textContent") == "Removed"


async def test_a_value_cannot_be_remembered_behind_a_dialog(do: User, site: Site) -> None:
    await do.open(site.page(REMOVE + "<p>Order number: A-17</p>"))
    await do.ok("click", element="Remove")
    outcome = await do.bad("remember", name="order", element="Order number")
    assert "the page waits for an answer" in outcome.text
    await do.ok("dialog", accept=False)
    await do.ok("remember", name="order", element="Order number")
