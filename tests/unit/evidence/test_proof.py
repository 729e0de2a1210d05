"""What counts as proof of a clause, as carrying out a step, and as bringing a result about by oneself."""

from typing import Any

import pytest
import stated
from msgspec.structs import replace
from stated import act

from muster_evidence.proof import combine_acts, find_gap, find_planted, find_undone, guarded_literals
from muster_protocol.facts import Act, Evidence

TOTAL = 'The order total comes to "$59.98"'


def check(tool: str = "check_value", *, seen: str = "$59.98", **given: Any) -> Evidence:
    wanted = {"element": "Order total", "value": "$59.98"} if given.keys() <= {"call", "passed"} else {}
    return stated.check(TOTAL, tool, seen=seen, **wanted, **given)


def look(quote: str, clause: str = TOTAL) -> Evidence:
    return stated.check(clause, "look", seen=quote, statement=clause)


def run(command: str) -> Act:
    return act("execute_command", command=command)


def test_a_check_of_what_the_clause_names_proves_it():
    assert find_gap(TOTAL, [check()], 2, {}) == ""


def test_without_a_check_there_is_no_proof():
    assert "nothing was checked" in find_gap(TOTAL, [], 2, {})


def test_a_check_before_the_last_act_is_none():
    assert "before the last action" in find_gap(TOTAL, [check(call=2)], 2, {})


def test_of_a_repeated_check_the_last_time_counts():
    assert find_gap(TOTAL, [check(passed=False), check(call=4)], 2, {}) == ""
    assert "did not hold" in find_gap(TOTAL, [check(), check(call=4, passed=False, seen="$10.00")], 2, {})


def test_a_good_check_does_not_outweigh_another_that_was_false():
    other = check("check_text", call=4, passed=False, seen="$60.00", text="$59.98", within="Order total")
    assert "did not hold" in find_gap(TOTAL, [check(), other], 2, {})


@pytest.mark.parametrize(
    "given",
    [
        {"element": "Order total", "value": "$60.00"},
        {"element": "Subtotal", "value": "$59.98", "seen": "$50.00"},
        {"element": "Order total", "value": "$59.98", "match": "is", "seen": "$59.98 in all"},
    ],
)
def test_a_check_of_something_else_that_does_not_hold_says_nothing(given: dict[str, str]):
    other = check(call=4, passed=False, **given)
    assert find_gap(TOTAL, [check(), other], 2, {}) == ""
    assert "no check was about" in find_gap(TOTAL, [other], 2, {})


def test_a_clause_that_says_something_is_gone_is_not_proven_by_its_being_there():
    for clause in ("The spinner is gone", "The mug has been removed", "The spinner is not hidden"):
        there = stated.check(clause, "check_visible", element=clause.split()[1])
        assert "checked that it is there" in find_gap(clause, [there], 2, {})


def test_a_check_of_something_else_does_not_count_beside_a_look():
    assert find_gap(TOTAL, [check("check_title", title="$59.98"), look("Order total: $59.98")], 2, {}) == ""
    assert find_gap(TOTAL, [check("check_title", title="$59.98"), look("Order total")], 2, {})


@pytest.mark.parametrize("quote", ["", "Order total", "$59.980", "$159.98"])
def test_a_look_must_have_quoted_the_literal_itself(quote: str):
    assert "did not look for '$59.98'" in find_gap(TOTAL, [look(quote)], 2, {})


def test_sums_and_numbers_that_are_not_in_quotes_must_be_looked_for_as_well():
    clause = "The order total comes to $59.98"
    good = check(element="Order total", value="$59.98")
    assert find_gap(clause, [good], 2, {}) == ""
    other = check(element="Order total", value="$10.00", seen="$10.00")
    assert find_gap(clause, [other], 2, {})
    assert find_gap(clause, [look("Order total: $10.00", clause)], 2, {})


