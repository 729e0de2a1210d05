"""How testers of other tools word actions, and the phrases for them. Data; `wording_forms.py` explains the marks."""

from muster_grammar.asides import ENDS
from muster_grammar.element_kinds import OPTION_LABELS
from muster_grammar.wording_forms import MAY, PEOPLE, form
from muster_grammar.wordings_of_names import ACTS
from muster_grammar.wordings_of_places import PLACED_ACTS
from muster_grammar.wordings_of_tasks import TASKS

_TICKED = r"check(?! ?-?(?:in|out)\b)|tick|uncheck|untick|deselect"
"""Verbs of boxes; to "check in" or "check out" is another act."""

_REMARKED = (
    r"or|and|not|if|only|without|then|unless|except|should|must|wait|hold\w*|verify|check|ensure|confirm|turns?|"
    r"becomes?"
)
"""Words of a remark that says more of the act, or what must be so after it."""

LEADS = (
    (r"\*{1,2}([^*«»\s][^*«»]*)\*{1,2}", r'"\1"'),
    (r"^(?:given|when|then|and|but|next|first|finally)\b,? ", ""),
    (rf"^{PEOPLE}{MAY} (?=\w)", ""),
    (r"^(?:go(?:es)? ahead and|proceeds? to|make sure to|continues? to|tr(?:y|ies) to) ", ""),
    (r"^(?:left[ -]?clicks?|clicks?|taps?|press(?:es)? on|pushes|push)\b(?: (?:on|in|at)\b)?", "Click"),
    (r"^(?:see|sees|observe|observes|ensure|validate)\b(?: whether| if| that)?", "Verify that"),
    (r" (?:globally|successfully|correctly|properly|once|carefully|manually|securely|safely|directly|quickly)$", ""),
    (
        r"((?-i:\b(?!Back|Return|Continue|Proceed|Go|Click|Tap|Press)[A-Z])[\w'-]*|»|\b(?:button|link|icon|tab|checkbox))"
        rf" (?:in order )?to (?:{'|'.join(sorted(ENDS))})\b[^«»]*$",
        r"\1",
    ),
    (r" with HTML5$", ""),
    (
        r"\b(button|link|icon|tab|field|option|checkbox) (?:present|located|displayed|shown|available|found|placed)"
        r" (?=(?:in|on|at)\b)",
        r"\1 ",
    ),
    (r"^(?:on|in|from) (?:the |an? )?(?:[\w-]+ ){0,3}(?:page|screen|dashboard|view|site|app), ?", ""),
    (r"^[^«»]* by (?:clicking|tapping|pressing)(?: on)? ", "Click "),
    (rf" \((?![^()]*\b(?:{_REMARKED})\b)[^()«»]*\)$", ""),
    (r"(?<=»)((?: [\w-]+)?) (?:on|in|at|from) the (?:[\w-]+ ){0,3}(?:keyboard|page|screen|website|site)$", r"\1"),
    (r" on the (?:[\w-]+ ){0,2}(?:keyboard|page|screen)$", ""),
)

