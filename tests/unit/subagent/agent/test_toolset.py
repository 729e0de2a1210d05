"""Which tools a model sees: few, short, and only those its agent may use."""

import json
from typing import Any

import pytest

from muster_devices.outline import cut
from muster_model.settings import ModelSettings, Price, prices_of, tier_of
from muster_service.settings import SettingsError
from muster_subagent.agent.reply_calls import clause_number
from muster_subagent.agent.toolset import (
    FINISH,
    OPEN_TOOLS,
    ambiguous,
    groups_for,
    may_open,
    offers,
    toolset,
    wants_page,
)
from muster_subagent.agent_catalogue import worker_definitions
from muster_subagent.tools import TOOLS, permitted

MINE = permitted(TOOLS, worker_definitions("").agents.by_id["step-runner"].tools)
PAGE = '- textbox "Name" [ref=e1]\n- combobox "Size" [ref=e2]:\n  - option "S"\n- button "Save" [ref=e3]'


def test_a_step_is_shown_what_it_needs_and_how_to_get_more_in_few_words():
    shown = toolset(MINE, (), on_page=True)
    assert shown.names == ("click", "snapshot", OPEN_TOOLS, FINISH)
    assert len(shown.text) / 4 < 300


def test_what_the_page_has_brings_the_tools_for_it():
    opened = groups_for(MINE, "Buy the backpack", PAGE)
    assert opened == {"typing", "lists"}
    shown = toolset(MINE, opened, on_page=True)
    assert {"type", "select"} < set(shown.names)
    assert len(shown.names) <= 10
    assert groups_for(MINE, "Buy the backpack", '- button "Save" [ref=e3]') == frozenset()


def test_ways_to_tell_elements_apart_are_shown_where_names_do_not():
    shown = toolset(MINE, (), on_page=True, by_name=True)
    assert '"within"' not in next(json.dumps(it) for it in shown.schemas if "click" in str(it))
    assert '"within"' in next(json.dumps(it) for it in shown.schemas if "snapshot" in str(it))
    assert not ambiguous('button "Save"\ncheckbox "One" [checked]')
    assert ambiguous('listitem: $5 | button "Add" [f3e40]')


def test_a_model_that_has_the_page_is_not_offered_to_look_again():
    assert "snapshot" not in toolset(MINE, (), on_page=True, seen=True).names


def test_where_no_page_is_open_there_is_a_way_to_open_one():
    assert groups_for(MINE, "Buy the backpack", '"" about:blank') == {"addresses"}


def test_where_a_page_is_shown_in_part_there_is_a_way_to_find_the_rest():
    long = cut([f'- listitem "Row {number}"' for number in range(300)])
    assert "inspect" in groups_for(MINE, "Buy the backpack", long)


def test_every_tool_of_a_page_can_be_asked_for():
    every = {offer.name for offer in offers(MINE)}
    assert set(toolset(MINE, every, on_page=True).names) - {OPEN_TOOLS, FINISH} == set(MINE)


def test_a_group_that_was_opened_is_there_and_is_offered_no_more():
    shown = toolset(MINE, {"shell"}, on_page=True)
    assert "execute_command" in shown.names
    opening = next(tool for tool in shown.schemas if tool["function"]["name"] == OPEN_TOOLS)
    assert "shell" not in opening["function"]["description"]
    assert "dialog" in opening["function"]["description"]


def test_only_what_the_role_may_use_is_shown():
    assert not [
        name
        for name in toolset(permitted(TOOLS, ("device",)), {"shell"}, on_page=True).names
        if name == "execute_command"
    ]


def test_the_words_of_a_step_open_what_it_needs():
    assert groups_for(MINE, "Install the tool with a command") == {"shell"}
    assert "dialog" in groups_for(MINE, "Accept the alert")
    assert groups_for(MINE, "Log in with the code from the mail") == {"people"}
    assert groups_for(MINE, "Ask whether to go on") == {"people"}
    assert groups_for(MINE, "Type the name") == {"typing"}
    assert groups_for(MINE, "Type the command into the terminal") == {"shell"}
    assert not wants_page("Run the install script in a terminal")
    assert wants_page("Click the button that runs the script")
    assert may_open(MINE, "shell")
    assert not may_open(MINE, "everything")


