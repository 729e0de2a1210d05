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

_NO_STATES = (
    r"(?!(?:missing|broken|disabled|enabled|empty|old|hidden|valid|invalid|wrong|no|not|two|three|all|any|some|every|each|"
    r"only|both|user|click|verify)\b)"
)
_IN_COLUMN = "{a} is {x}visible in the {b} column"
_PARTS = r"card|section|panel|row|dialog|form|table|list|tile|metric|block|area|banner|tab"
_PLACE = r"(?P<p>(?:(?!the\b|an?\b)[a-z]+ )?(?:menu|form|sidebar|header|footer|navbar|toolbar|panel|section))"
_FIELD = r"(?:(?:input|text|search) )?(?:input|field|box|textbox|textarea|area)"
_PART = r"(?P<p>[\w -]*?(?:form|dialog|modal|section|panel|card|table|list|menu|sidebar|header|footer))"

CLAIMS = (
    form(r"(?:the )?%a window (?:%V|(?:is )?open(?:s|ed)?|appears?)", "The {a} dialog is {x}visible"),
    form(r"(?:the |an? )?page (?:with|titled)(?: the| an?)? title %a (?:%V|opens?|loads?)", "The page title is {x}{a}"),
    form(r"(?:the )?(?:page|browser|tab|window) title %a %V", "The page title is {x}{a}"),
    form(r"see (?:the )?%n (?:displayed|shown|set|listed) as %a", '"{n}" is {a}'),
    form(
        r"(?:the |an? )?(?:[\w-]+ ){1,3}with (?:the |an? )?(?:(?:name|title|text|label|value) )?%a"
        r" (?:%V|appears?) %W %p",
        "{a} is {x}visible in the {p}",
        '{a} is {x}visible in "{p}"',
    ),
    form(
        r"(?:the |an? )?(?:%n|%l) (?P<r>badge|indicator|counter|chip) (?:is|shows?|reads?) %a",
        '"{n} {r}" is {a}',
        '"{l} {r}" is {a}',
    ),
    form(
        rf"(?:the |an? )?(?:%n|%l) {_FIELD} with (?:the |an? )?placeholder(?: text)?:? %a",
        'The placeholder of the "{n}" field is {a}',
        'The placeholder of the "{l}" field is {a}',
    ),
    form(
        rf"(?:the |an? )?%n (?P<r>{_PARTS}) with (?:the |an? )?(?:(?:title|name|heading|text) )?%a",
        '{a} is visible in the "{n}" {r}',
    ),
    form(
        r"(?:the |an? )?(?:[\w-]+ ){0,5}(?:page|screen|view|dialog|form|modal|pop-?up)"
        r" (?:%V|opens?|appears?|loads?) with (?:the |an? )?(?:[a-z]+ )?%T,? %a",
        "The text {a} is visible",
    ),
    form(
        rf"(?:the )?{_PLACE} %a %k (?:%V|appears?)",
        "The {a} {k} is {x}visible in the {p}",
        'The {a} {k} is {x}visible in "{p}"',
    ),
    form(r"(?:the )?(?:[\w-]+ )*page %a %k %V", "The {a} {k} is {x}visible"),
    form(r"(?:[\w-]+:? )*%a shows (?:an? |the )?(?:[a-z-]+ ){0,2}?%T:? %b", "{b} is visible in {a}"),
    form(r"(?:the )?%a(?: content| value| data| text| record| entry)? %V %W %b column", _IN_COLUMN),
    form(r"(?:the )?%a(?: property| setting| parameter) (?:is|equals?) %b", "{a} is {b}"),
    form(r"(?:the )?%a %k is replaced (?:by|with) %b(?: %k)?", "The {a} {k} changes to {b}"),
    form(r"see %u (?:as |in )?(?:the )?(?:current )?(?:page )?url", "The URL is {u}"),
    form(r"(?:the )?(?P<l>[a-z]+(?: [a-z]+){1,2}) (?P<r>screen|view|panel) %V", 'The "{l}" {r} is {x}visible'),
    form(r"see (?:an? |the )?(?:title|heading) (?:named|called|titled|of|saying) %a", "The heading {a} is visible"),
    form(r"see (?:the )?(?P<l>[a-z]+ [a-z]+(?: [a-z]+)?)(?<!number) (?P<v>[$€£]?\d[\d.,]*)", '"{l}" is "{v}"'),
    form(
        r"(?P<r>No [a-z ]*(?:found|available|yet|selected|results?|data|matches|items)) %V(?: %W %p)?",
        '"{r}" is {x}visible in the {p}',
        'The text "{r}" is {x}visible',
    ),
    form(
        r"(?:the |an? )?(?:[\w-]+ ){1,3}with (?:the |an? )?(?:name|title|text|label|value|description|subject) %a %V",
        "The text {a} is {x}visible",
    ),
    form(
        rf"(?:the )?(?:%n|%l) (?P<r>{_PARTS}) does not (?:contain|show|have|include|list|display) (?:[a-z]+ )?%a",
        '{a} is not visible in the "{n}" {r}',
        '{a} is not visible in the "{l}" {r}',
    ),
    form(
        rf"(?:the )?(?:%n|%l) (?P<r>{_PARTS}) (?:contains?|shows?|has|includes?|lists?|displays?) (?:[a-z]+ )?%a",
        '{a} is visible in the "{n}" {r}',
        '{a} is visible in the "{l}" {r}',
    ),
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
    form(rf"(?:the |an? )?{_NO_STATES}(?P<n>(?-i:[A-Z]\S*)(?: (?-i:[A-Z]\S*)){{0,3}}) %k", 'The "{n}" {k} is visible'),
    form(r"(?:the |an? )?%a %k", "The {a} {k} is visible"),
    form(
        rf"[^«»]*?{_SORT}{_NOUN} (?:appears?|%V|pops? up|shows? up)"
        r"(?: (?:at|on|in) the (?:[\w-]+ ){0,3}[\w-]+)?:? %a",
        "The text {a} is visible",
    ),
    form(
        rf"(?:the )?(?:[\w-]+ )*?(?:page|screen|dashboard|ui|system|app|application|site){_MUST}"
        r" (?:shows?|displays?|contains?|presents?) (?:the |an? )?(?:(?!for\b|of\b|from\b)[a-z-]+ ){0,3}?%a",
        "The text {a} is visible",
    ),
    form(
        rf"(?:[^«»]*? )?{_SORT}{_NOUN}(?: (?:with|saying|stating|that says|which is|of|text))*:? %a",
        "The text {a} is visible",
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

_OPTION_LABEL = rf"(?P<l>(?:[\w-]+ )?(?:{'|'.join(sorted(OPTION_LABELS - FIELD_LABELS))}))"
_FROM = r"(?: (?:from|in)(?: the)?(?: [\w-]+)? ?(?:drop-?down|list|menu|options?)(?: (?:list|menu))?)?"
_KEYS = (
    r"(?!(?:enter|return|tab|esc|escape|space|any|an?|keys?|ctrl|control|shift|alt|cmd|command|up|down|left|right|arrow|"
    r"home|end|delete|backspace|insert|page|and|f\d+)\b)"
)
_NO_VALUES = (
    r"(?!(?:select|choose|enter|type|leave|any|none|not?|null|empty|blank|optional|required|valid|invalid|n/a|random|too|"
    r"missing|same|special|long|short|unique|existing|default)\b|<)"
)
_NO_NOUNS = r"(?!(?:picker|filter|field|list|drop-?down|menu|option|value|button|range|format|type|code|chart|box)\b)"

ACTS = (
    form(r"(?:%C|press) (?P<r>button|link|tab|icon|checkbox) (?P<l>[a-z]+(?: [a-z]+)?)", 'Click the "{l}" {r}'),
    form(rf"(?:%S|%N) {_OPTION_LABEL} (?:as|to|of|=) %a{_FROM}", 'Select {a} in "{l}"'),
    form(rf"(?:change|set|update|switch)(?:es|s)?(?: the)? {_OPTION_LABEL} to %a", 'Select {a} in "{l}"'),
    form(rf"%S(?: the)? (?:%n|%l) (?:as|to|=) %a{_FROM}", 'Select {a} in "{n}"', 'Select {a} in "{l}"'),
    form(r"(?:reload|refresh)(?:s|es)?(?: the)? (?:dashboard|app|application|tab|view)", "Reload the page"),
    form(
        rf"(?P<l>(?:[\w-]+ ){{0,2}}(?:{'|'.join(sorted(FIELD_LABELS))})): {_NO_VALUES}(?P<v>[^«»:]{{1,60}})",
        'Type "{v}" into "{l}"',
    ),
    form(r"%S %n(?: of| as)?:? %a", 'Select {a} in "{n}"'),
    form(
        rf"%S(?: the)? (?P<l>size|language|currency|priority|gender|theme) {_NO_NOUNS}(?P<v>[a-z][\w-]*)",
        'Select "{v}" in "{l}"',
    ),
    form(
        r"(?:switch|change|set)(?:es|s)? (?:the )?(?P<l>locale|language|currency|theme|time ?zone|region|country)"
        r" to %a",
        'Select {a} in "{l}"',
    ),
    form(
        r"(?:fill|set|enter)s?(?: in)? %a (?:with|to|as) (?:the )?(?:current date|today's date|today)",
        "Type today into {a}",
    ),
    form(
        rf"(?:press|hit)(?:es|s)?(?: on)?(?: the)? {_KEYS}(?:%n|%l)(?: (?:button|link))?", 'Click "{n}"', 'Click "{l}"'
    ),
    form(
        rf"%C (?:the )?{_PLACE} (?:%a %k|%k (?:with (?:the )?(?:value|text|name|label|title) )?%a)",
        "Click the {a} {k} in the {p}",
        'Click the {a} {k} in "{p}"',
    ),
    form(
        r"%C (?:%a %k|%k %a|%a) (?:displayed|shown|located|placed|present) (?:on|in|at|under) (?:the )?%b"
        r"(?: [\w-]+){0,2}",
        "Click the {a} {k} in {b}",
        "Click {a} in {b}",
    ),
    form(
        r"waits?(?: for)? (?P<q>[\d.]+) ?(?:s|secs?|seconds?) for (?:the )?[a-z]+(?: [a-z]+)? to [a-z]+",
        "Wait {q} seconds",
    ),
    form(
        r"(?:toggle|open|close|save|undo|redo|copy|paste|show|hide|trigger|search)s?(?: [\w-]+){0,4} (?:with|using|via)"
        r"(?: the)?(?: keys?| shortcut| keyboard shortcut)? %y",
        "Press {y}",
    ),
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
    form(r"%N %l \((?P<v>(?=\S*\d)[^«»() ]{4,})\)", 'Type "{v}" into "{l}"'),
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
    form(rf"%N (?P<l>{_LABEL})(?: is| as| =|:)? (?P<v>{_VALUE})", 'Type "{v}" into "{l}"'),
    form(rf"(?P<l>{_LABEL})(?:(?: is| as| =|:) | (?=\S*[\d@])){_NO_VALUES}(?P<v>{_VALUE})", 'Type "{v}" into "{l}"'),
    form(rf"(?P<l>{_LABEL})(?: is| as| =|:)? %a", 'Type {a} into "{l}"'),
    form(rf"%N (?:valid|invalid|correct|incorrect|wrong) (?P<l>{_LABEL}) %a", 'Type {a} into "{l}"'),
    form(
        rf"%S(?: the)? (?P<l>(?:[a-z]+ )?(?:{'|'.join(sorted(OPTION_LABELS))}))(?: as| of|:)? %n",
        'Select "{n}" in "{l}"',
    ),
    form(r"search(?:es)?(?: for)? %n", 'Type "{n}" into the search field and press Enter'),
)
