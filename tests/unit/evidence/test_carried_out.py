"""Whether a step was carried out: by acts that do what its action says."""

import pytest
from msgspec.structs import replace
from stated import act

from muster_evidence.proof import find_undone, is_observation
from muster_protocol.facts import Act


def run(command: str) -> Act:
    return act("execute_command", command=command)


def test_some_actions_only_look():
    assert is_observation("Verify that the total is right") and is_observation("please look at the order")
    assert is_observation("Now take care of this: Wait 3 seconds")
    assert not is_observation("Buy it like this: look at it") and not is_observation(
        'Type "Note: read it" into the field'
    )
    assert find_undone('Ask the chatbot "How are you?"', (), {})
    assert is_observation("Confirm that the order is there") and is_observation("Confirm the total is $5")
    for action in ("Buy the backpack", "Check the box", "Confirm the order", "Review the order and pay it"):
        assert not is_observation(action)


@pytest.mark.parametrize(
    "action",
    [
        "Ask the tester to solve the captcha",
        "Then ask somebody for the code.",
        "Please ask a person for the code and remember it as ${code}",
        "Ask a colleague for the code, then wait for the answer, and keep it as ${code}",
        'Ask a person "Did you pay, and what did you click?"',
        'Ask a person "Buy it. Then what?" and note the answer',
    ],
)
def test_a_step_that_only_asks_a_person_needs_nothing_else_to_be_done(action: str):
    assert find_undone(action, [], {}) == ""


@pytest.mark.parametrize(
    "action",
    [
        "Place the order and ask a person if ok",
        "Press Buy, then ask the tester for the code",
        "Ask the tester for the code and enter it",
        "Ask the tester for the code. Enter it",
        "Ask the tester for the code and submit it",
        "Ask a person for the code, then enter it into the code field and press Verify",
        "Ask a person for the code and remember it as ${code}, then pay",
        "Ask the tester if it is right before paying",
    ],
)
def test_a_step_that_asks_a_person_and_says_to_do_something_as_well_must_be_done(action: str):
    assert "nothing was done" in find_undone(action, [], {})
    typed = act("type", element="code", text="4711")
    assert find_undone(action, [BUY, typed], {}) == ""


BUY = act("click", element="Buy")


GO = act("browser_navigate", url="http://s/done")


def test_a_step_that_was_not_begun_is_undone():
    assert "nothing was done" in find_undone("Buy the backpack", [], {})
    assert find_undone("Verify the total", [], {}) == ""


@pytest.mark.parametrize("tool", ["browser_navigate", "browser_tab_new", "scroll", "browser_reload"])
def test_going_elsewhere_alone_does_not_carry_out_a_step(tool: str):
    assert "nothing was done to the product" in find_undone("Buy the backpack", [act(tool, url="http://s/done")], {})


def test_an_idle_key_does_not_carry_out_a_step_and_another_may():
    assert find_undone("Buy the backpack", [GO, act("press", key="Escape")], {})
    assert find_undone("Buy the backpack", [act("press", key="Enter")], {}) == ""


def test_an_address_that_is_opened_after_the_step_shows_the_page_and_not_the_step():
    assert "by its address" in find_undone("Buy the backpack", [BUY, GO], {})
    assert find_undone("Buy the backpack", [GO, BUY], {}) == ""
    assert find_undone("Buy the backpack", [BUY, GO, BUY], {}) == ""


@pytest.mark.parametrize(
    "action",
    ["Go to the cart", "Open the sign in page", "Return to the shop", "Please show all orders", "Get to the help"],
)
def test_a_step_that_says_to_go_somewhere_may_be_carried_out_by_going_there(action: str):
    assert find_undone(action, [GO], {}) == ""


@pytest.mark.parametrize(
    "action", ["Go to the cart and pay", "Buy it on the product page", "Open the order, then cancel it"]
)
def test_a_step_that_says_to_do_something_as_well_may_not(action: str):
    assert find_undone(action, [GO], {})
    assert find_undone(action, [GO, BUY], {}) == ""


def test_the_request_that_is_made_is_the_one_that_the_step_names():
    action = 'Ask "http://s/api/state" for its state'
    for url in ("http://s/api/state", "/api/state", "http://s/api/state?v=1"):
        assert find_undone(action, [act("http_request", method="GET", url=url)], {}) == ""
    assert "was requested" in find_undone(action, [act("http_request", method="GET", url="http://s/other")], {})
    there = act("http_request", method="GET", url="http://s/api", headers=["Accept: text/plain"])
    asks = 'Send a GET request to "${base_url}/api" with "Accept: text/plain"'
    assert find_undone(asks, [there], {"base_url": "http://s"}) == ""
    bare = act("http_request", method="GET", url="http://s/api")
    assert "Accept" in find_undone(asks, [bare], {"base_url": "http://s"})
    assert (
        find_undone("Ask the service for its state", [act("http_request", method="GET", url="http://s/other")], {})
        == ""
    )


def test_after_an_address_or_a_first_try_a_click_must_be_seen_to_do_something():
    unseen = replace(BUY, confirmed=False)
    assert find_undone("Buy the backpack", [unseen], {}) == ""
    assert find_undone("Buy the backpack", [unseen], {}, again=True)
    assert find_undone("Buy the backpack", [BUY], {}, again=True) == ""
    assert find_undone("Buy the backpack", [BUY, GO, unseen], {})
    assert find_undone("Use the tool", [replace(run("./tool"), confirmed=False)], {}, again=True) == ""
