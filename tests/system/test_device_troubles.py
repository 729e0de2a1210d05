"""Devices that are away, dropped or locked, and apps that hang: an environment cause or a finding, never a wait without end."""

from pathlib import Path

import pytest
from explored_apps import explored, start, verdict_of
from fleet import fleet

from muster_client.runs import submit
from muster_protocol.causes import Cause
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest, Step, TestCase

APP = """
app: notes
start: list
screens:
  list:
    title: List
    elements:
      - {role: button, name: New note, id: new, tap: {go: note}}
      - {role: button, name: Help, tap: {go: help}}
  note:
    title: Note
    elements:
      - {role: button, name: Back, tap: {go: list}}
  help:
    title: Help
    elements:
      - {role: button, name: Back, tap: {go: list}}
faults:
  away: {trouble: away}
  away-at-new: {element: new, trouble: away}
  short: {element: new, trouble: away, lasts: 2, times: 1}
  dropped: {element: new, trouble: dropped, times: 1}
  dropped-later: {acts: 6, trouble: dropped}
  locked: {screen: note, trouble: locked}
  hangs: {element: new, hangs: true}
"""
CASE = TestCase(
    name="A note",
    steps=(
        Step(action='Click the "New note" button', expected='The page title is "Note"'),
        Step(action='Click the "Back" button', expected='The page title is "List"'),
    ),
)


def notes(*faults: str) -> DeviceSpec:
    return DeviceSpec(kind="screens", definition=APP, source="notes.yaml", faults=faults)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("away-at-new", Cause.ENVIRONMENT),
        ("dropped", Cause.ENVIRONMENT),
        ("locked", Cause.ENVIRONMENT),
        ("hangs", Cause.PRODUCT),
    ],
)
async def test_a_case_fails_by_what_is_to_blame(tmp_path: Path, fault: str, cause: Cause) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        assert (await verdict_of(group, CASE, notes())).status == "pass"
        verdict = await verdict_of(group, CASE, notes(fault))
        assert (verdict.status, verdict.cause) == ("fail", cause), verdict.summary


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["short", "dropped-later"])
async def test_an_exploration_goes_on_after_a_trouble_that_ends(tmp_path: Path, fault: str) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        verdict, file = await explored(group, Exploration(device=notes(fault), max_steps=60))
        assert verdict.status == "done", verdict.summary
        assert {state.title for state in file.map.states} >= {"List", "Help"}
        assert file.over


@pytest.mark.slow
async def test_an_exploration_of_an_app_that_hangs_goes_round_it_and_tells(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        verdict, file = await explored(group, Exploration(device=notes("hangs"), max_steps=60))
        assert verdict.status == "done", verdict.summary
        assert {state.title for state in file.map.states} >= {"List", "Help"}
        assert [finding.kind for finding in file.map.findings] == ["crash"]


@pytest.mark.slow
async def test_an_exploration_of_a_device_that_stays_away_ends_with_cause_environment(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        job = Exploration(device=notes("away"), max_steps=60)
        verdict = await group.verdict((await submit(group.bus, RunRequest(job=job))).run)
        assert (verdict.status, verdict.cause) == ("failed", Cause.ENVIRONMENT), verdict.summary
