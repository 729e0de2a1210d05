"""A number that is part of a longer one is another number: in texts, names, parts, values and lists."""

from importlib.resources import files

import msgspec
import pytest
from driving import User
from served import Site
from whole_numbers import WHOLE

from muster_protocol.causes import Failure


async def test_the_script_in_the_page_compares_as_the_tools_do(look: User, site: Site) -> None:
    helper = (files("muster_devices.web") / "js" / "whole.js").read_text("utf-8")
    await look.open(site.page("x"))
    table = msgspec.json.encode([(have, want) for have, want, _ in WHOLE]).decode()
    found = await look.script(f"(() => {{ {helper}; return {table}.map(([have, want]) => hasWhole(have, want)) }})()")
    assert found == [there for _, _, there in WHOLE]


PAGE = """<h2>Cart</h2><p>16 products found</p><p>Total: <b>$59.985</b></p><p>1<br>7 rows</p>
<table><tr><th>Order<th>Status<tr><td>A-10010<td>Sent<tr><td>A-1002<td>0 Lost</table>
<section><h3>Box 12</h3><p>Shoes</p><button>Open</button></section>
<button>Page 11</button><label>Pieces <input value="16 left"></label><select aria-label=Size><option>16 cm<option>XL</select>"""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check_text", {"text": "6 products found"}),
        ("check_text", {"text": "Total: $59.98"}),
        ("check_text", {"text": "Sent", "within": "A-1001"}),
        ("check_text", {"text": "Shoes", "within": "Box 1"}),
        ("check_visible", {"element": "Page 1", "role": "button"}),
        ("check_visible", {"element": "A-1001", "role": "row"}),
        ("check_value", {"element": "Pieces", "value": "6 left", "match": "contains"}),
        ("check_value", {"element": "Pieces", "value": "6 left", "match": "ends"}),
        ("check_value", {"element": "Status", "role": "cell", "within": "A-1001", "value": "Sent"}),
        ("check_url", {"url": "/orders/1", "match": "contains"}),
        ("check_title", {"title": "Order 1", "match": "starts"}),
        ("click", {"element": "Page 1"}),
        ("select", {"element": "Size", "options": ["6 cm"]}),
        ("wait_for", {"text": "6 products", "seconds": 0.2}),
    ],
)
async def test_a_number_in_a_longer_number_is_not_there(
    look: User, site: Site, tool: str, arguments: dict[str, str | float | list[str]]
) -> None:
    await look.open(site.page(PAGE, "/orders/12", "Order 12"))
    outcome = await look.bad(tool, **arguments)
    assert outcome.failure in (Failure.EXPECTATION_FALSE, Failure.ELEMENT_MISSING, Failure.NAME_UNKNOWN)


async def test_a_number_that_is_whole_is_there(look: User, site: Site) -> None:
    await look.open(site.page(PAGE, "/orders/12", "Order 12"))
    for text in ("16 products", "7 rows", "$59.985", "0 Lost", "A-10010"):
        await look.ok("check_text", text=text)
    await look.ok("check_text", text="0 Lost", within="A-1002")
    await look.ok("check_count", element="Page 1", role="button", count=0)
    await look.ok("click", element="Page 11")
    await look.ok("select", element="Size", options=["16"])


async def test_outputs_files_and_responses_keep_numbers_whole(do: User, site: Site) -> None:
    await do.ok("execute_command", command="echo 'made 10 errors'; echo 'took 1.25 s' > log")
    await do.bad("check_output", text="0 errors")
    await do.ok("check_output", text="10 errors")
    await do.bad("check_file", path="log", text="took 1")
    await do.ok("check_file", path="log", text="1.25 s")
    site.say("/api", '{"total": 59.985}')
    await do.ok("http_request", method="GET", url=f"{site.url}/api")
    await do.bad("check_response_text", text='"total": 59.98')
    await do.ok("check_response_text", text='"total": 59.985')


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("<label>Subtotal <output>29.99</output></label>", "error"),
        ("<p><label for=t>Subtotal</label>: <output id=t>29.99</output></p>", "error"),
        ("<label>Subtotal <input value=29.99></label><label>Total <input value=1></label>", "failed"),
        ("<label>Total before discount <input value=29.99></label><label>Total <input value=1></label>", "failed"),
        ("<label>Total of all <input value=29.99></label><label hidden>Total <input value=1></label>", "error"),
    ],
)
async def test_a_value_belongs_to_the_name_that_is_exactly_it(look: User, site: Site, body: str, status: str) -> None:
    await look.open(site.page(body))
    assert (await look.bad("check_value", element="Total", value="29.99")).status == status


async def test_states_and_options_are_of_whole_words(look: User, site: Site) -> None:
    await look.open(site.page("<button>Unsaved</button><select aria-label=Subsize><option>M</select>"))
    await look.bad("check_state", element="Save", state="enabled")
    await look.bad("check_options", element="Size", options=["M"])
    await look.open(site.page("<label>E-mail address <input value=a></label>"))
    await look.bad("check_value", element="E-mail", value="a")  # or an "E-mail" is missing
    await look.ok("check_value", element="E-mail address", value="a")
