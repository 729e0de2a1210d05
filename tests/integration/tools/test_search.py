"""Searching, and reading pages as text, over real HTTP."""

import asyncio
import json
import time

import pytest
from driving import PASSWORD, User
from served import Answer, Site

from muster_protocol.causes import Failure
from muster_subagent.tools.search_tools import get
from muster_subagent.tools.tool import ToolError

RESULTS = [
    {"url": "http://shop.test/a", "title": "Sizes  of backpacks", "content": "From 20 to\n 60 litres. " + "x" * 400},
    {"url": "http://127.0.0.1/b", "title": None, "content": None, "engine": "one"},
    {"url": "http://[", "title": "Odd", "content": ""},
]


def found(site: Site, **more: object) -> None:
    site.say("/search", json.dumps({"query": "q", "results": RESULTS, **more}))


@pytest.fixture
def searching(look: User, site: Site):
    look.ctx.search_url = site.url
    yield look
    look.ctx.search_url = ""


async def test_results_are_told_with_title_address_and_snippet(searching: User, site: Site) -> None:
    found(site)
    outcome = await searching.ok("web_search", query='"40 l" & more', count=2)
    first, second = outcome.text.split("\n2. ")
    assert first.startswith("1. Sizes of backpacks\n   http://shop.test/a\n   From 20 to 60 litres. xxx")
    assert first.endswith("x…") and len(first) < 400
    assert second == "http://127.0.0.1/b\n   http://127.0.0.1/b"
    asked = site.asked[-1]
    assert asked.path == "/search?q=%2240+l%22+%26+more&format=json"


async def test_results_that_may_not_be_read_are_marked(searching: User, site: Site) -> None:
    found(site)
    searching.ctx.domains = ("shop.test",)
    outcome = await searching.ok("web_search", query="q")
    searching.ctx.domains = ()
    assert [line for line in outcome.text.splitlines() if "http:" in line] == [
        "   http://shop.test/a",
        "2. http://127.0.0.1/b",
        "   http://127.0.0.1/b (not among the allowed hosts)",
        "   http://[ (not among the allowed hosts)",
    ]


async def test_a_service_at_a_path_of_its_own_is_asked_there(searching: User, site: Site) -> None:
    searching.ctx.search_url = f"{site.url}/searxng/search/"
    site.say("/searxng/search", json.dumps({"results": []}), status=200)
    await searching("web_search", query="q")
    assert site.asked[-1].path.startswith("/searxng/search?")


async def test_nothing_found_is_said_with_the_engines_that_did_not_answer(searching: User, site: Site) -> None:
    site.say("/search", json.dumps({"results": [], "unresponsive_engines": [["one", "timeout"], ["two", None]]}))
    outcome = await searching.ok("web_search", query="q")
    assert outcome.text == 'Nothing was found for "q" (these engines did not answer: one, two).'


async def test_without_a_service_it_says_what_to_set(look: User) -> None:
    outcome = await look.bad("web_search", query="q")
    assert "set SEARCH_URL" in outcome.text
    assert outcome.failure == Failure.INVALID_CALL


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("no", 403), "allow the format json in its settings (search.formats of SearXNG)"),
        (Answer("<p>results</p>"), "answered HTTP 200 and no JSON: allow the format json"),
        (Answer("slow down", 429), "too many searches in a short time; try again later"),
        (Answer("broken", 500), 'answered HTTP 500: "broken"'),
        (
            Answer('{"hits": []}', kind="application/json"),
            "not as SearXNG does (Object missing required field `results`)",
        ),
        (Answer('{"results": [', kind="application/json"), "not as SearXNG does (Input data was truncated)"),
        (Answer("x" * 100, headers={"Content-Encoding": "gzip"}), "cannot be reached:"),
    ],
    ids=["refused", "html", "limited", "broken", "other", "half", "damaged"],
)
async def test_what_is_wrong_with_a_service_is_told(searching: User, site: Site, answer: Answer, said: str) -> None:
    site.answers["/search"] = answer
    outcome = await searching.bad("web_search", query="q")
    assert said in outcome.text
    assert outcome.failure == Failure.UNREACHABLE