_DONE = r"(?P<t>edit|delete|remove|copy|clone|archive|restore|approve|reject)s?"
_NO_PAGE = r"(?!.*\b(?:page|screen|url|site|tab)s?\b)"
_DEED = r"(?P<t>edit|delete|view|remove|open|show|copy|clone|archive|restore|approve|reject|download)"
_POINTING = (
    form(rf"%C {_DEED} (?P<n>[^«»]+?) (?:in|on|from) (?:the )?(?:grid|table|list)(?: «c\d+»)?", 'Click "{t}" in "{n}"'),
    form(rf"{_DONE}(?: the)?(?: (?!text|word|value|content|file)[\w-]+)? %a", 'Click "{t}" in {a}'),
    form(
        r"(?:go|navigate|proceed|switch)(?:es|s)? to(?: the)? (?:%a|%n) (?:section|area|view|module)%E",
        "Click {a}",
        'Click "{n}"',
    ),
    form(rf"(?:go|navigate|head)(?:es|s)? (?:back )?to(?: the)? {_NO_PAGE}(?:%a|%n)", "Click {a}", 'Click "{n}"'),
    form(rf"opens?(?: the)? {_NO_PAGE}%n", 'Click "{n}"'),
    form(r"(?:%C|%S) %l breadcrumb", 'Click "{l}"'),
    form(
        r"%C %a header(?: (?:in|of)(?: the)? (?P<r>table|grid))?",
        "Click the {a} column header in the {r}",
        "Click the {a} column header",
    ),
    form(r"%C %a header (?:in|of)(?: the)? %b (?:table|grid)", "Click the {a} column header in the {b} table"),
    form(r"%C %a column on (?:the )?%b(?: text)?", "Click {b} in the {a} column"),
    form(r"%C %a (?:from|in|of) (?:the )?%l menu", 'Click {a} in the "{l}" menu'),
    form(r"%C (?:%k %a|%a %k) (?:for|of|on) (?:the )?%l", 'Click the {a} {k} in "{l}"'),
    form(r"(?:%C|%S) %l (?P<k>button|link|tab|checkbox|radio button)%E", 'Click the "{l}" {k}'),
    form(r"%C (?:their |the )?browser(?:'s)? back button|%C back button of (?:the|their) browser", "Go back"),
    form(r"follows?(?: the)?(?: link)? %a(?: link)?%E", "Click the {a} link"),
    form(r"follows?(?: the)?(?: link)? %a(?: link)? %W %b(?: %k)?", "Click the {a} link in {b}"),
    form(r"follows?(?: the)?(?: link)? %a(?: link)? %W %p", 'Click the {a} link in "{p}"'),
    form(r"follows? %n", 'Click the "{n}" link'),
    form(
        r"%C (?P<o>first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))"
        r" (?:%a %k|%k(?: containing| with text)? %a)%E",
        "Click the {o} {a} {k}",
    ),
    form(r"%C (?P<o>first|second|third|last|\d+(?:st|nd|rd|th)) %k(?: %W %p)", "Click the {o} {k} in the {p}"),
    form(
        r"%C %k(?: labell?ed| named| called| with(?: the)? text| containing(?: the)?(?: text)?)? %a%E",
        "Click the {a} {k}",
    ),
    form(
        r"%C label(?: labell?ed| named| called| with(?: the)? text| containing(?: the)?(?: text)?)? %a%E",
        "Click {a}",
    ),
    form(
        r"%C (?:%a %k|%k %a) %W %b (?P<r>row|table|list|section|form|dialog|menu|panel)",
        "Click the {a} {k} in the {b} {r}",
    ),
    form(r"%C (?:%a %k|%k %a) %W %b(?: \w+)?", "Click the {a} {k} in {b}"),
    form(r"%C %a %W %b (?P<r>row|table|list|section|form|dialog|menu|panel)", "Click {a} in the {b} {r}"),
    form(r"%C %a %W %b(?: \w+)?", "Click {a} in {b}"),
    form(r"%C %a %W %p", "Click {a} in the {p}", 'Click {a} in "{p}"'),
    form(r"%C (?:%a %k|%k %a) %W %p", "Click the {a} {k} in the {p}", 'Click the {a} {k} in "{p}"'),
    form(r"%C %a (?!(?:in|on|of|for|from|with|to|or|and)\b)[\w-]+ %k%E", "Click the {a} {k}"),
    form(r"%C %n %k%E", 'Click the "{n}" {k}'),
    form(r"%C %n %k %W %b(?: \w+)?", 'Click the "{n}" {k} in {b}'),
    form(r"%C %n %k %W %p", 'Click the "{n}" {k} in the {p}', 'Click the "{n}" {k} in "{p}"'),
    form(r"%C %n %W %p", 'Click "{n}" in the {p}', 'Click "{n}" in "{p}"'),
    form(r"%C %n%E", 'Click "{n}"'),
    form(r"(?:click|tap)s?(?: on)? %l", 'Click "{l}"'),
    form(r"%C %l for(?: the)?(?: \w+)? %a", 'Click "{l}" in {a}'),
    form(r"double[ -]?clicks?(?: on)?(?: the)? (?:%k )?%a(?: %k)?", "Double-click the {a} {k}", "Double-click {a}"),
    form(r"right[ -]?clicks?(?: on)?(?: the)? (?:%k |node )?%a(?: %k)?", "Right-click the {a} {k}", "Right-click {a}"),
    form(r"hovers?(?: mouse)?(?: over| on)?(?: the)? (?:%k )?%a(?: %k)?", "Hover over the {a} {k}", "Hover over {a}"),
    form(r"hovers?(?: mouse)?(?: over| on)?(?: the)? %n(?: %k)?", 'Hover over the "{n}" {k}', 'Hover over "{n}"'),
    form(r"scrolls?(?: down| up)?(?: to| until)(?: the)? (?:%k )?%a(?: %k)?", "Scroll to the {a} {k}", "Scroll to {a}"),
    form(r"drags?(?: the)?(?: \w+)? %a(?: \w+)? (?:on)?to(?: the)?(?: \w+)? %b(?: \w+)?", "Drag {a} to {b}"),
    form(r"(?:open|close|expand)s?(?: the)? %a (?P<r>menu|tab|dropdown|link|list)%E", "Open the {a} {r}"),
    form(r"(?:open|expand)s?(?: the)? %n (?P<r>menu|tab|dropdown|link|list)%E", 'Open the "{n}" {r}'),
)
_FIELDS = (
    form(
        r"(?:press|hit|type|send)(?:es|s)?(?: the)? %y(?: keys?)?%E",
        "Press {y}",
        "Press the {y} key",
        "Press Arrow {y}",
    ),
    form(
        r"%S %a(?: option| value)? (?:as|for|in|from|on|of|within)(?: the)? (?:%k )?%b(?: field| list)?%E",
        "Select {a} in {b}",
    ),
    form(r"%S %a(?: option| value)? (?:as|for|in|from|on|of)(?: the)? %n(?: %k)?", 'Select {a} in "{n}"'),
    form(r"%S %a(?: option| value)? (?:as|for|in|from|on|of)(?: the)? %l(?: %k)?", 'Select {a} in "{l}"'),
    form(rf"%S (?P<l>(?:[\w'-]+ ){{0,3}}(?:{'|'.join(OPTION_LABELS)}))(?: of| as)? %a", 'Select {a} in "{l}"'),
    form(r"%S (?!option|value|item|entry|choice)%l(?: named| called)? %a", "Choose {a}"),
    form(r"%S %n(?: of| as)? %a", 'Select {a} in "{n}"'),
    form(r"%S %a (?P<r>tab|link|menu item|radio button|button|option)", "Choose the {a} {r}"),
    form(r"%S %a(?: [\w-]+)?", "Choose {a}"),
    form(r"%S %l (?:as|to be) (?P<v>(?-i:[A-Z])\S*(?: \S+){0,3})", 'Select "{v}" in "{l}"'),
    form(r"%S %n", 'Choose "{n}"'),
    form(
        r"appends?(?: the)?(?: text| value)? %a (?:to|behind) (?:the )?(?:%n|%l)(?: %k)?",
        'Append {a} to "{n}"',
        'Append {a} to "{l}"',
    ),
    form(
        r"%P(?: the)?(?: text| value)? %a(?: text)? (?:in|into|to|on|for|as|within|inside|at)(?: the)? (?:%k )?%b"
        r"(?: (?!(?:in|on|of|for|from|with|to|or|and|as|at|by)\b)[\w-]+){0,2}",
        "Type {a} into the {b} field",
    ),
    form(
        r"%P(?: the)?(?: text| value)? %a(?: text)? (?:in|into|to|on|for|as)(?: the)? %n(?: %k)?",
        'Type {a} into "{n}"',
    ),
    form(
        r"%P(?: the)?(?: text| value)? %a(?: text)? (?:in|into|to|on|for|as)(?: the)? %l(?: %k)?",
        'Type {a} into "{l}"',
    ),
    form(
        r"(?:fill|set|change|update|edit|replace|enter)s?(?: in| out)?(?: the)?(?: value of| %k)? %a"
        r"(?: (?:field|input|box|value|text|content|HTML|area))*"
        r" (?:with|to|as|by|to be)(?: the)?(?: value| text)? %b",
        "Type {b} into the {a} field",
    ),
    form(r"%N %n(?: %k)? (?:as|with|to|of|is|=) %a", 'Type {a} into "{n}"'),
    form(r"%N %l(?: %k)? (?:as|with|to|of|is|=|for) %a", 'Type {a} into "{l}"'),
    form(r"(?!add|change|set|update)%N %l %a", 'Type {a} into "{l}"'),
    form(r"(?!add|change|set|update)%N %n %a", 'Type {a} into "{n}"'),
    form(
        r"(?:enter|type|input|set)s? (?!\d)%n (?:as|to|with) (?P<v>(?!.*\band\b)\S+(?: \S+){0,4})",
        'Type "{v}" into "{n}"',
    ),
    form(r"(?P<t>turn|switch)(?:es)? (?P<m>on|off)(?: the)? %l", '{t} {m} "{l}"'),
    form(r"(?P<t>turn|switch)(?:es)?(?: the)? %l(?<! back) (?P<m>on|off)", '{t} {m} "{l}"'),
    form(
        r"clears?(?: the)?(?: text in| text from| content of)?(?: the)? (?:%k )?%a(?: %k)?",
        "Clear the {a} {k}",
        "Clear {a}",
    ),
    form(
        rf"(?P<t>{_TICKED})s?" r"(?: the)? (?:%k )?%a(?: [\w-]+){0,2} %W %p",
        "{t} {a} in the {p}",
    ),
    form(
        rf"(?P<t>{_TICKED})s?" r"(?: the)? (?:%k )?%a(?: [\w-]+){0,2}",
        "{t} {a}",
    ),
    form(
        r"(?:upload|attach|add)(?:s|es)?(?: the| an?)?(?: test| fixture)?(?: files?| image)?(?: named)? %a"
        r" (?:to|in|into|as|for|on)(?: the)? %b(?: \w+)?",
        "Upload {a} to {b}",
    ),
)
_BROWSER = (
    form(
        r"(?:go|navigate|browse|visit|open|access|land|load)(?:es|s)?"
        r"(?: (?:up|to|on|at|the|page|url|path|website|site))* %u(?: page| path| url)?",
        "Open {u}",
    ),
    form(r"(?:am |is )?(?:on|at|navigating to|visiting)(?: the)?(?: page| url)? %u(?: page)?", "Open {u}"),
    form(
        r"(?:go|navigate|browse|click|open|select)(?:es|s)?(?: to| on)?(?: the)? (?P<n>[^«>]+?) ?[>→] ?(?P<o>[^«>→]+)",
        "Click {n} > {o}",
        'Click "{n}" and click "{o}"',
    ),
    form(
        r"(?:go|navigate|browse|click|open|select)(?:es|s)?(?: to| on)?(?: the)? (?P<n>[^«>]+?) ?[>→] ?(?P<o>[^«>→]+?)"
        r" ?[>→] ?(?P<p>[^«>→]+)",
        'Click "{n}", click "{o}" and click "{p}"',
    ),
    form(
        r"(?:reload|refresh)(?:s|es)?(?: (?:the|my|current|web))* ?(?:page|browser|webpage|site|screen)?",
        "Reload the page",
    ),
    form(r"(?:go|navigate|return|move|step)(?:es|s)? back(?: to the previous page| in the browser)?", "Go back"),
    form(r"(?:wait|pause|sleep)s?(?: for)? (?P<q>[\d.]+) ?(?:s|secs?|seconds?)", "Wait {q} seconds"),
    form(
        r"waits? (?:on|for|until)(?: the)? (?:element |text |page (?:contains|shows) )?%a",
        "Wait until {a} is visible",
    ),
    form(r"(?:accept|confirm)s?(?: the)? (?:alert|dialog|confirmation|popup|confirm dialog)", "Accept the alert"),
    form(r"(?:dismiss|cancel)(?:s|es)?(?: the)? (?:alert|confirmation|confirm dialog|popup)", "Dismiss the alert"),
)
_SYSTEM = (
    form(
        r"(?:run|try|execut|call|invok)(?:s|e|es|ing|ed)?(?: to run)?(?: the)?(?: shell| cli)?(?: command)? %a"
        r"(?: in(?: the| a)? terminal)?",
        "Run {a}",
    ),
    form(
        r"(?:run|try|execut)(?:s|e|es|ing)?(?: the command)? %a succeeds",
        "Run {a} and verify that the command succeeds",
    ),
    form(r"(?:run|try|execut)(?:s|e|es|ing)?(?: the command)? %a fails", "Run {a} and verify that the command fails"),
    form(r"runs? (?P<r>(?!(?:the|an?) )[a-z][\w-]+(?: [\w./=:-]+){0,6})", 'Run "{r}"'),
    form(
        r"(?:send|make|issue|perform|do)s?(?: an?)?(?: HTTP)? %g(?: HTTP)? request (?:to|on|for|at)"
        r"(?: the)?(?: url| endpoint| path)? %u",
        "Send a {g} request to {u}",
    ),
    form(
        r"(?:send|make|issue|perform|do)s?(?: an?)? %g request (?:to|on) %u with(?: the)?(?: body| data| payload):? %a",
        "Send a {g} request to {u} with body {a}",
    ),
    form(r"(?:(?:have|has|create)s? )?an? empty file(?: named| called)? %a", "Create an empty file {a}"),
    form(
        r"(?:(?:have|has|create)s? )?an?(?: file(?: named| called)?)? %a(?: file)?"
        r" (?:that contains|containing|with(?: the)? contents?(?: of)?|with):? %b",
        "Create the file {a} with {b}",
    ),
)

