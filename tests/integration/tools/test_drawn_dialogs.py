"""Boxes that a page draws over itself, and names that are drawn in another kind than the sentence says."""

from driving import User
from served import Site

from muster_grammar import parse_expectation
from muster_protocol.causes import Failure

BOX = "position:absolute;top:90px;left:200px;width:260px;background:#fff;border:1px solid"
CONFIRM = f"""<h1>Files</h1><p>report.pdf <button onclick="d.hidden=false">Delete</button></p>
<div id=d hidden style="{BOX}"><div>Confirm</div><p>Delete report.pdf?</p>
<button onclick="d.hidden=true">Cancel</button> <button>OK</button></div>"""
CALENDAR = """<form onsubmit="event.preventDefault(); this.after('Sent')"><label>Due <input id=d onfocus="p.hidden=false"></label>
<div style="position:relative;height:0"><div id=p hidden style="position:absolute;width:300px;height:200px;background:#fff">
May 2026 <button type=button>5</button></div></div><p><button>Save</button></p></form>"""
CLOSING = "<script>document.addEventListener('keydown', (e) => { if (e.key === 'Escape') p.hidden = true })</script>"
LAYER = """<label>Due <input></label><div style="position:relative;height:0"><div style="position:absolute;width:300px;height:99px">
</div></div><p><button>Save</button></p>"""


async def test_a_box_over_the_page_is_a_dialog_by_its_title(look: User, site: Site) -> None:
    await look.open(site.page(CONFIRM))
    await look.ok("check_visible", element="Confirm", role="dialog", absent=True)
    await look.ok("click", element="Delete")
    await look.ok("check_visible", element="Confirm", role="dialog")
    await look.ok("check_text", text="Delete report.pdf?", within=['in dialog "Confirm"'])
    await look.ok("click", element="Cancel", within=['in dialog "Confirm"'])
    await look.ok("check_visible", element="Confirm", role="dialog", absent=True)


async def test_the_face_of_the_button_that_opens_a_dialog_is_no_dialog(look: User, site: Site) -> None:
    await look.open(site.page(CONFIRM.replace(">Delete<", "><span>Confirm</span><")))
    await look.ok("check_visible", element="Confirm", role="dialog", absent=True)
    await look.ok("click", element="Confirm")
    await look.bad("check_visible", element="Confirm", role="dialog", absent=True)
    await look.ok("click", element="Cancel")
    await look.ok("check_visible", element="Confirm", role="dialog", absent=True)


async def test_whether_a_box_without_a_name_is_a_dialog_is_open(look: User, site: Site) -> None:
    await look.open(site.page(CONFIRM))
    assert (await look.bad("check_dialog", text="", match="contains")).failure == Failure.EXPECTATION_FALSE
    await look.ok("click", element="Delete")
    for call in (
        look.bad("check_dialog", text="", match="contains"),
        look.bad("check_visible", element="", role="dialog", absent=True),
    ):
        assert (await call).failure == Failure.NO_EVIDENCE


async def test_a_name_that_is_drawn_in_another_kind_blames_nobody(look: User, site: Site) -> None:
    await look.open(site.page("<div><span>Save</span> <b>Orders</b></div><h2>Bills</h2>"))
    for element, role in (("Save", "button"), ("Orders", "dialog")):
        assert (await look.bad("check_visible", element=element, role=role)).failure == Failure.NO_EVIDENCE
    assert (
        await look.bad("check_state", element="Save", role="button", state="enabled")
    ).failure == Failure.TARGET_UNCLEAR
    assert (await look.bad("click", element="Pay", within=['in dialog "Orders"'])).failure == Failure.TARGET_UNCLEAR
    for element, role in (("Send", "button"), ("Bills", "button")):
        assert (await look.bad("check_visible", element=element, role=role)).failure == Failure.EXPECTATION_FALSE


async def test_a_calendar_that_covers_a_button_is_closed_as_people_do(look: User, site: Site) -> None:
    await look.open(site.page(CALENDAR + CLOSING))
    await look.ok("type", element="Due", text="2026-05-05")
    await look.ok("click", element="Save")
    await look.ok("check_text", text="Sent")


