"""Rewords a sentence that no phrase reads by putting names into quotes. Pure.

A name begins with a capital letter or holds a digit or a sign, and ends before a word that no name holds in small
letters: a verb, a preposition, an article, a state, a kind of element. Where it may end in more than one place, each is
tried; what is read in two ways then is ambiguous.
"""

from collections.abc import Iterator
from itertools import islice, pairwise, product

from muster_grammar.advice import DESCRIBED
from muster_grammar.asides import ENDS
from muster_grammar.element_kinds import BESIDE, FIELD_LABELS, PLACES, PROPERTIES
from muster_grammar.element_kinds import DEEDS as ROW_DEEDS
from muster_grammar.name_boundaries import (
    ADVERBS,
    AMOUNT,
    CHECKED,
    CHOOSING,
    CLOSED,
    CUT,
    DEEDS,
    ENTERING,
    FINITE,
    FOR_ITSELF,
    HAVING,
    JOINTS,
    LEADS,
    MANY,
    MEASURE,
    NEVER,
    NO_NAMES,
    NO_SUBJECTS,
    NOUNS,
    PAGES,
    PARTICLES,
    PLACED,
    PLACES_IN_LINE,
    PLURAL,
    PRESSING,
    SEES,
    SHOWING,
    SHOWN,
    SIGHTS,
    STRIKING,
    SURE_KINDS,
    UNIT,
    VERBS,
)
from muster_grammar.name_words import NameWord, name_words
from muster_grammar.numerals import ORDINALS
from muster_grammar.other_nouns import ARTICLES
from muster_grammar.pattern_parameters import NUMBER
from muster_grammar.target_places import NOT_ON_PAGES
from muster_grammar.unquoted_names import PARTICLE_VERBS, SLIPS, tells_no_name
from muster_text.key_names import KEYS

MOST_WORDINGS = 6
"""Wordings of one sentence that are tried."""
LONGEST = 400
"""Characters of a sentence that is looked through for names; a longer one is several."""
_MOST_NAMES = 12
_MOST_WORDS = 7

_MODALS = frozenset(("must", "should", "shall", "will", "can", "could", "may", "does", "do", "did"))
_FILLING = frozenset(("with", "as", "to"))
"""Words between a field and its value: "Fill Name with Ada and Town with Rome" are two fields."""
_LEADING = DEEDS | ARTICLES
"""Words after which a name may end before small ones that are its own elsewhere."""


def wordings(text: str, *, claim: bool) -> Iterator[str]:
    """Yield wordings of a sentence with its names and values in quotes; none where it has none that stand without."""
    if len(text) > LONGEST or "\n" in text:
        return
    words = name_words(text)
    if any(word.large and word.low in FINITE for word in words[1:]) and claim:
        return  # "Product Should Be Added": the capital letters tell no name
    spans: list[tuple[int, list[int]]] = []
    at = 0
    while at < len(words):
        ends = _ends(words, at) if _begins(words, at, claim=claim) else []
        if ends and not claim and words[ends[0] - 1].parted[:1] == ":":
            at, ends = ends[0], []  # a label before its value
            continue
        if ends:
            spans.append((at, ends))
        at = ends[0] if ends else at + 1
    spans = [(at, ends) for at, ends in spans if not _is_page(words, ends[0]) and not _is_far_owner(words, at, ends[0])]
    if not claim and any(_is_explained(words, at, ends[0]) or _is_broken(words[at : ends[0]]) for at, ends in spans):
        return
    if not spans or len(spans) > _MOST_NAMES or (not claim and _is_pair(words, spans)):
        return
    for ends in islice(product(*(ends for _, ends in spans)), MOST_WORDINGS):
        yield _quoted(text, words, [(start, end) for (start, _), end in zip(spans, ends, strict=True)])


