"""`muster phrases`: the sentences that run without a model."""

import sys
from collections.abc import Iterable

import click

from muster_cli.app import print_json
from muster_cli.options import JSON, example
from muster_grammar import Phrase, find_phrases
from muster_views.outcome import USAGE

JSON_FIELDS = ("kind", "pattern", "description", "examples")


@click.command(
    short_help="List the sentences that need no model.",
    epilog=example("muster phrases", "muster phrases dialog", "muster phrases --json"),
)
@click.argument("words", nargs=-1, metavar="[WORD…]")
@JSON
def phrases(words: tuple[str, ...], as_json: bool) -> None:
    """List the phrases that steps can be written in to run without a model; with words, those that hold them all."""
    found = find_phrases(words)
    if not found:
        click.echo("no phrase has these words; `muster phrases` lists all", err=True)
        sys.exit(USAGE)
    if as_json:
        print_json([{name: getattr(phrase, name) for name in JSON_FIELDS} for phrase in found])
    else:
        click.echo(list_phrases(found))


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
