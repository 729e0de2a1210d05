"""Recordings of steps and plans: what a model did once, so that it need not be asked again.

A recording of a step is no recording of a session (trace, HAR, downloads): it holds calls, never what was shown on the
way. Values, captured values and secrets stand in it as placeholders, so all rows of a table of data share one.
"""

import hashlib
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from muster_protocol.facts import Does
from muster_protocol.plans import PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tool_calls import ArgumentValue, ArtifactRef, Consequence, Effect

FORMAT = 1
"""Version of the format; a recording of another one is not used."""

MissReason = Literal["none", "ambiguous", "changed", "not_eligible"]
"""Why a recorded call was not repeated: nothing on the screen is its target, several may be, what is there is not the
same thing or did something else, or it cannot be used."""


class Described(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A target as the device knew it before it was used, in several ways."""

    role: str = ""
    name: str = ""
    """Its accessible name, or the text that a person reads on it."""
    aliases: tuple[str, ...] = ()
    """Other names: label, placeholder, title, test id."""
    native: str = ""
    """Its kind in the device's own words, such as `select`."""
    place: str = ""
    """What names the row, card or section it is in."""
    beside: tuple[str, ...] = ()
    """What stands before and after it, without numbers; empty: nothing is known of that."""
    floating: bool = False
    """It lies over the rest of the screen: in a dialog, banner or tour."""
    framed: bool = False
    """It is in a frame of the page."""
    sole: bool = False
    """Nothing else was of its role and name, it was in a form that is no row, card or item, and the step says no word
    of that form's name: so the form is known without it."""

    def words(self) -> str:
        """Return it as in `button "Remove" in "Backpack"`."""
        place = f' in "{self.place}"' if self.place else ""
        return f'{self.role or self.native or "element"} "{self.name}"{place}'


class RecordedCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a recording."""

    tool: str
    effect: Effect
    does: Does = "unknown"
    """Of an act."""
    arguments: dict[str, ArgumentValue] = {}
    """Without those that name a described target."""
    target: Described | None = None
    """None: the arguments say all."""
    clause: str = ""
    """The clause that a check proves."""
    optional: bool = False
    """What it dismisses may be absent: it lay over the screen, and the step does not ask for it."""
    after: Consequence = Consequence()

    def words(self) -> str:
        """Return it for people, as in `type "${name}" into textbox "Name"`."""
        said = " ".join(msgspec.json.encode(it).decode() for it in self.arguments.values() if it not in ("", None))
        return " ".join(part for part in (self.tool, said, self.target.words() if self.target else "") if part)


class StepRecording(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The calls of a step that passed, in order: acts, captures, and the checks that prove its clauses."""

    format: int = FORMAT
    action: str
    expected: str = ""
    precondition: bool = False
    device: str = "web"
    app: str = ""
    """Where the step began: the variable that holds the address, or the origin; empty: nowhere yet."""
    shape: str = ""
    """The values that the step uses, by name; those of the same value are joined by `=`."""
    calls: tuple[RecordedCall, ...] = ()
    before: str = ""
    after: str = ""
    """Digests of the first and of the last screen, without numbers; for people who compare, never for a decision."""
    tokens: int = 0
    """What the model used; a replay saves them."""


class PlanRecording(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The plan that a model made of a case."""

    format: int = FORMAT
    steps: tuple[str, ...]
    """The written steps, for people."""
    nodes: tuple[PlanNode, ...] = ()
    tokens: int = 0


class Healed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An episode: a recorded call that missed, and what a model did in its place."""

    at: float = 0.0
    """Unix seconds."""
    run: str = ""
    task: str = ""
    reason: MissReason
    why: str = ""
    old: RecordedCall
    new: RecordedCall | None = None
    pictures: tuple[ArtifactRef, ...] = ()
    """Of the screen that the call missed on."""


class Replay(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of the recording that a step was replayed from."""

    key: str
    digest: str
    """Of the recording."""
    made: int = 0
    """Recorded calls that were repeated."""
    total: int = 0
    miss: MissReason | None = None
    """None: all calls were repeated."""
    why: str = ""
    saved: int = 0
    """Tokens that a full replay has saved."""
    left: tuple[RecordedCall, ...] = ()
    """After a miss: the recorded calls that were not repeated."""
    done: tuple[RecordedCall, ...] = ()
    """After a miss: what a model did in their place, as it would be recorded."""
    pictures: tuple[ArtifactRef, ...] = ()


class RecordingRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of the bucket `RECORDINGS`: a recording of a step or of a plan, and its story."""

    key: str
    step: StepRecording | None = None
    plan: PlanRecording | None = None
    proposal: StepRecording | None = None
    """A healed recording that waits for `muster recordings promote`."""
    previous: StepRecording | None = None
    """What healing has replaced."""
    episodes: tuple[Healed, ...] = ()
    """The newest last."""
    run: str = ""
    """The run that it was recorded in."""
    made_at: float = 0.0
    used_at: float = 0.0
    """Unix seconds; written about once a day."""


HealPolicy = Literal["use", "propose", "off"]
"""What becomes of a healed recording: it replaces the old one, waits for a person, or a miss fails the step."""

WEEK = 7 * 86_400.0
MOST_EPISODES = 8


def is_unstable(row: RecordingRow, now: float) -> bool:
    """Return whether the same target was healed twice within a week."""
    recent = [one.old.target for one in row.episodes if one.at > now - WEEK and one.old.target]
    names = [(target.role, target.place) for target in recent]
    return len(names) > len(set(names))


def digest_of(recording: StepRecording | PlanRecording) -> str:
    """Return a digest of the whole recording."""
    return _digest(msgspec.json.encode(recording, order="sorted"))


def key_of_step(recording: StepRecording) -> str:
    """Return the key of a step's recording: of its words, device, app and data, never of a run or a model."""
    words = (_squashed(recording.action), _squashed(recording.expected))
    parts = ("step", *words, recording.precondition, recording.device, recording.app, recording.shape)
    return f"step-{_digest(msgspec.json.encode(parts))[:24]}"


def key_of_plan(case: TestCase) -> str:
    """Return the key of a case's plan: one changed word of a step makes another one."""
    steps = [(_squashed(step.action), _squashed(step.expected), step.session) for step in case.steps]
    parts = ("plan", steps, list(map(_squashed, case.preconditions)), sorted(case.variables), sorted(case.secrets))
    return f"plan-{_digest(msgspec.json.encode(parts))[:24]}"


def shape_of(names: tuple[str, ...], values: Mapping[str, str]) -> str:
    """Return the shape of the data that a step uses: names with values, the same values joined, and empty ones."""
    groups: dict[str, list[str]] = {}
    for name in sorted(set(names) & values.keys()):
        groups.setdefault(values[name], []).append(name)
    return " ".join(f"{'='.join(group)}{'' if value else ':empty'}" for value, group in groups.items())


def _squashed(text: str) -> str:
    return " ".join(text.split())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