def _begins(words: list[NameWord], at: int, *, claim: bool) -> bool:
    """Return whether a name begins with a word, rather than a verb or what is spoken of."""
    word = words[at]
    if word.text == "+" and at and words[at + 1 : at + 2] and not claim:
        return words[at + 1].large and words[at - 1].low in CUT | DEEDS | ARTICLES  # "Click on + Add Item"
    if "+" in word.text[:-1] or not any(map(str.isalnum, word.text)) or _is_either(word.text):
        return bool(AMOUNT.fullmatch(word.text)) and _is_sum(words, at)
    if word.low == "not" and at and words[at - 1].low in _MODALS:
        return False  # "Must Not Show"
    starts = at == 0 or words[at - 1].parted[:1] in {".", "!", "?"}
    if starts or words[at - 1].low in JOINTS:
        return _may_lead(words, at, claim=claim, starts=starts)
    amount = claim and bool(AMOUNT.fullmatch(word.text))
    if amount and (words[at - 1].parted[:1] == ":" or (words[at - 1].low in SHOWING and not word.text.isdigit())):
        return True
    if not claim and words[at - 1].low in DEEDS and _is_value(words, at):
        return True
    if not claim and words[at - 1].low in ("file", "files") and STRIKING.fullmatch(word.text):
        return True
    if not claim and _only_describes_value(words, at):
        return False
    if not _is_named_after(words, at, claim=claim):
        return False
    return word.large or _is_striking(word) or _is_sum(words, at)


def _is_chosen(words: list[NameWord], at: int, verb: str) -> bool:
    """Return whether a list follows what is chosen in it: `Select Editors as the group`."""
    end = _ends(words, at)[0]
    return verb in CHOOSING and end < len(words) and words[end].low in ("as", "for", "from", "in")


def _is_value(words: list[NameWord], at: int) -> bool:
    """Return whether a number is what is entered or chosen: `Choose 10:30 as Start`."""
    after = words[at + 1].low if at + 1 < len(words) else ""
    return after in ("as", "for", "in", "into") and bool(NUMBER.fullmatch(words[at].text))


def _only_describes_value(words: list[NameWord], at: int) -> bool:
    """Return whether words do not say which value is entered: "Enter Valid Email", but "Enter New York"."""
    verb = next((word.low for word in reversed(words[:at]) if word.low in DEEDS), "")
    if verb.removesuffix("s") not in ENTERING or words[at].low not in DESCRIBED:
        return False
    last = words[_ends(words, at)[0] - 1].low
    return words[at].low.removeprefix("in") in ("valid", "correct") or last in FIELD_LABELS


def _may_lead(words: list[NameWord], at: int, *, claim: bool, starts: bool) -> bool:
    """Return whether a name begins a part of a sentence; where it `starts` one, a capital letter tells nothing."""
    word = words[at]
    twice = word.large and not starts and [one.low for one in words[at + 1 : at + 2]] == [word.low]  # "and To to 10:00"
    labelled = not starts and word.large and [one.low for one in words[at + 1 : at + 2]] == ["name"]  # "Last name"
    closed = word.low.removesuffix("'s") in NEVER | CLOSED and not (twice or labelled)
    if closed or (word.low in DEEDS and not claim):
        return False
    return (
        (claim and _is_subject(words, at))
        or _is_striking(word)
        or (not starts and word.large and word.low not in DEEDS)
    )


def _is_named_after(words: list[NameWord], at: int, *, claim: bool) -> bool:
    """Return whether the words before may lead to a name: a noun or a count tells its kind."""
    word, before = words[at], words[at - 1]
    low = word.low.removesuffix("'s")
    stressed = word.text.isupper() and (low in CLOSED or low in NEVER)
    stressed = stressed or (claim and low in ("message", "messages"))  # "Error Message Is Displayed"
    stressed = stressed or (not claim and low in LEADS and before.low in DEEDS)  # "Click On Save"
    if low in NO_NAMES or stressed or before.low in MANY or before.text.isdecimal():
        return False
    led = words[at - 2] if at > 1 else before
    if (before.low == "the" and led.low in MANY) or (before.large and at > 1 and not before.parted):
        return False  # "all the Patches"; the name began before
    if before.low == "of" and (led.large or led.low == "value"):
        return False  # "Ministry of Magic" began before; "the value of" may be a column
    if not claim and (_leads_to_end(words, at) or _is_deed_or_key(words, at) or _is_unsure(words, at)):
        return False
    if before.low in PRESSING and low in KEYS:
        return False
    if before.low == "the" and led.low == "of" and at > 2 and words[at - 3].low == "value":
        return False
    verb = led.low if before.low == "the" else before.low
    if not claim and verb in FOR_ITSELF and not _is_chosen(words, at, verb):
        return not word.text.isascii()
    if verb in ("in", "on") and low in NOT_ON_PAGES:
        return False
    if claim and len(_ends(words, at)) > 1 and SEES & {before.low, led.low if before.low == "the" else ""}:
        return False  # "I see the Newsletter hover"
    leads = before.low in CLOSED - (NOUNS if not claim else set()) or before.low in DEEDS or before.text == '"'
    return leads or bool(before.parted) or (claim and before.low in PROPERTIES and not (at == 1 and word.large))


