"""What a proposal must keep of the sentence that it stands for, and what it must not make up. Pure."""

import re

from muster_grammar.asides import ARRIVING
from muster_grammar.conserved_names import COME
from muster_grammar.described_names import (
    CHECKED_PART,
    HOLDING,
    MANNERS,
    TEXTS,
    WITH_KIND,
    goes_on_in,
    is_purpose,
    kind_as_name,
    tells_what_was_done,
)
from muster_grammar.dropped_words import OFFERS
from muster_grammar.element_kinds import (
    CHOICES,
    CONTAINERS,
    DEEDS,
    DRAWN,
    ENDING_NAMES,
    FIELD_LABELS,
    FIELD_NOUNS,
    KINDS,
    OPTION_LABELS,
    PLURALS,
    POSITIONS,
    PROPERTIES,
)
from muster_grammar.ends_of_names import belongs_beside
from muster_grammar.made_up_names import MESSAGES, is_no_name
from muster_grammar.name_parameters import WHATEVER
from muster_grammar.plain_values import is_quality
from muster_grammar.target_places import NOT_ON_PAGES
from muster_grammar.unquoted_names import RESERVED
from muster_grammar.vocabulary import SHORT_NOT, split
from muster_text.clauses import QUOTED, literals

_NOT = re.compile(
    r"\b(?:no|not)\b(?! (?:more|less|fewer) than\b)|\b(?:never|cannot|without|neither|nor)\b|n't\b"
    rf"|\b{SHORT_NOT}\b|\b(?:disappear|vanish)\w*|\b(?:nicht|kein\w*|nie|niemals|ohne|weder)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?!(?:The|An?|All|Both|No|Each|Every|Only) )[A-Z]\w*(?: [a-z]+){4,}")