async def test_an_answer_that_does_not_come_is_given_up(look: User, site: Site) -> None:
    site.say("/slow")
    gate = site.hold("/slow")
    with pytest.raises(ToolError, match=r"/slow was not there in full after 0.3 s"):
        await get(look.ctx, f"{site.url}/slow", seconds=0.3)
    assert gate.asked.is_set()


async def test_a_secret_is_neither_searched_for_nor_put_into_an_address(searching: User, site: Site) -> None:
    before = len(site.asked)
    for tool, arguments in [
        ("web_search", {"query": "what is ${secret:PASSWORD}?"}),
        ("web_fetch", {"url": f"{site.url}/?p=${{secret:PASSWORD}}"}),
    ]:
        outcome = await searching.bad(tool, **arguments)
        assert outcome.text == "a secret may not be sent to other services"
    assert len(site.asked) == before


PAGE = f"""
<nav><a href="/">Home</a> <a href="#top">Top</a></nav>
<h1>Back<b>packs</b></h1>
<p>All  of <i>them</i>
   hold <a href="/sizes?l=40#x">40 litres</a>.<br>Or <img alt="more" src="x.png">: {PASSWORD}
<ul><li>red<li>blue<ul><li>dark</ul></ul>
<ol><li><p>first</p></li></ol>
<table><tr><th>Size<th>Price</tr><tr><td>40 l<td>$ 29.99</tr></table>
<pre>a
  b</pre>
<h2>Care</h2><p>Wash &amp; dry<noscript>x</noscript><script>y</script><style>z</style>
<p hidden>ignore this</p><p style="display: none">and this</p><p aria-hidden=true>and that</p><template>t</template>
"""
TEXT = """\
"Our packs" {url}/packs

Home ({url}/) Top
# Backpacks
All of them hold 40 litres ({url}/sizes?l=40#x).
Or [more]: ••••••
- red
- blue
  - dark
- first
Size | Price
40 l | $ 29.99
a
  b
## Care
Wash & dry"""


async def test_a_page_is_read_as_text_without_what_it_hides(look: User, site: Site) -> None:
    url = site.page(PAGE, "/packs", title="Our  packs")
    outcome = await look.ok("web_fetch", url=url)
    assert outcome.text.splitlines() == TEXT.format(url=site.url).splitlines()
    assert outcome.where == url
    assert PASSWORD not in outcome.text


@pytest.mark.parametrize(
    ("kind", "body"),
    [("application/json", '{"a": 1}'), ("text/plain", "a\n  <b>"), ("application/ld+json; charset=utf-8", "{}")],
)
async def test_other_texts_are_shown_as_they_are(look: User, site: Site, kind: str, body: str) -> None:
    site.say("/data", body, kind=kind)
    outcome = await look.ok("web_fetch", url=f"{site.url}/data")
    assert outcome.text == f"{site.url}/data\n\n{body}"


async def test_what_is_no_text_is_not_read(look: User, site: Site) -> None:
    site.say("/picture", "x", kind="image/png")
    outcome = await look.bad("web_fetch", url=f"{site.url}/picture")
    assert "is of the type image/png, which cannot be read as text" in outcome.text


async def test_a_long_page_is_read_in_parts(look: User, site: Site) -> None:
    sections = "".join(f"<h2>Chapter {n}</h2><p>{f'words {n} ' * 150}</p>" for n in range(1, 9))
    url = site.page(f"<h1>Book</h1>{sections}", "/book")
    first = (await look.ok("web_fetch", url=url)).text
    assert "# Book" in first and "## Chapter 3" in first
    assert "more characters: ask for part 2, or for a heading. Headings further down:\n## Chapter 5" in first
    second = (await look.ok("web_fetch", url=url, part="2")).text
    assert "## Chapter 5" in second and "ask for part 3" in second
    last = (await look.ok("web_fetch", url=url, part="chapter 8")).text
    assert last.split("\n\n")[1].startswith("## Chapter 8\nwords 8")
    assert "more characters" not in last
    outcome = await look.bad("web_fetch", url=url, part="Chapter 9")
    assert 'there is no "Chapter 9" on it. Headings: # Book; ## Chapter 1; ## Chapter 2' in outcome.text


