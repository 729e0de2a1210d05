"""Every link, path and command in the documentation exists."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from muster_cli.cli import muster

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("", "docs", "docs/decisions", "bench", "deploy", "examples", "tests/golden", "protocol", "cli")
PAGES = sorted(
    page
    for pattern in (*(f"{folder}/*.md".lstrip("/") for folder in FOLDERS), "packages/*/*.md", "services/*/*.md")
    for page in ROOT.glob(pattern)
)
TARGETS = frozenset(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PLACES = tuple(f"{path.name}/" for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each `muster` command in blocks of shell code and in text."""
    blocks = re.findall(r"^```(?:sh|console)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`((?:\.venv/bin/)?muster [^`]+)`", without_code(text))
    for line in lines:
        found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?muster ([a-z].*)", line)
        if found and (words := shlex.split(found[1].replace("'", ""), comments=True)):
            yield words


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the subcommand that words name, and its arguments."""
    command: click.Command = muster
    rest = words
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(click.Context(muster), rest[0])
        assert found is not None, f"there is no command {rest[0]!r}: muster {' '.join(words)}"
        command, rest = found, rest[1:]
    return command, rest


def test_the_pages_are_found() -> None:
    assert len(PAGES) > 50


def broken_links(page: Path) -> Iterator[str]:
    """Yield the links of a page that lead to no file, or to no heading of it."""
    text = without_code(page.read_text("utf-8"))
    links = re.findall(r"\]\(([^)\s]+)\)|^\[\w+\]: (\S+)", text, re.MULTILINE)
    for link in (inline or reference for inline, reference in links):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def missing_paths(page: Path) -> Iterator[str]:
    """Yield the paths of the repository that a page names and that are not there."""
    for path in re.findall(r"`([\w./-]+)(?:::\w+|:\d+)?`", without_code(page.read_text("utf-8"))):
        if path.startswith(PLACES) and not (ROOT / path).exists() and not (page.parent / path).exists():
            yield path


def unknown_options(page: Path) -> Iterator[str]:
    """Yield the `muster` commands of a page that have an option which does not exist."""
    for words in commands(page.read_text("utf-8")):
        command, arguments = resolved(words)
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        used = {word.partition("=")[0] for word in arguments if word.startswith("--")}
        if not used <= known | {"--help"}:
            yield " ".join(words)


def unknown_targets(page: Path) -> Iterator[str]:
    """Yield the targets of make that a page names and that are not there."""
    text = page.read_text("utf-8")
    named = re.findall(r"`make ([a-z-]+)", text) + re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)
    yield from (name for name in named if name not in TARGETS)


@pytest.mark.parametrize("wrong", [broken_links, missing_paths, unknown_targets, unknown_options])
def test_what_pages_name_exists(wrong: Callable[[Path], Iterator[str]]) -> None:
    assert {(str(page.relative_to(ROOT)), name) for page in PAGES for name in wrong(page)} == set()
