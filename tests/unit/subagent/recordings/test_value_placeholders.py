"""Recordings hold placeholders for values, or are not made."""

import pytest
from msgspec.structs import replace

from muster_protocol.step_recordings import Described, RecordedCall, shape_of
from muster_subagent.recordings.call_recorder import refuse_namesakes
from muster_subagent.recordings.value_placeholders import (
    Ineligible,
    app_of,
    values_used,
    with_placeholders,
)

VALUES = {"product": "Backpack", "qty": "2"}


@pytest.mark.parametrize(
    ("text", "recorded"),
    [
        ("Backpack", "${product}"),
        ("2", "${qty}"),
        ("Remove Backpack now", "Remove ${product} now"),
        ("Backpacks", "Backpacks"),
        ("${secret:PIN}", "${secret:PIN}"),
        ("${product}", "${product}"),
        ("Save", "Save"),
    ],
)
def test_a_value_becomes_its_placeholder(text: str, recorded: str):
    assert with_placeholders(text, VALUES) == recorded


def test_a_number_inside_another_text_may_stand_there_by_accident():
    with pytest.raises(Ineligible, match="perhaps by accident"):
        with_placeholders("Page 2", VALUES)


@pytest.mark.parametrize(
    ("text", "value", "own"),
    [
        ("Send", "Send", 'Type "${user}" and send'),
        ("Name", "Name", 'Type "${user}" into "Name"'),
        ("Ann", "Ann", 'Type "Ann" into "A" and "${user}" into "B"'),
        ("Ann is in", "Ann", 'The text "${user}" is in the row of "Ann"'),
    ],
)
def test_a_value_that_the_step_says_itself_may_be_meant_by_either(text: str, value: str, own: str):
    with pytest.raises(Ineligible, match=r"says .* itself"):
        with_placeholders(text, {"user": value}, own)


@pytest.mark.parametrize(
    ("text", "value", "own", "recorded"),
    [
        ("Hello, tester", "tester", 'The text "Hello, tester" is visible in the row of ${user}', "Hello, tester"),
        ("Save", "Send", 'Type "${user}" and send', "Save"),
        ("tester", "tester", "Sign in as ${user} with ${secret:PIN}", "${user}"),
        ("PIN", "PIN", "Sign in as ${user} with ${secret:PIN}", "${user}"),
        ("Send", "Send", 'Type "${user}" and tell the sender', "${user}"),
    ],
)
def test_a_longer_text_of_the_step_stays_and_what_it_does_not_say_is_the_value(
    text: str, value: str, own: str, recorded: str
):
    assert with_placeholders(text, {"user": value}, own) == recorded


def test_a_button_that_is_called_as_what_was_entered_is_no_value_perhaps():
    send = RecordedCall(tool="click", effect="act", does="point", target=Described(role="button", name="${user}"))
    enter = RecordedCall(tool="type", effect="idempotent", does="enter", arguments={"text": "${user}"})
    with pytest.raises(Ineligible, match="perhaps by accident"):
        refuse_namesakes([enter, send])
    refuse_namesakes([send])
    refuse_namesakes([enter, replace(send, target=Described(role="link", name="${user}"))])


def test_only_values_that_the_words_name_count_and_equal_ones_share_a_name():
    values = {"size": "M", "cut": "M", "other": "x", "empty": ""}
    assert values_used("Choose ${size}, ${cut} and ${empty}", values) == {"cut": "M"}


def test_the_shape_tells_which_values_are_the_same_or_empty():
    names = ("size", "cut", "note", "unset")
    assert shape_of(names, {"size": "M", "cut": "M", "note": ""}) == "cut=size note:empty"
    assert shape_of(names, {"size": "M", "cut": "L", "note": "n"}) == "cut note size"


@pytest.mark.parametrize(
    ("address", "app"),
    [
        ("http://shop.example:80/cart?x=1", "http://shop.example:80"),
        ("http://127.0.0.1:4711/app/cart", "${base_url}"),
        ("http://127.0.0.1:4711/apple", "http://127.0.0.1:4711"),
        ("notes://home", "notes://home"),
        ("", ""),
        ("about:blank", ""),
    ],
)
def test_the_app_is_the_variable_of_the_case_or_the_origin(address: str, app: str):
    assert app_of(address, {"base_url": "http://127.0.0.1:4711/app/", "name": "x"}) == app
