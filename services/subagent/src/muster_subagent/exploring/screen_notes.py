"""What a tour notes of the screens it comes to: states that nobody knows yet, and what is wrong with them."""

from msgspec.structs import replace

from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Place, Record
from muster_exploration.possible_moves import find_control
from muster_exploration.screen_shape import Shape
from muster_grammar import PhraseError, parse_expectation
from muster_protocol.explorations import Blank, Finding, Move, Sighting
from muster_protocol.kinds import ExploreInput
from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.exploring.perception import Perceived, sighting_of
from muster_subagent.exploring.tour_findings import access_findings, request_findings, screen_findings
from muster_subagent.failure_pictures import SOURCE_LIMIT
from muster_subagent.tool_context import ToolContext
from muster_subagent.tool_executor import ToolExecutor


class Refused(Exception):
    """A move cannot be made: its control is not there, or a sentence of it was refused."""


class ScreenNotes:
    """The states and findings of one tour."""

    def __init__(self, tour: ExploreInput, tools: ToolContext, executor: ToolExecutor, device: Device) -> None:
        self._tour, self._tools, self._executor, self._device = tour, tools, executor, device
        self.seen: dict[str, Sighting] = {}
        self.findings: list[Finding] = []
        self._heard = {"network": 0.0, "console": 0.0}

    async def catch_up(self) -> None:
        """Leave out what was said and requested before this tour: an earlier one in this session has told it."""
        for feed in self._heard:
            await self._news(feed)

    async def note(self, here: Perceived, seconds: float, *, move: int, step: int) -> None:
        """Describe a state that nobody knows yet, and tell what is wrong with it.

        It was reached by a move, or by a step of the path (their indexes). `seconds`: how long the app took, if it was
        slow.
        """
        possible = None
        if here.shape.id not in self.seen and here.shape.id not in self._tour.known:
            sighting, possible = sighting_of(here, self._tour.domains, self._tour.allow, self._tour.keys)
            picture, screen, source = await self._picture(here), self._keep(here), await self._source(here)
            goal = bool(self._tour.goal) and await self.holds(self._tour.goal)
            self.seen[here.shape.id] = replace(sighting, picture=picture, screen=screen, source=source, goal=goal)
        found = screen_findings(here, seconds, self._tour.slow_seconds)
        found += await self._requested(here)
        if possible is not None:
            found += access_findings(here, possible, await self._audit())
        if found:
            await self._tell(found, here, move, step)

    async def note_dead_end(self, place: Place, *, move: int, step: int) -> None:
        """Tell what was requested where no page came; that is no state of the app."""
        nowhere = Perceived(place, (), Shape("", "", ""), ())
        found = await self._requested(nowhere)
        await self._tell(found, nowhere, move, step)

    async def _requested(self, here: Perceived) -> list[Finding]:
        requests, said = await self._news("network"), await self._news("console")
        return request_findings(here, requests, said, self._tour.domains)

    async def _tell(self, found: list[Finding], here: Perceived, move: int, step: int) -> None:
        picture = self.seen[here.shape.id].picture if here.shape.id in self.seen else await self._picture(here)
        known = {(one.kind, one.text) for one in self.findings}
        for one in found:
            if (one.kind, one.text) not in known:
                self.findings.append(replace(one, move=move, step=step, picture=picture))

    async def _audit(self) -> tuple[Record, ...] | None:
        """Return what an audit of the screen finds; None where the device has none or it could not be done."""
        if "audits" not in self._device.features:
            return None
        try:
            records = await self._device.feed("accessibility")
        except DeviceRefused:
            return None
        return tuple(replace(one, text=self._tools.secrets.mask(one.text)) for one in records)

    def _keep(self, here: Perceived) -> ArtifactRef:
        lines = here.lines or tuple(f"{'  ' * one.level}- {one.role} {one.name}" for one in here.parts)
        text = self._tools.secrets.mask("\n".join(lines)).encode(errors="replace")
        return self._tools.store(f"/states/{here.shape.id}.txt", text, "text/plain; charset=utf-8")

    async def _source(self, here: Perceived) -> ArtifactRef | None:
        """Keep the page source of a native app; a browser's is code, of which the elements are what matters."""
        if here.place.address.startswith("http"):
            return None
        try:
            source = self._tools.secrets.mask(await self._device.source())[:SOURCE_LIMIT]
        except DeviceRefused:
            return None
        if not source.startswith("<"):
            return None
        return self._tools.store(f"/states/{here.shape.id}.xml", source.encode(errors="replace"), "application/xml")

    async def _picture(self, here: Perceived) -> ArtifactRef | None:
        try:
            image = await self._device.picture(tuple(self._tools.secrets.values().values()))
        except DeviceRefused:
            return None
        return self._tools.store(f"/states/{here.shape.id}.png", image, "image/png")

    async def _news(self, feed: str) -> list[Record]:
        """Return what a feed tells since the last time."""
        records = [one for one in await self._device.feed(feed) if one.at > self._heard[feed]]
        if records:
            self._heard[feed] = records[-1].at
        return records

    async def holds(self, expectation: str) -> bool:
        """Return whether an expectation holds right now.

        Raises:
            Refused: it needs a model.
        """
        try:
            checks = parse_expectation(expectation)
        except PhraseError as error:
            raise Refused(f"{expectation}: {error}") from error
        return all([await self._executor.glance(replace(check, clause="")) for check in checks])


def live_move(move: Move, here: Perceived | None) -> Move:
    """Return a move as its controls are called on the present screen. Pure.

    Raises:
        Refused: they are not there.
    """
    if move.do == "press":
        return move
    parts = here.parts if here else ()
    control = find_control(parts, move.role, move.name, move.ordinal)
    if control is None:
        raise Refused(f"there is no {move.role} “{move.name}” any more")
    blanks: list[Blank] = []
    for blank in move.blanks:
        field = find_control(parts, blank.role, blank.name, blank.ordinal)
        if field is None:
            raise Refused(f"there is no {blank.role} “{blank.name}” any more")
        blanks.append(replace(blank, name=field.part.name, ordinal=field.ordinal))
    return replace(move, name=control.part.name, ordinal=control.ordinal, blanks=tuple(blanks))
