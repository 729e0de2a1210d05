"""A case made from another tool's test, and the parts of that test that no sentence expresses. Pure."""

from dataclasses import dataclass, field
from typing import NamedTuple

import yaml


class Left(NamedTuple):
    """Something that was not taken over."""

    line: int
    what: str
    why: str


@dataclass
class ImportedCase:
    """A case as it grows, command by command."""

    name: str
    steps: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    left: list[Left] = field(default_factory=list[Left])
    tags: list[str] = field(default_factory=list[str])
    """Those of the original."""

    def act(self, sentence: str) -> None:
        """Add an action; typing right after a tap on a field stays a step of its own, as in the flow."""
        self.steps.append({"action": sentence})

    def expect(self, sentence: str) -> None:
        """Add an expectation to the last step; before the first, to a look at the app as it is."""
        if not self.steps:
            self.steps.append({"action": "Open the app"})
        last = self.steps[-1]
        already = last.get("expected")
        last["expected"] = f"{already} and {sentence[0].lower()}{sentence[1:]}" if already else sentence

    def leave(self, left: Left) -> None:
        """Note what was not taken over, and put a step in its place that no phrase reads: no case passes without it."""
        self.left.append(left)
        self.steps.append({"action": f"TODO, line {left.line} of the original: {left.what} ({left.why})"})

    def text(self) -> str:
        """Return the case as YAML."""
        made: dict[str, object] = {
            "name": self.name,
            "tags": ["imported", *self.tags],
            "device": "appium",
            "steps": self.steps,
        }
        return yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=100_000)
