"""`muster explore`: find out what there is to test in an app."""

import os
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from rich.console import Console
from rich.table import Table

from muster_bus import Bus
from muster_bus.artifact_store import get_artifact
from muster_cases.case_loader import LoadedCase
from muster_cli.app import client, console, perform, tell
from muster_cli.case_jobs import Job, parse_pairs
from muster_cli.display import display
from muster_cli.embedded import Fleet, Plan, embedded
from muster_cli.explored_app import explored_device, load_nodes
from muster_cli.map_output import check_map_path, write_cases, write_map
from muster_cli.named_files import require_folder
from muster_cli.options import JSON, Amount, example
from muster_cli.runner import Options, run_jobs, run_on_fleet
from muster_exploration.app_map import AppMap
from muster_exploration.map_digest import digest_of
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_exploration.tour_rounds import Progress, summary_of
from muster_protocol.errors import InvalidRequest
from muster_protocol.explorations import EXPLORATION_POLICIES, REMOTE_KEYS
from muster_protocol.ids import new_id
from muster_protocol.requests import Exploration, RunRequest
from muster_text.request_rules import find_problems
from muster_text.values import secret_names
from muster_views.outcome import OTHER_FAILED
from muster_views.texts import strip_controls

FINDINGS_SHOWN = 20
LEFT_OUT_SHOWN = 10


class Where(NamedTuple):
    """On which fleet to explore, and what to write."""

    nats: str | None
    env_file: Path | None
    emit: Path | None
    maps: tuple[Path, ...]
    as_json: bool


@click.command(
    short_help="Explore an app: its states, moves and faults.",
    epilog=example(
        "muster explore http://127.0.0.1:8000 --policy coverage --seed 1 --max-steps 200 --emit cases/",
        'muster explore http://127.0.0.1:8000 --goal "The page title contains \\"Cart\\"" --emit cases/',
        "muster explore --device examples/screens/shop.yaml --policy dfs --map map.mmd",
        "muster explore --phone pixel --map map.json",
        "muster explore --device examples/screens/television.yaml --keys remote --emit cases/",
        'muster explore URL --value "User name=tester" --value "Password=${secret:PW}" --env-file secrets.env',
    ),
)
@click.argument("url", required=False, default="", metavar="[URL]")
@click.option("--device", type=click.Path(path_type=Path), metavar="FILE", help="Explore a simulated app instead.")
@click.option(
    "--phone", default="", metavar="NAME", help="Explore the app of a phone, by its name on the session hosts, instead."
)
@click.option("--fault", "faults", multiple=True, metavar="NAME", help="Fault of the simulated app; repeatable.")
@click.option(
    "--policy",
    default="",
    show_default="goal with --goal, focused with --focus, else coverage",
    metavar="POLICY[,…]",
    help=f"{', '.join(EXPLORATION_POLICIES)}; with several, the next takes over when one finds nothing new.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same exploration.")
@click.option(
    "--goal", default="", metavar="SENTENCE", help="End as soon as this expectation holds; --emit writes the way there."
)
@click.option("--focus", default="", metavar="WORDS", help="For the policy focused: words of the part of the app.")
@click.option("--max-steps", type=click.IntRange(1), default=500, show_default=True, help="Most steps on the device.")
@click.option("--max-seconds", type=Amount(0), default=0.0, help="Most seconds; 0: no limit.")
@click.option("--max-taps", type=click.IntRange(0), default=0, help="Most taps and entries; 0: no limit.")
@click.option("--outside", type=click.IntRange(0), default=2, show_default=True, help="Most moves out of the app.")
@click.option("--restarts", type=click.IntRange(0), default=20, show_default=True, help="Most unplanned restarts.")
@click.option("--sessions", type=click.IntRange(1, 64), default=1, show_default=True, help="Sessions at the same time.")
@click.option("--allow", multiple=True, metavar="WORD", help='Also use controls of this name: "Log out"; *: all.')
@click.option(
    "--domain",
    "domains",
    multiple=True,
    metavar="HOST",
    help="Host that may be visited; default: the URL's; repeatable.",
)
@click.option("--value", "values", multiple=True, metavar="FIELD=TEXT", help="Text for a field; repeatable.")
@click.option(
    "--nodes", type=click.Path(path_type=Path), metavar="FILE", help="Nodes of your own that each tour passes."
)
@click.option(
    "--keys",
    default="",
    metavar="KEY[,…]",
    help=f"Use these keys of a remote control instead of taps; `remote`: {', '.join(REMOTE_KEYS)}.",
)
@click.option("--emit", type=click.Path(path_type=Path), metavar="DIR", help="Write cases from the map.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the map: .json, .mmd or .graphml.",
)
@click.option("--env-file", type=click.Path(path_type=Path), help="Secrets for the workers, as NAME=VALUE lines.")
@click.option("--nats", metavar="URL", help="Use the running fleet at this NATS server instead of starting one.")
@JSON
def explore(
    *,
    url: str,
    device: Path | None,
    phone: str,
    nodes: Path | None,
    faults: tuple[str, ...],
    policy: str,
    seed: int,
    goal: str,
    focus: str,
    max_steps: int,
    max_seconds: float,
    max_taps: int,
    outside: int,
    restarts: int,
    sessions: int,
    allow: tuple[str, ...],
    domains: tuple[str, ...],
    values: tuple[str, ...],
    keys: str,
    emit: Path | None,
    maps: tuple[Path, ...],
    env_file: Path | None,
    nats: str | None,
    as_json: bool,
) -> None:
    """Explore an app without a written case: find its states, the moves between them, and faults.

    Controls that may delete, pay, send or log out are left out unless --allow names them, and no host outside of
    --domain is visited. A finding is not a fail: it comes with the way to it and, if a sentence can check it, with a
    case.

    Exit codes: 0 explored, and the goal reached if there is one; 2 bad input; 3 the app could not be explored, or the
    goal was not reached; 130 interrupted.
    """
    where = Where(nats, env_file, emit, maps, as_json)

    async def work() -> int:
        own = load_nodes(nodes)
        done = [sentence for node in own for sentence in node.do]
        fields = {
            "name": f"Explore {url or phone or device}"[:300],
            "url": url,
            "device": explored_device(device, faults, phone),
            "policy": policy.split(",") if policy else (),
            "seed": seed,
            "goal": goal,
            "focus": focus,
            "max_steps": max_steps,
            "max_time_ms": int(max_seconds * 1000),
            "max_taps": max_taps,
            "outside_app": outside,
            "restarts": restarts,
            "sessions": sessions,
            "allow": allow,
            "domains": domains,
            "values": parse_pairs(values, "--value"),
            "nodes": own,
            "keys": REMOTE_KEYS if keys == "remote" else [key.strip() for key in keys.split(",") if key.strip()],
            "secrets": sorted({name for text in (*values, *done) for name in secret_names(text)}),
        }
        return await _explore(_job(fields), where)

    perform(work)


