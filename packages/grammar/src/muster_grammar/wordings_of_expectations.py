"""How testers of other tools word expectations, and phrases for them. Data; `wording_forms.py` explains the marks."""

from muster_grammar.element_kinds import DRAWN
from muster_grammar.wording_forms import MAY, PEOPLE, form
from muster_grammar.wordings_of_names import CLAIMS, FALLBACKS, STATES
from muster_grammar.wordings_of_places import PLACED_CLAIMS
from muster_grammar.wordings_of_tasks import OUTCOMES
from muster_grammar.wordings_of_values import VALUES

_SEES = r"(?:see|view|find)s?(?: that)?"
_WHO = (
    r"(?:(?!(?:click|tap|press|enter|type|select|choose|hover|navigate|go)s?\b)"
    r"(?!only\b|never\b|not\b|no\b|neither\b|if\b|and\b|then\b|after\b|when\b|by\b|fails?\b|failed\b)[\w'-]+ ){0,6}?"
)
_MUST = r"\b(?:should|must|will|would|shall|can)"

_DEED = r"(?:log-?in|log-?out|sign-?in|sign-?up|registration|submission|submit|save|saving|login attempt)"
_STATED = rf"{STATES}|visible|hidden|empty|focused"

_CONTROL = r"(?:button|link|field|icon|tab|dropdown|checkbox)"

LEADS = (
    (r"^(?:success|expected|result): (?=[a-z])", ""),
    (r"^(?:on|in) (?:the |an? )?(?:[\w-]+ ){0,3}(?:page|screen|dashboard|view|site|app), ?", ""),
    (r"^(?:given|when|then|and|but|next|first|finally|now)\b,? ", ""),
    (
        r"^(?:verify|verifies|ensure|confirm|check|expect|observe|make sure|validate|assert)s?(?: whether| if| that)? ",
        "",
    ),
    (rf"^{PEOPLE}{MAY} (?:expect|verify|check|notice|observe|ensure)s?(?: that)? (?=\S)", ""),
    (rf"^{PEOPLE}{MAY} (?:verifies|validates?|confirms?)(?: that)? (?=\S.*\b(?:is|are|should|must)\b)", ""),
    (rf"^{PEOPLE}{MAY} (?:verify|verifies|validates?)(?: the)? (?=[^«»]*\b{_CONTROL} on the [\w ]*page$)", ""),
    (rf"^{_WHO}(?:do|does|should|must|will|can|could)?(?: not|not|n't)(?: be able to)? {_SEES} (?:any )?", "not see "),
    (r"^(?:shows?|displays?) (?=(?-i:[A-Z«]))", "see "),
    (rf"^{_WHO}{_SEES} no ", "not see "),
    (rf"^{_WHO}{_SEES} ", "see "),
    (rf"^there(?: is| are| {_MUST} be) (?:no|not an?) ", "not see "),
    (rf"^there(?: is| are| {_MUST} be| exists?) ", "see "),
    (rf"^{PEOPLE}{MAY} (?:shown|presented with|given|notified of) (?=\S)", "see "),
    (r"\bon display\b", "displayed"),
    (r"\bis (?:displaying|showing)\b", "shows"),
    (r"\bn(?:ot|o) more than\b", "at most"),
    (r"\bn(?:ot|o) (?:less|fewer) than\b", "at least"),
    (rf"{_MUST} (?:be |have )?equal(?: to)?\b", "is"),
    (rf"{_MUST} (state|indicate|say|read)\b", r"\1s"),
    (rf"{_MUST} not (?:be|have been|get)\b", "is not"),
    (rf"{_MUST} (?:be|have been|get)\b", "is"),
    (rf"{_MUST} not (?:appear|exist)\b", "is not visible"),
    (rf"{_MUST} (?:appear|exist)\b", "is visible"),
    (r"\b(?:has|have) been\b", "is"),
    (r" (?:successfully|correctly|properly|immediately|instantly|automatically|clearly|as expected)$", ""),
    (r" (?:for|to) (?:you|me|us|the user|user)$", ""),
    (rf" after (?:a |the )?(?:successful )?{_DEED}$", ""),
    (r"(?<=»)((?: \w+)?) (?:is |are )?(?:displayed|shown|appears?|present|visible|listed)$", r"\1 is visible"),
    (
        r" (?:at|on|in|below|above|under) the (?:[\w-]+ ){0,2}(?:page|screen|top|bottom|view)"
        r"(?: of (?:the )?(?:page|screen|view|window|app|site))?$",
        "",
    ),
    (r" (?:at|on|in) the (?:[\w-]+ ){0,2}(?:corner|centre|center|middle)(?: of the [\w-]+)?$", ""),
    (rf" \((?![^()]*\b(?:{_STATED}|not|no|only|or)\b)[^()«»]*\)", ""),
)