"""A text of five words or more with one capital letter: a sentence on a page, not the name of a thing."""
_WORDS = re.compile(r"[a-z]+")
_TELLING = (
    MESSAGES
    | DRAWN
    | split(
        "title heading header placeholder statu state count number amount size colour color clas attribute position "
        "order index console log email cookie url button link checkbox radio tab image row cell dialog modal table "
        "column option avatar picture photo graphic badge contain switch slider first second third last every each "
        "all any only just solely alone exclusively merely same top bottom matching directory folder newest latest "
        "oldest highest lowest ascending descending today tomorrow yesterday briefly two three four five both until or "
        "except when format font style frame iframe"
    )
)
"""Words, in the singular, that no proposal leaves out: without them it says something else."""
_CONDITIONS = split(
    "if unless whenever such similar nowhere everywhere hardly barely scarcely rarely seldom nearly almost roughly "
    "approximately halfway outside near nothing nobody other lack parent neighbour neighbor absence along together "
    "twice"
)
"""Words of conditions, examples, limits and doubts, in the singular; no phrase says the same without them."""
_MADE = re.compile(r"\b(?:added|created|uploaded|saved|removed|deleted|updated|pops? up)\b", re.IGNORECASE)
"""Verbs whose subject is a thing, not a text."""
_LOGS_IN_AS = re.compile(r"\b(?:log|sign)[ -]?in as\b", re.IGNORECASE)
_REPEATED = re.compile(
    rf"(?:.* )?(?:use|press)\b.* to (?:{'|'.join(sorted(ARRIVING))}) (?!.*\b(?:next|previous)\b)", re.IGNORECASE
)
"""Pressing a key until the focus arrives somewhere: "use Tab to move to the date"."""
_OF_THING = re.compile(r'"(\d+)" (?:is|are) |"([^"]*)" (?:is|are|(?:should|must) be) (?!")')
_KINDS_SHOWN = re.compile(r'The text "[^"]*\b(?:cards?|sections?|buttons|links|tabs|fields|options|icons)" ')
_THINGS = FIELD_LABELS | CHOICES | WHATEVER | set(RESERVED) | {"item", "items", "cart", "order"}
"""What names a thing and is no text that a page shows for it."""
_CHOSEN = re.compile(r"\bselected (?:option|value|item)\b", re.IGNORECASE)
_KEY_PRESSED = re.compile(r"(?:\w+ )*press\w*\b.*\bkeys?$", re.IGNORECASE)
_ENTERED = re.compile(r"^(?:put|add|insert|move)s?\b", re.IGNORECASE)
"""Verbs of which only a field tells that something is typed."""
_TYPES = re.compile(r"(?:type|enter|input|fill|set|put)\b", re.IGNORECASE)
_THE_TEXT = re.compile(r'(?:type|enter|input|write) the (?:\w+ of )?"([^"]*)"', re.IGNORECASE)
_ASKED = re.compile(r"\bchecks? (?:that|if|whether|for)\b", re.IGNORECASE)
"""Here "check" means to look, not to tick a box."""
_DONE_TO = re.compile(rf'"(?:{"|".join(DEEDS)})" (?:{"|".join(CONTAINERS)})\b', re.IGNORECASE)
"""A container that would be called by what is done to it: "Delete card" deletes one."""
_FIELDS = FIELD_LABELS | FIELD_NOUNS | {"box", "textbox", "textarea"}
_SENT = frozenset(
    ("upload", "uploads", "attach", "attaches", "file", "files", "select", "selects", "choose", "chooses")
)
_MERE_TEXT = re.compile(r'(?:The text )?"[^"]*" is (?:not )?visible')
_PARTS = CONTAINERS | (POSITIONS - {"page", "main"})
"""What tells where a text is, in the singular."""
_ON_PAGE = re.compile(r"""\bpage ["'“]\d""")
_IN_FIELD = re.compile(r'"([^"]*)" is visible in the "?([^"]+?)"? field')
"""A text that a field would show."""
_COUNTED = re.compile(r"""["'“`]\d+["'”`] [a-z]+s\b""")
"""A count with its number in quotes: `"3" rows`."""
_LAST_PLACE = re.compile(r" in (?:the )?\"?(\w+)[\w ]*\"?$")
_NOWHERE = NOT_ON_PAGES | split("most least")
"""What a proposal would make a part of the page."""
_ENDS = sorted(ENDING_NAMES | HOLDING)
_CUT = re.compile(rf'" (?:{"|".join((*(one.title() for one in _ENDS), *map(str.upper, _ENDS)))})\b')
"""A name whose last word is left out of the quotes: `the "Credit" Card`."""
_NOUNS = KINDS | DRAWN | {"title"}
_COUNTS = re.compile(r"\d+ (?:[a-z]+ )*[a-z]+s\b")
"""What says how many there are, and is no text: "3 blocked items"."""
_HAS_PLACE = re.compile(r"\b[a-z][\w-]* (?:in|on|from) (?:the )?[A-Z]")
"""A name with a place behind it: "Email alerts in Settings"."""
_JOINED = re.compile(r'" (?:And|AND) |\b(?:And|AND) "')
"""Two names out of one: "Terms And Conditions"."""
_HOW = re.compile(rf'(?i:visible|see .*) in "[^"]*\b(?:{"|".join(sorted(MANNERS))})"')
_CHOSEN_IN = re.compile(r'^Select .* in "([^"]*)"$')
_REMARK = re.compile(r"\([A-Z][a-z][^)]*\)|\([^)]*,[^)]*\)")
"""What stands in brackets and may be claimed as well: `"Pro" (Active)`."""
_PART_OF_NAME = re.compile(rf'" ({"|".join(sorted(CONTAINERS - {"dialog", "menu"}))}) (?:button|link|icon|tab)\b')
"""A part of the page named between a quoted name and the kind of element: `the "Details" panel button`."""
_ONE_AS_MANY = re.compile(r'^(?:Select|Choose|Click) "[^"]*" (?:options|items|entries|values)$')
"""What is chosen and the list that offers it in one pair of quotes: "A from B" options."""
_KIND_HELD = re.compile(r'(?:\b(?:not|no)\b [^"]*|\bcontains? )"[^"]* [a-z]+[a-rt-z]s"$')
"""Several things that are in something, or not, as if a text: does not contain "Old entries"."""
_RUN_NOUN = re.compile(
    r'^Run "(?:the )?(?:scripts?|tests?|quer(?:y|ies)|programs?|commands?|files?|jobs?|tasks?|reports?)"$'
)
"""A word for what can be run, which is no command."""
_IN_NUMBER = re.compile(r'^Select .* in "\d+"$')
_OWNED_TEXT = re.compile(r'(?:The text|.*\b[Ss]ee(?: the)?) "(\w+)"(?: is .*)?$')
_NUMBER = re.compile(r"(?<![\w«])\d+(?:\.\d+)?")


