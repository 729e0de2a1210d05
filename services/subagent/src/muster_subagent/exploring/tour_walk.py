"""Walks one tour by the table of nodes: each node does one thing, the table says what follows."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import ClassVar

from msgspec.structs import replace

from muster_devices.actions import Restart, Scope
from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ReadPlace, Wait
from muster_exploration.form_values import value_for
from muster_exploration.move_phrases import sentences_of
from muster_exploration.tour_nodes import FIRST, NodeName, own_key, pause_before, table_of
from muster_exploration.tour_rounds import steps_of
from muster_protocol.explorations import Move, TrialOutcome
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_subagent.exploring.move_trials import MoveTrials
from muster_subagent.exploring.own_nodes import MOST_PASSES, Doing, pass_node
from muster_subagent.exploring.perception import Perceived, is_outside, perceived
from muster_subagent.exploring.screen_notes import Refused, ScreenNotes, live_move
from muster_subagent.exploring.slow_answers import AnswerTimes
from muster_subagent.exploring.steady_screen import see_awaited, see_steady
from muster_subagent.exploring.tour_budget import TourBudget
from muster_subagent.exploring.tour_findings import ERROR_PAGE
from muster_subagent.exploring.tour_sentences import TourSentences
from muster_subagent.exploring.tour_transitions import TourTransitions
from muster_subagent.tool_context import ToolContext
from muster_subagent.tool_executor import ToolExecutor

SETTLE_SECONDS = 8.0
MOST_RECOVERIES = 6
"""Recoveries of one tour, whatever it may spend."""
ACCEPTED = ("alert", "beforeunload")
"""Kinds of dialogs that have nothing to dismiss, or would keep a tour on a page that it leaves."""


class TourWalk:
    """One tour under way."""

    def __init__(
        self,
        tour: ExploreInput,
        tools: ToolContext,
        executor: ToolExecutor,
        device: Device,
        transitions: TourTransitions,
    ) -> None:
        self._transitions = transitions
        self._tour, self._tools, self._device = tour, tools, device
        self._here: Perceived | None = None
        self._trials = MoveTrials(tools.secrets.mask)
        self._notes = ScreenNotes(tour, tools, executor, device)
        self._start, self._back = "", False
        self._at, self._arrived, self._jumped = 0, False, False
        """How many steps of the path are made; whether the state was reached; whether the shortcut was tried."""
        self._found, self._found_at = "", ""
        """Digest of what the state showed when it was reached, and its address."""
        self._budget, self._times = TourBudget(tour), AnswerTimes(device, tour.slow_seconds)
        self._sentences = TourSentences(executor, self._budget, self._times, tools.secrets.mask)
        self._message = ""
        self._recoveries, self._broke_at, self._why = 0, -1, ""
        self._table, self._own = table_of(tour.nodes), {own_key(node): node for node in tour.nodes}
        self._tabs, self._passes = 1, Counter[str]()

    async def walk(self) -> ExploreOutput:
        """Walk until the tour is finished or has to be given up, and return what was seen."""
        node: str = FIRST
        while self._table[node].category != "terminal":
            node = await self._visit(node)
        if node == "GiveUp" and self._broke_at < 0 and not self._arrived:
            self._broke_at = self._at
        return ExploreOutput(
            broke_at=self._broke_at,
            why=self._why,
            start=self._start,
            trials=tuple(self._trials.made),
            seen=tuple(self._notes.seen.values()),
            findings=tuple(self._notes.findings),
            spent=self._budget.spent,
        )

    async def _visit(self, node: str) -> str:
        """Do what a node is for, as often as its rule allows, and return the next one."""
        rule, own = self._table[node], node in self._own
        for attempt in range(1, rule.attempts + 1):
            if attempt > 1:
                pause = pause_before(node, attempt, self._tour.seed)
                self._transitions.again(node, rule, attempt, self._why, pause)
                await asyncio.sleep(pause)
            try:
                target = await (self._pass_own(node) if own else self._handlers[node](self)) or rule.then
            except (DeviceRefused, Refused) as refused:
                self._why = f"{node}: {refused}"
                if node != "DismissDialog" and await self._is_asked():
                    return "DismissDialog"
                continue
            self._transitions.passed(node, rule, target, self._table[target].category)
            return target
        target = self._too_many() or rule.backtrack
        if rule.category == "setup" and target != "GiveUp" and not self._budget.restart():
            target = "GiveUp"
        self._transitions.failed(node, rule, target, self._why)
        return target

    async def _is_asked(self) -> bool:
        """Return whether a dialog is open; a device that nobody can ask that now shows none."""
        try:
            return await self._device.dialog() is not None
        except DeviceRefused:
            return False

    # ---- setup

    async def _ensure_device(self) -> NodeName | None:
        await self._notes.catch_up()
        return "DismissDialog" if await self._device.dialog() is not None else None

    async def _provision(self) -> NodeName | None:
        """Start the app anew, so that a tour depends on nothing that was before it."""
        if await self._device.dialog() is not None:
            return "DismissDialog"
        began = time.monotonic()
        await self._device.do(Restart(), Scope(domains=self._tour.domains), self._tools.action_timeout)
        self._times.started(time.monotonic() - began if self._tour.url else 0.0)
        self._at, self._arrived, self._back, self._here = 0, False, False, None
        self._budget.spend(steps=0 if self._tour.url else 1)  # opening the address counts
        return None

    async def _launch(self) -> NodeName | None:
        if self._tour.url:
            await self._sentences.make(f'Open "{self._tour.url}"')
        return None

    async def _pass_own(self, name: str) -> NodeName | None:
        """Pass a node of the team's, as far as the tour may spend what it needs."""
        node = self._own[name]
        if not self._budget.pays(len(node.do)) or self._budget.is_used_up:
            return "Finish"
        if self._passes[name] >= MOST_PASSES:
            raise Refused(f"it was passed {MOST_PASSES} times")
        self._passes[name] += await pass_node(node, Doing(self._sentences.make, self._notes.holds), self._tour.seed)
        return None

    # ---- looking

    async def _wait_idle(self) -> NodeName | None:
        dialog = await self._device.dialog()
        if dialog is not None:
            self._message = f"{dialog.kind}: {dialog.message}"
            return "DismissDialog"
        seen = await self._device.look(ReadPlace(), Wait(settle=SETTLE_SECONDS))
        if is_outside(seen.place.address, self._tour.url, self._tour.domains):
            return self._step_outside(seen.place.address)
        if seen.place.address.startswith(ERROR_PAGE):
            await self._notes.note_dead_end(seen.place, move=self._trials.trying, step=self._at)
            self._trials.end("refused", text=seen.place.problem or "no page was loaded")
            return "ReturnToApp"
        self._times.settle()
        return None

    def _step_outside(self, address: str) -> NodeName:
        self._budget.spend(outside=1)
        self._trials.end("outside", text=address)
        return "ReturnToApp"

    async def _see(self) -> Perceived:
        return perceived(await self._device.screen(), by_keys=bool(self._tour.keys))

    async def _perceive(self) -> NodeName | None:
        """Look at the screen; what nobody knows is looked at until it stays, what is awaited until it is there."""
        tour = self._tour
        if tour.state and not self._arrived and self._at == len(tour.path):
            self._here = await see_awaited(self._see, tour.state, self._times.took)
        else:
            known, first = {*tour.known, *self._notes.seen}, not self._at and not self._arrived
            self._here = await see_steady(self._see, known, self._times.took, first=first)
        return None

    async def _verify(self) -> NodeName | None:
        """Take note of where the tour is, and what came of the move before."""
        can_repeat = "windows" in self._device.features and not self._budget.is_used_up
        seconds = await self._times.slow_seconds(self._again if can_repeat else None)
        here = self._here
        assert here is not None
        await self._notes.note(here, seconds, move=self._trials.trying, step=self._at)
        if not self._at and not self._arrived and not self._start:
            self._start = here.shape.id
        outcome: TrialOutcome = "dialog" if self._message else "reached"
        changed = here.shape.exact != self._found
        self._trials.end(outcome, to=here.shape.id, text=self._message, alerts=here.alerts, changed=changed)
        self._message = ""
        return None

    async def _again(self) -> None:
        await self._sentences.make("Reload the page", must=False)
        self._here = await self._see()

    # ---- choosing and acting

    async def _choose(self) -> NodeName | None:
        """Decide the next step: on the way, back to the state, or the next move. Budgets come first."""
        tour, here = self._tour, self._here
        assert here is not None
        if self._budget.is_used_up:
            return "Finish"
        if not self._arrived and self._at < len(tour.path):
            return None
        if tour.state and (here.shape.id != tour.state or self._is_touched(here)):
            return self._go_back(here)
        if not self._arrived or self._back:
            self._found, self._found_at = here.shape.exact, here.place.address
        self._arrived, self._back = True, False
        left = tour.moves[len(self._trials.made) :]
        return None if left and self._budget.pays(steps_of(left[0])) else "Finish"

    def _is_touched(self, here: Perceived) -> bool:
        """Return whether a move has changed what the state shows, so that the next one must not build upon it."""
        last = self._tour.moves[len(self._trials.made) - 1] if self._arrived and self._trials.made else None
        return last is not None and not last.follows and not self._back and here.shape.exact != self._found

    def _go_back(self, here: Perceived) -> NodeName:
        """Return how to get back to the state that the moves are tried on."""
        if not self._arrived:
            if self._jumped and self._tour.shortcut:  # the address leads elsewhere: take the whole way
                self._tour = replace(self._tour, shortcut="")
                return "ProvisionApp"
            self._broke_at, self._why = self._at, f"the way led to {here.place.address} {here.place.title!r} instead"
            return "GiveUp"
        if len(self._trials.made) >= len(self._tour.moves):
            return "Finish"
        last, onward = self._tour.moves[len(self._trials.made) - 1], self._tour.moves[len(self._trials.made)]
        stays = bool(self._tour.url) and here.place.address == self._found_at  # what is behind it is not the state
        back = last.follows and not self._back and not stays
        way = 1 if back else 1 + sum(map(steps_of, self._tour.path))
        if not self._budget.pays(way + steps_of(onward)):
            return "Finish"
        if back:
            self._back = True
            return "ReturnToApp"
        return "ProvisionApp"

    async def _act(self) -> NodeName | None:
        """Make the next step of the way, or the next move; never twice."""
        self._trials.values = ()
        if not self._arrived:
            return await self._step()
        self._trials.trying = len(self._trials.made)
        move = self._tour.moves[self._trials.trying]
        if (
            move.address
            and is_outside(move.address, self._tour.url, self._tour.domains)
            and self._budget.spent.outside >= self._tour.left.outside
        ):
            self._trials.end("outside", text=f"{move.address}: no more ways out of the app are allowed")
            return "Choose"
        try:
            self._tabs = await self._count_tabs()
            self._trials.values = await self._do(move, f"move {self._trials.trying}")
        except Refused as refused:
            self._trials.end("refused", to=self._here.shape.id if self._here else "", text=str(refused))
            return "DismissDialog" if await self._is_asked() else "WaitIdle"
        return None

    async def _step(self) -> NodeName | None:
        """Make one step of the way, or take the shortcut for the rest of it."""
        tour = self._tour
        if tour.shortcut and self._at == tour.shortcut_after:
            self._jumped, self._at = True, len(tour.path)
            await self._sentences.make(f'Open "{tour.shortcut}"', must=False)
            return None
        try:
            await self._do(tour.path[self._at], "")
        except Refused as refused:
            self._broke_at, self._why = self._at, str(refused)
            return "GiveUp"
        self._at += 1
        return None

    async def _do(self, move: Move, tag: str) -> tuple[str, ...]:
        """Make a move on the present screen, and return what was put into its blanks, secrets as placeholders.

        Raises:
            Refused: it cannot be made; perhaps a part of it was.
        """
        before: tuple[str, ...] = ()
        for earlier in move.first:
            before += await self._do(earlier.move, tag)
            self._here = await self._see()
        live = live_move(replace(move, first=()), self._here)
        values = tuple(value_for(blank, self._tour.seed, self._tour.values) for blank in live.blanks_filled)
        for sentence in sentences_of(live, values):
            await self._sentences.make(sentence, tag)
        self._times.repeatable = move.follows
        return (*before, *values)

    # ---- recovering

    async def _dismiss(self) -> NodeName | None:
        """Answer a dialog with no; an alert can only be accepted, and a page that asks whether to leave it is left."""
        dialog = await self._device.dialog()
        if dialog is None:
            return None
        self._message = self._message or f"{dialog.kind}: {dialog.message}"
        await self._sentences.make("Accept the dialog" if dialog.kind in ACCEPTED else "Dismiss the dialog", must=False)
        return self._too_many() or ("ProvisionApp" if self._here is None else None)

    async def _return(self) -> NodeName | None:
        if await self._count_tabs() > self._tabs:
            await self._sentences.make("Close the tab", must=False)
            return None
        await self._sentences.make("Go back", must=False)
        place = (await self._device.look(ReadPlace(), Wait(settle=SETTLE_SECONDS))).place
        return "Relaunch" if is_outside(place.address, self._tour.url, self._tour.domains) else None

    async def _unstick(self) -> NodeName | None:
        """Load a page that does not answer once more."""
        await self._sentences.make("Reload the page" if "windows" in self._device.features else "Go back", must=False)
        return None

    async def _relaunch(self) -> NodeName | None:
        return None if not self._too_many() and self._budget.restart() else "GiveUp"

    def _too_many(self) -> NodeName | None:
        self._recoveries += 1
        return "GiveUp" if self._recoveries > MOST_RECOVERIES else None

    async def _count_tabs(self) -> int:
        return len(await self._device.windows()) if "windows" in self._device.features else 1

    _handlers: ClassVar[dict[str, Callable[["TourWalk"], Awaitable[NodeName | None]]]] = {
        "EnsureDevice": _ensure_device,
        "ProvisionApp": _provision,
        "LaunchOrAttach": _launch,
        "WaitIdle": _wait_idle,
        "Perceive": _perceive,
        "Verify": _verify,
        "Choose": _choose,
        "Act": _act,
        "DismissDialog": _dismiss,
        "ReturnToApp": _return,
        "Unstick": _unstick,
        "Relaunch": _relaunch,
    }
