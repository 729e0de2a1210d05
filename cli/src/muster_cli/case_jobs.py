"""Jobs made of loaded cases: selection by tag, variables from the command line, short names. Pure."""

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from muster_cases.case_loader import CaseError, LoadedCase, Problem
from muster_client.batches import batch_of, with_batch
from muster_devices.screens.app_loader import AppRefused, load_app
from muster_devices.screens.typed_yaml import nearest
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import new_id
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.step_recordings import HealPolicy
from muster_text.request_rules import find_problems
from muster_text.values import placeholder_names
from muster_views.outcome import Place
from muster_views.texts import to_slug


class Job(NamedTuple):
    """A case about to run: its request has an id, and `label` is its short display name."""

    label: str
    case: LoadedCase

    @property
    def place(self) -> Place:
        """Where its case is written."""
        return Place(self.case.source, self.case.line, self.case.step_lines)


class Changes(NamedTuple):
    """Changes that command-line options make to cases."""

    variables: Mapping[str, str] = {}
    tags: Sequence[str] = ()
    suite: str = ""
    labels: Mapping[str, str] = {}
    heal: HealPolicy | None = None
    """None: as the request says."""
    max_cost: float | None = None
    """The same."""
    approve_plan: bool = False


def make_jobs(cases: Sequence[LoadedCase], changes: Changes) -> list[Job]:
    """Return a job for each selected case, with a new run id and the changes applied.

    Raises:
        InvalidRequest: no case has one of the tags, a variable is used nowhere, a change makes a case invalid, or the
            app of a simulated device cannot be used.
    """
    wanted = _select(cases, changes.tags)
    check_variables(wanted, changes.variables)
    changed = [case._replace(request=_apply_changes(case.request, changes)) for case in wanted]
    wrong = [Problem(case.source, case.line, 1, text) for case in changed for text in find_problems(case.request)]
    wrong += dict.fromkeys(problem for case in changed for problem in _app_problems(case))
    if wrong:
        raise CaseError(wrong)
    return [Job(label, case) for label, case in zip(_make_labels(changed), changed, strict=True)]


def as_batch(jobs: Sequence[Job]) -> list[Job]:
    """Return jobs that are submitted together, as a batch with an id; a single one is as it was."""
    requests = with_batch([job.case.request for job in jobs])
    return [job._replace(case=job.case._replace(request=it)) for job, it in zip(jobs, requests, strict=True)]


def batch_of_jobs(jobs: Sequence[Job]) -> str:
    """Return the id of the batch that jobs are; empty: they are none."""
    return batch_of([job.case.request for job in jobs])


def watched_job(request: RunRequest, run: str) -> Job:
    """Return the job of a run that was submitted elsewhere; its file is unknown."""
    return Job(run, LoadedCase(msgspec.structs.replace(request, id=run), source="", line=0))


def parse_pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping; of two with the same name the later counts.

    Raises:
        InvalidRequest: one has no name or no '='.
    """
    split = [text.partition("=") for text in given]
    wrong = [
        f"{option} {name + sign + value!r} must have the form NAME=VALUE"
        for name, sign, value in split
        if not (name and sign)
    ]
    if wrong:
        raise InvalidRequest(wrong)
    return {name: value for name, _, value in split}


def parse_changes(variables: tuple[str, ...], tags: tuple[str, ...], suite: str, labels: tuple[str, ...]) -> Changes:
    """Return the selection and changes that the options describe.

    Raises:
        InvalidRequest: one has not the form NAME=VALUE.
    """
    return Changes(parse_pairs(variables, "--var"), tags, suite, parse_pairs(labels, "--label"))


def _select(cases: Sequence[LoadedCase], tags: Sequence[str]) -> Sequence[LoadedCase]:
    if not tags:
        return cases
    wanted = [case for case in cases if set(tags) & set(case.test_case.tags)]
    if not wanted:
        there = sorted({tag for case in cases for tag in case.test_case.tags})
        raise InvalidRequest(
            [f"no case has the tag {' or '.join(tags)}; there are: {', '.join(there) or 'none at all'}"]
        )
    return wanted


def check_variables(cases: Sequence[LoadedCase], names: Iterable[str], given: str = "--var ") -> None:
    """Raise InvalidRequest if no case has or uses one of the variables; `given`: where they come from."""
    used = {name for case in cases for name in _names_used(case.test_case)}
    wrong: list[str] = []
    for name in sorted(set(names) - used):
        close = difflib.get_close_matches(name, used, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(used)) or 'none at all'}"
        wrong.append(f"{given}{name}: no case has or uses a variable of that name; {hint}")
    if wrong:
        raise InvalidRequest(wrong)


def _names_used(case: TestCase) -> set[str]:
    return set(case.variables) | {name for text in case.texts for name in placeholder_names(text)}


def _apply_changes(request: RunRequest, changes: Changes) -> RunRequest:
    job = request.job
    if isinstance(job, TestCase):
        used = _names_used(job)
        own = {name: value for name, value in changes.variables.items() if name in used}
        job = msgspec.structs.replace(job, variables=job.variables | own)
    return msgspec.structs.replace(
        request,
        job=job,
        id=new_id("run"),
        suite=changes.suite or request.suite,
        labels=request.labels | dict(changes.labels),
        heal=changes.heal or request.heal,
        approve_plan=changes.approve_plan or request.approve_plan,
        limits=msgspec.structs.replace(request.limits, max_cost=changes.max_cost or request.limits.max_cost),
    )


def _app_problems(case: LoadedCase) -> list[Problem]:
    """Return the problems of a simulated device's app, with their places in the app's file."""
    device = case.test_case.device
    if device is None or device.kind != "screens":
        return []
    try:
        app = load_app(device.definition, device.source)
    except AppRefused as refused:
        return [Problem(*flaw) for flaw in refused.flaws]
    return [
        Problem(case.source, case.line, 1, f"the app {device.source} has no fault {name!r}{nearest(name, app.faults)}")
        for name in device.faults
        if name not in app.faults
    ]


def _make_labels(cases: Sequence[LoadedCase]) -> list[str]:
    """Return short, distinct names: the file's name, with a number where a file or several have more cases."""
    stems = [to_slug(Path(case.source).stem, 32) for case in cases]
    many, seen = Counter(stems), Counter[str]()
    labels: list[str] = []
    for stem in stems:
        seen[stem] += 1
        labels.append(f"{stem}#{seen[stem]}" if many[stem] > 1 else stem)
    return labels
