"""What is looked at after an act goes past the trace, and is no less for that; what a check looks at is in it."""

import json
import zipfile
from pathlib import Path

import pytest
from driving import User
from playwright.async_api import Error
from served import Site

from muster_devices.web import untraced
from muster_devices.web.untraced import evaluate

PAGE = """<h1>Cart</h1><script>count = 0</script>
<button onclick="this.insertAdjacentHTML('afterend', '<p>Added ' + ++count + '</p>')">Add</button><a href=/other>Other</a>"""


def evaluations(trace: Path) -> int:
    """Return how many scripts a trace shows with the document around them."""
    with zipfile.ZipFile(trace) as archive:
        events = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
    return sum(event.get("method") == "evaluateExpression" for event in events if event["type"] == "before")


async def test_a_trace_has_the_act_and_the_check_and_not_the_look_between(do: User, site: Site, tmp_path: Path) -> None:
    await do.open(site.page(PAGE))
    tracing = do.session.host.tracing
    await tracing.start(snapshots=True)
    assert "Added" in (await do.ok("click", element="Add")).text
    await tracing.start_chunk()
    await do.ok("check_text", text="Added 1")
    await tracing.stop_chunk(path=tmp_path / "check.zip")
    assert evaluations(tmp_path / "check.zip") == 1
    await tracing.start_chunk()
    assert "Added" in (await do.ok("click", element="Add")).text
    await tracing.stop(path=tmp_path / "act.zip")
    assert evaluations(tmp_path / "act.zip") == 0


async def test_where_the_way_past_the_trace_is_cut_the_other_one_is_taken(do: User, site: Site) -> None:
    await do.open(site.page(PAGE))
    page = await do.session.page()
    await untraced._sessions[page].detach()  # pyright: ignore[reportPrivateUsage]
    assert "Added" in (await do.ok("click", element="Add")).text
    assert "Added" in (await do.ok("click", element="Add")).text


async def test_a_page_may_have_thrown_out_the_script_that_looks(do: User, site: Site) -> None:
    await do.open(site.page(PAGE))
    await do.script("delete window.__muster")
    await do.ok("click", element="Add")
    assert await do.script("document.body.innerText.includes('Added')")


async def test_a_place_that_is_no_number_is_none(do: User, site: Site) -> None:
    odd = "Element.prototype.getBoundingClientRect = () => ({ x: NaN, y: Infinity, width: 10, height: 10 })"
    await do.open(site.page(f"{PAGE}<label>Name <input></label>"))
    await do.script(f"document.querySelector('input').addEventListener('input', () => {{ {odd} }})")
    await do.ok("type", element="Name", text="Ada")
    assert do.ctx.touched is None


async def test_an_error_of_a_script_and_a_document_that_goes_are_told(do: User, site: Site) -> None:
    await do.open(site.page(PAGE))
    page = await do.session.page()
    assert await evaluate(page, "Promise.resolve([1, {two: 'é'}])") == [1, {"two": "é"}]
    with pytest.raises(Error, match="no such thing"):
        await evaluate(page, "(() => { throw new Error('no such thing') })()")
    with pytest.raises(Error) as gone:
        await evaluate(page, "new Promise(() => location.assign('/elsewhere'))")
    assert untraced.left(gone.value)
