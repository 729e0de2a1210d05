"""`muster draft`: have a test case drafted from instructions."""

from pathlib import Path

import click

from muster_authoring.case_draft import Reviewed, draft_assignment, review_draft
from muster_cli.app import client, console, perform, print_json, tell
from muster_cli.assignment_jobs import assignment_job
from muster_cli.assignment_report import Brought, assignment_text, describe_assignment_end
from muster_cli.display import display
from muster_cli.named_files import read_named, require_writable, write_named
from muster_cli.options import JSON, NATS, example, run_timeout
from muster_cli.runner import Options, run_jobs
from muster_protocol.errors import InvalidRequest
from muster_views.outcome import OTHER_FAILED, PASSED
from muster_views.texts import format_count, strip_controls


@click.command(
    short_help="Have a test case drafted from instructions.",
    epilog=example(
        'muster draft "A tester logs in and sees the orders" --url http://127.0.0.1:8000/login --out login.yaml',
        'muster draft "What this change may break" --from change.diff',
        "muster check login.yaml && muster run login.yaml          once you have read it",
    ),
)
@click.argument("instructions")
@click.option("--url", default="", help="Page of the product to look at first; nothing is changed there.")
@click.option("--from", "material", type=click.Path(path_type=Path), metavar="FILE", help="A document, diff or page.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the draft here, not to stdout.")
@run_timeout()
@NATS
@JSON
def draft(
    *,
    instructions: str,
    url: str,
    material: Path | None,
    out: Path | None,
    timeout: float,
    nats: str | None,
    as_json: bool,
) -> None:
    """Let an agent write a case file from INSTRUCTIONS, with one act per step and known sentences if they fit.

    Comments in the file list open questions and sentences that no phrase reads. A draft never runs by itself: read it,
    then `muster check` and `muster run` it. Needs a fleet whose workers have a model.

    Exit codes: 0 drafted; 3 failed; 2 bad input, such as an --out that exists; 130 interrupted.
    """

    async def work() -> int:
        job = assignment_job(draft_assignment(instructions, url, *_read(material)))
        _require_free(out)
        async with client(nats) as bus, display(console(stderr=True)) as shown:
            report = await run_jobs(bus, [job], shown, Options(timeout))
        brought = describe_assignment_end(report.runs[0], job.label)
        return _deliver(brought, review_draft(brought.output), out, as_json=as_json) or report.exit_code

    perform(work)


def _deliver(brought: Brought, found: Reviewed, out: Path | None, *, as_json: bool) -> int:
    """Print or write the draft, and return the exit code."""
    usable = brought.status == "done" and not found.faults
    if usable and out is not None:
        write_named(out, found.text)
    if as_json:
        about = {"run": brought.run, "status": brought.status, "summary": brought.summary, "case": found.text}
        remarks = [it.text for it in found.remarks]
        print_json(about | {"questions": found.questions, "remarks": remarks, "faults": found.faults})
    elif not usable:
        console(stderr=True).print(assignment_text(brought))
        for fault in found.faults if brought.status == "done" else ():
            tell(fault)
    else:
        if out is None:
            click.echo(found.text, nl=False)
        tell(_told(found, out))
    return PASSED if usable else OTHER_FAILED


def _told(found: Reviewed, out: Path | None) -> str:
    lines = [f"open question: {strip_controls(text)}" for text in found.questions]
    place = f"written to {out}" if out else "drafted"
    remarks = format_count(len(found.remarks), "remark")
    return "\n".join((*lines, f"{place}: {remarks}, {format_count(len(found.questions), 'open question')}"))


def _require_free(out: Path | None) -> None:
    if out is None:
        return
    if out.exists():
        raise InvalidRequest([f"--out {out}: the file is there already, and a draft replaces nothing"])
    require_writable(out, "--out")


def _read(path: Path | None) -> tuple[str, str]:
    """Return the text of a file and its name; two empty texts without one."""
    if path is None:
        return "", ""
    return read_named(path, "--from", "utf-8-sig"), path.name