async def test_redirects_are_followed_to_allowed_hosts_only(look: User, site: Site) -> None:
    end = site.page("<p>Here</p>", "/end")
    site.answers["/start"] = Answer("", 302, headers={"Location": "/middle"})
    site.answers["/middle"] = Answer("", 301, headers={"Location": end})
    outside = site.url.replace("127.0.0.1", "localhost")
    site.answers["/away"] = Answer("", 302, headers={"Location": f"{outside}/end"})
    site.answers["/file"] = Answer("", 302, headers={"Location": "file:///etc/passwd"})
    site.answers["/loop"] = Answer("", 302, headers={"Location": "/loop"})
    assert "Here" in (await look.ok("web_fetch", url=f"{site.url}/away")).text
    look.ctx.domains = ("127.0.0.1",)
    outcome = await look.ok("web_fetch", url=f"{site.url}/start")
    assert (outcome.where, outcome.text.splitlines()[-1]) == (end, "Here")
    before = site.count("/end")
    refused = [
        await look.bad("web_fetch", url=f"{base}/{path}") for base, path in [(site.url, "away"), (outside, "end")]
    ]
    look.ctx.domains = ()
    assert all("is not among the allowed hosts (127.0.0.1)" in outcome.text for outcome in refused)
    assert site.count("/end") == before
    assert "is not a web address" in (await look.bad("web_fetch", url=f"{site.url}/file")).text
    assert "redirects more than 5 times" in (await look.bad("web_fetch", url=f"{site.url}/loop")).text


@pytest.mark.parametrize("url", ["about:blank", "file:///etc/passwd", "http://[", "http://a b/", "javascript:alert(1)"])
async def test_only_web_addresses_are_read(look: User, url: str) -> None:
    assert (await look.bad("web_fetch", url=url)).status == "error"


async def test_a_page_that_is_not_there_is_an_error(look: User, site: Site) -> None:
    assert "/gone answered HTTP 404" in (await look.bad("web_fetch", url=f"{site.url}/gone")).text
    outcome = await look.bad("web_fetch", url="http://127.0.0.1:9/")
    assert (outcome.failure, "cannot be reached" in outcome.text) == (Failure.UNREACHABLE, True)


async def test_no_cookies_of_earlier_requests_go_along(look: User, site: Site) -> None:
    site.say("/login", "{}", headers={"Set-Cookie": "session=abc; Path=/"})
    await look.ok("http_request", method="GET", url=f"{site.url}/login")
    await look.ok("web_fetch", url=site.page("<p>x</p>", "/after"))
    assert "cookie" not in site.asked[-1].headers


@pytest.mark.slow
async def test_of_an_endless_page_only_the_beginning_is_read(look: User) -> None:
    sent = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=nonsense\r\n\r\n")
        try:
            while sent < 10**9:
                writer.write("<p>café ".encode() * 1000)
                sent += 9000
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        outcome = await look.ok("web_fetch", url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    finally:
        server.close()
    assert outcome.text.splitlines()[2] == "café"
    assert outcome.text.endswith("(only the first 1,000,000 bytes of it were read)")
    assert sent < 10**8


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["<div>", "<ul><li>", "<b><p>", "<", "<table><tr><td>", "&", "<a x='"])
async def test_a_page_made_to_stop_readers_is_read_while_others_work_on(look: User, site: Site, piece: str) -> None:
    url = site.page(piece * (100_000 // len(piece)) + "the end", "/deep")
    started, work = time.monotonic(), time.process_time()
    reading = asyncio.create_task(look("web_fetch", url=url))
    ticks = 0
    while not reading.done():
        await asyncio.wait([reading], timeout=0.05)
        ticks += 1
    assert (await reading).status == "ok"
    assert time.process_time() - work < 10
    assert ticks > time.monotonic() - started  # the loop turned at least once a second
