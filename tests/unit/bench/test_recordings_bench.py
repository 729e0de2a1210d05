"""The bench of recordings: each change of its site changes something, and the faults hit every case."""

import importlib
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[3] / "bench"))
changes: Any = importlib.import_module("site_changes")


def test_there_are_thirty_changes_of_each_kind_and_each_changes_the_page():
    names = [change.name for change in changes.CHANGES]
    assert len(set(names)) == len(names) == 30
    kinds = {"ids", "classes", "wrappers", "order", "wording", "moved", "duplicated", "removed", "swapped"}
    assert {change.kind for change in changes.CHANGES} == kinds
    for change in changes.CHANGES:
        assert changes.site(change)[""] != changes.PAGE, change.name


def test_a_harmless_change_keeps_each_field_and_button_and_a_fault_hits_the_act_of_each_case():
    for change in changes.HARMLESS:
        page = changes.site(change)[""]
        for task in changes.TASKS:
            for _, given in task.calls:
                assert change.names.get(given["element"], given["element"]) in " ".join(page.split()), change.name
    for change in changes.FAULTS:
        for task, part in zip(changes.TASKS, (changes.SIGN_UP, changes.CARDS, changes.LETTERS), strict=True):
            assert part not in changes.site(change)[""], (change.name, task.name)
