"""The part of a reply that counts, without the model's thoughts and without what it says for others. Pure."""

import re
from typing import NamedTuple

_TAGS = r"think|thinking|thought|thoughts|reasoning|scratchpad"
_THOUGHT = re.compile(
    rf"<(?P<tag>{_TAGS})>.*?(?:</(?P=tag)>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)|<\|channel>thought\b.*?(?:<channel\|>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_ENDED = re.compile(rf"\A.*(?:</(?:{_TAGS})>|\[/THINK\]|<channel\|>)", re.DOTALL | re.IGNORECASE)
"""The end of a thought that was begun in the prompt."""
_OTHERS = re.compile(
    r"</?tool_response>|<\|tool_response>|<start_function_response>|\[TOOL_RESULTS?\]|<｜tool▁outputs?▁begin｜>|✿RESULT✿"
    r"|```tool_(?:output|result)|<\|(?:im_start|start_header_id)\|>\s*(?:user|tool|ipython)|<start_of_turn>user|\[INST\]"
    r"|<\|user\|>|<｜User｜>|^[ \t>*_]*Observation[ \t*_]*:|^Result of [a-z_]+\(",
    re.MULTILINE,
)
"""How results of tools and turns of others begin, in the prompts of model families, and in Muster's own."""


class Spoken(NamedTuple):
    """The part of a reply that counts."""

    text: str
    made_up: bool
    """It went on with what only a tool or the user can say."""


def spoken(text: str) -> Spoken:
    """Return the part of a text that counts: what follows a result that the model made up rests on it."""
    aloud = _ENDED.sub("", _THOUGHT.sub("", text))
    other = _OTHERS.search(aloud)
    return Spoken(aloud[: other.start()] if other else aloud, other is not None)