def _leads_to_end(words: list[NameWord], at: int) -> bool:
    """Return whether "to" and a verb follow a name: "Back to search" may be called so, or say what for."""
    end = _ends(words, at)[0]
    return end < len(words) and words[end].low == "to" and words[at - 1].low in CUT


def _is_deed_or_key(words: list[NameWord], at: int) -> bool:
    """Return whether "Edit First Name in the table" may be a deed and a row, or "Press Save" a key with a slip."""
    end = _ends(words, at)[0]
    after = words[end].low if end < len(words) else ""
    row = words[at].low in ROW_DEEDS and end - at > 1 and after in PLACES
    return row or (words[at - 1].low in PRESSING and after not in PLACES | BESIDE.keys())


def _is_unsure(words: list[NameWord], at: int) -> bool:
    """Return whether "Check Status" may ask for a look, or "Upload Image" say what kind of file it is."""
    verb = words[at - 2 if words[at - 1].low == "the" and at > 1 else at - 1].low
    end = _ends(words, at)[0]
    ticked = end < len(words) and words[end].low in CHECKED
    if verb in ("check", "checks"):
        return not ticked
    return verb in ("upload", "uploads", "attach", "attaches") and not STRIKING.fullmatch(words[end - 1].text)


def _is_either(text: str) -> bool:
    """Return whether a word is two, of which either may be meant: "Next/Continue"; dates and paths are none."""
    return "/" in text and not any(map(str.isdigit, text)) and not text.startswith("/")


def _is_pair(words: list[NameWord], spans: list[tuple[int, list[int]]]) -> bool:
    """Return whether "and" joins two names of an action: "Terms and Conditions" are one."""
    return any(
        words[end].low == "and"
        and start == end + 1
        and not words[end - 1].parted
        and not (words[at - 1].low in _FILLING and words[ends[0] : ends[0] + 1] and words[ends[0]].low in _FILLING)
        for (at, (end, *_)), (start, ends) in pairwise(spans)
    )


def _is_page(words: list[NameWord], end: int) -> bool:
    """Return whether the name is that of a page, which may show another title or none (decision 0049)."""
    named = words[end - 1].low in PAGES
    return named or (end < len(words) and not words[end - 1].parted and words[end].low in PAGES)


def _is_explained(words: list[NameWord], start: int, end: int) -> bool:
    """Return whether a value in parentheses follows the field: "Enter Email (a@b.test)"."""
    verb = next((word.low for word in reversed(words[:start]) if word.low in DEEDS), "")
    return verb.removesuffix("s") in ENTERING and any(word.text.startswith("(") for word in words[start + 1 : end])


def _is_broken(name: list[NameWord]) -> bool:
    """Return whether a noun in small letters, or what tells which of several is meant, parts a name."""
    counts = any(word.low in ORDINALS for word in name[1:-1])
    counts = counts or (len(name) > 1 and name[0].low in PLACES_IN_LINE and name[1].low not in FIELD_LABELS)
    return (
        counts
        or tells_no_name([word.low for word in name])
        or any(
            before.large and word.text.isalpha() and word.text.islower() and word.low not in CLOSED and after.large
            for before, word, after in zip(name, name[1:], name[2:], strict=False)
        )
    )


def _is_far_owner(words: list[NameWord], at: int, end: int) -> bool:
    """Return whether a possessive ends a name with lower-case words, so that its owner may be only part of the name."""
    return words[end - 1].low.endswith("'s") and not all(word.large for word in words[at:end])


def _is_striking(word: NameWord) -> bool:
    """Return whether a word without a capital letter can be nothing but a name or a value: `notes.txt`, `12/30`."""
    text = word.text
    if MEASURE.fullmatch(text) or NUMBER.fullmatch(text):
        return False
    return bool(STRIKING.fullmatch(text))


