"""Names of attributes in traces are those of OpenTelemetry's conventions as they are installed."""

import inspect
import re
from pathlib import Path

import pytest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

ROOT = Path(__file__).parents[3]
WRITTEN = re.compile(r'"(gen_ai\.[a-z_.]+)"')
SOURCES = sorted(path for part in ("packages", "services") for path in (ROOT / part).glob("*/src/**/*.py"))
KNOWN = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
GONE = set(re.findall(r'"(gen_ai[^"]+)"\n"""\nDeprecated: (?!Moved)', inspect.getsource(gen_ai_attributes)))
"""All have moved to a repository of their own (https://github.com/open-telemetry/semantic-conventions-genai)."""


def test_each_name_is_one_of_the_conventions_and_none_is_out_of_date():
    written = {name for path in SOURCES for name in WRITTEN.findall(path.read_text())}
    assert {"gen_ai.input.messages", "gen_ai.usage.input_tokens", "gen_ai.tool.call.id"} <= written
    assert written - KNOWN == set()
    assert written & GONE == set()


@pytest.mark.parametrize("name", ["gen_ai.system", "gen_ai.usage.prompt_tokens"])
def test_names_out_of_date_are_known(name: str):
    assert name in GONE
