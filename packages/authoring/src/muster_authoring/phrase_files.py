"""Files that teach sentences: `phrases/*.yaml` beside the cases, read strictly."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from muster_authoring.own_sentence import Kind, OwnSentence, Said
from muster_cases.case_loader import LARGEST, PHRASES_FOLDER
from muster_cases.case_problems import EnoughFound, Problem
from muster_cases.yaml_nodes import NodeReader, is_null, syntax_problem
from muster_text.unreadable import why_unreadable
from muster_yaml.bounded_yaml import compose_all

MOST_SENTENCES = 1_000
"""Sentences that all files for one case may teach."""
MOST_SAID = 5_000
"""Steps and claims that stand below them."""
KINDS: dict[str, Kind] = {"steps": "step", "expectations": "expectation"}
SAID_KEYS = ("action", "expected")
SUFFIXES = (".yaml", ".yml")


class Taught(NamedTuple):
    """What files teach, and what is wrong with them."""

    sentences: list[OwnSentence]
    problems: list[Problem]


def phrase_folders(file: Path) -> tuple[Path, ...]:
    """Return the folders whose sentences a file of cases may use, the nearest first.

    These are the folders `phrases` beside it and beside each folder above it, up to the root of its repository (the
    folder with `.git`); outside of one up to the working directory, or to its own folder where it is elsewhere.
    """
    own = file.resolve().parent
    above = (own, *own.parents)
    here = Path.cwd()
    top = next((folder for folder in above if (folder / ".git").exists()), here if here in above else own)
    within = above[: above.index(top) + 1]
    return tuple(found for folder in within if (found := folder / PHRASES_FOLDER).is_dir())


def files_in(folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that teach sentences, in the order of their names."""
    return tuple(sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()))


class PhraseText(NamedTuple):
    """The text of a file that teaches sentences, or why it cannot be read."""

    source: str
    text: str = ""
    problem: str = ""


def text_of(file: Path, texts: Mapping[Path, str]) -> PhraseText:
    """Return the text of a file, the one in `texts` where it is there: of a file that is not saved yet."""
    shown = shown_path(file)
    try:
        size = len(texts[file].encode(errors="surrogatepass")) if file in texts else file.stat().st_size
        if size > LARGEST:
            return PhraseText(shown, problem=f"has {size:,} bytes; the limit is {LARGEST:,}")
        return PhraseText(shown, texts[file] if file in texts else file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeError) as error:
        return PhraseText(shown, problem=f"cannot be read: {why_unreadable(error)}")


def read_taught(written: PhraseText) -> Taught:
    """Return what a file teaches."""
    if written.problem:
        return Taught([], [Problem(written.source, 0, 0, written.problem)])
    return read_phrases(written.text, written.source)


def shown_path(file: Path) -> str:
    """Return a path as people name it: from the working directory, if it is below it."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def read_phrases(text: str, source: str) -> Taught:
    """Return what a YAML text teaches."""
    reader = _Reader(source)
    return Taught(reader.documents(text), reader.problems)


class _Reader:
    """Reads one file; what is wrong goes into `problems` and reading goes on."""

    def __init__(self, source: str) -> None:
        self._nodes = NodeReader(source)
        self.problems = self._nodes.problems

    def documents(self, text: str) -> list[OwnSentence]:
        """Return the sentences of all documents, up to the first that is no YAML."""
        found: list[OwnSentence] = []
        try:
            for node in compose_all(text):
                if not is_null(node):
                    found += self._document(node)
        except yaml.YAMLError as error:
            self.problems.append(syntax_problem(self._nodes.source, text, error))
        except EnoughFound:
            pass
        return found

    def _document(self, node: Node) -> list[OwnSentence]:
        fields = self._nodes.mapping(node, "a file that teaches sentences", tuple(KINDS))
        return [one for key, value in fields.items() for one in self._sentences(KINDS[key], value, key)]

    def _sentences(self, kind: Kind, node: Node, key: str) -> list[OwnSentence]:
        self._nodes.mapping(node, f"'{key}'", None)  # what is twice there
        pairs: list[tuple[Node, Node]] = node.value if isinstance(node, MappingNode) else []
        return [self._sentence(kind, name, body) for name, body in pairs if isinstance(name, ScalarNode)]

    def _sentence(self, kind: Kind, name: ScalarNode, body: Node) -> OwnSentence:
        items = [body] if isinstance(body, ScalarNode) else self._nodes.items(body, str(name.value))
        said = tuple(self._said(kind, item) for item in items)
        if not items:
            self._nodes.add(body, f"«{name.value}» stands for nothing: list what it stands for")
        mark = name.start_mark
        return OwnSentence(kind, str(name.value), self._nodes.source, mark.line + 1, mark.column + 1, said)

    def _said(self, kind: Kind, node: Node) -> Said:
        mark = node.start_mark
        action = expected = ""
        if kind == "step" and isinstance(node, MappingNode):
            fields = self._nodes.mapping(node, "a step", SAID_KEYS, needed=("action",))
            action = self._nodes.text(fields["action"], "action") if "action" in fields else ""
            expected = self._nodes.text(fields["expected"], "expected") if "expected" in fields else ""
        elif kind == "step":
            action = self._nodes.text(node, "a step")
        else:
            expected = self._nodes.text(node, "a claim")
        return Said(action, expected, mark.line + 1, mark.column + 1)
