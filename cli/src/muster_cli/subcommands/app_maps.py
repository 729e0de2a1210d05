"""`muster map`: compare maps of an app, and cases with a map: which of its moves no case makes."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from muster_authoring.own_cases import load_cases
from muster_cli.map_output import read_map
from muster_cli.options import PATHS, OrderedGroup, example
from muster_exploration.app_map import AppMap, Edge
from muster_exploration.map_changes import changes_between, describe
from muster_exploration.map_digest import digest_of
from muster_exploration.move_phrases import sentences_of
from muster_grammar import PhraseError, parse_action
from muster_protocol.requests import TestCase
from muster_protocol.tool_calls import ToolCall
from muster_views.texts import strip_controls

_OPEN = ("text", "options", "url")
"""Arguments that may differ: what is entered, not where."""


@click.group(
    "map",
    cls=OrderedGroup,
    short_help="Compare maps that `muster explore` has made.",
    epilog=example(
        "muster map diff before.json after.json",
        "muster map digest first.json second.json",
        "muster map uncovered map.json cases/",
    ),
)
def app_maps() -> None:
    """Compare maps of an app, written by `muster explore --map FILE.json`."""


@app_maps.command("diff", epilog=example("muster map diff before.json after.json"))
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
def diff(*, before: Path, after: Path) -> None:
    """Print which states and findings are new, gone or changed.

    Exit codes: 0 nothing is different; 1 something is; 2 bad input.
    """
    changes = changes_between(read_map(before).map, read_map(after).map)
    lines = [f"new      {state.words}  {state.address}" for state in changes.new]
    lines += [f"gone     {state.words}  {state.address}" for state in changes.gone]
    for one in changes.changed:
        lines.append(f"changed  {one.state.words}  {one.state.address}")
        lines += [f"           {change}" for change in one.changes]
    lines += [f"finding  {finding.kind}: {finding.text}" for finding in changes.new_findings]
    lines += [f"mended   {finding.kind}: {finding.text}" for finding in changes.mended]
    for line in lines or ["nothing is different"]:
        click.echo(strip_controls(line))
    sys.exit(1 if changes.any else 0)


@app_maps.command("digest", epilog=example("muster map digest first.json second.json"))
@click.argument("maps", nargs=-1, required=True, type=click.Path(path_type=Path))
def digest(*, maps: tuple[Path, ...]) -> None:
    """Print the digest of each map.

    Maps with the same states, moves, edges and findings have the same digest. Numbers, dates, ids,
    pictures and the run do not count.

    Exit codes: 0 they have the same digest; 1 they do not; 2 bad input.
    """
    digests = [digest_of(read_map(path).map) for path in maps]
    for told, path in zip(digests, maps, strict=True):
        click.echo(f"{told}  {path}")
    sys.exit(1 if len(set(digests)) > 1 else 0)


@app_maps.command("uncovered", epilog=example("muster map uncovered map.json cases/"))
@click.argument("map", type=click.Path(path_type=Path))
@PATHS
def uncovered(*, map: Path, paths: tuple[Path, ...]) -> None:
    """Print the moves of a map that none of the cases makes.

    The moves of sentences that need a model are unknown and count as none.
    """
    known = read_map(map).map
    jobs = [case.test_case for case in load_cases(paths)]
    left = _uncovered_edges(known, jobs)
    for edge in left:
        source, target = known.states[edge.source], known.states[edge.target]
        line = f"{source.words}: {describe(known.move(edge.source, edge.move))} → {target.words}"
        click.echo(strip_controls(line))
    tried = sum(edge.outcome == "reached" for edge in known.edges)
    click.echo(f"{tried - len(left)} of {tried} moves are in the cases")


def _uncovered_edges(known: AppMap, cases: Iterable[TestCase]) -> list[Edge]:
    """Return the moves that led somewhere and that no case makes, whatever it enters."""
    made = {key for case in cases for step in case.steps for key in _keys(step.action)}
    return [edge for edge in known.edges if edge.outcome == "reached" and not _edge_keys(known, edge) <= made]


def _edge_keys(known: AppMap, edge: Edge) -> set[str]:
    sentences = sentences_of(known.move(edge.source, edge.move), edge.values)
    return {key for sentence in sentences for key in _keys(sentence)}


def _keys(action: str) -> Iterator[str]:
    """Yield what the calls of a sentence do, and to what; nothing for one that needs a model."""
    try:
        calls = parse_action(action)
    except PhraseError:
        return
    yield from map(_key, calls)


def _key(call: ToolCall) -> str:
    told = sorted((name, str(value).lower()) for name, value in call.arguments.items() if name not in _OPEN)
    return f"{call.tool} {told}"
