"""Calls that a model wrote into its text, in the notations of model families. Pure and total.

<tool_call>{"name": "click", "arguments": {"element": "Save"}}</tool_call>
<function=click><parameter=element>Save</parameter></function>
[TOOL_CALLS]click[ARGS]{"element": "Save"}
call:click{element:<escape>Save<escape>}
click(element="Save")

What can be read in two ways, or is broken where a call is clearly meant, is a call with a problem: it is never mended.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from muster_model.asked_calls import Asked, asked_in_words, named_object, objects_in
from muster_model.python_calls import calls_in_program, calls_on_lines

_BLOCK = re.compile(
    r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)"
    r"|<tools>(.*?)</tools>|<function_call>(.*?)(?:</function_call>|\Z)"
    r"|<\|tool_call\|>(.*?)(?:<\|/tool_call\|>|\Z)|<\|tool_call>(.*?)(?:<tool_call\|>|\Z)"
    r"|<start_function_call>(.*?)(?:<end_function_call>|\Z)|<\|START_ACTION\|>(.*?)(?:<\|END_ACTION\|>|\Z)"
    r"|\[TOOL_REQUEST\](.*?)(?:\[END_TOOL_REQUEST\]|\Z)|\[TOOL_CALLS\](.*?)(?:</s>|(?=\[TOOL_CALLS\])|\Z)"
    r"|<\|python_tag\|>(.*?)(?:<\|eo[mt](?:_id)?\|>|\Z)|\bfunctools(?=\[)(.*?)\Z"
    r"|<｜tool▁call▁begin｜>(.*?)(?:<｜tool▁call▁end｜>|\Z)|✿FUNCTION✿:(.*?)(?=✿FUNCTION✿|✿RETURN✿|\Z)"
    r"|^Action:([^\n]*\n\s*Action Input:.*?)(?=^Action:|^Thought:|\Z)|```tool_(?:code|call)\n(.*?)(?:```|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""What families put around a call."""
_TAGGED = re.compile(
    r'<(?:｜DSML｜)?(?:function=|(?:function|invoke) name=)"?(?P<name>[\w.-]+)"?>(?P<body>.*?)'
    r"(?P<end></(?:｜DSML｜)?(?:function|invoke)>|(?=<(?:｜DSML｜)?(?:function|invoke)[= ])|</tool_call>|\Z)",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r'<(?:｜DSML｜)?parameter(?:=| name=)"?(?P<name>[\w.-]+)"?(?: string="(?:true|false)")?>(?P<value>.*?)'
    r"(?P<end></(?:｜DSML｜)?parameter>|(?=<(?:｜DSML｜)?parameter[= ])|\Z)",
    re.DOTALL,
)
_KEYED = re.compile(r"<arg_key>(?P<name>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>", re.DOTALL)
_NAMED = re.compile(r"\s*(?:function<｜tool▁sep｜>)?(?:functions\.)?(?P<name>[A-Za-z_][\w.-]*)(?::\d+)?")
_BETWEEN = re.compile(
    r"\s*(?:(?:<｜tool▁sep｜>|\[CALL_ID\]\s*\w+|\[ARGS\]|✿ARGS✿:|Action Input:|<\|tool_call_argument_begin\|>|```json"
    r"|:)\s*)*"
)
_BRACED = re.compile(r"\s*call\s*:\s*(?P<name>[\w.-]+)\s*\{(?P<body>.*)\}\s*\Z", re.DOTALL)
_PAIR = re.compile(
    r"\s*(?P<name>\w+)\s*:\s*(?:<escape>(?P<escaped>.*?)<escape>|<\|\"\|>(?P<quoted>.*?)<\|\"\|>"
    r"|(?P<plain>true|false|null|-?\d+(?:\.\d+)?))\s*(?:,|\Z)",
    re.DOTALL,
)


