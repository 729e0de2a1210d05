"""Drafts of cases: the drafter's input, the problems of its output, and the file for a person. Pure."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import yaml
from msgspec import Meta, Struct

from muster_authoring.case_check import Finding, check_reading
from muster_authoring.own_cases import Books
from muster_authoring.phrase_book import PhraseBook, reads_action
from muster_cases.case_loader import read_as_file
from muster_grammar import PhraseError, parse_action
from muster_grammar.phrase_catalogue import PHRASES
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import Assignment
from muster_text.named_hosts import hosts_in
from muster_text.values import secret_names

DRAFTER = "drafter"
"""Id of the agent that drafts."""
LARGEST_MATERIAL = 20_000
"""Characters of a document, a diff or a page that a draft is made from; the drafter's context has no room for more."""
_FILE = Path("draft.yaml")
_JOINT = re.compile(r",? and(?: then)? |, then |[,;] ", re.IGNORECASE)
_HIDDEN = re.compile(r"passw|passphrase|secret|token|api.?key|\bpin\b|kennwort", re.IGNORECASE)
"""Names of fields whose values are not written down."""

Text = Annotated[str, Meta(min_length=1)]


class DraftStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a draft: one act, and what is then to be seen."""

    action: Text
    expected: str = ""


class CaseDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A test case that a person has not accepted yet."""

    name: Text
    steps: Annotated[tuple[DraftStep, ...], Meta(min_length=1, max_length=200)]
    preconditions: tuple[Text, ...] = ()
    variables: dict[str, str] = {}
    secrets: tuple[str, ...] = ()
    """Names; the values are never part of a case."""
    questions: tuple[str, ...] = ()
    """What the instructions leave open."""


class Remark(NamedTuple):
    """What a person should look at in a draft that can be run all the same; `step` is an index, -1: none."""

    step: int
    text: str


class Reviewed(NamedTuple):
    """A draft as a file, and what was found in it."""

    text: str
    """YAML with remarks and open questions as comments."""
    faults: tuple[str, ...]
    """Why it is no case: `muster check` would refuse it even with a model."""
    remarks: tuple[Remark, ...]
    questions: tuple[str, ...]


def draft_assignment(instructions: str, url: str = "", material: str = "", source: str = "") -> Assignment:
    """Return the assignment to draft a case; `material` is the text it is drafted from, and `source` that text's name.

    Raises:
        InvalidRequest: there are no instructions, or the material is too long.
    """
    if not instructions.strip():
        raise InvalidRequest(["what is to be tested? Say it in a sentence or two"])
    if len(material) > LARGEST_MATERIAL:
        said = f"{source or 'the text'} has {len(material):,} characters, and a draft is made from {LARGEST_MATERIAL:,}"
        raise InvalidRequest([f"{said} at most: give the part that matters"])
    given = {"sentences": _sentences()}
    given |= {"address": url} if url else {}
    given |= {source or "material": material} if material else {}
    return Assignment(
        goal=instructions,
        agent=DRAFTER,
        inputs=given,
        url=url,
        domains=hosts_in((url,)),
        secrets=tuple(dict.fromkeys(secret_names(f"{instructions} {material}"))),
        output_schema=msgspec.json.schema(CaseDraft),
        deliverable="case",
    )


def _sentences() -> str:
    """Return an example of each known sentence."""
    titles = {"action": "Actions", "expectation": "Expectations", "precondition": "Preconditions"}
    parts = [
        "\n".join((f"{title}:", *(phrase.examples[0] for phrase in PHRASES if phrase.kind == kind)))
        for kind, title in titles.items()
    ]
    return "\n\n".join(parts)


