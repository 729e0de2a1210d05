"""A kind of sub-task is added to a copy of the sources as CONTRIBUTING says: a row, and a module on each side."""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

from fleet import eventually, fleet

from muster_bus import replay
from muster_client.runs import submit
from muster_protocol.requests import Drill, RunRequest

ROW = '''
class CountInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="count"):
    """How far to count."""

    upto: int


class CountOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="count"):
    """What was counted."""

    numbers: tuple[int, ...]


'''
WORKER = """
from msgspec.structs import replace

from muster_protocol.kinds import CountInput, CountOutput
from muster_subagent.results import blank


async def work(context):
    asked = context.task.input
    assert isinstance(asked, CountInput)
    output = CountOutput(numbers=tuple(range(1, asked.upto + 1)))
    return replace(blank(context.task), status="pass", summary="counted", unverified=True, output=output)
"""
MACHINE = """
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_protocol.kinds import CountInput

RULES = KindRules(
    brief=lambda run, node: CountInput(upto=3),
    accept=accept_claim,
    absorb=lambda run, node, result: run.with_result(result),
)
"""


def edit(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in changes:
        assert old in text, f"{path.name} does not say {old!r}"
        text = text.replace(old, new)
    path.write_text(text)


def with_a_kind_more(folder: Path) -> Path:
    """Return a folder with copies of the packages, to which the kind `count` is added."""
    for name in ("muster_protocol", "muster_agents", "muster_orchestrator", "muster_subagent"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        shutil.copytree(Path(spec.origin).parent, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    noop = '    Kind("noop",'
    edit(
        folder / "muster_protocol" / "kinds.py",
        ("\nInput = ", f"{ROW}\nInput = CountInput | "),
        ("\nOutput = ", "\nOutput = CountOutput | "),
        (noop, f'    Kind("count", "think", CountInput, CountOutput, "", None, "Count", planned=True),\n{noop}'),
    )
    (folder / "muster_subagent" / "kind_work" / "count_work.py").write_text(WORKER)
    drill = folder / "muster_orchestrator" / "machine" / "jobs" / "drill"
    (drill / "count_rules.py").write_text(MACHINE)
    edit(
        drill / "drill_rules.py",
        ('= {"noop"', '= {"count": count_rules.RULES, "noop"'),
        (
            "\nfrom muster_protocol.events",
            "\nfrom muster_orchestrator.machine.jobs.drill import count_rules\nfrom muster_protocol.events",
        ),
        ('kind="noop"', 'kind="count"'),  # when it is due: in a drill's plan
    )
    return folder


async def test_a_kind_is_a_row_and_a_module_on_each_side(tmp_path: Path):
    sources = with_a_kind_more(tmp_path / "sources")
    async with fleet(tmp_path, PYTHONPATH=str(sources)) as group:
        await group.start("orchestrator")
        await group.start("subagent")
        run = (await submit(group.bus, RunRequest(job=Drill(count=2)))).run

        async def closed() -> bool:
            return b'"run_closed"' in b"".join([message.data async for message in stored()])

        def stored():
            return replay(group.bus, "RUNS", group.bus.names.events(run))

        await eventually(closed, "the run is closed")
        events = [event async for message in stored() for event in json.loads(message.data)["events"]]

    [verdict] = [event["verdict"] for event in events if event["type"] == "verdict_reached"]
    assert verdict["status"] == "pass"
    assert [it["output"] for it in verdict["results"]] == [{"type": "count", "numbers": [1, 2, 3]}] * 2
