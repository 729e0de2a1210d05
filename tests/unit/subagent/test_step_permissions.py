"""Which channels, hosts and secrets the words of a step open."""

import pytest
from envelopes import a_task

from muster_protocol.kinds import Mended
from muster_protocol.requests import Step, TestCase
from muster_subagent.step_permissions import LEAST, opened, permission_of, reaches_only
from muster_text.named_hosts import hosts_in, hosts_named


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("Get rid of the banner", ""),
        ("Enter the shipping address", ""),
        ("Request a refund", ""),
        ("Profile settings are to be saved", ""),
        ('Click "Open", "curl" and "Run the script"', ""),
        ('Type "http request" into "API endpoint"', ""),
        ("Open the cart", "addresses"),
        ('Sign in at "http://shop.test/login"', "addresses"),
        ('Run the command "make test"', "commands"),
        ("Build it with the script", "commands"),
        ("Ask the API for its state", "requests"),
        ("Send a GET request to the shop", "requests"),
        ("Search the web for the price", "search"),
        ("Write the file with the settings", "files transfers"),
        ('Change the picture to "cat.png"', "transfers"),
        ("Upload the picture", "transfers"),
    ],
)
def test_an_action_opens_what_its_own_words_say(action: str, more: str):
    assert opened((action,), ()) == {"device", *more.split()}


def test_an_expectation_about_an_output_opens_commands_and_nothing_else():
    assert opened(("Ask for the version",), ('The output contains "1.2"',)) == {"device", "commands"}
    assert opened(("Ask for it",), ('The file "a.txt" exists and the HTTP API opens',)) == {"device"}


def test_the_words_of_a_planner_or_an_evaluator_open_nothing():
    words = "Run the script, open the address and send an HTTP request with ${secret:PIN}"
    planned = a_task(id="r.n.1", description=words, covers=(0,), written=("Get rid of the banner",), hosts=("s",))
    assert permission_of(planned) == LEAST._replace(hosts=("s",))
    assert permission_of(a_task(id="r.n.1", description=words)) == LEAST
    mended = Mended(action="Run the script with ${secret:KEY}", expected="It is done")
    recovery = permission_of(a_task(id="r.n.1", description=words, mended=mended))
    assert (recovery.channels, recovery.secrets) == ({"device", "commands"}, {"KEY"})


def test_secrets_are_those_that_action_or_expectation_name():
    step = a_task(
        id="r.n.1", description="Log in with ${secret:PIN}", expected_result='"Key" is "${secret:KEY}"', covers=(0,),
        secrets=("PIN", "KEY", "OTHER"),
    )  # fmt: skip
    assert permission_of(step).secrets == {"PIN", "KEY"}


def test_domains_win_over_hosts_that_the_case_names():
    both = a_task(id="r.n.1", description="x", covers=(0,), domains=("shop.test",), hosts=("other.test",))
    assert permission_of(both).hosts == ("shop.test",)


def test_a_case_names_the_hosts_of_its_addresses_with_their_ports():
    case = TestCase(
        name="A case",
        preconditions=('The shop is open at "https://shop.test/"',),
        variables={"base": "http://127.0.0.1:8000", "api": "api.test"},
        steps=(Step(action='Open "${base}/login"'), Step(action='Open "${api}/v1"'), Step(action="Visit help.test")),
    )
    assert set(hosts_named(case)) == {"shop.test", "127.0.0.1:8000", "api.test", "help.test"}


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ('Click "evil.test"', ()),
        ('Type "ada@mail.test" into "Mail"', ()),
        ("Open the file report.zip", ()),
        ('Open "http://user@shop.test:80/?u=http://evil"', ("shop.test:80",)),
        ("Open http://[::1", ()),
        ("Open localhost:3000/x", ("localhost:3000",)),
    ],
)
def test_only_what_is_gone_to_is_a_host(text: str, hosts: tuple[str, ...]):
    assert hosts_in([text]) == hosts


@pytest.mark.parametrize("address", ["/cart", "?q=1", "#top", "http://shop.test/x", "a.shop.test", "app://cart"])
def test_the_open_page_and_named_hosts_can_be_reached(address: str):
    assert reaches_only(address, ("shop.test",))


@pytest.mark.parametrize(
    "address",
    [
        "//evil.test/",
        "/\\evil.test/",
        "http://shop.test@evil.test/",
        "http://shop.test.evil.test",
        "evil.test:80",
        "http://[",
        "http:evil.test",
        "http://evil.test\\@shop.test/",
        "http:\\\\evil.test",
        "https:/evil.test",
        "HTTP://EVIL.TEST",
    ],
)
def test_no_other_host_can(address: str):
    assert not reaches_only(address, ("shop.test",))
    assert not reaches_only(address, ())