@pytest.mark.parametrize(
    ("clause", "opened"),
    [
        ('The order total comes to "$59.98"', {"checks"}),
        ("The cart holds two mugs", {"checks", "counts"}),
        ("The submit control is disabled", {"checks", "states"}),
        ("The tab has a new title", {"checks", "places"}),
        ('The note says "3 files"', {"checks"}),
        ("The program prints its version", {"checks", "outputs"}),
    ],
)
def test_the_words_of_a_clause_bring_the_checks_for_it_and_no_others(clause: str, opened: set[str]):
    assert groups_for(MINE, "Buy the backpack", clauses=[clause]) == opened


def test_a_clause_that_is_no_phrase_leaves_at_most_ten_tools():
    opened = groups_for(MINE, "Buy the backpack", PAGE) | groups_for(
        MINE, "Buy the backpack", clauses=['The order total comes to "$59.98"']
    )
    assert 5 <= len(toolset(MINE, opened, on_page=True).names) <= 10


def test_a_check_takes_the_number_of_the_clause_it_proves():
    shown = toolset(MINE, {"checks"}, on_page=True)
    check = next(tool for tool in shown.schemas if tool["function"]["name"] == "check_text")
    assert check["function"]["parameters"]["properties"]["clause"]["type"] == "integer"


@pytest.mark.parametrize(
    "given", [float("inf"), float("nan"), 1e300, "9" * 5_000, "²", "-1", -1, True, None, ["1"], ""]
)
def test_what_counts_no_clause_is_the_number_of_none(given: Any):
    assert not 0 < clause_number(given) < 1_000


def test_prices_are_read_from_the_table_and_count_per_million_tokens():
    assert prices_of("a=1/2, b:7b=0.5/0") == {"a": Price(1.0, 2.0), "b:7b": Price(0.5, 0.0)}
    assert Price(1.0, 2.0).of(500_000, 250_000) == 1.0
    assert prices_of("a=1/2/0.25") == {"a": Price(1.0, 2.0, 0.25)}
    assert Price(1.0, 2.0, 0.25).of(500_000, 250_000, 400_000) == 0.7
    assert Price(1.0, 2.0).of(500_000, 250_000, 400_000) == 1.0
    with pytest.raises(SettingsError, match="MODEL_PRICES"):
        prices_of("a=1")


def test_one_model_named_serves_both_tiers_but_never_as_the_one_that_sees():
    settings = ModelSettings(sub_agent_model="small")
    tiers = [tier_of(settings, name) for name in ("orchestrator", "sub_agent", "vision")]
    assert [tier.model if tier else None for tier in tiers] == ["small", "small", None]
    assert tiers[0] is not None
    assert tiers[0].context_tokens == 32768


OPENAI, LOCAL, OWN = "http://openai", "http://local", "http://own"


@pytest.mark.parametrize(
    ("settings", "planner", "key"),
    [
        (ModelSettings(sub_agent_model="s", openai_base_url=OPENAI, openai_api_key="k"), OPENAI, "k"),
        (ModelSettings(sub_agent_model="s", sub_agent_base_url=LOCAL, sub_agent_api_key="k"), LOCAL, "k"),
        (ModelSettings(sub_agent_model="s", sub_agent_base_url=LOCAL, orchestrator_model="o"), "", ""),
        (ModelSettings(sub_agent_model="s", sub_agent_api_key="k", orchestrator_base_url=OWN), OWN, ""),
        (ModelSettings(sub_agent_model="s", sub_agent_api_key="k", orchestrator_api_key="o"), "", "o"),
    ],
    ids=["common", "borrowed with the model", "own model", "own address: the lender's key stays", "own key"],
)
def test_a_planner_without_a_model_borrows_the_endpoint_with_it(settings: ModelSettings, planner: str, key: str):
    tier = tier_of(settings, "orchestrator")
    assert tier is not None
    assert (tier.endpoint.url, tier.endpoint.key) == (planner, key)
