"""How testers of other tools word values and states, and the phrases for them. Data."""

from muster_grammar.wording_forms import form

_OWNER = r"(?:the |an? )?(?P<p>(?!there\b|it\b|what\b)[\w-]+(?: (?!(?:is|are|has|of)\b)[\w-]+){0,3})"
_SUM = r"(?P<v>[$€£]?\d[\d.,]*(?:[€£]|\u0025)?)"
_LABEL = r"(?P<l>[\w-]+(?: (?!(?:is|are|of)\b)[\w-]+)?)"
VALUES = (
    form(rf"{_OWNER}'s {_LABEL} (?:is|equals) (?:now )?%a", '"{l}" in "{p}" is {a}'),
    form(rf"{_OWNER}'s {_LABEL} (?:is|equals) (?:now )?{_SUM}", '"{l}" in "{p}" is "{v}"'),
    form(rf"{_OWNER}'s {_LABEL} is not %a", '"{l}" in "{p}" is not {a}'),
    form(rf"{_OWNER} ha(?:s|ve) (?:the |an? )?{_LABEL}(?: of)? %a", '"{l}" in "{p}" is {a}'),
    form(rf"{_OWNER} do(?:es)? not have (?:the |an? )?{_LABEL}(?: of)? %a", '"{l}" in "{p}" is not {a}'),
    form(
        rf"(?:[\w-]+ )*page (?:(?:should|must|will) )?(?:displays?|shows?) (?:the )?{_LABEL} (?:as|of|to be) %a",
        '"{l}" is {a}',
    ),
    form(
        r"(?:the )?(?P<o>last|first|second|third|newest|latest|most recent) (?:\w+ )?"
        r"(?:message|comment|post|note|reply|notification|entry|item|result|e-?mail|order|product|todo|task)"
        r" (?:is|says|shows|reads|contains) %a",
        "{a} is the {o} item in the list",
        "{a} is the last item in the list",
    ),
    form(
        r"%a is (?:(?:shown|displayed|listed) as )?the (?P<o>last|first|newest|latest) "
        r"(?:message|comment|post|note|reply|notification|entry|result|e-?mail|order|product|todo|task)",
        "{a} is the {o} item in the list",
        "{a} is the last item in the list",
    ),
    form(
        r"(?:the )?%n and (?P<o>(?-i:[A-Z])[\w -]*?) fields (?:are |have |show |contain |reflect |should |correctly |"
        r"be |set |filled |to |with |the |values? )*%a and %b(?: respectively)?",
        '"{n}" is {a} and "{o}" is {b}',
    ),
    form(r"(?:the )?%l of (?:the )?%o%a is %b(?: [\w-]+)?", '"{l}" in {a} is {b}'),
    form(r"(?:the )?[\w-]+ %a has (?:the |an? )?%l(?: of)? %b", '"{l}" in {a} is {b}'),
    form(r"%a is (?:listed|shown|displayed) (?P<o>first|last)", "{a} is the {o} item in the list"),
    form(
        r"(?:its|the) (?P<l>status|state|type|total|price|name|level|version) is "
        r"(?P<v>(?!\w+ (?:out|up|down|off|away)\b)[\w-]+(?: [\w-]+)?)",
        '"{l}" is "{v}"',
    ),
    form(
        r"(?:all |every )?(?:the )?%n (?P<k>checkboxes|buttons|links|fields|options|rows|items) (?:is|are)"
        r" (?P<m>checked|unchecked|disabled|enabled|selected|empty)",
        'All "{n}" {k} are {m}',
    ),
    form(
        r"(?:the )?(?:%a (?:[\w-]+ )?%k|%k %a)(?:'s)?(?: value| text)? (?P<m>is|equals?|contains?|match"
        r"(?:es)?|has(?: text| value)?)(?: to| equal to| with| filled with)? %b",
        "The {a} {k} {m} {b}",
        "The {a} {k} is {b}",
    ),
    form(
        r"(?:the )?(?:%k )?%a(?: text| value| label text)? (?P<m>is|equals?|contains?|match(?:es)?)(?: to| equal"
        r" to)? %b",
        "{a} {m} {b}",
        "The value of {a} is {b}",
    ),
    form(
        r"(?:the )?%a (?:[\w-]+ )?%k(?: should| must| will)? (?:have|has|contain|hold)s?(?: the)?(?: value|"
        r" text)?(?: of)? %b",
        "The {a} field has the value {b}",
    ),
    form(
        r"(?:the )?(?:%a %k|%k %a) (?:is|are)(?: marked| greyed)?(?: as)? (?P<s>not )?"
        r"(?P<m>checked|unchecked|disabled|enabled|selected|focused|expanded|collapsed|empty|readonly)",
        "The {a} {k} is {s}{m}",
    ),
    form(
        r"(?:the )?%a(?: [\w-]+)? (?:is|are)(?: marked)?(?: as)? (?P<s>not )?"
        r"(?P<m>checked|unchecked|disabled|enabled|selected|focused|expanded|collapsed|empty)",
        "{a} is {s}{m}",
    ),
    form(
        r"(?:the )?%a is(?: the)? selected(?: option| value)? (?:in|from|for|of)(?: the)? (?:%k )?%b(?: \w+)?",
        "{a} is selected in {b}",
    ),
    form(r"(?:the )?%b(?: \w+)? (?:has|have|has the option) %a selected", "{a} is selected in {b}"),
    form(
        r"(?:the )?(?P<r>caption|heading|title|header|page heading|h1|label) is (?P<v>(?-i:[A-Z])[^«»]*)",
        'The {r} is "{v}"',
    ),
    form(
        r"(?:the )?%n %k (?:is|are) (?P<s>not )?(?P<m>checked|unchecked|disabled|enabled|selected|focused|empty)",
        'The "{n}" {k} is {s}{m}',
    ),
    form(
        r"(?:the )?%n (?:is|are) (?P<s>not )?(?P<m>checked|unchecked|disabled|enabled|selected|focused|empty)",
        '"{n}" is {s}{m}',
    ),
    form(
        r"(?:the )?%a(?: (?:table|list|grid))? (?:should |must )?(?:has|have|contains?)(?: exact(?:ly)?| only)?"
        r" %d (?:rows|items)(?: only)?",
        "The {a} table has {d} rows",
    ),
    form(
        r"(?:the )?%a(?: (?:table|list|grid))? (?:has|have|contains?) (?P<m>at least|at most|more than|fewer"
        r" than) %d rows",
        "The {a} table has {m} {d} rows",
    ),
    form(
        r"(?:the )?%k (?:(?:is|are) not (?:displayed|shown|visible|present|there|available|rendered)|disappears)%E",
        "There are no {k}s",
        "There are no {k}es",
    ),
)
