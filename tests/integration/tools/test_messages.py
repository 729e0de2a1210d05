"""A message that comes and goes by itself has been shown; anything else that goes again has not stayed."""

import pytest
from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure
from muster_subagent import tools

TOAST = """<button onclick="const t=document.createElement('div');t.textContent='Saved';{style};
  {place}.append(t);setTimeout(() => t.remove(), {ms})">Save</button>
  <div id=live role=status></div><div id=fixed style='position:fixed;bottom:0;right:0'></div><ul id=list></ul>
  <header id=bar style='position:fixed;top:50px'></header>"""


def toast(place: str, ms: int = 400, style: str = "") -> str:
    return TOAST.format(place=place, ms=ms, style=style)


@pytest.mark.parametrize("place", ["live", "fixed"])
async def test_a_message_of_400_ms_was_visible(look: User, site: Site, place: str) -> None:
    await look.open(site.page(toast(place)))
    await look.ok("click", element="Save")
    await look.ok("wait_for", gone="Saved")
    assert '"Saved"' in (await look.ok("check_text", text="Saved")).text
    await look.ok("check_text", text="Saved", absent=True)


async def test_a_message_that_fades_in_was_visible(look: User, site: Site) -> None:
    fade = "t.style='opacity:0;transition:opacity 200ms';setTimeout(() => t.style.opacity=1, 50)"
    await look.open(site.page(toast("fixed", 700, fade)))
    await look.ok("click", element="Save")
    await look.ok("wait_for", gone="Saved")
    await look.ok("check_text", text="Saved")


async def test_a_message_that_a_busy_page_fades_in_late_was_visible(look: User, site: Site) -> None:
    busy = "const end=performance.now() + 1700; while (performance.now() < end);"
    fade = f"t.style='opacity:0;transition:opacity 200ms';requestAnimationFrame(() => {{ {busy} t.style.opacity=1 }})"
    await look.open(site.page(toast("fixed", 2800, fade)))
    await look.ok("click", element="Save")
    await look.ok("wait_for", gone="Saved")
    await look.ok("check_text", text="Saved")


@pytest.mark.parametrize("style", ["t.style.opacity=0", "t.style.color='transparent'", "t.hidden=true"])
async def test_a_message_that_nobody_can_see_was_not_visible(look: User, site: Site, style: str) -> None:
    await look.open(site.page(toast("live", style=style)))
    await look.ok("click", element="Save")
    await look.bad("check_text", text="Saved")


@pytest.mark.parametrize("place", ["list", "bar", "document.body"])
async def test_what_the_page_takes_back_was_no_message(look: User, site: Site, place: str) -> None:
    await look.open(site.page(toast(place, 100)))
    await look.ok("click", element="Save")
    await look.ok("wait_for", gone="Saved")
    await look.bad("check_text", text="Saved")


async def test_a_message_of_an_earlier_action_proves_nothing(look: User, site: Site) -> None:
    await look.open(site.page(toast("live") + "<button>Other</button>"))
    await look.ok("click", element="Save")
    await look.ok("wait_for", gone="Saved")
    await look.ok("click", element="Other")
    await look.bad("check_text", text="Saved")


SORTS = """<div class="alert alert-danger" role=alert><b>Oops</b> Ada was added</div>
  <div class=errors><div class="MuiAlert-standardSuccess"><p>Bob was added</p></div></div>
  <div class=no-errors><p>Eve was added</p></div><p class=info>Uli was added</p>
  <form class=form-error><p>Kim was added</p><p>{long}</p></form>
  <p>Ida was added</p><p class=error>Ida was added</p>
  <div role=status id=live></div>
  <button onclick="live.innerHTML='<div class=toast-warning><i></i><span>Tom was added</span></div>';setTimeout(() => live.innerHTML='', 400)">Add</button>"""


async def test_a_message_that_is_marked_as_of_another_sort_is_not_the_one_that_is_meant(look: User, site: Site) -> None:
    async def failure_of(sentence: str) -> Failure | None:
        [call] = parse_expectation(sentence)
        return (await tools.call(look.ctx, call, {})).failure

    await look.open(site.page(SORTS.format(long="A form with more in it. " * 9)))
    await look.ok("click", element="Add")
    await look.ok("wait_for", gone="Tom was added")
    patience, look.ctx.action_timeout = look.ctx.action_timeout, 0.3
    for name, sort in (("Ada", "success"), ("Bob", "error"), ("Tom", "success")):
        assert await failure_of(f'The {sort} message "{name} was added" is shown') == Failure.EXPECTATION_FALSE
    for name, sort in (
        ("Ada", "error"),
        ("Bob", "success"),
        ("Eve", "success"),
        ("Uli", "success"),
        ("Kim", "success"),
    ):
        assert await failure_of(f'The {sort} message "{name} was added" is shown') is None
    assert await failure_of('The success message "Ida was added" is shown') is None  # one of both is not marked
    assert await failure_of('The message "Ada was added" is shown') is None
    look.ctx.action_timeout = patience