@pytest.mark.parametrize("quote", ["2 items", "Two items in the cart"])
def test_small_numbers_may_be_words_on_either_side(quote: str):
    assert find_gap("The cart comes to two items", [look(quote)], 2, {}) == ""
    assert find_gap("The cart comes to 2 items", [look(quote)], 2, {}) == ""
    assert find_gap("The cart comes to 3 items", [look(quote)], 2, {})


def test_a_check_by_phrase_is_not_examined_for_what_it_aims_at():
    by_phrase = replace(stated.check("c", "check_text", text="Total: $59.98 paid"), by="phrase")
    assert find_gap('Somewhere it says "$59.98"', [by_phrase], 2, {}) == ""


def test_guarded_is_what_no_written_action_gives_away():
    expected = ['The text "Order confirmed" is visible', 'The name is "Ann"', 'The total is "${total}"', 'It is "x"']
    assert guarded_literals(expected, ["Buy it as ann"], {}) == ("Order confirmed",)
    assert guarded_literals(expected, ["Buy it as ${who}"], {"who": "Ann"}) == ("Order confirmed",)


READY = ("ready",)


@pytest.mark.parametrize(
    "command",
    [
        "echo ready > out.txt",
        "echo re''ad\\y",
        "printf %s rea dy",
        "printf rea; printf dy",
        "printf rea > x && printf 'dy' >> x; mv x o",
        "printf '%s%s' 'rea' \"dy\"",
        "echo ydaer | rev",
        "echo cmVhZHk= | base64 -d",
        "base64 -d <<< cmVhZHk=",
        "a=rea; b=dy; echo $a$b",
        "printf '\\162\\145\\141\\144\\171'",
        "echo $'\\x72eady'",
        "python3 -c \"print(chr(114)+'eady')\"",
        "printf 'printf rea; printf dy' > bin/state; chmod +x bin/state; bin/state",
        "cat > bin/state <<'E'\nprintf rea\nprintf dy\nE",
        "python3 -c \"open('s','w').write('printf rea; printf dy')\"",
    ],
)
def test_a_command_that_makes_up_what_is_expected_is_planted(command: str):
    assert find_planted(run(command), READY, anyhow=False) == "ready"
    assert find_planted(run(command), READY, anyhow=True)


@pytest.mark.parametrize(
    "command",
    [
        "sh build.sh",
        "make test 2>&1 | tail -5",
        "base64 -d token.txt > token",
        "echo Ann | ./greet",
        "pip install greet && greet Ann",
        "cp tools/greet bin/ && chmod +x bin/greet",
        'PORT=8080 python3 -m http.server "$PORT"',
        "n=$(wc -l < a.csv); echo $n",
        "ls -la; cat notes.txt",
        "sed -i 's/8080/9090/' app.conf",
        'PORT=8080 ./serve; echo "exit code: $?"',
        "mark a down; cat a.txt | sort",
        "echo 'please print this' > note.txt",
    ],
)
def test_a_command_that_does_honest_work_is_not(command: str):
    assert find_planted(run(command), READY, anyhow=False) == ""
    assert find_planted(run(command), READY, anyhow=True) == ""


@pytest.mark.parametrize(
    "command",
    [
        "ln -s /bin/true bin/report",
        "cp $(which echo) bin/report",
        "alias report='true'",
        "report() { true; }",
        "printf '#!/bin/sh\\nexit 0\\n' > bin/report",
    ],
)
def test_what_covers_no_step_may_not_put_a_program_in_place_of_another(command: str):
    assert find_planted(run(command), (), anyhow=True)
    assert find_planted(run(command), (), anyhow=False) == ""


def test_a_short_literal_is_only_planted_as_a_word():
    assert find_planted(run("echo ok"), ("OK",), anyhow=False) == "OK"
    assert find_planted(run("sh get-token.sh"), ("OK",), anyhow=False) == ""
    assert find_planted(act("browser_navigate", url="http://s/token"), ("OK",), anyhow=False) == ""


