"""JSON Schemas of requests and of servers that would take for ever: each check comes to an end."""

from typing import Any

import pytest

from muster_subagent.agent.json_schemas import find_fault, find_schema_problems

LONG = "a" * 60 + "!"
BRANCHES: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)} | {"d40": {}}
COSTLY: list[tuple[Any, dict[str, Any]]] = [
    (LONG, {"pattern": "^(a+)+$"}),
    ({LONG: 1}, {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}),
    ({LONG: 1}, {"patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False}),
    (LONG, {"$ref": "#/$defs/d0", "$defs": BRANCHES}),
    ([{"a": n} for n in range(20_000)], {"uniqueItems": True}),
]
GIVEN_UP = "the schema cannot be used: it takes more than 1 s"


@pytest.mark.parametrize(("output", "schema"), COSTLY)
async def test_a_check_that_takes_for_ever_is_given_up(output: Any, schema: dict[str, Any]):
    assert await find_fault(output, schema, seconds=1) == GIVEN_UP


async def test_a_pattern_that_no_program_can_read_is_told():
    (told,) = await find_schema_problems([{"pattern": "a{99999999999999999999}"}])
    assert told.startswith("output_schema is no valid JSON Schema")
