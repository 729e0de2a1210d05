"""`muster spawn` and `muster fan-out`: give goals to agents of a running fleet."""

from pathlib import Path
from typing import get_args

import click

from muster_bus import Bus, Rows
from muster_bus.artifact_store import find_diffs
from muster_cli.app import client, console, perform, print_json
from muster_cli.assignment_jobs import assignment_job, read_assignments, read_inputs, read_schema
from muster_cli.assignment_report import Brought, assignment_text, describe_assignment_end
from muster_cli.case_jobs import Job
from muster_cli.display import display
from muster_cli.options import JSON, NATS, Amount, example, run_timeout
from muster_cli.runner import Options, run_jobs
from muster_protocol.assignments import AT_ONCE, Spending, TierName
from muster_protocol.estimates import PastCosts
from muster_protocol.requests import Assignment, DeviceSpec
from muster_text.cost_estimates import assignment_keys, estimate_assignment
from muster_views.estimate_texts import describe_goal
from muster_views.outcome import PASSED


@click.command(
    name="spawn",
    short_help="Give a goal to an agent.",
    epilog=example(
        'muster spawn researcher "Where are errors of the database handled?" --workspace shop',
        'muster spawn executor "Add a --version option" --workspace shop --budget 20',
        'muster spawn researcher "Where are errors of the database handled?" --workspace shop --estimate',
        'muster spawn researcher "Which sizes are sold?" --url http://127.0.0.1:8000 --schema sizes.json --json',
    ),
)
@click.argument("agent")
@click.argument("task")
@click.option("--workspace", default="", metavar="NAME", help="Workspace that a session host serves by this name.")
@click.option("--url", default="", help="The agent's first page in a browser.")
@click.option("--shell", is_flag=True, help="Give it an empty folder with a shell.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=TEXT", help="A text beside the goal, or NAME=@FILE.")
@click.option(
    "--budget", type=click.IntRange(min=0), metavar="CALLS", help="Maximum tool calls, including those of sub-agents."
)
@click.option("--depth", type=click.IntRange(0, 3), default=2, show_default=True, help="Nesting of sub-agents.")
@click.option("--tools", metavar="NAMES", help="Limit it to these tools or groups, separated by commas.")
@click.option("--tier", type=click.Choice(get_args(TierName)), help="The model that it asks; default: its file's.")
@click.option("--temperature", type=Amount(0, 2), help="Sampling temperature; default: its file's.")
@click.option("--schema", type=click.Path(path_type=Path), metavar="FILE", help="JSON Schema of the output.")
@click.option("--accept", "acceptance", multiple=True, metavar="TEXT", help="What must hold at the end; repeatable.")
@click.option(
    "--estimate", is_flag=True, help="Only print an estimate of time, tokens and cost, based on earlier runs."
)
@run_timeout()
@NATS
@JSON
def spawn(
    *,
    agent: str,
    task: str,
    workspace: str,
    url: str,
    shell: bool,
    inputs: tuple[str, ...],
    budget: int | None,
    depth: int,
    tools: str | None,
    tier: TierName | None,
    temperature: float | None,
    schema: Path | None,
    acceptance: tuple[str, ...],
    estimate: bool,
    timeout: float,
    nats: str | None,
    as_json: bool,
) -> None:
    """Give AGENT a goal, follow it live, and print what it found and made.

    `muster agents list` names the agents: researcher, planner, executor, reviewer, tester, and your own. Without a
    workspace, a --url or a --shell it has only tools that need no session. Ctrl-C cancels it and its sub-agents.

    Exit codes: 0 done; 3 failed; 2 bad input; 130 interrupted.
    """

    async def work() -> int:
        job = assignment_job(
            Assignment(
                goal=task,
                agent=agent,
                workspace=workspace,
                url=url,
                inputs=read_inputs(inputs),
                device=DeviceSpec(kind="none") if shell else None,
                budget=Spending(calls=budget, depth=depth),
                tools=_names(tools),
                tier=tier,
                temperature=temperature,
                output_schema=read_schema(schema),
                acceptance=acceptance,
            )
        )
        if estimate:
            return await _tell_estimate(job, nats, as_json=as_json)
        return await run_assignments([job], nats, Options(timeout), as_json=as_json)

    perform(work)


@click.command(
    name="fan-out",
    short_help="Give goals to several agents at once.",
    epilog=example("muster fan-out questions.yaml --max-concurrent 3", "muster fan-out questions.yaml --json"),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--max-concurrent",
    type=click.IntRange(1, 100),
    default=AT_ONCE,
    show_default=True,
    help="How many agents may work at the same time.",
)
@run_timeout()
@NATS
@JSON
def fan_out(*, file: Path, max_concurrent: int, timeout: float, nats: str | None, as_json: bool) -> None:
    """Give each assignment of a YAML or JSON list to its agent, and print the results in the order of FILE.

    \b
    - agent: researcher
      task: Where are errors of the database handled?
      workspace: shop
    - agent: researcher
      task: Which errors are logged?
      workspace: shop

    One that fails does not stop the others. Exit codes: 0 all done; 3 some failed; 2 bad input; 130 interrupted.
    """

    async def work() -> int:
        jobs = read_assignments(file)
        return await run_assignments(jobs, nats, Options(timeout, at_once=max_concurrent), as_json=as_json)

    perform(work)


async def _tell_estimate(job: Job, nats: str | None, *, as_json: bool) -> int:
    """Print what an assignment will come to, by what a running fleet remembers."""
    goal = job.case.request.job
    assert isinstance(goal, Assignment)
    async with client(nats) as bus:
        rows = Rows(bus, "COSTS", PastCosts)
        found = [row for key in assignment_keys(goal) if (row := await rows.get(key))]
    estimate = estimate_assignment(goal, {row.key: row for row in found})
    if as_json:
        print_json(estimate)
    else:
        console().print(describe_goal(goal.agent, estimate))
    return PASSED


async def run_assignments(jobs: list[Job], nats: str | None, options: Options, *, as_json: bool) -> int:
    """Give the assignments to a running fleet, print what came of each, and return the exit code."""
    async with client(nats) as bus, display(console(stderr=as_json)) as shown:
        report = await run_jobs(bus, jobs, shown, options)
        ends = [
            describe_assignment_end(outcome, job.label, await _diffs_of(bus, job))
            for outcome, job in zip(report.runs, jobs, strict=True)
        ]
    _print_ends(ends, as_json=as_json)
    return report.exit_code


async def _diffs_of(bus: Bus, job: Job) -> tuple[str, ...]:
    goal = job.case.request.job
    changes = isinstance(goal, Assignment) and goal.workspace
    return tuple(await find_diffs(bus, job.case.request.id)) if changes else ()


def _print_ends(ends: list[Brought], *, as_json: bool) -> None:
    if as_json:
        rows = [end._asdict() for end in ends]
        print_json(rows if len(rows) > 1 else rows[0])
        return
    for end in ends:
        console().print(assignment_text(end))


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())