_PLACED = "is {x}visible in"
_NO_ONE = r"(?!(?:i|we|you|they|he|she|it|users?|see|sees)\b)"
_AMOUNT = r"(?P<q>(?:(?:at least|at most|exactly) )?(?:one|two|three|four|five|\d+))"
_HELD = r"(?:event|post|message|record|product|user|order|file|task|comment|contact|customer|note|article|job)s?"
"""What tables and lists of applications are of."""
_ON_PAGE = r" (?:on|in|at|from) (?:the |an? )?[\w -]*\b(?:page|screen|view)"
_SEEN = (
    form(
        rf"%xsee(?: the| an?)? %T(?: that says| saying)? (?P<r>(?-i:[A-Z])[^«»]*){_ON_PAGE}",
        'The text "{r}" is {x}visible',
    ),
    form(r"%xsee(?: the| an?)?(?: [\w-]+)* page with(?: the| an?)? %T(?: of)? %a", "The text {a} is {x}visible"),
    form(r"%xsee (?P<r>\d+ (?-i:[A-Z])[^«»]*)", 'The text "{r}" is {x}visible'),
    form(r"%xsee(?: the| an?| any)? %l breadcrumb", 'The breadcrumb "{l}" is {x}visible'),
    form(
        r"see(?: the)? %o%a field (?:is )?(?:pre-?)?(?:populated|filled) with (?:[a-z]+ )*%b",
        "The {a} field has the value {b}",
    ),
    form(
        rf"see {_AMOUNT} (?P<k>items?|rows?|links?|buttons?)"
        r" in (?:the |my |his |her |their )?%p",
        "There are {q} {k} in the {p}",
        'There are {q} {k} in "{p}"',
    ),
    form(
        rf"see {_AMOUNT} (?P<l>{_HELD}) in (?:the )?list",
        "There are {q} items in the list",
    ),
    form(
        rf"see {_AMOUNT} (?P<l>{_HELD}) in (?:the )?"
        r"(?:table|grid)",
        "There are {q} rows in the table",
    ),
    form(r"see(?: the)? selected %l %a", '{a} is selected in "{l}"'),
    form(rf"%xsee(?: the| an?)? {_NO_ONE}%l %k", 'The "{l}" {k} is {x}visible'),
    form(rf"%xsee(?: the| an?)? {_NO_ONE}%l %k %W %n", f'The "{{l}}" {{k}} {_PLACED} "{{n}}"'),
    form(r"%xsee(?: the| an?)? [a-z-]+ (?:for|named|called) %n", 'The text "{n}" is {x}visible'),
    form(r"%xsee(?: the| an?)?(?: page)? title(?: of)? %a", "The page title is {x}{a}"),
    form(r"see(?: the)?(?: input| field)? value %a(?: (?:in|of|for)(?: the)? %b(?: field)?)", "{b} has the value {a}"),
    form(
        r"%xsee(?: the| an?)?(?: %T)?(?: with| saying| that says| reading| of)? %a(?: %T)?(?: is)?(?: displayed|"
        r" shown| visible)?%E",
        "The text {a} is {x}visible",
    ),
    form(
        r"%xsee(?: the| an?)? (?:[\w-]+ )?%k (?:(?:labell?ed|named|called|with(?: the)?(?: text|"
        r" name)?|to|titled) )?%a%E",
        "The {a} {k} is {x}visible",
    ),
    form(r"%xsee(?: the| an?)? %a heading%E", "The heading {a} is {x}visible"),
    form(
        r"see (?:exactly )?(?P<q>\d+) (?:%a|%n|%l)"
        r" (?P<k>buttons?|links?|fields?|checkbox(?:es)?|options?|images?|icons?)"
        r"(?: (?:displayed|shown|visible|present))?%E",
        "There are {q} {a} {k}",
        'There are {q} "{n}" {k}',
        'There are {q} "{l}" {k}',
    ),
    form(r"%xsee(?: the| an?)?(?: table| column)? header(?: with)? %a", "The {a} column header is {x}visible"),
    form(
        r"%xsee(?: the| an?)? %a (?:[\w-]+ )?%k(?: is)?(?: displayed| shown| visible)?%E",
        "The {a} {k} is {x}visible",
    ),
    form(
        r"%xsee(?: the| an?)?(?: %T)? %a %W %f(?: file)?",
        "The file {f} does {x}contain {a}",
        "The file {f} contains {a}",
    ),
    form(r"%xsee(?: the| an?)? %a and %c %W %b(?: \w+)?", "{a} and {c} are {x}visible in {b}"),
    form(
        r"%xsee(?: the| an?)? (?:%a %k|%k %a) %W %b (?P<r>row|section|table|list|dialog|form|menu|panel)",
        f"The {{a}} {{k}} {_PLACED} the {{b}} {{r}}",
    ),
    form(r"%xsee(?: the| an?)? (?:%a %k|%k %a) %W %b(?: \w+)?", f"The {{a}} {{k}} {_PLACED} {{b}}"),
    form(
        r"%xsee(?: the| an?)?(?: text)? %a %W %b (?P<r>row|section|table|list|dialog|form|menu|panel)",
        f"{{a}} {_PLACED} the {{b}} {{r}}",
    ),
    form(r"%xsee(?: the| an?)?(?: text)? %a %W %b (?:column)", f"{{a}} {_PLACED} the {{b}} column"),
    form(r"%xsee(?: the| an?)?(?: text)? %a %W %b(?: (?!column)\w+)?", f"{{a}} {_PLACED} {{b}}"),
    form(r"%xsee(?: the| an?)?(?: text)? %a %W %p", f"{{a}} {_PLACED} the {{p}}", f'{{a}} {_PLACED} "{{p}}"'),
    form(
        r"%xsee(?: the| an?)? (?:%a %k|%k %a) %W %p",
        f"The {{a}} {{k}} {_PLACED} the {{p}}",
        f'The {{a}} {{k}} {_PLACED} "{{p}}"',
    ),
    form(r"%xsee(?: the| an?)? %n %k(?: is)?(?: displayed| shown| visible)?%E", 'The "{n}" {k} is {x}visible'),
    form(r"%xsee(?: the| an?)? %T(?: that says| saying)? (?P<r>(?-i:[A-Z])[^«»]*)", 'The text "{r}" is {x}visible'),
)
_SHOWN = (
    form(r"%xsee (?:the )?(?P<r>(?-i:[A-Z]{0,6})[-_]?\d[\w-]*)(?<!see \d) %T", 'The text "{r}" is {x}visible'),
    form(
        r"the (?P<n>(?-i:[A-Z])[\w'&.-]*(?: [\w'&.-]+){0,4}?) (?:label|text|message) %V%E",
        'The text "{n}" is {x}visible',
    ),
    form(r"(?:the |a )?%T (?:is )?(?:displayed|shown)(?::| -)? (?P<r>(?-i:[A-Z])[^«»]*)", 'The text "{r}" is visible'),
    form(rf"(?:the |an? )?%a (?:{'|'.join(sorted(DRAWN))}) %V%E", "The {a} image is {x}visible"),
    form(
        rf"(?:the |an? )?{_NO_ONE}%l %k (?:%V|%xvisible) (?P<r>next to|below|above|under) (?:the )?%p",
        'The "{l}" {k} is {x}visible {r} "{p}"',
    ),
    form(rf"(?:the |an? )?{_NO_ONE}%l %k %V", 'The "{l}" {k} is {x}visible'),
    form(
        r"(?:the )?alert(?: text)?(?: (?:is|equals?(?: to)?|shows|displays|says))? %a(?: is)?(?: displayed|"
        r" shown| visible)?",
        "The alert says {a}",
    ),
    form(r"(?:the |an? )?(?:alert|%T) %a(?: %V) %W %b(?: (?:section|area))?", "The text {a} is {x}visible in {b}"),
    form(
        r"(?:the |an? )?(?:[\w-]+ ){0,2}%T(?: saying| that says| with(?: text)?| stating| of| as| like)?:? %a %V%E",
        "The text {a} is {x}visible",
    ),
    form(
        r"(?:the |an? )?(?:[\w-]+ ){0,2}%T (?:%V |appears )?(?:is|says?|reads?|states?|indicates?|saying|with|stating"
        r"(?: that)?|contains?):? %a%E",
        "The text {a} is visible",
    ),
    form(r"(?:the |an? )?%a heading %V%E", "The heading {a} is {x}visible"),
    form(
        r"(?:(?:the )?(?:system|app|application|site|api|it) )?returns?(?: an?| the)?(?: [a-z]+)? %a %T",
        "The text {a} is visible",
    ),
    form(r"(?:.* )?page with (?:an? |the )?%a %T(?: %V| displayed| shown| visible)?", "The text {a} is visible"),
    form(
        r"(?:[\w'-]+ )+(?:fails?|failed|is rejected|is prevented|is blocked) with (?:an? |the )?"
        r"(?:[a-z]+ )?%a %T",
        "The text {a} is visible",
    ),
    form(r"(?:the |an? )?%a %T %V%E", "The text {a} is {x}visible"),
    form(
        r"(?:the |an? )?(?:%a (?:[\w-]+ )?%k|%k(?: named| called| with(?: text)?)? %a) %V%E",
        "The {a} {k} is {x}visible",
    ),
    form(r"(?:the |an? )?(?:%a %k|%k %a) %V %W %b(?: \w+)?", f"The {{a}} {{k}} {_PLACED} {{b}}"),
    form(
        r"(?:the |an? )?%a %V %W %b (?P<r>row|section|table|list|dialog|form|menu|panel)",
        f"{{a}} {_PLACED} the {{b}} {{r}}",
    ),
    form(r"(?:the |an? )?%a %V %W %b(?: \w+)?", f"{{a}} {_PLACED} {{b}}"),
    form(r"(?:the |an? )?%a %V %W %p", f"{{a}} {_PLACED} the {{p}}", f'{{a}} {_PLACED} "{{p}}"'),
    form(r"(?:the |an? )?%a %V%E", "{a} is {x}visible"),
    form(r"(?:the )?%n %k %V%E", 'The "{n}" {k} is {x}visible'),
)
_PAGE = (
    r"(?!(?:same|next|previous|new|right|correct|other|another|respective|target|main|second)\b)"
    r"(?!(?:[\w'-]+ )*(?:see|during|after|before|when|while|until|without|user|i)\b)(?![^«»]*/)(?:%l|%n)"
)
_ONE = r"(?:(?!and\b|or\b|not\b|no\b|if\b|when\b)[\w'-]+ ){0,5}?"
"""Who is somewhere, and words before the verb: nothing else is said there."""
_ARRIVED = (
    r"(?:redirected|navigated|taken|sent|directed|brought|forwarded|returned|transferred|moved|lands?|landed|arrives?|"
    r"arrived|redirects?|(?:successfully )?navigates?)(?: back)? (?:on|at|to|onto)"
)
_PAGES = (
    form(
        rf"{_ONE}{_ARRIVED} (?:the |an? |my |his |her |their )?{_PAGE}(?: (?:page|screen|view))",
        'I am on the "{l}" page',
        'I am on the "{n}" page',
    ),
    form(
        rf"{_ONE}{_ARRIVED} (?:the |my |his |her |their )?(?P<l>(?:[a-z]+ )?(?:dashboard|homepage|login|checkout))",
        'I am on the "{l}" page',
    ),
    form(
        rf"(?:the |an? )?{_PAGE} page"
        r" (?:(?:is|gets) (?:displayed|shown|opened|loaded|visible|open)|opens|loads|appears)(?: up)?",
        'I am on the "{l}" page',
        'I am on the "{n}" page',
    ),
    form(
        rf"{_ONE}(?:am|is|are|be|remains?|stays?) (?:on|at) (?:the )?{_PAGE} (?:page|screen|view)",
        'I am on the "{l}" page',
    ),
    form(
        r"(?:.* )?(?:is|be|stays?|remains?|lands?|redirected|taken|navigated|sent) (?:on|at|to)(?: the)?(?:"
        r" page| url| path)? %u(?: page)?",
        "I am on {u}",
    ),
    form(
        r".*\bpage (?:showing|that shows|displaying|with(?: the)?(?: text| heading| panel titled| error"
        r" message)?)(?: the)?(?: text)? %a",
        "The page shows {a}",
    ),
    form(r"(?:.* )?page (?:with|has|have)(?: the| a)? title(?: of)? %a", "The page title is {a}"),
    form(r"(?:the )?(?:page )?title(?: of the page)? (?:is|equals?|matches)(?: to)? %a", "The page title is {a}"),
    form(
        r"(?:the )?(?:current )?(?:url|path|location|address)(?: of the page)? (?P<m>is|equals?|contains?|ends"
        r" with)(?: to)? %a",
        "The URL {m} {a}",
    ),
)
_REASON = (
    r"status|code|response|error|errors|ok|created|accepted|no|content|bad|request|unauthori[sz]ed|forbidden|not|found|"
    r"conflict|unprocessable|entity|too|many|requests|internal|server|http"
)
_SYSTEM = (
    form(
        r"(?:the )?(?P<o>stdout|stderr|output)(?: should| must)? %x(?P<m>contain|be|is|match|equal|start"
        r" with|end with)s?(?: the)?(?: text| exactly)?:? %a",
        "The {o} does {x}{m} {a}",
        "The {o} {m} {a}",
        "The {o} is {a}",
    ),
    form(r"(?:.* )?exit (?:status|code)(?: should| must)?(?: be| is| equal)? (?P<q>\d+)", "The exit code is {q}"),
    form(r"(?:the )?return code(?: should| must)? (?:be|is) (?P<q>\d+)", "The exit code is {q}"),
    form(r"(?:.* )?get a zero exit status", "The exit code is 0"),
    form(
        r"it(?: should| must)? (?:pass|succeed)(?:es|s)? with:? %a",
        "The command succeeds and the output contains {a}",
    ),
    form(r"it(?: should| must)? (?:pass|succeed)(?:es|s)?", "The command succeeds"),
    form(r"it(?: should| must)? fails? with:? %a", "The command fails and the output contains {a}"),
    form(r"it(?: should| must)? fails?", "The command fails"),
    form(
        r"(?:the |an? )?file(?: named| called| at)? %a exists",
        "The file {a} exists",
    ),
    form(
        r"(?:the |an? )?(?P<r>[\w./-]+\.\w+) file exists",
        'The file "{r}" exists',
    ),
    form(
        r"(?:the |an? )?(?:file|directory)(?: named| called| at)? %a(?: should| must)? "
        r"(?P<m>contain|match|is)s?:? %b",
        "The file {a} {m} {b}",
    ),
    form(
        r"(?:the )?(?:[\w-]+ )*status[ -]?code(?: of the response)?(?: is|(?: should| must)? be| equals?)(?: to|"
        r" equal to)? (?P<q>\d\d\d)",
        "The response status is {q}",
    ),
    form(
        r"(?:.* )?(?:get|receive|return|respond|responded)s?(?: with)?(?: an?| the)?(?: http)?(?: status)?(?:"
        rf" code)?(?: of)? (?P<q>[1-5]\d\d)(?: (?:{_REASON}))*",
        "The response status is {q}",
    ),
    form(
        r"(?:the )?(?:http |response )*header %a (?P<m>is|contains?|matches)(?: equal to)? %b",
        "The response header {a} {m} {b}",
    ),
    form(
        r"(?:the )?json (?:node|path|field|key|property|value) %a (?P<m>is|contains?|matches)(?: equal to)? %b",
        "The JSON field {a} {m} {b}",
    ),
    form(r"(?:the )?cookie %a (?:exists|is visible)", "The cookie {a} exists"),
)

