"""Where names without quotes begin and end in a sentence: the words that none holds in small letters. Data."""

import re

from muster_grammar.element_kinds import BESIDE, CONTAINERS, PLACES, PLURALS, ROLES
from muster_grammar.numerals import NUMBERS, ORDINALS
from muster_grammar.unquoted_names import NEVER_IN_NAMES
from muster_grammar.verbs import ACTIONS
from muster_grammar.vocabulary import VAGUE, split
from muster_text.key_names import MODIFIERS

VERBS = split(
    "is are was were be been being has have had do does did should must will would can could may might shall cannot "
    "isn't aren't doesn't don't wasn't won't can't shows show displays display contains contain includes include "
    "reads read says say costs cost weighs lasts appears appear disappears becomes become changes change turns turn "
    "equals lists offers offer opens open closes close starts ends goes get gets stays stay remains remain comes "
    "belongs amounts matches exists exist begins drops rises increases decreases increased decreased "
    "fails fail succeeds succeed loads works redirects"
)
SMALL = split(
    "in on at from into onto as with by for to of under below above next beside after before between within via per "
    "than through over without and or but then when while until if that which whose who where what the a an this these "
    "those no not now again still already yet also just only once twice anymore immediately it its them they there "
    "my your his her our their all each every both none any either neither exactly least most more less so"
)
STATES = split(
    "visible hidden displayed shown present enabled disabled checked unchecked selected focused empty blank expanded "
    "collapsed listed active inactive current required readonly editable valid invalid gone missing greyed grayed "
    "highlighted pressed opened closed available sorted"
)
NOUNS = (
    ROLES.keys()
    | PLURALS.keys()
    | CONTAINERS
    | split(
        "column columns text page screen message messages header label error value tab tabs window checkbox title url "
        "key radio drop-down popup modal"
    )
)
CLOSED = NEVER_IN_NAMES | VERBS | SMALL | STATES | NOUNS | BESIDE.keys() | PLACES | VAGUE
"""Lower-case words that end a name without quotes and are never part of one."""
NO_NAMES = MODIFIERS.keys() | split(
    "i user users i'm something anything nothing everything and or then but if when http https url api get post put "
    "patch delete stdout stderr"
)
"""Words that begin no name, whatever their letters."""
NEVER = (
    NO_NAMES
    | NUMBERS.keys()
    | ORDINALS.keys()
    | split(
        "customer visitor tester admin page we you he she nothing everything something verify check confirm ensure "
        "assert validate expect see given json xml html css last previous other another output file response command "
        "today tomorrow yesterday please cookie cookies"
    )
)
"""Words that begin no name at the start of a sentence."""
CHOOSING = split("select selects choose chooses pick picks")
ENTERING = split("enter type input fill provide give insert put set write paste supply key")
"""Verbs of putting a value into a field."""
PAGES = split("page screen site website app application")
JOINTS = split("and then but")
MANY = split("a an all each every any some no")
"""Words after which comes what kind of thing is meant."""
FOR_ITSELF = split(
    "select selects choose chooses pick picks enable enables disable disables run runs execute executes launch "
    "launches send sends call calls cd for until"
)
"""Verbs after which a name alone says too little, or something that is not on the page."""
NO_SUBJECTS = NOUNS | split(
    "error errors success search login logout information data content products results items changes text settings "
    "users menu popup homepage dashboard toast snackbar tooltip banner notification alert warning placeholder value "
    "option pop-up"
)
"""Words at the start of a sentence that say what kind of thing it is about."""
SHOWING = split("show shows display displays")
PLACED = split("moved added removed placed put saved stored created")
SHOWN = split("visible hidden displayed shown present listed there gone missing absent found")
SIGHTS = split("appears appear disappears disappear exists exist opens open closes close")
SEES = split("see sees view views")
HAVING = split("has have had")
PLURAL = split("are aren't were have do don't")
"""Verbs after which a plural with one capital letter is the kind of thing meant: "Error messages are …"."""
ADVERBS = split("now still also already again only just")
CUT = split("click press tap choose select pick hit on")
PRESSING = split("press hit push key keys")
PARTICLES = split("in out up on off")
DEEDS = frozenset(word for entry in (*ACTIONS, *", ".join(ACTIONS.values()).split(", ")) for word in entry.split()[:1])
"""Verbs of actions, by their first words."""
_WHOLE = split("all none everything nothing as in out up off on")
"""Words after verbs that with these are entries of menus: "Select all"."""
LEADS = PLACES | (BESIDE.keys() - {"after", "before"}) | split("the a an to into onto at by")
"""Words that lead to a name and, after a verb, never begin one, capitalised or not."""
PLACES_IN_LINE = ORDINALS.keys() | {"last"}
SURE_KINDS = split("button field textbox checkbox dropdown drop-down link icon tab radio textarea")
"""Kinds that end a name even when capitalised: "Country Dropdown"."""
FINITE = split("is are be should must will has have was were displays shows contains appears")
"""Verbs that are capitalised only where the whole sentence is in title case."""
CHECKED = NOUNS | {"box", "option"}
_STEPS = CHOOSING | ENTERING | CUT | split("check verify wait scroll hover ensure confirm submit observe navigate")
_HAPPENS = split("shows displays opens closes goes redirects navigates appears returns")


def says_more(text: str) -> bool:
    """Return whether words that may name an entry of a menu are an act or a claim: "Fill in form", "Dialog closes"."""
    first, *rest = text.split() or [""]
    acts = first.lower() in _STEPS and bool(rest) and rest[0].islower() and rest[-1] not in _WHOLE
    happens = first.lower() in _HAPPENS and bool(rest)
    return acts or happens or any(word in VERBS for word in rest)


MEASURE = re.compile(r"\d+(?:st|nd|rd|th|px|pt|em|ms|s|x|xx)|\d+-[a-z]+", re.IGNORECASE)
STRIKING = re.compile(
    r"[#\w][\w.@#/:-]*\d[\w.@#/:-]*|\d[\d./:-]+|[\w.+-]+@[\w.-]+|[a-z0-9]+(?:_[a-z0-9]+)+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,5}"
)
"""What holds a digit, or is like an address or the name of a file."""
AMOUNT = re.compile(r"[-+−]?[$€£]?\d[\d.,:/-]*[%€£]?|[$€£%]")
UNIT = re.compile(
    r"[kKMGT]?B|[kKMGT]iB|kg|km|cm|mm|px|pts|min|AM|PM|%|€|EUR|USD|GBP|January|February|March|April|May|June|July|August|"
    r"September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
