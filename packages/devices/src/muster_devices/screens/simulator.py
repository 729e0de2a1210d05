"""How a simulated device goes from one state to the next. Pure: time comes in with `advance` alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from muster_devices.screens.app import App, Dialog, Fault, Part, Reaction, Reactions, first_data, listed, walk
from muster_devices.screens.rendering import Numbered, Rendered, content_height, present, render
from muster_devices.screens.state import HANGS, Due, State, Troubled
from muster_devices.screens.templates import fill, holds, plus

DEEPEST = 50
"""Screens that `back` goes through."""


@dataclass(frozen=True)
class Simulator:
    """An app with the faults that are switched on."""

    app: App
    faults: Mapping[str, Fault]

    @cached_property
    def numbered(self) -> Mapping[str, tuple[Numbered, ...]]:
        """The elements of each screen in reading order."""
        found: dict[str, tuple[Numbered, ...]] = {}
        count = 0
        for name, plan in self.app.screens.items():
            levels = _levels(plan.elements)
            found[name] = tuple(Numbered(f"e{count + at}", level, part) for at, (level, part) in enumerate(levels, 1))
            count += len(levels)
        return found

    def begin(self, now: float, before: State | None = None) -> State:
        """Return the device with the app just started, for the first time or after a crash."""
        state = State(at=now, opened_at=now, path=(self.app.start,), data=first_data(self.app))
        return self._shown(_kept(state, before, before.struck) if before else state)

    def begin_anew(self, before: State) -> State:
        """Return the device with the app as it was first: of all that has struck, only what is wrong with the device.

        That is none of the app's, so it does not happen again because the app is started again.
        """
        struck = {name: count for name, count in before.struck.items() if self.faults[name].trouble}
        state = State(at=before.at, opened_at=before.at, path=(self.app.start,), data=first_data(self.app))
        return self._shown(_kept(replace(state, version=before.version), before, struck))

    def acted(self, state: State) -> State:
        """Return the state after one more act, which may be what a fault has waited for."""
        state = replace(state, acts=state.acts + 1)
        due = [(name, fault) for name, fault in self.faults.items() if fault.acts and fault.acts == state.acts]
        for name, fault in due:
            state = _befallen(replace(_counted(state, name), version=state.version + 1), fault)
        return state

    def rendered(self, state: State) -> list[Rendered]:
        """Return the elements that are shown; after a crash none."""
        return [] if state.crash else render(state, self._there(state), self.app.size.width)

    def content_height(self, state: State) -> int:
        """Return how many pixels all that is shown takes from top to bottom."""
        return content_height(self._there(state), self.app.size.width)

    def advance(self, state: State, now: float) -> State:
        """Return the state at a later time: what was due by then has happened, each at its own time."""
        while state.due and state.due[0].at <= now:
            first, *rest = state.due
            state = replace(state, at=first.at, due=tuple(rest), version=state.version + 1)
            left = first.screen != state.screen or bool(state.dialog)
            state = self._done(
                state, replace(first.reaction, go="", back=False, dialog=None) if left else first.reaction
            )
        return replace(state, at=max(now, state.at))

    def react(self, state: State, part: Part | None, reactions: Reactions) -> State:
        """Return the state after the app has reacted to a gesture on an element, or on the screen as a whole."""
        state = replace(state, version=state.version + 1)
        if part is None:
            return self._first(state, None, reactions, "the screen")
        return self._struck(state, part, reactions)

    def set_value(self, state: State, part: Part, value: str | bool) -> State:
        """Return the state after a field, list or toggle holds another value, and the app has reacted to that."""
        return self.react(replace(state, data={**state.data, part.id: value}), part, part.type)

    def answer(self, state: State, accept: bool, text: str) -> State:
        """Return the state after the open dialog was answered."""
        dialog = state.dialog
        if dialog is None:
            return state
        data = dict(state.data)
        if accept and dialog.into:
            data[dialog.into] = text or fill(dialog.default, state.data)
        state = replace(state, dialog=None, data=data, version=state.version + 1)
        return self._first(state, None, dialog.accept if accept else dialog.dismiss, "the dialog")

    def show(self, state: State, screen: str, *, anew: bool = False) -> State:
        """Return the state with a screen shown; `anew`: in place of the one that is shown now."""
        path = (*(state.path[:-1] if anew else state.path), screen)
        return self._shown(replace(state, path=path[-DEEPEST:], crash=""))

    def back(self, state: State) -> State:
        """Return the state with the screen before shown; the first one stays."""
        return self._shown(replace(state, path=state.path[:-1])) if len(state.path) > 1 else state

    def _there(self, state: State) -> list[Numbered]:
        """Return the elements that are there now: by their conditions, in time, and not taken away by a fault."""
        gone = {fault.element for fault in self.faults.values() if fault.absent and fault.screen in ("", state.screen)}
        return present(state, self.numbered[state.screen], gone)

    def _shown(self, state: State) -> State:
        """Begin the screen at the end of the path: late elements are to come, and the app reacts to being here."""
        state = replace(state, opened_at=state.at, focus="", scroll=0, version=state.version + 1)
        plan = self.app.screens[state.screen]
        late = [part for part in walk(plan.elements) if part.after]
        state = _with_due(state, *(_appearing(state, part) for part in late))
        return self._struck(state, None, plan.opened)

    def _struck(self, state: State, part: Part | None, reactions: Reactions) -> State:
        """React as the app does, or as the first fault makes it; without an element, to the opening of the screen."""
        for name, fault in self._striking(state, part.id if part else ""):
            if not (fault.absent or fault.slow or fault.instead is not None):
                return _befallen(_counted(state, name), fault)
            if fault.instead is not None:
                return self._first(_counted(state, name), part, fault.instead, _named(part))
        return self._first(state, part, reactions, _named(part))

    def _first(self, state: State, part: Part | None, reactions: Reactions, what: str) -> State:
        """Do the first reaction whose condition holds: now, or later."""
        reaction = next((one for one in listed(reactions) if holds(one.when, state.data)), None)
        if reaction is None:
            return state
        after = reaction.after
        for name, fault in (*self._striking(state, ""), *(self._striking(state, part.id) if part and part.id else ())):
            if fault.slow:
                state, after = _counted(state, name), after + fault.slow
        if not after:
            return self._done(state, reaction)
        due = Due(at=state.at + after, screen=state.screen, reaction=reaction, what=what, quiet=reaction.quiet)
        return _with_due(state, due)

    def _done(self, state: State, reaction: Reaction) -> State:
        data = dict(state.data)
        for name, value in reaction.set.items():
            data[name] = fill(value, data) if isinstance(value, str) else value
        for name, more in reaction.add.items():
            data[name] = plus(data.get(name, 0), more)
        state = replace(state, data=data)
        if reaction.crash:
            return replace(state, crash=fill(reaction.crash, data), due=(), dialog=None)
        if reaction.dialog is not None:
            state = replace(state, dialog=_filled(reaction.dialog, state))
        if reaction.go:
            return self.show(state, reaction.go)
        return self.back(state) if reaction.back else state

    def _striking(self, state: State, element: str) -> list[tuple[str, Fault]]:
        """Return the faults that strike an element now; without one, those of the screen as a whole."""
        return [
            (name, fault)
            for name, fault in self.faults.items()
            if fault.element == element
            and not fault.acts
            and fault.screen in ("", state.screen)
            and (not fault.times or state.struck.get(name, 0) < fault.times)
        ]


def _kept(state: State, before: State, struck: Mapping[str, int]) -> State:
    """Return the state with what is the device's, and not the app's."""
    return replace(state, version=before.version, struck=struck, acts=before.acts, troubled=before.troubled)


def _befallen(state: State, fault: Fault) -> State:
    """Return the state after a fault has struck that leaves nothing for the app to do."""
    if fault.trouble:
        return replace(state, troubled=Troubled(fault.trouble, state.at + fault.lasts if fault.lasts else 0.0))
    if fault.crash or fault.hangs:
        crash = HANGS if fault.hangs else fill(fault.crash, state.data)
        return replace(state, crash=crash, due=(), dialog=None)
    return replace(state, dialog=_filled(fault.dialog, state)) if fault.dialog else state


def _levels(parts: tuple[Part, ...], level: int = 0) -> list[tuple[int, Part]]:
    return [one for part in parts for one in ((level, part), *_levels(part.elements, level + 1))]


def _filled(dialog: Dialog, state: State) -> Dialog:
    return replace(dialog, text=fill(dialog.text, state.data), default=fill(dialog.default, state.data))


def _named(part: Part | None) -> str:
    return (part.name or part.id or part.role) if part else "the screen"


def _appearing(state: State, part: Part) -> Due:
    return Due(at=state.at + part.after, screen=state.screen, what=_named(part), quiet=part.quiet)


def _counted(state: State, name: str) -> State:
    return replace(state, struck={**state.struck, name: state.struck.get(name, 0) + 1})


def _with_due(state: State, *more: Due) -> State:
    return replace(state, due=tuple(sorted((*state.due, *more), key=lambda due: due.at)))
