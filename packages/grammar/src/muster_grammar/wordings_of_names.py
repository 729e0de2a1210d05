"""How manual testers word steps without quotes, and phrases for them. Data; `wording_forms.py` explains the marks."""

from muster_grammar.asides import ENDS
from muster_grammar.element_kinds import FIELD_LABELS, OPTION_LABELS
from muster_grammar.word_products import MESSAGE_SORTS
from muster_grammar.wording_forms import form

_SORT = rf"(?:(?:{'|'.join(MESSAGE_SORTS)}|alert|pop-?up) )*"
_NOUN = r"(?:message|error|toast|notification|pop-?up|alert|warning|text|notice)"
_SEEN = r"(?:(?:is|are) (?P<x>not )?(?:displayed|shown|visible|present|seen|presented)|(?:appears?|pops? up))"
_SENTENCE = (
    r"(?:(?-i:[A-Z])\S*(?: (?-i:[A-Z0-9])\S*)+"
    r"|(?-i:[A-Z])[^«»]*\b(?:is|are|was|has|have|been|not|cannot|must|please|your|successfully|found|invalid|required)\b"
    r"[^«»]*?)"
)
"""Words that say something by themselves: with capital letters throughout, or with a verb."""
_COLOUR = r"(?:(?:red|green|blue|yellow|orange|grey|gray|black|white|new|small|big|large) )?"
_BOX = r"(?:box|banner|bar|background|font|colou?r|pop-?up|message|alert)"
_LABEL = rf"(?:(?:first|last|full|user) )?(?:{'|'.join(sorted(FIELD_LABELS))})"
_VALUE = (
    r"(?!(?:in|as|with|to|and|field|box|is|of|for|valid|invalid|correct|incorrect|wrong|new|old|any|a|an|the)\b)\S+"
)
_ENDED = "|".join(sorted(ENDS))

CLAIMS = (
    form(rf"(?:the |an? )?(?P<r>{_SENTENCE}) {_SORT}{_NOUN} {_SEEN}", 'The text "{r}" is {x}visible'),
    form(rf"(?:the |an? )?(?P<r>(?-i:[A-Z])[^«»]*?) (?:title|heading) {_SEEN}", 'The heading "{r}" is {x}visible'),
    form(
        r"(?P<r>(?-i:[A-Z])[^«»]*, [^«»]*) is (?P<x>not )?(?:displayed|shown|visible)", 'The text "{r}" is {x}visible'
    ),
    form(r"(?P<r>\d+ [a-z]+ [a-z ]+) (?:is|are) (?:displayed|shown|visible)", 'The text "{r}" is visible'),
    form(r"(?:the )?(?P<l>\w+(?: \w+){0,2}) (?:displays|shows) (?P<v>\d+ [a-z ]+)", '"{l}" shows "{v}"'),
    form(rf"(?:the |an? )?{_COLOUR}(?:%a %k|%k %a) (?:appears?|%V)", "The {a} {k} is {x}visible"),
    form(rf"%o%a%e %V (?:on|in) an? (?:[a-z]+ )?{_BOX}", "The text {a} is {x}visible"),
    form(r"%xsee %owith (?:the )?(?:name|title|text|label|value) %a", "The text {a} is {x}visible"),
    form(
        r"(?:the )?%a(?: option| value)? (?:is |be |been |should |must )*selected(?: by default)?"
        r" (?:in|from|for|of)(?: the)? %b(?: [\w-]+)*",
        "{a} is selected in {b}",
    ),
    form(r"(?:the )?%o%a%e (?:is |are |has |have |been )*(?:disappear|vanish)(?:ed|s)?", "The text {a} is not visible"),
    form(
        r"(?:the )?%o%a%e (?:is |are |has |have |been )*(?:disappear|vanish)(?:ed|s)? %W %p",
        "{a} is not visible in the {p}",
        '{a} is not visible in "{p}"',
    ),
    form(r"(?:the )?(?P<l>(?!page\b|browser\b|window\b)[a-z]+ (?:title|heading)) (?:is|equals?) %a", '"{l}" is {a}'),
    form(
        r"(?:the )?(?:[a-z]+ )?%n (?:%V|appears?) %W %p",
        '"{n}" is {x}visible in the {p}',
        '"{n}" is {x}visible in "{p}"',
    ),
    form(
        r"(?:the )?%n (?P<r>panel|section|menu) (?:shows|contains) (?:the )?%l %k",
        'The "{l}" {k} is visible in the "{n}" {r}',
    ),
)
"""Tried before the forms of other tools: these know where a name without quotes ends."""

ACTS = (
    form(
        r"%C (?P<n>(?-i:[A-Z])[\w'-]*(?: [\w'-]+)? and (?-i:[A-Z])[\w'-]*(?: [\w'-]+)?)",
        'Click "{n}"',
    ),
    form(rf"%C (?P<l>[a-z]+ to (?!(?:{_ENDED})\b)[a-z]+(?: [a-z]+)?)", 'Click "{l}"'),
    form(
        r"%C (?P<l>(?-i:[a-z]+)(?: (?-i:(?!(?:to|in|on|of|for|from|and|or|with|at|as)\b)[a-z]+)){1,2})", 'Click "{l}"'
    ),
    form(
        r"%S (?P<n>(?-i:[A-Z])\w*(?: (?:on|of|in|to|&|(?-i:[A-Z])[\w'-]*))*(?-i: [A-Z][\w'-]*))"
        r"(?-i: (?!from|in|as|for|on|of|option|and)[a-z]+){1,2}",
        'Choose "{n}"',
    ),
    form(r"(?:set|change|update)s?(?: the)? %l to (?P<q>\d+) (?:using|with|via|from) .*", "Set the {l} to {q}"),
    form(rf"(?:%N )?(?P<l>{_LABEL})(?: is| as| =|:)? (?P<v>{_VALUE})", 'Type "{v}" into "{l}"'),
    form(rf"(?P<l>{_LABEL})(?: is| as| =|:)? %a", 'Type {a} into "{l}"'),
    form(rf"%N (?:valid|invalid|correct|incorrect|wrong) (?P<l>{_LABEL}) %a", 'Type {a} into "{l}"'),
    form(
        rf"%S(?: the)? (?P<l>(?:[a-z]+ )?(?:{'|'.join(sorted(OPTION_LABELS))}))(?: as| of|:)? %n",
        'Select "{n}" in "{l}"',
    ),
    form(r"search(?:es)?(?: for)? %n", 'Type "{n}" into the search field and press Enter'),
)
