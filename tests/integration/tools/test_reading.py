"""Looking at the page: snapshot, find, wait, screenshot, console and network."""

from driving import PASSWORD, User
from served import Site, later
from waiting import eventually

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.failure_pictures import source_if_any


async def test_a_snapshot_shows_roles_names_and_refs(look: User, site: Site) -> None:
    await look.open(site.page("<h1>Shop</h1><button>Add</button><input aria-label=Name>", title="Shop"))
    outcome = await look.ok("snapshot")
    assert outcome.text.startswith(f'"Shop" {site.url}/\n')
    assert '- button "Add" [ref=' in outcome.text
    assert '- textbox "Name" [ref=' in outcome.text


async def test_a_snapshot_shows_no_password_and_no_secret(look: User, site: Site) -> None:
    body = "<input aria-label=Pin type=password value=99887766><input aria-label=Name value=Ada>"
    await look.open(site.page(f"{body}<p>99887766</p><p>{PASSWORD}</p>"))
    outcome = await look.ok("snapshot")
    assert 'textbox "Pin"' in outcome.text
    assert ": Ada" in outcome.text
    assert PASSWORD not in outcome.text
    assert "textbox" in outcome.text and ": 99887766" not in [
        line.partition('"Pin"')[2] for line in outcome.text.splitlines()
    ]


async def test_a_snapshot_of_one_part_leaves_the_rest_out(look: User, site: Site) -> None:
    body = "<ul><li>Bag <button>Buy bag</button></li><li>Hat <button>Buy hat</button></li></ul>"
    await look.open(site.page(body))
    outcome = await look.ok("snapshot", within="Hat")
    assert "Buy hat" in outcome.text
    assert "Buy bag" not in outcome.text
    outcome = await look.bad("snapshot", within="Buy hut")
    assert 'closest: "Buy hat"' in outcome.text


async def test_a_long_snapshot_says_what_was_left_out(look: User, site: Site) -> None:
    await look.open(site.page("".join(f"<p>Line {number}</p>" for number in range(400))))
    outcome = await look.ok("snapshot")
    assert "more lines left out" in outcome.text
    outcome = await look.ok("find", text="line 390")
    assert "Line 390" in outcome.text
    assert "Line 39\n" not in outcome.text


async def test_finding_nothing_names_what_is_like_it(look: User, site: Site) -> None:
    await look.open(site.page("<button>Checkout</button>"))
    assert 'closest: "Checkout"' in (await look.ok("find", text="Chekout")).text


async def test_waiting_ends_when_the_text_is_there_or_gone(do: User, site: Site) -> None:
    await do.open(site.page("<p id=p>Loading</p>" + later("p.textContent = 'Ready'")))
    await do.ok("wait_for", text="Ready")
    await do.ok("wait_for", gone="Loading")
    outcome = await do.bad("wait_for", text="Redy", seconds=0.2)
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert outcome.text == 'waited 0.2 s, but not yet: the text "Redy" is there; closest: "Ready"'
    outcome = await do.bad("wait_for", gone="Ready", seconds=0.2)
    assert 'the text "Ready" is gone' in outcome.text


async def test_a_screenshot_is_stored_and_shows_no_secret(do: User, site: Site) -> None:
    await do.open(
        site.page(
            "<style>*{margin:0;background:#fff;border:0}</style><input id=i aria-label=A style='width:300px;height:80px'>"
        )
    )
    await do.ok("type", element="A", text="${secret:PASSWORD}")
    outcome = await do.ok("take_screenshot", name="login form")
    assert [artifact.name for artifact in outcome.artifacts] == ["login-form.png"]
    image = do.stored["login-form.png"]
    assert image.startswith(b"\x89PNG")
    await do.ok("type", element="A", text="harmless")
    await do.ok("take_screenshot", name="plain")
    black = await do.session.worker.pages[0].evaluate(DARK, [list(image), list(do.stored["plain.png"])])
    assert black[0] > 20_000 > black[1]


DARK = """async (images) => Promise.all(images.map(async (bytes) => {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height); const pen = canvas.getContext('2d');
  pen.drawImage(bitmap, 0, 0);
  const data = pen.getImageData(0, 0, bitmap.width, bitmap.height).data; let dark = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 30) dark += 1;
  return dark;
}))"""


async def test_console_and_network_are_read_out(do: User, site: Site) -> None:
    site.say("/api", "{}", status=404)
    await do.open(site.page("<script>console.log('hello'); console.error('it broke'); fetch('/api')</script>"))
    assert "log: hello" in (await do.ok("browser_console")).text
    assert (await do.ok("browser_console", level="error")).text.startswith("error: it broke")

    async def failed() -> bool:
        return f"GET {site.url}/api 404" in (await do.ok("browser_network", failed=True)).text

    assert await eventually(failed)  # the page is there before the answer to what its script asks for
    assert (await do.ok("browser_network", contains="/nothing")).text == "There were no such requests."


async def test_the_source_of_a_page_is_kept_without_secrets(do: User, site: Site) -> None:
    await do.open(site.page(f"<p id=told title='{PASSWORD}'>{PASSWORD.upper()}</p>"))
    kept: list[bytes] = []

    def keep(text: bytes) -> ArtifactRef:
        kept.append(text)
        return ArtifactRef(name="n/failure-1.html.txt", sha256="", size=len(text))

    assert len(await source_if_any(do.ctx, keep)) == 1
    (source,) = kept
    assert b'<p id="told"' in source
    assert PASSWORD.lower().encode() not in source.lower()