def keeps(plain: str, proposal: str) -> bool:
    """Return whether a proposal says each value, number and negation of a sentence, and makes up no name."""
    kept = all(text in proposal for text in (*literals(plain), *_NUMBER.findall(QUOTED.sub(" ", plain))))
    kept = kept and _TELLING.isdisjoint(_spoken(plain) - _said(proposal)) and _CONDITIONS.isdisjoint(_spoken(plain))
    given = literals(plain)
    if _is_mere_text(plain, proposal):
        return False
    made_up = [text for text in literals(proposal) if text not in given]
    if len(made_up) == len(literals(proposal)) and any(_is_any(text, plain, proposal) for text in made_up):
        return False
    if (_CHOSEN.search(plain) and "selected" not in proposal) or _LOGS_IN_AS.search(plain):
        return False
    if (_REPEATED.match(plain) and " to " not in proposal) or _is_of_thing(proposal, given):
        return False
    if _is_ill_quoted(made_up) or _CUT.search(proposal) or any(belongs_beside(text, proposal) for text in made_up):
        return False
    if _types_label(proposal) and not _types_label(plain):
        return False
    if _describes_entry(proposal, given) or ((place := _LAST_PLACE.search(proposal)) and place[1].lower() in _NOWHERE):
        return False
    if _describes(plain, proposal, made_up):
        return False
    found = all(text in plain for text in literals(proposal))
    found = found and not any(is_no_name(text) and not _is_message(text, plain, proposal) for text in made_up)
    kept = kept and _does_the_same(plain, proposal) and ("element" not in _spoken(plain) or "The text" not in proposal)
    said = made_up if proposal.startswith(("The text ", '"No ')) else ()
    told = " ".join((QUOTED.sub(" ", proposal), *said))
    return kept and found and len(_negations(plain)) == len(_negations(told))


def _is_mere_text(plain: str, proposal: str) -> bool:
    """Return whether a proposal looks for a text anywhere, although the sentence says where or how often it is."""
    counted = proposal.startswith("The text ") and _COUNTED.search(plain)
    counted = counted or (_ON_PAGE.search(plain) and "page" not in proposal)
    return bool(counted) or (
        bool(_MERE_TEXT.fullmatch(proposal)) and not _PARTS.isdisjoint(_spoken(plain) - _said(proposal))
    )


def _is_ill_quoted(made_up: list[str]) -> bool:
    """Return whether a text that only a proposal quotes counts, judges, is a kind or holds more than one name."""
    if any(one != other and one in other for one in made_up for other in made_up):
        return True  # "the Debt" of the card "Debts"
    if any(_COUNTS.match(text) or _HAS_PLACE.search(text) or text in _NOUNS for text in made_up):
        return True
    return any(is_quality(text.lower()) for text in made_up)


def _describes(plain: str, proposal: str, made_up: list[str]) -> bool:
    """Return whether a proposal repeats what a reading is refused for: one name made two, a manner as a place."""
    bare = QUOTED.sub(" ", plain)
    said = re.match(r"\w*", plain)
    done = said[0] if said and made_up and said[0].lower() in COME else ""
    if made_up and len(made_up) == len(literals(proposal)) and _MADE.search(QUOTED.sub(" ", proposal)):
        return True
    remark, part = _REMARK.search(bare), _PART_OF_NAME.search(QUOTED.sub('"', plain))
    if (remark and remark[0] not in proposal) or (part and part[1] not in proposal) or _IN_NUMBER.search(proposal):
        return True
    joined = _JOINED.search(proposal) and not _JOINED.search(plain)
    if made_up and (_ONE_AS_MANY.match(proposal) or _RUN_NOUN.match(proposal) or _KIND_HELD.search(proposal)):
        return True
    if joined or _HOW.search(proposal) or (done and done not in proposal):
        return True
    kind = kind_as_name(plain)
    slotted = QUOTED.sub('"', plain)
    if (kind and kind not in made_up) or CHECKED_PART.search(slotted):
        return True
    if any(text.count(",") > 1 for text in literals(plain)) and any(map(OFFERS.search, slotted.split('"'))):
        return True
    if any(goes_on_in(text, bare) or (text[:1].isupper() and tells_what_was_done(text)) for text in made_up):
        return True
    chosen, owned = _CHOSEN_IN.match(proposal), _OWNED_TEXT.match(proposal)
    if chosen and chosen[1] in made_up and is_purpose(chosen[1], bare):
        return True
    if owned and owned[1] in made_up and owned[1].lower() in PROPERTIES:
        return True
    ends = any(WITH_KIND.fullmatch(text) for text in literals(plain))
    return ends and proposal.startswith("The text ") and not TEXTS.search(QUOTED.sub('"', plain))