async def test_a_calendar_that_stays_blames_nobody_but_a_layer_does(look: User, site: Site) -> None:
    for page, failure in ((CALENDAR, Failure.TARGET_UNCLEAR), (LAYER, Failure.ELEMENT_MISSING)):
        await look.open(site.page(page))
        await look.ok("type", element="Due", text="2026-05-05")
        assert (await look.bad("click", element="Save")).failure == failure


ALERTS = """<body class=has-alerts><div class=alerts-page><main><p>Stored</p></main>
<div role=status><h4>Saved</h4><p>Your order was saved</p></div><div class="pf-v6-c-alert"><h4>Too long</h4></div></div>
<div class="alert" style="display:none">Lost</div><button onclick="passing()">Copy</button><script>function passing() {
const said = document.createElement('div'); said.setAttribute('role', 'alert'); said.textContent = 'Copied'; document.body.append(said);
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => said.remove()))) }</script>"""


async def test_an_alert_is_also_a_message_that_the_page_marks_as_one(do: User, site: Site) -> None:
    await do.open(site.page(ALERTS))
    for sentence in ('The alert "Saved" is visible', 'The alert says "Saved"', 'The "Too long" alert is visible'):
        for call in parse_expectation(sentence):
            await do.ok(call.tool, **call.arguments)
    for sentence, failure in (
        ('The error alert "Lost" is shown', Failure.EXPECTATION_FALSE),
        ('The alert "Stored" is visible', Failure.NO_EVIDENCE),  # it is a text of the page, and nothing marks it
        ('The alert says "Your"', Failure.NO_EVIDENCE),
    ):
        for call in parse_expectation(sentence):
            assert (await do.bad(call.tool, **call.arguments)).failure == failure
    await do.bad("check_dialog", text="Saved", match="contains")
    await do.ok("click", element="Copy")
    await do.ok("check_dialog", text="Copied", alert=True)


VEILED = """<body style="margin:0"><button onclick="v.hidden = d.hidden = false">Delete all</button> <button onclick="v.hidden = s.hidden = false">Menu</button>
<p>Lorem</p><style>[hidden] { display: none }</style><div id=v hidden style="position:absolute;inset:0;background:rgba(0,0,0,.4)"></div>
<div id=d hidden style="position:absolute;left:30%;top:40%;width:260px;background:#fff"><div>Please confirm</div><p>All of them?</p>
<b onclick="v.hidden = d.hidden = true">OK</b></div><div id=s hidden style="position:absolute;left:0;top:0;bottom:0;width:200px;background:#eee">
<h5>Side menu</h5><a href=#i onclick="v.hidden = s.hidden = true">Inbox</a></div>"""
PICTURE = """<body style="margin:0"><div style="position:relative;height:100vh;background:green"><div style="position:absolute;inset:0;background:rgba(0,0,0,.4)"></div>
<div style="position:absolute;left:30%;top:40%;background:#fff;padding:30px">Hello <a href=#x>Start</a></div></div><p><a href=#y>More</a></p>"""


async def test_what_stands_before_a_veil_over_the_page_is_a_dialog(do: User, site: Site) -> None:
    async def check(sentence: str, *, holds: bool = True) -> None:
        for call in parse_expectation(sentence):
            await (do.ok if holds else do.bad)(call.tool, **call.arguments)

    await do.open(site.page(VEILED))
    await check("No dialog is open")
    await do.ok("click", element="Delete all")
    await check('The "Please confirm" dialog is visible and the dialog contains "All of them?"')
    for wrong in ("No dialog is open", 'The dialog contains "Lorem"', 'The "Side menu" dialog is visible'):
        await check(wrong, holds=False)
    await do.ok("click", element="OK", within=["in dialog"])
    await check("The dialog is closed")
    await do.ok("click", element="Menu")
    await check('The "Side menu" drawer is open and the drawer contains "Inbox"')
    await check('The drawer contains "Lorem"', holds=False)
    await do.open(site.page(PICTURE))
    await check("No dialog is open")
