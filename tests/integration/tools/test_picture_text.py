"""Text that is drawn in a picture, recognised by tesseract where a machine has it."""

import pytest
from driving import User
from needed import needs
from served import Site

from muster_protocol.causes import Failure

LOGO = """<canvas role=img aria-label=Logo width=300 height=80></canvas><p>Elsewhere</p><script>
const pen = document.querySelector('canvas').getContext('2d');
pen.font = '28px sans-serif';
pen.fillText('ACME 42', 20, 50);
</script>"""


@needs("tesseract")
async def test_what_is_drawn_is_read_with_its_place_and_what_is_not_read_is_no_fault(look: User, site: Site) -> None:
    await look.open(site.page(LOGO))
    outcome = await look.ok("check_picture_text", element="Logo", text="ACME 42")
    assert "recognised there by letters" in outcome.text
    assert outcome.element
    assert outcome.element.width < 200
    for other in ("ACME 43", "Elsewhere", "CME"):
        unread = await look("check_picture_text", element="Logo", text=other, up_to_seconds=0.1)
        assert (unread.status, unread.failure) == ("failed", Failure.NO_EVIDENCE)


async def test_a_host_that_cannot_read_says_what_it_needs(
    look: User, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await look.open(site.page(LOGO))
    monkeypatch.setenv("PATH", "/nowhere")
    outcome = await look.bad("check_picture_text", element="Logo", text="ACME 42")
    assert outcome.failure == Failure.COMMAND_MISSING
    assert "apt-get install tesseract-ocr" in outcome.text
