"""What the forms of other tools' wordings are written with. Data.

A form sees a sentence without its values: `«c0»` stands for the first of them, its letter for what it looks like.
In a form, `%a`, `%b` and `%c` are values, `%f` a file, `%u` an address, `%g` a method, `%y` a key, `%d` a number; `%k`
is a kind of element, `%n` a name in capital letters, `%l` one in small letters, `%p` a place, `%x` a "not". A phrase
made of it names them as `{a}`. `%T` is a noun for a text, `%V` "is displayed", `%W` a word before a place, `%E` says
nothing; `%C` clicks, `%P` types, `%S` selects, `%N` enters a value that is named; `%o` and `%e` are other words
before and behind a value, none of which limits, denies, chooses or leads to something else.
"""

from typing import NamedTuple

from muster_grammar.compounds import ACTORS
from muster_grammar.element_kinds import ROLES


class Form(NamedTuple):
    """A wording that is no phrase, and the phrases that say it: the first that is read is proposed."""

    pattern: str
    phrases: tuple[str, ...]


def form(pattern: str, *phrases: str) -> Form:
    """Return a form."""
    return Form(pattern, phrases)


_NOUNS = (
    *("radio button", "check box", "text box", "text field", "text area", "input field", "menu item", "menu option"),
    *(
        "drop-down",
        "drop down",
        "dropdown menu",
        "dropdown list",
        "select box",
        "list item",
        "popup",
        "pop-up",
        "modal",
    ),
    *ROLES,
)
_VALUE = r"«[cdkfug]\d+»"
_JOINTS = r"and|or|in|on|from|within|is|are|was|with|at|to|into|as|for|until|then|so"
_TELLING = (
    r"not|no|nor|never|neither|or|if|unless|only|except|until|when|while|twice|once|times|every|each|all|any|both|either|"
    r"without|none|cannot|missing|lacks|first|second|third|fourth|fifth|last|next|previous|disabled|enabled|checked|unchecked|"
    r"selected|hidden|than|more|less|least|most|before|after|above|below|beside|between|instead|again|object|"
    r"cookie|header|file|directory|folder|key|config|property|variable|json|px|pixels|console|branch|event|service|html|"
    r"there|it|this|they"
)
_LEADING = r"in|on|at|within|inside|under|from|of|for|to|as|with|by|into|and|then|but|is|are|was|were|has|have|had|be"
_PLAIN = rf"(?!(?:{_TELLING}|{_LEADING}|\w+ed)\b)[\w'/-]+"
_TEXT = r"texts?|messages?|notices?|warnings?|phrases?|notifications?|strings?|summary|flash|toast|comment|statement"
_NO_NAMES = (
    r"I|The|An?|My|Both|All|Each|Every|Some|Any|No|Only|This|That|These|Its?|There|Nothing|Exactly|One|Two|Three|Four|"
    r"Five|Six|Seven|Eight|Nine|Ten"
)

PEOPLE = (
    r"(?:(?:the |an? )?(?:(?:logged[ -](?:in|out)|registered|current|organisation) )*"
    rf"(?:users?(?: (?-i:[A-Z])\b)?|browser|system|{'|'.join(sorted(ACTORS - {'user'} | {'it'}))}))"
)
"""Who does it, or sees it."""
MAY = (
    r"(?:(?: should| must| will| would| shall| can| could| may| is| are| am| be| able to| has to| have to| needs? to"
    r"| wants? to| tr(?:y|ies) to| attempts? to| then| also| now| again)*)"
)
"""Words between the subject and its verb that change nothing for a test."""

MARKS = {
    "%a": rf"(?P<a>{_VALUE})",
    "%b": rf"(?P<b>{_VALUE})",
    "%c": rf"(?P<c>{_VALUE})",
    "%d": r"(?P<d>«d\d+»)",
    "%f": r"(?P<f>«f\d+»)",
    "%g": r"(?P<g>«g\d+»|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)",
    "%u": r"(?P<u>«u\d+»)",
    "%y": r"(?P<y>«k\d+»)",
    "%k": rf"(?P<k>\b(?:{'|'.join(sorted(_NOUNS, key=len, reverse=True))})\b)",
    "%n": rf"(?P<n>(?!(?:{_NO_NAMES}) )(?-i:[A-Z0-9])[\w'&.-]*(?: (?!(?:{_JOINTS})\b)[\w'&/.-]+){{0,5}}?)",
    "%l": rf"(?P<l>(?!(?:an?|the|my|all|any|some|valid|invalid|it|first|second|last|next|{_JOINTS})\b)\w[\w'-]*"
    rf"(?: (?!(?:{_JOINTS}|like|valid)\b)[\w'-]+){{0,3}}?)",
    "%p": rf"(?P<p>(?!(?:[\w'-]+ ){{0,4}}(?:page|screen|bottom|top)\b)(?!(?:an?|the|my|{_JOINTS})\b)"
    rf"[\w'-]+(?: (?!(?:{_JOINTS})\b)[\w'-]+){{0,4}}?)",
    "%x": r"(?P<x>not )?",
    "%T": rf"(?:(?:flash|errors?|success|warning|info|validation|confirmation|govuk|toast|alert) )*(?:{_TEXT}|errors?)",
    "%V": r"(?:is|are) %x(?:displayed|shown|visible|present|listed|seen|there|available|presented|rendered)",
    "%W": r"(?:in|within|inside|on|from|at|as part of)(?: the)?",
    "%E": r"(?: (?:on|in|at|from) (?:the )?(?:[\w-]+ ){0,3}(?:page|screen|browser|website|site))?",
    "%o": rf"(?:(?:the|an?|my|their|his|her|its) )?(?:{_PLAIN} ){{0,5}}?",
    "%e": rf"(?: {_PLAIN}){{0,4}}",
    "%C": r"(?:click|tap)(?:s|ed)?(?: (?:on|in|at))?(?: the| an?)?",
    "%P": r"(?:type|enter|input|put|send|write|fill in|fill|insert|set(?: the)? text|send keys)s?",
    "%S": r"(?:select|choose|pick)s?(?: the| an?)?(?: option| value)?",
    "%N": r"(?:enter|type|input|fill in|fill|provide|give|set|specify|change|update|add)s?"
    r"(?: the| an?| its| her| his| my| their)?",
}
