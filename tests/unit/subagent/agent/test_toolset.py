"""Which tools a model sees: few, short, and only those its role may use."""

import pytest

from muster_protocol.settings import SettingsError
from muster_subagent.agent.toolset import FINISH, OPEN_TOOLS, groups_for, may_open, toolset, wants_page
from muster_subagent.model.settings import ModelSettings, Price, prices_of, tier_of
from muster_subagent.roles import HANDS


def test_about_ten_tools_are_shown_to_begin_with_in_few_words():
    shown = toolset((), HANDS, "Buy the backpack")
    assert len(shown.names) == 9
    assert shown.names[-2:] == (OPEN_TOOLS, FINISH)
    assert len(shown.text) / 4 < 600


def test_a_group_that_was_opened_is_there_and_is_offered_no_more():
    shown = toolset({"shell"}, HANDS, "Buy the backpack")
    assert "execute_command" in shown.names
    opening = next(tool for tool in shown.schemas if tool["function"]["name"] == OPEN_TOOLS)
    assert "shell" not in opening["function"]["description"]
    assert "dialog" in opening["function"]["description"]


def test_only_what_the_role_may_use_is_shown():
    assert not [name for name in toolset({"shell"}, ("browser",), "x").names if name == "execute_command"]


def test_the_words_of_a_step_open_what_it_needs():
    assert groups_for("Install the tool with a command", has_clauses=False) == ("shell",)
    assert "dialog" in groups_for("Accept the alert", has_clauses=False)
    assert groups_for("Buy the backpack", has_clauses=True) == ("checks",)
    assert groups_for("Log in with the code from the mail", has_clauses=False) == ("people",)
    assert groups_for("Ask whether to go on", has_clauses=False) == ("people",)
    assert not wants_page("Run the install script in a terminal")
    assert wants_page("Click the button that runs the script")
    assert may_open("shell")
    assert not may_open("everything")


def test_a_check_takes_the_number_of_the_clause_it_proves():
    shown = toolset({"checks"}, HANDS, "x")
    check = next(tool for tool in shown.schemas if tool["function"]["name"] == "check_text")
    assert check["function"]["parameters"]["properties"]["clause"]["type"] == "integer"


def test_prices_are_read_from_the_table_and_count_per_million_tokens():
    assert prices_of("a=1/2, b:7b=0.5/0") == {"a": Price(1.0, 2.0), "b:7b": Price(0.5, 0.0)}
    assert Price(1.0, 2.0).of(500_000, 250_000) == 1.0
    with pytest.raises(SettingsError, match="MODEL_PRICES"):
        prices_of("a=1")


def test_one_model_named_serves_both_tiers_but_never_as_the_one_that_sees():
    settings = ModelSettings(sub_agent_model="small")
    tiers = [tier_of(settings, name) for name in ("orchestrator", "sub_agent", "vision")]
    assert [tier.model if tier else None for tier in tiers] == ["small", "small", None]
    assert tiers[0] is not None
    assert tiers[0].context_tokens == 32768