def _is_of_thing(proposal: str, given: tuple[str, ...]) -> bool:
    """Return whether a proposal looks for what a thing is called: `"Product" is visible in the cart`."""
    told = _OF_THING.match(proposal)
    if told and (told[1] or (told[2] not in given and told[2].lower() in _THINGS)):
        return True
    field = _IN_FIELD.match(proposal)
    if field and field[1] not in given and field[1].lower().endswith(field[2].lower()):
        return True
    return bool(_KINDS_SHOWN.match(proposal)) and not any(f'"{text}"' in proposal for text in given)


def _is_any(text: str, plain: str, proposal: str) -> bool:
    """Return whether what a proposal clicks or chooses may be any of its kind: "a product", "the patient"."""
    if re.search(rf'\b(?:an?|any|some) (?:[\w-]+ )?"{re.escape(text)}"$', proposal):
        return True
    if not proposal.startswith(("Choose ", "Click ")):
        return False
    which = "an?|the|any|some|valid|invalid|existing|default"
    before = re.search(rf"\b({which}) {re.escape(text)}\b", plain, re.IGNORECASE)
    definite = bool(before) and before[1].lower() == "the"
    generic = text.isalpha() and text.islower() and proposal.startswith("Choose ")
    return bool(before) and (generic or not definite)


def _is_message(text: str, plain: str, proposal: str) -> bool:
    """Return whether a text is that of a message, which may be a sentence: "Your cart is empty message is shown"."""
    if " or " in text:
        return False
    if _SENTENCE.fullmatch(text) and proposal.startswith("The text "):
        return True
    said = re.search(rf"^(?:the )?{re.escape(text)} (?:\w+ )*(?:message|error|toast|notification|alert)\b", plain, re.I)
    return bool(said) and proposal.startswith("The text ") and len(text.split()) > 2


def _describes_entry(proposal: str, given: tuple[str, ...]) -> bool:
    """Return whether what a proposal types or selects only says what kind of thing it is: "Past date", "Maximum"."""
    ends = [text.split()[-1].lower() for text in literals(proposal)[:1] if text.strip() and text not in given]
    if (entered := _THE_TEXT.match(proposal)) and entered[1] not in given:
        return True  # "the number of adults" tells what is typed
    if proposal.startswith("Select "):
        return not OPTION_LABELS.isdisjoint(ends)  # what is selected would be the list
    return bool(_TYPES.match(proposal)) and not WHATEVER.isdisjoint(ends)


def _types_label(text: str) -> bool:
    """Return whether what a field is called is typed into it: "Enter Email in the Email field" does not say what."""
    said = [one.casefold() for one in literals(text)]
    bare = QUOTED.sub(" ", text).casefold()
    return bool(_TYPES.match(text)) and (len(set(said)) < len(said) or any(one in bare for one in said))


def _does_the_same(plain: str, proposal: str) -> bool:
    """Return whether a proposal clicks what is clicked, and types or uploads nothing that is put into a cart."""
    bare = set(QUOTED.sub(" ", plain).lower().split())
    if proposal.startswith(("Click ", "Press ")) and _KEY_PRESSED.match(plain):
        return False
    if proposal.startswith("Run ") and not bare.isdisjoint(("app", "application", "browser", "site")):
        return False
    if "clicks" in bare and not re.search(r"\b(?:click|press)", proposal, re.IGNORECASE):
        return False
    if proposal.startswith("Check ") and _ASKED.search(plain):
        return False
    if _DONE_TO.search(proposal) and not _DONE_TO.search(plain):
        return False
    if proposal.startswith("Choose ") and not bare.isdisjoint(("text", "word", "words")):  # it is marked, not chosen
        return False
    if proposal.startswith("Upload "):
        return not _SENT.isdisjoint(bare)
    return not (proposal.startswith("Type ") and _ENTERED.match(plain)) or not _FIELDS.isdisjoint(bare)


def _spoken(text: str) -> set[str]:
    """Return the words of a sentence outside of quotes, in the singular."""
    return {_singular(word) for word in _WORDS.findall(QUOTED.sub(" ", text).lower())}


def _singular(word: str) -> str:
    return PLURALS.get(word, word.removesuffix("s"))


def _said(proposal: str) -> set[str]:
    """Return the words that a proposal says; where it says "the text", any noun for a message is said."""
    said = {_singular(word) for word in _WORDS.findall(proposal.lower())}
    said |= MESSAGES if "text" in said else set()
    return said | DRAWN if "image" in said else said


def _negations(text: str) -> list[str]:
    return _NOT.findall(QUOTED.sub(" ", text))