_INTO = r"(?:in|into|to|on|onto|for|as|under|inside|within|at|of)"
_LOOSE = (
    form(rf"%P %o%a {_INTO} %o%b%e", "Type {a} into {b}"),
    form(
        r"(?:fill|set|change|update|edit|replace|enter|complete|populate|specify|give|modify|provide|input|type)s?"
        r"(?: in| out)? %o%a%e (?:with|to|as|by|to be|=) %o%b%e",
        "Type {b} into {a}",
    ),
    form(
        r"(?:fill|set|change|update|edit|replace|enter|complete|populate|specify|give|modify|provide|input|type|write)s?"
        r"(?: in| out)? (?:the |an? |my |their |its )?%l (?:with|to|as|like|of|for|by|to be|is|=) %a",
        'Type {a} into "{l}"',
    ),
    form(r"%S (?P<o>(?-i:[a-z]+)) (?!of |as )%n", 'Choose "{n}"'),
    form(rf"(?P<t>{_TICKED})s? %o%a which is .*", "{t} {a}"),
    form(r"%N %o%a date of (?P<v>\d+ (?:day|week|month|year)s? ago|today|tomorrow|yesterday)", "Enter {v} into {a}"),
    form(r"(?:executing|running) (?P<r>[a-z][\w-]+(?: [\w./=:-]+){0,6}) command", 'Run "{r}"'),
    form(rf"%S %o%a%e (?!to )(?:{_INTO}|from) %o%b%e", "Select {a} in {b}"),
    form(rf"%S %o%a%e {_INTO} %p", 'Select {a} in "{p}"'),
    form(r"%S %o%a%e (?:from|in)(?: the)? %n", 'Select {a} in "{n}"'),
    form(r"%S %o%a%e", "Choose {a}"),
    form(r"search(?:es)?(?: for)? %a(?: (?:in|with|using|via) .*)?", "Type {a} into the search field and press Enter"),
    form(r"%S %l%E", 'Choose "{l}"'),
    form(r"%S (?P<r>(?:sign|log|opt) (?:in|out|up|off))", 'Choose "{r}"'),
    form(r"%S (?:the )?file:? (?P<r>[\w-]+\.\w+)", 'Upload "{r}"'),
    form(r"sees?(?: the| an?)? (?:input|field)(?: with(?: the)? placeholder)? %a and types? %b", "Type {b} into {a}"),
    form(r"%C %l (?:for|of|on|in) (?:the )?%n", 'Click "{l}" in "{n}"'),
    form(r"%C %o%a (?:[\w-]+ ){0,3}?%k (?:for|of|on|in) %o%b%e", "Click the {a} {k} in {b}"),
    form(r"%C %o%a%e %W %o%b%e", "Click {a} in {b}"),
    form(r"%C %o%a%e (?:for|of) %o%b%e", "Click {a} in {b}"),
    form(r"%C %o%a%e %W %p", 'Click {a} in "{p}"'),
    form(r"%C %o%a%e %W %n", 'Click {a} in "{n}"'),
    form(r"%C (?:in |into )?%o%a%e", "Click {a}"),
    form(r"%C %l (?:on|of|for|in) %o%a%e", 'Click "{l}" in {a}'),
    form(r"%C %n (?:on|of|for|in) %o%a%e", 'Click "{n}" in {a}'),
    form(r"follows? %o%a%e", "Click the {a} link"),
    form(r"(?:expand|collapse|open|toggle|focus on|focus)s? %o%a%e", "Click {a}"),
    form(r"double[ -]?clicks?(?: on)? %o%a%e", "Double-click {a}"),
    form(r"right[ -]?clicks?(?: on)? %o%a%e", "Right-click {a}"),
    form(r"hovers?(?: mouse)?(?: over| on)? %o%a%e", "Hover over {a}"),
    form(r"scrolls?(?: down| up)? (?:to|until) %o%a%e", "Scroll to {a}"),
    form(r"(?:find|locate)s? %o%a%e", "Scroll to {a}"),
    form(
        rf"(?P<t>{_TICKED}|mark|enable|disable)s? %o%a%e %W %o%b%e",
        "{t} {a} in {b}",
    ),
    form(rf"(?P<t>{_TICKED}|mark|enable|disable)s? %o%a%e", "{t} {a}"),
    form(
        rf"(?:upload|attach|add|choose|select)(?:s|es)? %o%f%e {_INTO} %o%b%e",
        "Upload {f} to {b}",
    ),
    form(r"(?:call|invoke|request)s? (?:the )?(?:endpoint|api|url|route) %u", "Send a GET request to {u}"),
    form(r"(?!.*«u)(?:run|execute|call|invoke|issue|launch|start)s? %o%a%e", "Run {a}"),
    form(r"(?:press|hit|type|send|click)(?:es|s)? %o%y%e", "Press {y}", "Press the {y} key"),
)

FORMS = (*PLACED_ACTS, *ACTS, *_POINTING, *_FIELDS, *_BROWSER, *_SYSTEM, *TASKS, *_LOOSE)