def written_calls(text: str, known: Collection[str]) -> tuple[tuple[Asked, ...], str]:
    """Return the calls written into a text, and why they cannot be told, or "".

    A call that is marked as one is one, whatever its name; without marks, only calls of `known` tools are.
    """
    marked = [calls for form in (_in_blocks, _in_tags) if (calls := tuple(form(text)))]
    if any(call.problem for calls in marked for call in calls) and len(marked) > 1:
        marked = [calls for calls in marked if not any(call.problem for call in calls)] or marked[:1]
    bare: list[tuple[Asked, ...]] = []
    if not marked:
        found = (tuple(objects_in(text, known)), tuple(calls_on_lines(text, known)))
        bare = [calls for calls in found if calls]
    ways = list(dict.fromkeys(map(_comparable, marked or bare)))
    if len(ways) > 1:
        return (), "the reply writes its calls in two ways that differ; write each call once"
    return (marked or bare or [()])[0], ""


def _comparable(calls: Sequence[Asked]) -> str:
    return repr([(call.tool, sorted(call.arguments.items()), call.problem) for call in calls])


def _in_blocks(text: str) -> Iterator[Asked]:
    """Yield the calls between marks; a block that holds none that can be read is a call with a problem."""
    for match in _BLOCK.finditer(text):
        inside = next((part for part in match.groups() if part is not None), "")
        if inside.strip() and not _TAGGED.search(inside):
            yield from _in_block(inside)


def _in_block(inside: str) -> tuple[Asked, ...]:
    forms: tuple[Callable[[str], tuple[Asked, ...]], ...] = (_keyed, _braced, _listed, _after_name, calls_in_program)
    return next((calls for form in forms if (calls := form(inside))), (_unread(inside),))


def _unread(inside: str) -> Asked:
    return Asked("", inside.strip()[:40], {}, 'this call cannot be read; write it as tool(name="value") on one line')


def _keyed(inside: str) -> tuple[Asked, ...]:
    name, pairs = _NAMED.match(inside), list(_KEYED.finditer(inside))
    rest = _KEYED.sub("", inside[name.end() :]).strip() if name else ""
    if name is None or not (pairs or "<arg_key>" in inside) or rest:
        return (_unread(inside),) if "<arg_key>" in inside else ()
    return (asked_in_words(name["name"], [(pair["name"].strip(), pair["value"]) for pair in pairs]),)


def _braced(inside: str) -> tuple[Asked, ...]:
    call = _BRACED.match(inside)
    if call is None:
        return ()
    body, found = call["body"], list[tuple[str, str]]()
    at = 0
    while body[at:].strip():
        pair = _PAIR.match(body, at)
        if pair is None:
            return (_unread(inside),)
        found.append((pair["name"], next(it for it in pair.group("escaped", "quoted", "plain") if it is not None)))
        at = pair.end()
    return (asked_in_words(call["name"], found),)


def _listed(inside: str) -> tuple[Asked, ...]:
    """Return the calls of a block that holds JSON objects alone, one after the other or in a list."""
    return tuple(objects_in(inside, None)) if inside.lstrip()[:1] in "{[" else ()


def _after_name(inside: str) -> tuple[Asked, ...]:
    """Return a call whose arguments follow its name as JSON."""
    name = _NAMED.match(inside)
    if name is None or (found := _BETWEEN.match(inside, name.end())) is None:
        return ()
    rest = inside[found.end() :].strip().removesuffix("```").strip()
    return (named_object(name["name"], rest),) if rest.startswith("{") else ()


def _in_tags(text: str) -> Iterator[Asked]:
    """Yield calls written as elements; a parameter whose end is not marked may be anything."""
    for match in _TAGGED.finditer(text):
        body, parameters = match["body"], list(_PARAMETER.finditer(match["body"]))
        if body.lstrip().startswith("{"):
            yield named_object(match["name"], body.strip())
        elif any(not it["end"] for it in parameters) or _PARAMETER.sub("", body).strip():
            yield Asked("", match["name"], {}, "the end of an argument is not marked; close each parameter")
        else:
            yield asked_in_words(match["name"], [(it["name"], _lines(it["value"])) for it in parameters])


def _lines(value: str) -> str:
    """Return a value without the line breaks that stand for the tags' own lines."""
    return value.removeprefix("\n").removesuffix("\n")
