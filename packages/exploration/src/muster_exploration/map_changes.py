"""What is different between two maps of an app. Pure."""

from typing import NamedTuple

from muster_exploration.abstraction import abstract_address, abstract_text
from muster_exploration.app_map import AppMap, MapFinding, MapState, finding_keys
from muster_protocol.explorations import Move


class ChangedState(NamedTuple):
    """A state that both maps have, and what is different about it."""

    state: MapState
    """As it is now."""
    changes: tuple[str, ...]
    """In words."""


class MapChanges(NamedTuple):
    """What became of an app between two maps."""

    new: tuple[MapState, ...]
    gone: tuple[MapState, ...]
    changed: tuple[ChangedState, ...]
    new_findings: tuple[MapFinding, ...]
    mended: tuple[MapFinding, ...]
    """Findings that are no longer there."""

    @property
    def any(self) -> bool:
        """Whether anything is different."""
        return any(self)


def changes_between(before: AppMap, after: AppMap) -> MapChanges:
    """Return what is different; a state of the same address with other controls is a changed one, not a new one."""
    old, now = ({state.id: state for state in known.states} for known in (before, after))
    new = [state for id, state in now.items() if id not in old]
    gone = [state for id, state in old.items() if id not in now]
    changed = [_compared(before, old[id], after, state) for id, state in now.items() if id in old]
    for state in list(new):
        other = next((one for one in gone if (one.address, one.title) == (state.address, state.title)), None)
        if other is not None:
            new.remove(state)
            gone.remove(other)
            changed.append(_compared(before, other, after, state, "other controls or headings"))
    told = [{key for one in known.findings for key in finding_keys(one)} for known in (before, after)]
    return MapChanges(
        tuple(new),
        tuple(gone),
        tuple(one for one in changed if one.changes),
        tuple(one for one in after.findings if not finding_keys(one) & told[0]),
        tuple(one for one in before.findings if not finding_keys(one) & told[1]),
    )


def _compared(before: AppMap, old: MapState, after: AppMap, now: MapState, *already: str) -> ChangedState:
    told = list(already)
    if old.title != now.title:
        told.append(f"title {old.title!r} is now {now.title!r}")
    was, is_now = _ways(before, old), _ways(after, now)
    shown, shows = _controls(before, old), _controls(after, now)
    told += [f"new: {name}" for name in shows if name not in shown]
    told += [f"gone: {name}" for name in shown if name not in shows]
    moved = [name for name in was if was[name] and is_now.get(name) and was[name] != is_now[name]]
    told += [f"leads elsewhere: {name}" for name in moved]
    return ChangedState(now, tuple(told))


def _ways(known: AppMap, state: MapState) -> dict[str, str]:
    """Return the moves of a state in words, with the address that each led to, if it was tried."""
    index = known.states.index(state)
    targets = {edge.move: edge.target for edge in known.edges if edge.source == index and edge.target >= 0}
    moves = [(describe(known.moves[move]), targets.get(place, -1)) for place, move in enumerate(state.moves)]
    return {name: _where(known.states[target]) if target >= 0 else "" for name, target in moves}


def _controls(known: AppMap, state: MapState) -> tuple[str, ...]:
    """Return what can be done at once; moves after another one are the explorer's, not the app's."""
    return tuple(describe(known.moves[move]) for move in state.moves if not known.moves[move].first)


def _where(state: MapState) -> str:
    """Return what stays of a state when its controls change."""
    return f"{abstract_address(state.address)} {abstract_text(state.title)}"


def describe(move: Move) -> str:
    """Return a move in words, such as `tap link “Cart”`."""
    after = f" after {describe(move.first[0].move)}" if move.first else ""
    return f"{move.do} {move.role} “{move.name}”{f' {move.option}' if move.option else ''}{after}"
