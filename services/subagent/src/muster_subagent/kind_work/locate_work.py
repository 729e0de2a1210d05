"""Looking for the element of a step in a picture, where names do not find it. Nothing is done to the product."""

from msgspec.structs import replace

from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ReadPlace, ReadPoint, Wait
from muster_devices.refusals import usable
from muster_model import Image, Message, System, Text, User, ask_structured
from muster_model.chat_messages import ImageUrl
from muster_protocol.causes import Failure
from muster_protocol.detector_work import Located, LocateInput, LocateOutput, PicturedElement
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.looker import picture_url
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.picture_detection import Detection, alternatives_of, described, find_refusal, size_of
from muster_subagent.agent.pictured_target import describe, find_misfit
from muster_subagent.agent.question_messages import titled
from muster_subagent.kind_work.thought import Answer, think
from muster_subagent.results import blank, failed
from muster_subagent.session_client import SessionRefused
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.device_calls import touched_of
from muster_subagent.tools.page_tools import picture_of
from muster_text.text_match import quote
from muster_text.values import fill_known


async def work(context: TaskContext) -> SubTaskResult:
    """Return where the element is, and what the device knows there."""
    task, asked, asker, tools = context.task, context.task.input, context.asker(), context.tools
    assert isinstance(asked, LocateInput)
    if asker is None:
        text = "no model for pictures is set at the workers: set VISION_MODEL"
        return failed(blank(task), Failure.MODEL_UNAVAILABLE, text)
    assert tools is not None, "it is given tools, if only those that refuse"
    try:
        return await _looked(context, asked, asker, tools)
    except DeviceRefused as error:
        return failed(blank(task), error.failure, error.text)
    except SessionRefused as error:
        return failed(blank(task), Failure.INFRASTRUCTURE, str(error))


async def _looked(context: TaskContext, asked: LocateInput, asker: Asker, tools: ToolContext) -> SubTaskResult:
    device = await tools.session.device()
    place = (await device.look(ReadPlace(), Wait(settle=tools.action_timeout))).place
    where = tools.secrets.mask(f"{quote(place.title)} {place.address}")
    picture = await picture_of(tools)
    stored = tools.store(f"locate-{context.task.attempt}.png", picture, "image/png")

    async def answer(asker: Asker) -> Answer:
        found = await ask_structured(asker.ask_for, question(asked, where, picture, asker.instructions), Detection)
        return told(await resolve(device, asked, found, picture, tools.action_timeout))

    result = await think(context, asker, answer)
    return replace(result, artifacts=(stored,))


def question(asked: LocateInput, where: str, picture: bytes, instructions: str) -> tuple[Message, ...]:
    """Return what the model is asked. Pure."""
    width, height = size_of(picture)
    text = titled(
        ("Step", fill_known(asked.action, asked.values)),
        ("Looked for by name, in vain", asked.sought),
        ("Picture (data)", f"{width} × {height} pixels, of {where}"),
    )
    return System(instructions), User((Text(text), Image(ImageUrl(picture_url(picture)))))


async def resolve(device: Device, asked: LocateInput, found: Detection, picture: bytes, settle: float) -> LocateOutput:
    """Return what the device knows at the centre of the box, if that fits the words of the step.

    Raises:
        DeviceRefused: the device cannot be looked at.
    """
    size = size_of(picture)
    others = alternatives_of(found, size)
    why = find_refusal(found, size)
    if why or found.element is None:
        return LocateOutput(why=why, alternatives=others)
    located, why = await look_at(device, described(found.element), settle)
    why = why or (find_misfit(asked.action, located, asked.values) if located else "")
    return LocateOutput(located=None if why else located, why=why, alternatives=others)


async def look_at(device: Device, seen: PicturedElement, settle: float) -> tuple[Located | None, str]:
    """Return what the device knows at the centre of a box, or None and why nothing there can be used.

    Raises:
        DeviceRefused: the device cannot be looked at.
    """
    box = seen.box
    x, y = round(box.x + box.width / 2), round(box.y + box.height / 2)
    there = await device.look(ReadPoint(x=x, y=y), Wait(settle=settle))
    if there.element is None:
        located = Located(seen=seen, under=there.drawn) if there.drawn else None
        return located, "" if located else f"at {x}, {y} there is nothing that one could use"
    if not usable(there.element, "click"):
        return None, f"{there.element.words()} is there, and cannot be used"
    return Located(seen=seen, known=touched_of(there.element), under=there.element.box), ""


def told(found: LocateOutput) -> Answer:
    """Return an answer with its words for people. Pure."""
    if found.located is None:
        return Answer(f"not used: {found.why}", found)
    where = describe(found.located)
    known = "" if found.located.known else ", where the device knows no element"
    return Answer(f"{where}{known} ({found.located.seen.confidence:.0%} sure)", found)
