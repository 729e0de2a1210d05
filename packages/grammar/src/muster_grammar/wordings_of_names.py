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
    r"(?!(?:in|as|with|to|and|field|box|is|of|for|valid|invalid|correct|incorrect|wrong|new|old|any|a|an|the)\b)"
    r"[^\s«»]+"
)
_FILE = r"(?:the |an? )?(?:file |image |document )?(?:named |called )?"
STATES = r"enabled|disabled|checked|unchecked|selected|expanded|collapsed"
_MUST = r"(?: (?:should|must|will|shall))?"
_ENDED = "|".join(sorted(ENDS))

_PART = r"(?P<p>[\w -]*?(?:form|dialog|modal|section|panel|card|table|list|menu|sidebar|header|footer))"

CLAIMS = (
    form(
        rf"%xsee(?: the| an?)? {_PART} (?:with|containing|that has)(?: the| an?)? (?:%a %k|%k %a)",
        "The {a} {k} is {x}visible in the {p}",
        'The {a} {k} is {x}visible in "{p}"',
    ),
    form(
        rf"(?:see )?(?:the |an? )?(?:%a %k|%k %a) \((?P<m>{STATES})\)",
        "The {a} {k} is visible and {m}",
        "The {a} {k} is {m}",
    ),
    form(rf"(?:the |an? )?(?P<r>{_SENTENCE}) {_SORT}{_NOUN} {_SEEN}", 'The text "{r}" is {x}visible'),
    form(rf"(?:the |an? )?(?P<r>(?-i:[A-Z])[^«»]*?) (?:title|heading) {_SEEN}", 'The heading "{r}" is {x}visible'),
    form(
        r"(?P<r>(?-i:[A-Z])[^«»]*, [^«»]*) is (?P<x>not )?(?:displayed|shown|visible)", 'The text "{r}" is {x}visible'
    ),
    form(r"(?P<r>\d+ [a-z]+ [a-z ]+) (?:is|are) (?:displayed|shown|visible)", 'The text "{r}" is visible'),
    form(r"(?:the )?(?P<l>\w+(?: \w+){0,2}) (?:displays|shows) (?P<v>\d+ [a-z ]+)", '"{l}" shows "{v}"'),
    form(
        r"(?:an? |the )?(?:new )?(?:[\w-]+ )?(?:with |named |called |titled )?%a (?:is|was|has been) added to"
        r" (?:the )?(?:%p|%n)",
        "{a} is visible in the {p}",
        '{a} is visible in "{n}"',
    ),
    form(
        r"(?:the )?%a (?:[\w-]+ )?%V (?P<r>next to|beside|below|above|under)(?: the)? %b", "{a} is {x}visible {r} {b}"
    ),
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

FALLBACKS = (
    form(
        rf"(?:the )?(?:[\w-]+ )*?(?:page|screen|dashboard|ui|system|app|application|site){_MUST}"
        r" (?:shows?|displays?|contains?|presents?) (?:the |an? )?(?:[a-z-]+ ){0,3}?%a",
        "The text {a} is visible",
    ),
    form(
        rf"(?:[^«»]*? )?{_SORT}{_NOUN}(?: (?:with|saying|stating|that says|of|text))*:? %a", "The text {a} is visible"
    ),
    form(rf"[^«»]*?\b{_NOUN} [^«»]*\. %a", "The text {a} is visible"),
    form(
        rf"(?:the |an? )?(?:[\w-]+ ){{0,3}}(?:state|hint|note|label|caption) %a {_SEEN}", "The text {a} is {x}visible"
    ),
    form(
        rf"(?!the |an? |all )(?P<r>(?-i:[A-Z])[^«»]*? (?:we|you|your|our) [^«»]*?) {_SEEN}",
        'The text "{r}" is {x}visible',
    ),
    form(
        rf"(?:the )?(?:list|table) of (?P<l>[a-z ]+) {_MUST}(?:contains?|shows?|includes?) %a",
        '{a} is visible in the "{l}" list',
    ),
)
"""Tried last, of a claim with one text: that it is seen, whatever tells it."""

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
    form(r"%N(?: in)?(?: (?:valid|invalid|correct|incorrect|wrong))? %l: %a", 'Type {a} into "{l}"'),
    form(r"%N(?: in)?(?: (?:valid|invalid|correct|incorrect|wrong))? %n: %a", 'Type {a} into "{n}"'),
    form(r"%a: %b", "Type {b} into {a}"),
    form(rf"%N (?P<l>{_LABEL}) \((?P<v>(?=\S*(?-i:[A-Z\d@_]))[^«»() ]+)\)", 'Type "{v}" into "{l}"'),
    form(
        rf"%S(?: the)? (?P<l>(?:[\w-]+ )?(?:{'|'.join(sorted(OPTION_LABELS))})) (?P<v>\d\S*)",
        'Select "{v}" in "{l}"',
    ),
    form(
        r"%S(?: the)? (?P<v>(?-i:[A-Z])\w* \d{1,2}, \d{4}) (?:as|for|in)(?: the)? (?P<l>[\w-]+(?: [\w-]+)?)",
        'Select "{v}" in "{l}"',
    ),
    form(r"marks? %o%a(?: \w+)? as (?:completed?|done|finished)", "Check {a}"),
    form(rf"(?:upload|attach|add)(?:s|es)? {_FILE}(?P<v>[\w-]+\.\w+)", 'Upload "{v}"'),
    form(
        r"%C (?:%a|%n|%l) (?P<r>button|link|icon) (?:of|for|on|in) (?:the )?(?P<o>first|second|third|last)"
        r" (?:product|item|card|result|entry|post|comment)",
        "Click the {a} {r} in the {o} item",
        'Click the "{n}" {r} in the {o} item',
        'Click the "{l}" {r} in the {o} item',
    ),
    form(
        r"adds? %a (?:to|in|into)(?: the)? (?:%b|%n) (?P<r>field|input|box|textbox)",
        "Type {a} into {b}",
        'Type {a} into "{n}"',
    ),
    form(rf"(?:%N )?(?P<l>{_LABEL})(?: is| as| =|:)? (?P<v>{_VALUE})", 'Type "{v}" into "{l}"'),
    form(rf"(?P<l>{_LABEL})(?: is| as| =|:)? %a", 'Type {a} into "{l}"'),
    form(rf"%N (?:valid|invalid|correct|incorrect|wrong) (?P<l>{_LABEL}) %a", 'Type {a} into "{l}"'),
    form(
        rf"%S(?: the)? (?P<l>(?:[a-z]+ )?(?:{'|'.join(sorted(OPTION_LABELS))}))(?: as| of|:)? %n",
        'Select "{n}" in "{l}"',
    ),
    form(r"search(?:es)?(?: for)? %n", 'Type "{n}" into the search field and press Enter'),
)
