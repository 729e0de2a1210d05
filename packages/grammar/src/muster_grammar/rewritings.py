"""Rewrites a sentence that no phrase reads as one that is read, with the same names and values. Pure.

A proposal is parsed before anybody sees it, and holds each name, value, number and negation of the sentence.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import NamedTuple

from muster_grammar import wordings_of_actions, wordings_of_expectations
from muster_grammar.advice import Role
from muster_grammar.asides import is_definite
from muster_grammar.described_names import only_stresses
from muster_grammar.markup_texts import is_template, markup_role
from muster_grammar.name_boundaries import DEEDS as DEEDS_OF_ACTS
from muster_grammar.name_quotes import with_names_quoted
from muster_grammar.proposal_checks import keeps
from muster_grammar.proposal_repairs import Parse, calls_of, repaired, unmarked
from muster_grammar.told_sentences import DESCRIBING
from muster_grammar.wording_forms import MARKS, Form
from muster_text.clauses import QUOTED, literals

LONGEST = 400
"""Characters of a sentence that is rewritten; a longer one is several."""
MOST_PARTS = 6
"""Parts of a sentence that are rewritten one by one."""

_VALUE = re.compile(rf"{QUOTED.pattern}|\S*\$\{{[^}}]*\}}[^\s,.;]*|\w+://[^\s,;]+|(?<!\S)/[^\s,;]*")
_BOLD = re.compile(r"(?<!\*)\*{1,2}(?! )([^*«»\"]*[^*«»\s\"])\*{1,2}(?!\*)")
_HEADING = re.compile(r"\*{1,2}([^*:]+)(?::\*{1,2}|\*{1,2}:) (?![\"“`])")
"""Bold letters that head a line; before a value they are what has it."""
_WITH_KIND = re.compile(r"(.*\S) (button|link|tab|field|menu|checkbox|icon)", re.IGNORECASE)
_BARE = "«-"
"""Begins the slot of a value that stands without quotes: a number, a method, a key."""
_CLIPPED = re.compile(r"^not see ")
_MARKUP = re.compile(r"(?:\belement )?«(s)(\d+)»(?: element\b)?")
_SLOT = re.compile(r"«(-?)[a-z](\d+)»")
_ENTERING = re.compile(r"\b(?:type|enter|input|fill in|fill|set)\b", re.IGNORECASE)
_TITLE_CASE = re.compile(r"(?<=\w )(?:Is|Are|Be|Should|Must|Has)\b")
"""Where all words have a capital letter, none tells a name."""
_MILLISECONDS = re.compile(r"\b(\d+) ?(?:ms|milliseconds?)\b")
_JOINT = re.compile(r",? (?:and then|and|then) |, ", re.IGNORECASE)
_MARK = re.compile(r"%.")
_PLACE_IN_LINE = re.compile(
    r"""["'“`](first|second|third|fourth|fifth|last|\d*(?:1st|2nd|3rd|\dth))["'”`](?= [\w"'“`])"""
)
"""Which of several, in quotes: nothing is called so."""
_BEGUN = re.compile(r"^(?:Click|Type|Select|Choose|Open|Press|Check|Drag|Hover) ")
"""The verb of a phrase, with the capital letter that only the first of several has."""
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|see|should|must|can|not|appears?|shows?|contains?|displays?|opens?|closes?|exists?)\b",
    re.I,
)
"""What a part of a claim needs to stand alone: without a verb it says more of what stands before it."""
_NEEDED = re.compile(r"\{([a-ln-rt-wyz])\}")
_LOOKS = {
    "g": re.compile(r"GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"),
    "k": re.compile(
        r"(?i:enter|return|tab|esc|escape|space|backspace|delete|(?:arrow ?)?(?:up|down|left|right)|f\d+"
        r"|(?:(?:ctrl|control|shift|alt|cmd|command|meta)\+)+\w+)"
    ),
    "d": re.compile(r"\d+"),
    "s": re.compile(r"[.#][A-Za-z_][\w-]*(?:[ .#>:\[].*)?|/{0,2}/?(?:html|\*|div|input)\b.*|//.*|[\w.#-]*\[.*\].*"),
    "f": re.compile(r"[^\s]*\w\.(?:html?|txt|md|json|xml|ya?ml|css|js|rb|py|log|csv|php|feature|conf|lock|toml|sh)"),
    "u": re.compile(r"/\S*|\w+://\S+|(?:[\w-]+\.)+(?:com|org|net|test)\S*|\$\{\S+"),
}
"""What a value looks like; "c" is any other, and a selector ("s") fits no form: it is no text of a page."""


def rewritten(sentence: str, role: Role, parse: Parse) -> str:
    """Return a sentence that says the same and is read by `parse`; nothing if none is known."""
    bare = QUOTED.sub(" ", sentence)
    if len(sentence) > LONGEST or "«" in sentence or _has_template(sentence) or _TITLE_CASE.search(bare):
        return ""
    if (head := _HEADING.match(sentence)) and head[1].lower() not in DEEDS_OF_ACTS:
        return ""
    if (plain := unmarked(sentence)) != sentence.rstrip(" .") and calls_of(plain, parse):
        return _sentence(plain)
    sentence = plain if "_element" in sentence else sentence
    if proposal := repaired(sentence, role, parse) or _reworded(sentence, role, parse, selectors=False):
        return proposal
    return _reworded(sentence, role, parse, selectors=True)


def _has_template(sentence: str) -> bool:
    """Return whether an address in a sentence has parts that stand for values: no wording tells which."""
    texts = ((literals(match[0]) or (match[0],))[0] for match in _VALUE.finditer(sentence))
    return any(_LOOKS["u"].fullmatch(text) and is_template(text) for text in texts)


def _reworded(sentence: str, role: Role, parse: Parse, *, selectors: bool) -> str:
    """Return a sentence that says the same; with `selectors`, texts that look like selectors are written as such."""
    values: list[str] = []
    plain = _PLACE_IN_LINE.sub(r"\1", _BOLD.sub(_unstressed, " ".join(sentence.split()).rstrip(" .:")))
    bare = _MILLISECONDS.sub(_seconds, _without_values(plain, values))
    if selectors and "«s" not in bare:
        return ""
    plain = _filled(bare, values)
    if selectors:
        bare = _MARKUP.sub(lambda match: _as_selector(match, values), bare)
    known = _Known(plain, values, role, parse)
    if selectors and known.is_good(_sentence(_filled(bare, values))):
        return _sentence(_filled(bare, values))
    if proposal := known.one(bare):
        return proposal
    if "*" in sentence and known.is_good(_sentence(plain)):
        return _sentence(plain)
    parts = [part for part in _JOINT.split(bare) if part]
    apart = role == "action" or all(map(_TELLS.search, parts))
    said = [known.part(part, parts[0]) for part in parts] if apart and 1 < len(parts) <= MOST_PARTS else [""]
    said[1:] = [_BEGUN.sub(lambda verb: verb[0].lower(), part) for part in said[1:]]
    whole = re.sub(r"( and press Enter)\1$", r"\1", " and ".join(said))
    return whole if all(said) and known.is_good(whole) else ""


def _as_selector(match: re.Match[str], values: list[str]) -> str:
    """Write a text in quotes as a selector."""
    at = int(match[2])
    text = (literals(values[at]) or (values[at],))[0]
    if '"' in text:
        return match[0]
    values[at] = f'{markup_role(text)}="{text}"'
    return f"«c{at}»"


class _Known(NamedTuple):
    """What is known of a sentence that is rewritten."""

    plain: str
    values: list[str]
    role: Role
    parse: Parse

    def one(self, bare: str) -> str:
        """Return the first wording that is good, of a sentence without its values; nothing if none is."""
        proposals = (_sentence(_filled(candidate, self.values)) for candidate in _candidates(bare, self.role))
        part = _filled(bare, self.values)
        fits = (one for one in proposals if keeps(part, one) and _differs(one, part))
        return next((one for one in fits if _reads(one, self.parse, definite=self.role == "action")), "")

    def part(self, bare: str, first: str) -> str:
        """Return a part of a sentence as it is, if it is read by itself, or in another wording.

        What is entered after the first value may leave out the verb: `enter password "a" and confirmation "b"`.
        """
        said = _filled(bare, self.values)
        if _reads(said, self.parse):
            return said
        verb = _ENTERING.search(first)
        return self.one(bare) or (self.one(f"{verb[0]} {bare}") if verb and bare != first else "")

    def is_good(self, proposal: str) -> bool:
        """Return whether a wording of the whole sentence is read, and says all of it."""
        return keeps(self.plain, proposal) and _reads(proposal, self.parse)


def _candidates(bare: str, role: Role) -> Iterator[str]:
    """Yield wordings, the least changed first: the sentence without its lead, then in each known form."""
    wordings = wordings_of_actions if role == "action" else wordings_of_expectations
    texts = [bare]
    for pattern, instead in wordings.LEADS:
        if (text := re.sub(pattern, instead, texts[-1], flags=re.IGNORECASE).strip()) != texts[-1]:
            texts.append(text)
    for text in texts:
        if "«s" not in text and ("«" in text or bare.startswith(text)):
            yield _CLIPPED.sub("I do not see ", text)
        for form in wordings.FORMS:
            yield from _in_form(text, form)
    for text in texts:
        yield from with_names_quoted(text)


def _in_form(text: str, form: Form) -> Iterator[str]:
    if match := _compiled(form.pattern).fullmatch(text):
        said = defaultdict[str, str](str)
        for name, part in match.groupdict("").items():
            said[name[0]] = said[name[0]] or (part.replace("«", _BARE) if name[0] in "dgy" else part)
        for phrase in form.phrases:
            if all(said[name] for name in _NEEDED.findall(phrase)):
                yield " ".join(phrase.format_map(said).split())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Put the marks' patterns in place of the marks, at most two deep; one that stands twice has a group for each."""
    counted = count()

    def source(match: re.Match[str]) -> str:
        return re.sub(r"\(\?P<(\w)>", lambda group: f"(?P<{group[1]}{next(counted)}>", MARKS[match[0]])

    return re.compile(_MARK.sub(source, _MARK.sub(source, pattern)), re.IGNORECASE)


def _without_values(sentence: str, values: list[str]) -> str:
    """Put slots in place of what the sentence quotes and of bare addresses, and note what stood there."""

    def slot(match: re.Match[str]) -> str:
        text = (literals(match[0]) or (match[0],))[0]
        looks = next((letter for letter, known in _LOOKS.items() if known.fullmatch(text)), "c")
        values.append(match[0])
        return f"«{looks}{len(values) - 1}»"

    return _VALUE.sub(slot, sentence)


def _filled(text: str, values: list[str]) -> str:
    """Put the values back."""

    def value(match: re.Match[str]) -> str:
        raw = values[int(match[2])]
        return (literals(raw) or (raw,))[0] if match[1] else raw

    return _SLOT.sub(value, text)


def _unstressed(match: re.Match[str]) -> str:
    """Put what is bold into quotes, unless it is the verb that a sentence begins with."""
    text = (literals(match[1]) or (match[1],))[0].rstrip(":")
    if kind := _WITH_KIND.fullmatch(text):
        return f'"{kind[1]}" {kind[2].lower()}'
    if only_stresses(text):
        return text
    mere = not match.start() and text.lower() in DEEDS_OF_ACTS
    return text if mere or text.split()[0] in DESCRIBING else f'"{text}"'


def _seconds(match: re.Match[str]) -> str:
    return f"{int(match[1]) / 1000:g} seconds"


def _differs(one: str, other: str) -> bool:
    """Return whether sentences differ by more than a capital letter: "jdoe" is no "Jdoe"."""
    return one.casefold() != other.casefold()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _reads(sentence: str, parse: Parse, *, definite: bool = False) -> bool:
    """Return whether a sentence is read; with `definite` also whether it still tells what it acts on."""
    calls = calls_of(sentence, parse)
    if not calls:
        return False
    if definite and not is_definite(tuple(call for call in calls if call.tool != "browser_upload")):
        return False
    given = [str(value) for call in calls for value in call.arguments.values()]
    return all(any(text in value for value in given) for text in literals(sentence))
