"""Files that go from the session's directory to the page and back."""

import pytest
from driving import PASSWORD, User
from served import Site

from muster_protocol.causes import Cause, Failure, cause_of

BUSY = "const until = performance.now() + 3000; while (performance.now() < until);"
"""Keeps a click waiting for longer than an action may take."""
SHOW = "onchange=\"o.textContent = [...this.files].map(f => f.name + ':' + f.size).join()\""


async def test_a_file_is_chosen_in_its_field_and_read_back(do: User, site: Site) -> None:
    await do.ok("write_file", path="notes/delivery.txt", content="Ring twice")
    await do.open(site.page(f"<label>Delivery note <input type=file {SHOW}></label><p id=o></p>"))
    outcome = await do.ok("browser_upload", element="Delivery note", files=["notes/delivery.txt"])
    assert outcome.confirmed
    await do.ok("check_text", text="delivery.txt:10")


async def test_a_hidden_field_behind_a_button_or_label_takes_the_file(do: User, site: Site) -> None:
    await do.ok("write_file", path="a.png", content="x")
    hidden = f"<label for=f>Photo</label><input id=f type=file style='display:none' {SHOW}><p id=o></p>"
    await do.open(site.page(hidden))
    await do.ok("browser_upload", element="Photo", files=["a.png"])
    await do.ok("check_text", text="a.png:1")
    button = f"<button onclick='f.click()'>Choose photo</button><input id=f type=file style='display:none' {SHOW}><p id=o></p>"
    await do.open(site.page(button))
    await do.ok("browser_upload", element="Choose photo", files=["a.png"])
    await do.ok("check_text", text="a.png:1")


UPLOADERS = f"""
<div><label>Report</label><section aria-label=Report tabindex=-1><input type=file aria-label="file upload" hidden {SHOW}>
  <button onclick="this.previousElementSibling.click()">Browse</button></section></div>
<div><p>Photo</p><small>Up to 2 MB</small><div><input type=file hidden {SHOW}><button>Drop it here</button></div></div>
<div><p>Notes</p><input aria-label=Title><input type=file hidden {SHOW}></div>
<p id=o></p>"""


async def test_a_file_field_is_known_by_the_part_or_the_text_around_it(do: User, site: Site) -> None:
    await do.ok("write_file", path="a.png", content="x")
    await do.open(site.page(UPLOADERS))
    for name in ("Report", "Photo"):
        await do.script("o.textContent = ''")
        await do.ok("browser_upload", element=name, files=["a.png"])
        await do.ok("check_text", text="a.png:1")
    await do.bad("browser_upload", element="Notes", files=["a.png"])  # there is another field it may name


async def test_a_file_that_is_not_there_is_said_to_be_missing(do: User, site: Site) -> None:
    await do.open(site.page("<label>Note <input type=file></label>"))
    outcome = await do.bad("browser_upload", element="Note", files=["missing.txt"])
    assert outcome.text == "there is no 'missing.txt' in the session's directory"


async def test_a_download_is_stored_in_the_session(do: User, site: Site) -> None:
    site.say(
        "/invoice", "a,b\n1,2", kind="text/csv", headers={"Content-Disposition": "attachment; filename=invoice.csv"}
    )
    await do.open(site.page("<a href=/invoice>Invoice</a>"))
    outcome = await do.ok("browser_download", element="Invoice")
    assert "Downloaded invoice.csv (7 bytes)" in outcome.text
    assert outcome.confirmed
    await do.ok("check_file", path="invoice.csv", text="1,2")
    await do.ok("browser_download", element="Invoice", save_as="out/again.csv")
    await do.ok("check_file", path="out/again.csv")


async def test_a_download_is_an_artifact_too_with_secrets_masked(do: User, site: Site) -> None:
    headers = {"Content-Disposition": "attachment; filename=keys.txt"}
    site.say("/keys", f"password={PASSWORD}", kind="text/plain", headers=headers)
    await do.open(site.page("<a href=/keys>Keys</a>"))
    (kept,) = (await do.ok("browser_download", element="Keys")).artifacts
    assert kept.name.startswith("/downloads/")
    assert kept.name.endswith("-keys.txt")
    assert do.stored[kept.name].decode() == "password=••••••"


@pytest.mark.slow
async def test_a_download_of_some_megabytes_is_stored_whole_and_uploaded_again(do: User, site: Site) -> None:
    headers = {"Content-Disposition": "attachment; filename=big.csv"}
    site.say("/big", "x" * 12_000_000 + "the end", kind="text/csv", headers=headers)
    await do.open(site.page(f"<a href=/big>Big</a><label>Note <input type=file {SHOW}></label><p id=o></p>"))
    assert "Downloaded big.csv (12000007 bytes)" in (await do.ok("browser_download", element="Big")).text
    await do.ok("check_file", path="big.csv", text="the end", match="ends")
    await do.ok("browser_upload", element="Note", files=["big.csv"])
    await do.ok("check_text", text="big.csv:12000007")


