"""Where a secret may be typed, in a real browser: only into documents of hosts that the case names."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parents[2] / "integration" / "tools"))

from driving import PASSWORD, User, user_of
from local_session import Host, launched, opened
from served import Site

from muster_protocol.causes import Failure
from muster_subagent.step_permissions import CHANNELS, Permission

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "${secret:PASSWORD}"
FORM = "<label>PIN <input id=pin></label><button>Enter</button>"
FIELD = "document.querySelector('#pin')?.value || ''"


class Pages(NamedTuple):
    """The product, another host's site, and a model's hands."""

    own: Site
    other: Site
    do: User

    async def typed(self) -> str:
        """Return what the PIN fields of all frames hold."""
        page = await self.do.session.page()
        return "".join([str(await frame.evaluate(FIELD)) for frame in page.frames])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncGenerator[Host]:
    async with launched() as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def pages(host: Host, tmp_path: Path) -> AsyncGenerator[Pages]:
    own, other = Site(), Site()
    servers = [await asyncio.start_server(site.serve, "127.0.0.1", 0) for site in (own, other)]
    for site, server in zip((own, other), servers, strict=True):
        site.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with opened(host, tmp_path) as session, httpx.AsyncClient() as http:
        do = user_of(session, http)
        do.ctx.author, do.ctx.action_timeout = "model", 1.0
        named = (own.url.removeprefix("http://"),)
        do.ctx.permission = Permission(frozenset(CHANNELS), frozenset({"PASSWORD"}), named)
        yield Pages(own, other, do)
    for server in servers:
        server.close()


async def test_a_field_of_the_product_takes_it(pages: Pages):
    await pages.do.open(pages.own.page(FORM))
    await pages.do.ok("type", element="PIN", text=SECRET)
    assert await pages.typed() == PASSWORD


async def test_a_field_in_a_frame_that_the_product_wrote_takes_it(pages: Pages):
    await pages.do.open(pages.own.page(f"<iframe srcdoc='{FORM}'></iframe>"))
    await pages.do.ok("type", element="PIN", text=SECRET)
    assert await pages.typed() == PASSWORD


@pytest.mark.parametrize("frame", ["@/login", "data:text/html,<!doctype html>" + FORM])
async def test_a_field_in_a_frame_of_another_host_does_not(pages: Pages, frame: str):
    pages.other.page(FORM, "/login")
    await pages.do.open(pages.own.page(f"<h1>Shop</h1><iframe src='{frame.replace('@', pages.other.url)}'></iframe>"))
    refused = await pages.do("type", element="PIN", text=SECRET)
    assert (refused.status, refused.failure) == ("error", Failure.INVALID_CALL)
    assert "a secret does not go to" in refused.text
    assert await pages.typed() == ""
    assert (await pages.do.ok("type", element="PIN", text="1234")).confirmed


async def test_nor_by_its_mark_in_the_snapshot(pages: Pages):
    pages.other.page(FORM, "/login")
    await pages.do.open(pages.own.page(f"<iframe src='{pages.other.url}/login'></iframe>"))
    shown = (await pages.do.ok("snapshot")).text
    ref = next(line for line in shown.splitlines() if "textbox" in line).partition("[ref=")[2].partition("]")[0]
    assert "does not go" in (await pages.do("type", element="PIN", ref=ref, text=SECRET)).text
    assert await pages.typed() == ""


async def test_a_page_of_another_host_does_not(pages: Pages):
    pages.other.page(FORM, "/login")
    await pages.do.open(pages.own.page(f"<a href='{pages.other.url}/login'>Sign in</a>"))
    await pages.do.ok("click", element="Sign in")
    assert "does not go" in (await pages.do("type", element="PIN", text=SECRET)).text
    assert await pages.typed() == ""


@pytest.mark.parametrize(
    ("tool", "given"),
    [("press", {"key": SECRET}), ("press", {"key": SECRET, "element": "PIN"}), ("select", {"options": [SECRET]})],
)
async def test_keys_and_lists_take_none_from_a_model(pages: Pages, tool: str, given: dict[str, str]):
    await pages.do.open(pages.own.page(FORM))
    refused = await pages.do(tool, **{"element": "PIN", **given})
    assert refused.failure == Failure.NOT_PERMITTED
    assert PASSWORD not in refused.text


@pytest.mark.parametrize("tool", ["browser_navigate", "browser_tab_new"])
async def test_no_address_of_another_host_holds_it(pages: Pages, tool: str):
    await pages.do.open(pages.own.page(FORM))
    for url in (f"{pages.other.url}/?pin={SECRET}", f"{pages.other.url.removeprefix('http:')}/?pin={SECRET}"):
        assert (await pages.do(tool, url=url)).failure == Failure.NOT_PERMITTED
    assert pages.other.asked == []


async def test_a_model_that_names_the_wrong_thing_by_its_mark_is_known_by_what_it_touched(pages: Pages):
    await pages.do.open(
        pages.own.page("<ul><li>Mug <button>Delete</button><button>Save</button></li></ul><a href='/'>Home</a>")
    )
    shown = (await pages.do.ok("snapshot")).text
    ref = next(line for line in shown.splitlines() if '"Delete"' in line).partition("[ref=")[2].partition("]")[0]
    touched = (await pages.do.ok("click", element="Save", ref=ref)).touched
    assert touched is not None
    assert (touched.role, touched.names[0]) == ("button", "Delete")
    left = (await pages.do.ok("click", element="Home")).touched
    assert left is not None
    assert left.names[0] == "Home", "it is known though its page is gone"
