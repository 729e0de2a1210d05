"""`muster show`: shows one run from its log."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from muster_bus.run_store import read_log
from muster_cli.app import client, console, perform, print_json
from muster_cli.display import printable_lines
from muster_cli.lookup import build_history, require_request
from muster_cli.named_files import require_folder
from muster_cli.options import JSON, NATS, example
from muster_cli.past_passes import settle_doubt
from muster_cli.progress import Progress
from muster_cli.report_writer import write_report
from muster_cli.table import failure_text
from muster_cli.tree import render_run
from muster_client.run_notes import read_notes
from muster_protocol.errors import InvalidRequest
from muster_protocol.notes import Note
from muster_views.history import History, events_in
from muster_views.material import count_takeovers, read_journals, read_lines
from muster_views.messages import Message, describe_message, draw_sequence, list_messages
from muster_views.note_texts import describe_note
from muster_views.outcome import CaseOutcome, Report, build_outcome, build_report
from muster_views.run_view import view_run
from muster_views.texts import to_one_line, to_slug

LEFT_OUT = "Note: {} of the messages in the run's log cannot be read by this version of muster and are left out."


@click.command(
    short_help="Show one run.",
    epilog=example(
        "muster show run-3f9c27d1a0b4e865",
        "muster show run-3f9c27d1a0b4e865 --log",
        "muster show run-3f9c27d1a0b4e865 --messages",
        "muster show run-3f9c27d1a0b4e865 --messages --between orchestrator,evaluator",
        "muster show run-3f9c27d1a0b4e865 --report report/",
    ),
)
@click.argument("run")
@click.option("--log", is_flag=True, help="Print the run's log lines, too.")
@click.option("--messages", is_flag=True, help="Print the messages between the parts of the fleet instead.")
@click.option("--between", metavar="A,B", default="", help="With --messages: only those between two parties.")
@click.option(
    "--mermaid", is_flag=True, help="With --messages: draw them as a sequence diagram, in Mermaid's language."
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the HTML report of the run, which must be over.",
)
@NATS
@JSON
def show(
    *,
    run: str,
    log: bool,
    messages: bool,
    between: str,
    mermaid: bool,
    report: Path | None,
    nats: str | None,
    as_json: bool,
) -> None:
    """Show one run: its sub-tasks, its verdict, expected and seen values of a fail, open questions, and its notes."""
    parties = tuple(name.strip() for name in between.split(",")) if between else ()
    if (between or mermaid) and not messages:
        raise click.UsageError("--between and --mermaid need --messages")
    if between and len(parties) != 2:
        raise click.BadParameter(f"{between!r} does not name two parties; write --between A,B", param_hint="--between")

    async def work() -> int:
        async with client(nats) as bus:
            request = await require_request(bus, run)
            found = await read_log(bus, run)
            history = build_history(run, request, found.entries)
            journals = await read_journals(bus, run) if as_json else {}
            lines = await read_lines(bus, run) if log else ()
            notes = () if messages or as_json else await read_notes(bus, run)
            outcome = await settle_doubt(bus, build_outcome(history, run), request)
            if report is not None:
                told = _report_history(history)
                require_folder(report, "--report")
                await write_report(bus, told, report)
        if messages:
            _print_messages(list_messages(events_in(found.entries)), parties, mermaid=mermaid, as_json=as_json)
        elif as_json:
            view = view_run(history, None, count_takeovers(journals))
            print_json(view)
        else:
            console().print(describe_run(history, outcome, bus.clock.now(), notes))
        for line in (part for text in lines for part in printable_lines(text, "")):
            click.echo(line)
        if found.unreadable:
            click.echo(LEFT_OUT.format(found.unreadable), err=True)
        return 0

    perform(work)


def _print_messages(messages: Sequence[Message], parties: Sequence[str], *, mermaid: bool, as_json: bool) -> None:
    """Print the messages of a run, or those between two parties, as lines, JSON or a diagram."""
    known = {name for message in messages for name in (message.sender, message.recipient)}
    if unknown := [name for name in parties if name not in known]:
        raise InvalidRequest([f"{unknown[0]!r} has no message in this run; these have: {', '.join(sorted(known))}"])
    shown = [it for it in messages if not parties or {it.sender, it.recipient} == set(parties)]
    if as_json:
        print_json(shown)
    elif mermaid:
        click.echo(draw_sequence(shown))
    else:
        for number, message in enumerate(shown, 1):
            click.echo(describe_message(number, message))


def _report_history(history: History) -> Report:
    """Return the report of one run that is over, labelled with its name. Pure.

    Raises:
        InvalidRequest: it has no verdict yet.
    """
    if history.verdict is None:
        raise InvalidRequest([f"run {history.run} has no verdict yet; `muster watch {history.run}` waits for it"])
    outcome = build_outcome(history)
    named = msgspec.structs.replace(outcome, label=to_slug(outcome.name))
    return build_report([named], "", history.started_at, history.verdict.duration)


def describe_run(history: History, outcome: CaseOutcome, now: float, notes: Sequence[Note] = ()) -> RenderableType:
    """Return a run, and what was found out about it, as text. Pure."""
    run = Progress(label=history.run, history=history)
    parts: list[RenderableType] = [render_run(run, now)]
    if outcome.verdict is not None and outcome.cause is None:
        parts.append(Text(f"{outcome.verdict.status}  {to_one_line(outcome.verdict.summary, 300)}", style="green"))
    elif outcome.verdict is not None:
        parts.append(failure_text(outcome))
    parts += [Text(to_one_line(text), style="yellow") for text in run.what_to_type()]
    parts += [Text(describe_note(note)) for note in notes]
    return Group(*parts)