_SAYING = r"(?:(?:with|like|saying|reading|stating|titled|named|called|labelled|containing|as|by|that says) )?"
_STATE = r"(?P<m>checked|unchecked|disabled|enabled|selected|focused|expanded|collapsed|empty|readonly|required)"
_LOOSE = (
    form(
        r"(?:the )?(?:.*\b(?:page|browser|window|tab|document) )?title(?: of [\w ]+)?"
        r" (?P<m>is|contains?|matches|equals?)(?: to)? %a",
        "The page title {m} {a}",
    ),
    form(r"see(?: the| an?)? (?:[\w-]+ )?title(?: of)? %a", "The page title is {a}"),
    form(rf"%xsee %o%k {_SAYING}%a", "The {a} {k} is {x}visible"),
    form(rf"%xsee %o{_SAYING}%a%e", "The text {a} is {x}visible"),
    form(rf"%xsee %o{_SAYING}%a%e %W %o%b%e", f"{{a}} {_PLACED} {{b}}"),
    form(rf"%xsee %o{_SAYING}%a%e (?:for|of|from|under|beside) %o%b%e", f"{{a}} {_PLACED} {{b}}"),
    form(rf"%xsee %o{_SAYING}%a%e %W %p", f"{{a}} {_PLACED} the {{p}}", f'{{a}} {_PLACED} "{{p}}"'),
    form(rf"%xsee %o{_SAYING}%a%e %W %n", f'{{a}} {_PLACED} "{{n}}"'),
    form(rf"%o{_SAYING}%a%e (?:is|are) (?P<s>not )?(?:marked )?(?:as )?{_STATE}%e", "{a} is {s}{m}"),
    form(rf"%o{_SAYING}%a%e (?:is|are) (?P<s>not )?{_STATE} %W %o%b%e", "{a} in {b} is {s}{m}"),
    form(rf"%o{_SAYING}%a%e %V%e", "The text {a} is {x}visible"),
    form(rf"%o{_SAYING}%a%e %V%e %W %o%b%e", f"{{a}} {_PLACED} {{b}}"),
    form(rf"%o{_SAYING}%a%e %V%e %W %p", f"{{a}} {_PLACED} the {{p}}", f'{{a}} {_PLACED} "{{p}}"'),
    form(rf"%o{_SAYING}%a%e (?:appears?|pops? up|opens?|shows? up)%e", "The text {a} is visible"),
    form(
        rf"%o{_SAYING}%a%e (?P<m>is|equals?|contains?|matches|shows?)%e(?: to| as)? %o{_SAYING}%b%e",
        "{a} {m} {b}",
        "{a} is {b}",
    ),
    form(rf"%o{_SAYING}%a%e (?:has|have)%e %o{_SAYING}%b%e", "{a} is {b}"),
    form(
        r"%o%a%e (?:has|have|contains?|shows?) (?:exactly )?%d (?P<k>rows|items|columns)%e",
        "The {a} table has {d} {k}",
    ),
    form(r"%o%T %V%e:? %a", "The text {a} is {x}visible"),
    form(r"see (?:the )?%n page", 'I am on the "{n}" page'),
    form(r"%xsee (?:the )?(?!\d)%n", 'The text "{n}" is {x}visible'),
    form(r"%xsee (?:the )?(?!\d)%n %W %p", f'"{{n}}" {_PLACED} the {{p}}', f'"{{n}}" {_PLACED} "{{p}}"'),
    form(r"the %n %V%e", '"{n}" is {x}visible'),
    form(r"the (?P<k>%l|%n) (?:is|equals?|says|reads|shows?) (?P<v>(?-i:[A-Z\d])(?!.*\bor\b)[^«»]*)", '"{k}" is "{v}"'),
)

FORMS = (*PLACED_CLAIMS, *CLAIMS, *_SEEN, *_SHOWN, *_PAGES, *VALUES, *_SYSTEM, *OUTCOMES, *_LOOSE, *FALLBACKS)
