"""`muster phrases`: the sentences that run without a model."""

import sys
from collections.abc import Iterable

import click
import msgspec

from muster_cli.options import JSON, example
from muster_grammar import PHRASES, Phrase
from muster_views.outcome import USAGE


@click.command(
    short_help="List the sentences that need no model.",
    epilog=example("muster phrases", "muster phrases dialog", "muster phrases --json"),
)
@click.argument("words", nargs=-1, metavar="[WORD…]")
@JSON
def phrases(words: tuple[str, ...], as_json: bool) -> None:
    """List the phrases that steps can be written in to run without a model; with words, those that hold them all."""
    found = [phrase for phrase in PHRASES if matches(phrase, words)]
    if not found:
        click.echo("no phrase has these words; `muster phrases` lists all", err=True)
        sys.exit(USAGE)
    click.echo(_json(found) if as_json else list_phrases(found))


def matches(phrase: Phrase, words: Iterable[str]) -> bool:
    """Return whether each word is somewhere in the phrase, its description or its examples. Pure."""
    text = " ".join((phrase.kind, phrase.pattern, phrase.description, *phrase.examples)).lower()
    return all(word.lower() in text for word in words)


def list_phrases(found: Iterable[Phrase]) -> str:
    """Return the phrases as people read them, by kind. Pure."""
    lines: list[str] = []
    kind = ""
    for phrase in sorted(found, key=lambda phrase: phrase.kind):
        if phrase.kind != kind:
            lines += ["", phrase.kind.upper()]
        kind = phrase.kind
        lines += ["", f"  {phrase.pattern}", f"      {phrase.description}"]
        lines += ["      e.g. " + sentence.replace("\n", "\n" + " " * 11) for sentence in phrase.examples]
    return "\n".join(lines[1:])


def _json(found: Iterable[Phrase]) -> bytes:
    rows = [
        {
            "kind": phrase.kind,
            "pattern": phrase.pattern,
            "description": phrase.description,
            "examples": list(phrase.examples),
        }
        for phrase in found
    ]
    return msgspec.json.format(msgspec.json.encode(rows), indent=2)
