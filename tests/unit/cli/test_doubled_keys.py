"""A key that is twice in a file is refused by its place, whoever reads the file: the first would not count."""

from collections.abc import Callable
from pathlib import Path

import pytest

from muster_authoring.maestro_flows import read_flow
from muster_cli.assignment_jobs import read_assignments
from muster_cli.explored_app import load_nodes
from muster_cli.recording_files import row_of
from muster_cli.trigger_files import read_trigger
from muster_devices.appium.phones import PhonesInvalid, read_phones
from muster_protocol.errors import InvalidRequest
from muster_subagent.foreign.server_file import read_servers
from muster_yaml.bounded_yaml import YamlFault, load

FILES: list[tuple[Callable[[Path], object], str]] = [
    (read_trigger, "id: a\nschedule: {every_seconds: 60}\ncases: [a.yaml]\ncases: [b.yaml]\n"),
    (read_assignments, "- agent: a\n  goal: one\n  goal: two\n"),
    (load_nodes, "nodes:\n- name: n\n  when: one\n  when: two\n"),
    (read_servers, "servers:\n  a:\n    url: http://a\n    url: http://b\n"),
    (lambda path: row_of(path.read_text(), "r.yaml"), "step:\n  action: a\n  action: b\n"),
    (lambda path: read_phones(path.read_text()), "phones:\n  a:\n    capabilities: {}\n    capabilities: {}\n"),
    (lambda path: read_flow(path.read_text(), "f"), "appId: a\n---\n- tapOn:\n    text: One\n    text: Two\n"),
]


@pytest.mark.parametrize(("read", "text"), FILES)
def test_it_is_told_with_its_line(read: Callable[[Path], object], text: str, tmp_path: Path):
    file = tmp_path / "written.yaml"
    file.write_text(text)
    with pytest.raises((InvalidRequest, PhonesInvalid), match="is there twice, first in line"):
        read(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb:\n  c: 2\n  c: 3\n", "4:3: the key 'c' is there twice, first in line 3"),
        ("a: 1\n---\nb: 2\n", "3:1: there is a second document; one is read"),
        ("a: [1\nb: 2\n", "2:2: expected ',' or ']', but got ':'"),
        ("a: \x07\n", "unacceptable character"),
        ("at: 2026-13-45\n", "month must be in"),
    ],
)
def test_what_is_wrong_with_a_text_is_one_line(text: str, said: str):
    with pytest.raises(YamlFault) as caught:
        load(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_anchor_that_stands_in_two_places_is_no_double():
    assert load("a: &x {k: 1}\nb: *x\nc: {<<: *x, k: 2}\n") == {"a": {"k": 1}, "b": {"k": 1}, "c": {"k": 2}}
    assert load("") is None
