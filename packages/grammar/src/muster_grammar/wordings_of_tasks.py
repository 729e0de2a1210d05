"""How testers word the tasks of users and their outcome. Data; `wording_forms.py` explains the marks."""

from muster_grammar.wording_forms import PEOPLE, form

_MESSAGE = r"(?:message|toast|notification|banner|notice|tooltip|hint|snackbar|chip|tag|card|entry|item)"
_DONE = r"(?P<t>close|dismiss|delete|remove|edit|archive|approve|reject|restore|download)s?"
_DAY = r"(?:date|time|day|value|amount|number|setting)"
_HELD = r"(?:card|task|ticket|issue|entry|entrie|element|lead|deal|user|member|message|product|order|appointment)s?"
_AMOUNT = r"(?P<q>(?:(?:at least|at most|exactly|more than|less than) )?(?:one|two|three|four|five|six|[1-9]\d*))"
_LISTED = r"(?P<v>«c\d+»(?:(?:, and|,| and) «c\d+»)+)"
_IS_LISTED = r"(?:comes|is listed|stands|is placed|is shown|appears|ranks)"

TASKS = (
    form(
        r"(?P<t>enable|disable|activate|deactivate|turn on|turn off|switch on|switch off)s?(?: the)?"
        r" (?P<n>[a-z][a-z -]*?) in(?: the)? (?P<o>(?-i:[A-Z])[\w ]*)",
        '{t} "{n}" in "{o}"',
    ),
    form(rf"{_DONE}(?: the)? (?:%k %a|%a %k)", 'Click "{t}" in the {a} {k}'),
    form(rf"{_DONE}(?: the)? (?:{_MESSAGE} %a|%a {_MESSAGE})", 'Click "{t}" in {a}'),
    form(r"(?P<t>close)s?(?: the)? (?P<r>dialog|modal|pop-?up)", 'Click "{t}" in the {r}'),
    form(
        rf"(?:set|change|enter|choose|select|pick)s?(?: the)? %a {_DAY} (?:to|as) (?P<v>[\d.:/-]+(?: [ap]m)?)",
        "Set {a} to {v}",
    ),
    form(rf"(?:enter|type)s? (?P<v>[\d.:/-]+) (?:as|for|in|into) (?:the )?%a {_DAY}", "Set {a} to {v}"),
    form(
        r"(?P<t>check|tick|uncheck|untick)s?(?: the)? (?:boxes|box|checkboxes|checkbox) (?:for|of|beside) %a and %b",
        "{t} {a} and {b}",
    ),
    form(r"(?P<t>check|tick|uncheck|untick)s?(?: the)? (?:box|checkbox) (?:for|of) %a", "{t} {a}"),
    form(
        r"%S [a-z]+s %a and %b (?:in|from)(?: the)? %c (?P<r>list|dropdown|menu)",
        "Select {a} and {b} in the {c} list",
    ),
    form(
        r"(?:holds?|hold down|press(?:es)?)(?: the)? (?P<y>ctrl|control|shift|alt|cmd|command|meta)(?: key)? and"
        r" clicks?(?: on)? %o%a%e",
        "Click {a} while holding {y}",
    ),
    form(r"(?:confirm|accept|agree|answer)s?(?: it)? (?:with|by clicking|by pressing|using) %a", "Click {a}"),
    form(r"(?:cancel|abort)s?(?: it)? (?:with|by clicking|by pressing|using) %a", "Click {a}"),
)

OUTCOMES = (
    form(
        r"(?:the )?console (?:shows?|contains?|displays?|has|logs?):?(?: the)?(?: text| message| log)? %a",
        "The browser console shows {a}",
    ),
    form(
        rf"(?:the )?%a (?P<r>column|list|section|board|panel) (?:has|contains|shows|holds|lists) {_AMOUNT} {_HELD}",
        "There are {q} items in the {a} {r}",
    ),
    form(
        rf"(?:there (?:is|are|should be|must be)|see) {_AMOUNT} {_HELD} (?:in|on) (?:the )?%a"
        r" (?P<r>column|list|section|board|panel)",
        "There are {q} items in the {a} {r}",
    ),
    form(r"(?:the )?(?P<r>step|page|slide) (?P<q>\d+) is (?P<m>active|current|selected)", 'The {r} "{q}" is {m}'),
    form(r"[a-z ]+ is (?:now )?(?:on|at|in) (?:the )?(?:step %a|%a step)", "The {a} step is active"),
    form(
        rf"%a {_IS_LISTED} (?P<r>before|after|above|below) %b in (?:the )?%p",
        "{a} is visible {r} {b} in the {p}",
        '{a} is visible {r} {b} in "{p}"',
    ),
    form(rf"%a {_IS_LISTED} (?P<r>before|after|above|below) %b", "{a} is visible {r} {b}"),
    form(
        r"(?:the )?%p (?:contains?|shows?|lists?|displays?) %a (?P<r>before|after|above|below) %b",
        "{a} is visible {r} {b} in the {p}",
        '{a} is visible {r} {b} in "{p}"',
    ),
    form(
        r"(?:the )?(?:%p|[a-z]+s) (?:is |are )?(?:in (?:the )?order|ordered|(?:listed|shown|sorted) in (?:the )?order)"
        rf"(?: as| of)?:? {_LISTED}",
        "The page shows {v} in this order",
    ),
    form(rf"{_LISTED} (?:is|are) (?:shown|visible|displayed|listed) in this order", "The page shows {v} in this order"),
    form(r"(?:the )?%a,? (?:and )?(?:then|afterwards) %b (?:is|are) %V", "The page shows {a} and {b} in this order"),
    form(
        r"(?:the )?(?P<r>page|list|table|menu) (?:shows?|contains?|lists?|displays?) %a(?:,| and|, and)?"
        r" (?:then|followed by) %b",
        "The {r} shows {a} and {b} in this order",
    ),
    form(
        r"(?:the )?(?:[a-z]+ )?%a (?:has |was |has been )?moved (?:in)?to (?:the )?%b(?: (?P<r>column|list|section))",
        "{a} is visible in the {b} {r}",
    ),
    form(r"(?:the )?(?:[a-z]+ )?%a (?:has |was |has been )?moved (?:in)?to (?:the )?%b", "{a} is visible in {b}"),
    form(
        r"(?:the )?%a(?: field| date)? (?:contains|shows|has|is) (?:the date of )?(?P<v>today|tomorrow|yesterday)"
        r"(?:'s date)?",
        "{a} is {v}",
    ),
    form(
        rf"(?:only|just) {_LISTED} (?:is|are) (?:shown|visible|displayed|listed) in the (?P<r>list|table)",
        "The {r} contains only {v}",
    ),
    form(
        r"(?:the )?%l (?:shown|displayed)(?: there)? is %a",
        'The "{l}" is {a}',
    ),
    form(rf"{PEOPLE} (?:can|is able to) (?:click|press|use|select|choose)(?: on)? %a", "{a} is enabled"),
    form(rf"{PEOPLE} (?:can|is able to) (?:edit|change|modify)(?: the)? %a(?: field)?", "{a} is editable"),
    form(
        r"(?:the )?(?:[a-z]+ )?%a (?:appears|is shown|is listed|is displayed)(?: in the list)? with (?:the |an? )?"
        r"(?P<l>[a-z]+)(?: of)? %b",
        'The "{l}" of {a} is {b}',
    ),
    form(
        r"(?:the )?%a column (?:shows|is|has|contains|displays) %b (?:for|in the row of|in row) %c",
        "The {a} column in the {c} row is {b}",
    ),
)