async def test_a_file_above_the_limit_is_no_fault_of_the_product(do: User, site: Site) -> None:
    headers = {"Content-Disposition": "attachment; filename=big.csv"}
    site.say("/big", "x" * 2000, kind="text/csv", headers=headers)
    await do.open(site.page("<a href=/big>Big</a><label>Note <input type=file></label>"))
    await do.ok("write_file", path="own.txt", content="x" * 1500)
    do.ctx.transfer_limit = 1000
    outcome = await do.bad("browser_download", element="Big")
    assert (outcome.failure, cause_of(outcome.failure)) == (Failure.INFRASTRUCTURE, Cause.ENVIRONMENT)
    assert outcome.text == "big.csv is too large to be kept: 2000 bytes, and TRANSFER_MAX_MB allows 1000"
    assert (await do.bad("browser_upload", element="Note", files=["own.txt"])).failure == Failure.INFRASTRUCTURE
    unread = await do.bad("check_file", path="own.txt", text="y")
    assert unread.failure == Failure.NO_EVIDENCE
    await do.ok("check_file", path="own.txt", text="xxx", match="starts")


async def test_a_page_that_is_slow_to_answer_the_click_still_gives_and_takes_its_file(do: User, site: Site) -> None:
    site.say("/list", "a,b", kind="text/csv", headers={"Content-Disposition": "attachment; filename=list.csv"})
    await do.ok("write_file", path="a.png", content="x")
    field = f"<input id=f type=file style='display:none' {SHOW}><p id=o></p>"
    await do.open(
        site.page(f"<a href=/list onclick='{BUSY}'>List</a><button onclick='{BUSY} f.click()'>Photo</button>{field}")
    )
    assert "Downloaded list.csv" in (await do.ok("browser_download", element="List")).text
    assert site.count("/list") == 1
    await do.ok("browser_upload", element="Photo", files=["a.png"])
    await do.ok("check_text", text="a.png:1")


async def test_a_click_that_gives_or_takes_no_file_says_so(do: User, site: Site) -> None:
    await do.open(site.page("<button>Invoice</button>"))
    outcome = await do.bad("browser_download", element="Invoice")
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert outcome.text == '"Invoice" was clicked, but no download began'
    await do.ok("write_file", path="a.png", content="x")
    outcome = await do.bad("browser_upload", element="Invoice", files=["a.png"])
    assert outcome.failure == Failure.ELEMENT_MISSING
    assert outcome.text == '"Invoice" was clicked, but no file dialog opened'


async def test_a_click_that_begins_a_download_had_its_effect(do: User, site: Site) -> None:
    await do.open(site.page("<a href='data:text/csv,a' download=list.csv>Export</a><a href='#'>Nothing</a>"))
    outcome = await do.ok("click", element="Export")
    assert outcome.confirmed
    assert 'A download began, which is not kept unless the step says `Download …`: "list.csv"' in outcome.text
    await do.ok("browser_download", element="Export")


PARTS = f"""<h2>Documents</h2><label for=gone>Letter</label><div><input type=file hidden aria-label=Browse {SHOW}></div>
<h2>Videos</h2><p>At most two</p><div><input type=file hidden {SHOW}><input type=file webkitdirectory hidden>
  <button type=button>Browse files</button></div>
<h2>Contract</h2><input aria-label=Title><input type=file hidden><p id=o></p>"""


@pytest.mark.parametrize("name", ["Letter", "Documents", "Videos"])
async def test_of_several_file_fields_a_heading_or_text_means_the_one_behind_it(
    do: User, site: Site, name: str
) -> None:
    await do.ok("write_file", path="a.png", content="x")
    await do.open(site.page(PARTS))
    await do.ok("browser_upload", element=name, files=["a.png"])
    await do.ok("check_text", text="a.png:1")
    await do.bad("browser_upload", element="Contract", files=["a.png"])  # its title may be meant


ASKS = f"""<button onclick="f.click()">Browse</button><input type=file id=f hidden {SHOW}><input type=file>
<button onclick="Object.assign(document.createElement('input'), {{type: 'file'}}).click()">Attach</button>
<button onclick="0">Idle</button><label>Photo <input type=file onclick="event.preventDefault()"></label><p id=o></p>"""


async def test_a_click_that_asks_for_a_file_had_its_effect_and_the_file_goes_there(do: User, site: Site) -> None:
    await do.ok("write_file", path="a.png", content="x")
    await do.open(site.page(ASKS))
    for name in ("Attach", "Browse"):
        outcome = await do.ok("click", element=name)
        assert (outcome.confirmed, "asks for a file" in outcome.text) == (True, True)
    await do.ok("browser_upload", element="", files=["a.png"])
    await do.ok("check_text", text="a.png:1")
    outcome = await do.bad("browser_upload", element="", files=["a.png"])  # of those that are there none was asked
    assert outcome.failure == Failure.TARGET_UNCLEAR


@pytest.mark.parametrize("name", ["Idle", "Photo"])
async def test_a_click_that_asks_for_no_file_is_not_said_to_do_so(do: User, site: Site, name: str) -> None:
    await do.open(site.page(ASKS))
    assert "asks for a file" not in (await do("click", element=name)).text