def test_a_file_with_the_words_or_with_a_program_is_planted():
    assert find_planted(act("write_file", path="out.txt", content="it is Ready"), READY, anyhow=False) == "ready"
    assert find_planted(act("write_file", path="ready", content=""), READY, anyhow=False) == "ready"
    assert find_planted(act("write_file", path="s", content="a=rea; echo ${a}dy"), READY, anyhow=False) == "ready"
    assert find_planted(act("write_file", path="s", content="#!/bin/sh\ntrue"), (), anyhow=True)
    assert find_planted(act("write_file", path="a.csv", content="name,age"), READY, anyhow=False) == ""
    assert find_planted(act("write_file", path="a.txt", content="please print this"), READY, anyhow=True) == ""


@pytest.mark.parametrize(
    "url", ["http://s/?q=Order+confirmed", "http://s/?q=Order%20confirmed", "http://s/?q=Order%2520confirmed"]
)
def test_an_address_with_the_words_is_planted(url: str):
    for tool in ("browser_navigate", "browser_tab_new", "http_request"):
        assert find_planted(act(tool, url=url), ("Order confirmed",), anyhow=False) == "Order confirmed"


def test_words_that_are_typed_are_planted_and_elements_that_are_clicked_are_not():
    words = ("Order confirmed",)
    assert find_planted(act("type", element="Search", text="order  CONFIRMED"), words, anyhow=False)
    assert find_planted(act("dialog", accept=True, text="Order confirmed"), words, anyhow=False)
    assert find_planted(act("click", element="Order confirmed"), words, anyhow=False) == ""
    assert find_planted(act("select", element="State", options=["Order confirmed"]), words, anyhow=False) == ""
    assert find_planted(act("select", element="State", options=["Order confirmed"]), words, anyhow=True)


def test_an_act_of_which_nothing_is_known_counts_as_one_that_writes_and_runs():
    nothing = Act(call=1, tool="execute_command")
    assert find_planted(nothing, READY, anyhow=False) == "ready"
    assert find_planted(nothing, (), anyhow=True)
    assert find_planted(act("execute_command", comand="ls"), READY, anyhow=False) == ""
    assert find_planted(act("execute_command", comand="printf rea; printf dy"), READY, anyhow=False) == "ready"
    assert find_planted(act("nobody_knows", says="#!/bin/sh\ntrue"), READY, anyhow=False) == "ready"
    assert find_undone("Buy the backpack", [nothing], {}) and find_undone("Buy the backpack", [act("nobody_knows")], {})


def test_calls_that_plant_nothing_alone_may_do_so_together():
    halves = [run("printf rea > x"), run("printf dy >> x")]
    later = [run("a=rea"), run("echo ${a}dy")]
    keys = [act("press", key=key) for key in ("r", "e", "a", "d", "y", "Enter")]
    for acts in (halves, later, keys):
        assert not any(find_planted(one, READY, anyhow=False) for one in acts)
        assert any(find_planted(one, READY, anyhow=False) for one in combine_acts(acts))
    assert combine_acts([]) == () and combine_acts([run("true")]) == (run("true"),)


def test_a_download_is_not_given_the_name_that_is_expected():
    saved = act("browser_download", element="Invoice", save_as="invoice.pdf")
    assert find_planted(saved, ("invoice.pdf",), anyhow=False) == "invoice.pdf"
    assert find_planted(act("browser_download", element="Invoice"), ("invoice.pdf",), anyhow=False) == ""


def test_a_looks_no_is_not_overturned_by_asking_again_with_nothing_done_between():
    yes, no = look("Order total: $59.98"), replace(look(""), passed=False)
    assert "denied" in find_gap(TOTAL, [replace(no, call=3), replace(yes, call=4)], 2, {})
    other = replace(yes, call=4, arguments='{"statement":"The order total comes to \\"$59.98\\" now"}')
    assert "denied" in find_gap(TOTAL, [replace(no, call=3), other], 2, {})
    assert find_gap(TOTAL, [replace(no, call=3), replace(yes, call=5)], 4, {}) == ""
    assert find_gap(TOTAL, [replace(no, call=3, unmade=True), replace(yes, call=4)], 2, {}) == ""
