"""Pages with something that only a picture shows, cases that click it, and a model that has eyes for one colour."""

import base64
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

from oracle import LEAD, Answer, Asked, does, gives, oracle
from pages import site
from PIL import Image, ImageChops
from scoring import Trial

from muster_protocol.causes import Cause

CASES = Path(__file__).parent / "drawn_cases"
_NAMES = {"button": "A button whose name is drawn", "canvas": "A button on a canvas"}
FAULTS = ("does nothing", "is another one", "is gone")
GREEN, MAROON = (0, 128, 0), (128, 0, 0)
"""What is drawn under the names "Start" and "Quit"."""
_DRAWING = """<!doctype html><title>Game</title><h1>Game</h1><p id=said></p>{drawn}
<button onclick="said.textContent = 'Clicked'">Delete all</button><script>
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
pen.fillStyle = "rgb{colour}"; pen.fillRect(0, 0, 120, 40); pen.fillStyle = "white"; pen.fillText("{name}", 45, 25);
document.getElementById("it").onclick = () => {{ said.textContent = "{answer}" }};</script>"""
_DRAWN = {
    "canvas": "<canvas id=it width=120 height=40></canvas>",
    "button": "<button id=it><canvas width=120 height=40></canvas></button>",
}


def trials() -> list[Trial]:
    """Return each case without a fault, and with each."""
    return [Trial(name, bug, Cause.PRODUCT if bug else None) for name in _NAMES.values() for bug in ("", *FAULTS)]


@asynccontextmanager
async def serve(trial: Trial) -> AsyncGenerator[str]:
    """Serve the pages with the fault of a trial."""
    other = trial.bug == "is another one"
    answer = "" if trial.bug == "does nothing" else "Clicked"
    with site() as made:
        for kind, drawn in _DRAWN.items():
            hidden = "<div hidden><canvas></canvas><i id=it></i></div>"
            made.pages[f"/{kind}"] = _DRAWING.format(
                drawn=hidden if trial.bug == "is gone" else drawn,
                colour=MAROON if other else GREEN,
                name="Quit" if other else "Start",
                answer=answer,
            )
        yield made.url


def box_of(picture: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int] | None:
    """Return the box (left, top, right, bottom) of all that has a colour; None: nothing has it."""
    apart = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).convert("L")
    return apart.point([255] + 255 * [0]).getbbox()


def eyes(asked: Asked) -> Answer:
    """Answer as the oracle does, but report a click as impossible where names do not find its target, and answer a
    question about a picture with what is drawn there in one of two colours."""
    if asked.role == "executor" and LEAD not in asked.question:
        return does(("finish", {"status": "fail", "summary": "there is no such thing", "blocked": True}))
    if asked.role != "detector":
        return oracle(asked)
    found = re.search(r"data:image/\w+;base64,([\w+/=]+)", asked.text)
    assert found, "a detector is shown a picture"
    picture = Image.open(BytesIO(base64.b64decode(found.group(1)))).convert("RGB")
    for name, colour in (("Start", GREEN), ("Quit", MAROON)):
        if (edges := box_of(picture, colour)) is not None:
            left, top, right, bottom = edges
            box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
            element: dict[str, object] = {
                "box": box,
                "confidence": 0.9,
                "type": "button",
                "text": name,
                "attributes": [],
            }
            return gives({"found": True, "element": element, "alternatives": []})
    return gives({"found": False, "element": None, "alternatives": []})
