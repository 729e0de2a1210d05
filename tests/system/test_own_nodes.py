"""Explorations with nodes that a team has written: they run between the built-in ones, by the same rules."""

from pathlib import Path

import pytest
from explored_apps import explored, start, verdict_of
from fleet import fleet

from muster_client.runs import submit
from muster_exploration.case_writing import coverage_cases
from muster_protocol.explorations import OwnNode
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest

GATED = """
app: gated
start: gate
data: {code: ""}
screens:
  gate:
    title: Gate
    elements:
      - {role: textbox, name: Code, id: code}
      - {role: button, name: Continue, tap: [{when: {code: "4711"}, go: inside}, {set: {code: ""}}]}
  inside:
    title: Inside
    elements:
      - {role: button, name: More, tap: more}
  more:
    title: More
    elements:
      - {role: button, name: Back, tap: {back: true}}
"""
DEVICE = DeviceSpec(kind="screens", definition=GATED, source="gated.yaml")
ENTER = OwnNode(
    name="PassTheGate",
    do=('Type "4711" into the "Code" field', 'Click the "Continue" button'),
    expect='The page title is "Inside"',
)


@pytest.mark.slow
async def test_a_node_of_ones_own_opens_the_way_and_its_steps_are_in_the_cases(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        _, without = await explored(group, Exploration(device=DEVICE, max_steps=40))
        assert {state.title for state in without.map.states} == {"Gate"}
        _, file = await explored(group, Exploration(device=DEVICE, max_steps=40, nodes=(ENTER,)))
        assert {state.title for state in file.map.states} == {"Inside", "More"}, file.over
        assert file.spent.steps <= 40
        cases = coverage_cases(file)
        assert cases
        for written in cases:
            passed = await verdict_of(group, written.case, DEVICE)
            assert passed.status == "pass", passed.summary


@pytest.mark.slow
async def test_a_node_that_cannot_do_its_work_is_named_and_acts_once_a_tour(tmp_path: Path) -> None:
    wrong = OwnNode(name="PassTheGate", do=('Click the "Continue" button',), expect='The page title is "Inside"')
    skipped = OwnNode(name="Elsewhere", when='The page title is "Nowhere"', do=('Click the "Absent" button',))
    async with fleet(tmp_path) as group:
        await start(group)
        run = (await submit(group.bus, RunRequest(job=Exploration(device=DEVICE, nodes=(skipped, wrong))))).run
        verdict = await group.verdict(run)
        assert verdict.status == "failed"
        assert 'PassTheGate: this did not come: The page title is "Inside"' in verdict.summary