def review_draft(output: Any) -> Reviewed:  # noqa: ANN401 - JSON
    """Return what an agent has handed in as a file, and what is wrong with it; without a file if it is no draft."""
    try:
        draft = msgspec.convert(output, CaseDraft)
    except msgspec.ValidationError as error:
        return Reviewed("", (f"it is not a draft of a case: {error}",), (), ())
    plain = _as_yaml(draft, ())
    reading = read_as_file(plain, _FILE)
    lines = [line for case in reading.cases for line in case.step_lines]
    findings = check_reading(reading, _NoBooks(), plain).findings
    faults = tuple(_place(lines, one, one.text) for one in findings if one.kind != "unread")
    unread = (Remark(_index(lines, one), f"for a model: {one.text}") for one in findings if one.kind == "unread")
    remarks = (*unread, *_found_in_steps(draft))
    return Reviewed(_as_yaml(draft, remarks), faults, remarks, draft.questions)


def find_draft_problem(output: Any, *, strict: bool) -> str:  # noqa: ANN401 - JSON
    """Return what a drafter has to mend, or ""; `strict`: also what a person could be left to look at."""
    found = review_draft(output)
    told = [f"step {it.step + 1}: {it.text}" if it.step >= 0 else it.text for it in found.remarks] if strict else []
    return "\n".join((*found.faults, *told))[:4_000]


class _NoBooks(Books):
    """Sentences of no team: a draft says what everybody's workers read."""

    def of(self, file: Path) -> PhraseBook | None:
        return None


def _index(lines: list[int], finding: Finding) -> int:
    return sum(line <= finding.line for line in lines) - 1


def _place(lines: list[int], finding: Finding, text: str) -> str:
    index = _index(lines, finding)
    return f"step {index + 1}: {text}" if index >= 0 and finding.line else text


def _found_in_steps(draft: CaseDraft) -> Iterator[Remark]:
    for index, step in enumerate(draft.steps):
        if parts := _two_acts(step.action):
            yield Remark(index, f"this does more than one thing; one step each: «{parts[0]}», «{parts[1]}»")
        if field := _shown_secret(step.action):
            said = f'the value of "{field}" is written down'
            yield Remark(index, f"{said}; name a secret, and use it as ${{secret:NAME}}")


def _two_acts(action: str) -> tuple[str, str] | None:
    """Return the two actions that a sentence is made of; None if it is one."""
    for joint in _JOINT.finditer(action):
        first, second = action[: joint.start()], action[joint.end() :]
        if reads_action(first) and reads_action(second):
            return first, second
    return None


def _shown_secret(action: str) -> str:
    """Return the name of the field that a sentence enters a value into that nobody should read, or ""."""
    try:
        calls = parse_action(action)
    except PhraseError:
        return ""
    for call in calls:
        field, value = str(call.arguments.get("element") or ""), str(call.arguments.get("text") or "")
        if value and "${" not in value and _HIDDEN.search(field):
            return field
    return ""


def _as_yaml(draft: CaseDraft, remarks: tuple[Remark, ...]) -> str:
    """Return a draft as a case file; texts of a model stay on the line of their comment."""
    head: dict[str, object] = {"name": draft.name}
    given = {"preconditions": list(draft.preconditions), "variables": draft.variables, "secrets": list(draft.secrets)}
    head |= {key: value for key, value in given.items() if value}
    lines = [*_comment("A draft: read it, answer what is open, and only then run it.", "")]
    lines += [line for text in draft.questions for line in _comment(f"Open question: {text}", "")]
    lines += [line for it in remarks if it.step < 0 for line in _comment(it.text, "")]
    lines += [_dump(head), "steps:\n"]
    for index, step in enumerate(draft.steps):
        lines += [line for it in remarks if it.step == index for line in _comment(it.text, "  ")]
        fields_of_step = {"action": step.action} | ({"expected": step.expected} if step.expected.strip() else {})
        lines += [f"  {line}\n" for line in _dump([fields_of_step]).splitlines()]
    return "".join(lines)


def _comment(text: str, indent: str) -> Iterator[str]:
    said = "".join(it if it.isprintable() else " " for it in text)
    yield f"{indent}# {' '.join(said.split())}\n"


def _dump(value: object) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100_000)
