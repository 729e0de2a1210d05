"""Writes sentences that worked as a case in YAML. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from muster_text.values import placeholder_names, secret_names


@dataclass
class TriedStep:
    """An action that worked, and the expectations that held after it."""

    action: str
    expected: list[str] = field(default_factory=list[str])
    stands_for: list[str] = field(default_factory=list[str])
    """The sentences carried out for it, which may use variables and secrets, too."""
    remarks: list[str] = field(default_factory=list[str])
    """What is to be told below it."""


def case_text(name: str, steps: Sequence[TriedStep], variables: Mapping[str, str]) -> str:
    """Return a case in YAML, with the variables that its sentences use."""
    texts = [text for step in steps for text in (step.action, *step.expected, *step.stands_for)]
    used = [one for one in dict.fromkeys(one for text in texts for one in placeholder_names(text)) if one in variables]
    secrets = list(dict.fromkeys(one for text in texts for one in secret_names(text)))
    lines = [f"name: {_scalar(name)}"]
    lines += ["variables:", *(f"  {one}: {_scalar(variables[one])}" for one in used)] if used else []
    lines += [f"secrets: [{', '.join(secrets)}]"] if secrets else []
    lines.append("steps:")
    for step in steps:
        lines.append(f"  - action: {_scalar(step.action)}")
        if step.expected:
            lines.append(f"    expected: {_scalar(' and '.join(text.rstrip('. ') for text in step.expected))}")
        lines += [f"  # {' '.join(remark.split())}" for remark in step.remarks]
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """Return a text as YAML in single quotes, in which nothing but the quote itself is special; one line."""
    return "'" + " ".join(text.split()).replace("'", "''") + "'"