def _is_sum(words: list[NameWord], at: int) -> bool:
    """Return whether a number goes on in the next word: `4111 1111`, `2.4 MB`, `17 May 1990`."""
    after = words[at + 1] if at + 1 < len(words) and not words[at].parted else None
    return after is not None and bool(AMOUNT.fullmatch(words[at].text)) and _is_of_sum(after.text)


def _is_subject(words: list[NameWord], at: int) -> bool:
    """Return whether the first words of a claim are a name: a verb follows, and they are no kind of thing."""
    word, end = words[at], _ends(words, at)[0]
    verb = end + (words[end].low in ADVERBS if end < len(words) else 0)
    if not (word.large or _is_striking(word)) or verb >= len(words) or words[verb].low not in VERBS:
        return False
    last = words[end - 1]
    marked = _is_striking(word) or any(one.large or one.text[-1:].isdigit() for one in words[at + 1 : end])
    if word.low in SLIPS or (end - at == 1 and word.low.endswith("ing")):
        return False  # "Hovering shows …"
    if not marked and (
        words[verb].low in HAVING
        or (words[verb + 1 : verb + 2] and words[verb + 1].low in HAVING)
        or (words[verb].low in PLURAL and last.low.endswith("s"))
    ):
        return False
    if {word.low, last.low} & NO_SUBJECTS and end - at < 3:
        return False
    rest = {one.low for one in words[end : end + 5]}
    return marked or not (rest & SHOWN or words[verb].low in SIGHTS or _is_somewhere(words[verb + 1 :]))


def _is_somewhere(words: list[NameWord]) -> bool:
    """Return whether a claim says where something is or came to: "Task is in the list" is about some task."""
    return len(words) > 1 and words[0].low in PLACES | BESIDE.keys() | PLACED


def _ends(words: list[NameWord], start: int) -> list[int]:
    """Return where a name may end that begins with a word, the longest first."""
    if _is_sum(words, start):
        goes_on = (at for at in range(start + 1, len(words)) if words[at - 1].parted or not _is_of_sum(words[at].text))
        return [next(goes_on, len(words))]
    end, short = start + 1, 0
    while end < min(len(words), start + _MOST_WORDS) and not words[end - 1].parted and _goes_on(words, start, end):
        small = not (words[end].large or words[end].text[:1].isdigit() or _is_striking(words[end]))
        short = short or (end if small else 0)
        end += 1
    follows = words[end].low if end < len(words) and not words[end - 1].parted else ""
    whole = (
        not start or words[start - 1].low not in _LEADING
    )  # "Dark mode is on", but "the Dark mode", "choose Dark mode"
    if not short or follows in NOUNS or follows == '"' or words[start].low in CLOSED or whole:
        return [end]
    return [end, short]


def _is_of_sum(text: str) -> bool:
    return bool(AMOUNT.fullmatch(text) or UNIT.fullmatch(text))


def _goes_on(words: list[NameWord], start: int, at: int) -> bool:
    """Return whether a name that began before goes on with a word."""
    word, before = words[at], words[at - 1]
    after = words[at + 1] if at + 1 < len(words) and not word.parted else None
    if word.text == '"' or before.low.endswith("'s"):
        return False
    if word.low in PARTICLES and before.low in PARTICLE_VERBS and at == start + 1:
        return after is None or after.low not in ("the", "a", "an")
    if word.text in ("&", "-", "–", "of"):
        return after is not None and after.large
    if word.low == "to" and at == start + 1 and after is not None:  # "Continue to shipping", "Back to top"
        return at > 1 and words[at - 2].low in CUT and after.low not in CLOSED | DEEDS | ENDS
    if word.large:
        return word.low not in VERBS | SURE_KINDS | {"and", "or"}
    return word.low not in CLOSED and any(map(str.isalnum, word.text))


def _quoted(text: str, words: list[NameWord], names: list[tuple[int, int]]) -> str:
    told, at = "", 0
    for start, end in names:
        last = words[end - 1]
        until = last.end - 2 if last.low.endswith(("'s", "’s")) else last.end
        told += f'{text[at : words[start].start]}"{text[words[start].start : until]}"'
        at = until
    return told + text[at:]
