"""Recordings as files: readable, comparable, and refused with a reason where they cannot be used."""

import pytest
from msgspec.structs import replace

from muster_cli.recording_files import file_of, name_of, row_of, to_yaml
from muster_cli.subcommands.recordings_command import difference
from muster_protocol.errors import InvalidRequest
from muster_protocol.step_recordings import Described, RecordedCall, RecordingRow, StepRecording, key_of_step

SEND = RecordedCall(tool="click", effect="act", does="point", target=Described(role="button", name="Send"))
STEP = StepRecording(action="Send the form", expected='The text "Thanks" is visible', app="${base_url}", calls=(SEND,))
ROW = RecordingRow(key=key_of_step(STEP), step=STEP, run="run-1")


def test_a_file_holds_all_that_a_replay_needs():
    text = to_yaml(file_of(ROW))
    assert row_of(text, "x.yaml") == ROW
    assert "action: Send the form\n" in text
    assert name_of(ROW) == f"send-the-form-{ROW.key[-8:]}.yaml"


def test_a_file_whose_words_were_edited_is_the_recording_of_those_words():
    edited = to_yaml(file_of(ROW)).replace("Send the form", "Post the form")
    assert row_of(edited, "x.yaml").key == key_of_step(replace(STEP, action="Post the form"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("key: [", "no recording"),
        ("key: step-1\n", "neither a step nor a plan"),
        ("key: step-1\nstep: {format: 7, action: x}\n", "format 7"),
        ("key: step-1\nstep: {action: x}\nmore: 1\n", "unknown field `more`"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(text: str, why: str):
    with pytest.raises(InvalidRequest) as refused:
        row_of(text, "x.yaml")
    assert why in str(refused.value)
    assert "x.yaml" in str(refused.value)


def test_a_heal_is_shown_as_what_it_changes():
    healed = replace(STEP, calls=(replace(SEND, target=Described(role="button", name="Submit")),))
    lines = difference(STEP, healed)
    assert "-    name: Send" in lines
    assert "+    name: Submit" in lines
