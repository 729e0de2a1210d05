"""A fact that nobody states is the worst there is: it proves nothing, carries out nothing, and may have done anything."""

from msgspec.structs import replace

from muster_evidence.binding import find_mismatch, find_wrong_source
from muster_evidence.proof import combine_acts, find_gap, find_planted, find_undone
from muster_protocol.codec import decode, encode
from muster_protocol.facts import Act, Capture, Evidence

ACT = decode(b'{"call":1,"tool":"new_tool","arguments":"{}"}', Act)
CHECK = decode(b'{"clause":"It is in order","check":"new_check","call":3,"passed":true,"seen":"in order"}', Evidence)
TAKEN = decode(b'{"name":"price"}', Capture)


def test_an_act_without_facts_counts_as_writing_running_and_opening_an_address():
    assert (ACT.does, ACT.on_device, ACT.confirmed) == ("unknown", True, False)
    assert find_planted(ACT, ("Paid",), anyhow=False) == "Paid"
    assert find_planted(ACT, (), anyhow=True)
    assert find_planted(ACT, (), anyhow=False) == ""
    assert "nothing was done to the product" in find_undone("Buy the mug", [replace(ACT, status="ok")], {})
    assert "nothing was done" in find_undone("Buy the mug", [ACT, Act(call=0, tool="click", does="point")], {})
    click = Act(call=0, tool="click", does="point", status="ok", confirmed=True)
    assert find_undone("Buy the mug", [click], {}) == ""
    assert "by its address" in find_undone("Buy the mug", [click, replace(ACT, status="ok")], {})


def test_texts_of_unknown_acts_are_guarded_as_commands_and_as_files():
    in_pieces = Act(call=1, tool="new_tool", program="printf rea; printf dy")
    assert find_planted(in_pieces, ("ready",), anyhow=False) == "ready"
    program = Act(call=1, tool="new_tool", entered=("#!/bin/sh\ntrue",))
    assert find_planted(program, (), anyhow=True)
    halves = [Act(call=1, tool="new_tool", program=f"printf {half}") for half in ("rea", "dy")]
    assert any(find_planted(act, ("ready",), anyhow=False) for act in combine_acts(halves))


def test_a_check_without_facts_proves_nothing_whoever_bound_it():
    assert (CHECK.about, CHECK.by, CHECK.relation) == ("unknown", "model", "unknown")
    assert "is not a check" in find_mismatch(CHECK.clause, CHECK, {})
    by_phrase = decode(encode(CHECK)[:-1] + b',"by":"phrase"}', Evidence)
    for check in (CHECK, by_phrase):
        assert "is not a check" in find_gap(CHECK.clause, [check], 2, {})


def test_a_value_without_a_source_is_refused():
    assert "is unknown" in find_wrong_source("Note the price as ${price}", TAKEN)