def _job(fields: Mapping[str, object]) -> Exploration:
    try:
        job = msgspec.convert(fields, Exploration)
    except msgspec.ValidationError as error:
        raise InvalidRequest([f"this cannot be explored: {error}"]) from error
    if problems := find_problems(RunRequest(job=job)):
        raise InvalidRequest(problems)
    return job


async def _explore(job: Exploration, where: Where) -> int:
    for path in where.maps:
        check_map_path(path)
    if where.emit:
        require_folder(where.emit, "--emit")
    request = RunRequest(id=new_id("run"), job=job)
    jobs = [Job("explore", LoadedCase(request, source="", line=0))]
    async with _fleet(job, where) as (bus, fleet):
        async with display(console(stderr=where.as_json)) as shown:
            running = run_on_fleet(fleet, jobs, shown, Options()) if fleet else None
            report = await (running or run_jobs(bus, jobs, shown, Options()))
        data = await get_artifact(bus, f"{request.id}/{MAP_FILE}")
    verdict = report.runs[0].verdict
    if data is None:
        tell(f"muster: {(verdict and verdict.summary) or 'nothing was seen of the app'}")
        return report.exit_code or OTHER_FAILED
    file = msgspec.json.decode(data, type=MapFile)
    written = write_cases(file, where.emit) if where.emit else 0
    for path in where.maps:
        write_map(file, path)
    if where.as_json:
        click.echo(data.decode())
    else:
        _print_summary(file, console(), written, where)
    return report.exit_code


def _print_summary(file: MapFile, out: Console, written: int, where: Where) -> None:
    known = file.map
    states = Table("state", "depth", "title", "address", "tried", "left", box=None, pad_edge=True)
    for index, state in enumerate(known.states):
        tried = sum(edge.source == index for edge in known.edges)
        left = len(known.open.get(index, ()))
        words = state.words if state.page_of < 0 else f"{state.words} (like {state.page_of})"
        told = (str(index), str(state.depth), words, state.address, str(tried), str(left))
        states.add_row(*map(strip_controls, told))
    out.print(states)
    for finding in known.findings[:FINDINGS_SHOWN]:
        where_seen = "" if finding.address in finding.text else f", at {finding.address}"
        where_seen += f" and on {finding.pages - 1} more pages" if finding.elsewhere else ""
        told = f"finding  {finding.kind.replace('_', ' ')}: {finding.text}{where_seen}"
        out.print(strip_controls(told))
    if len(known.findings) > FINDINGS_SHOWN:
        out.print(f"… and {len(known.findings) - FINDINGS_SHOWN} more findings")
    out.print()
    spent = file.spent
    out.print(summary_of(Progress(map=known, over=file.over)))
    if file.job.goal and not known.reaches_goal:
        out.print(f"the goal was not reached: {file.job.goal}")
    for line in _left_out_lines(known):
        out.print(strip_controls(line))
    out.print(
        f"{spent.steps} steps, {spent.taps} of them taps, {spent.outside} out of the app, {spent.restarts} restarts"
    )
    if where.emit:
        out.print(f"wrote {written} cases to {where.emit}")
    out.print(f"digest of the map: {digest_of(known)}")
    for path in where.maps:
        out.print(f"wrote the map to {path}")


def _left_out_lines(known: AppMap) -> Iterator[str]:
    left_out = list(dict.fromkeys(told for state in known.states for told in state.left_out))
    if left_out:
        yield f"{len(left_out)} moves left out on purpose; --allow and --domain permit them:"
    yield from (f"  {told}" for told in left_out[:LEFT_OUT_SHOWN])
    if len(left_out) > LEFT_OUT_SHOWN:
        yield f"  … and {len(left_out) - LEFT_OUT_SHOWN} more"


@asynccontextmanager
async def _fleet(job: Exploration, where: Where) -> AsyncGenerator[tuple[Bus, Fleet | None]]:
    """Connect to the running fleet, or run one with a worker for each session."""
    if where.nats:
        async with client(where.nats) as bus:
            yield bus, None
        return
    env = {"SECRETS_FILE": str(where.env_file.resolve())} if where.env_file else {}
    plan = Plan(workers=max(1, min(job.sessions, 8)), max_runs=2, worker_env=env)
    async with embedded(plan, os.environ, tell) as fleet:
        yield fleet.bus, fleet
