"""Words that mean the same, made of parts: who it is, and what happens to them; which message it is. Data."""

from itertools import product

_WHO = ("i", "user", "we", "you", "he", "she", "they", "browser", "page", "customer", "visitor")
_LED = (
    "is on, is at, is redirected to, is taken to, is navigated to, is directed to, is brought to, is sent to, "
    "is led to, is forwarded to, is redirected back to, is returned to, is back on, land on, lands on, lands at, "
    "stays on, stay on, remains on, remain on, arrives at, arrives on, redirects to"
)
MESSAGE_SORTS = (
    *("error", "success", "failure", "warning", "confirmation"),
    *("info", "validation", "status", "toast", "flash"),
)
"""Words before "message" that tell the kind of message."""
_MORE_SORTS = ("information", "welcome", "popup", "pop-up", "pop up", "empty state")
_MESSAGES = "message, text, notification, toast, notice"


def whereabouts() -> dict[str, str]:
    """Where one is: whoever it is that is there, and however one got there."""
    return {
        f"{who} {led}": "i is on" for who, led in product(_WHO, _LED.split(", ")) if (who, led) != ("page", "is on")
    } | dict.fromkeys(
        ("redirects to", "redirect to", "is redirected to", "page navigates to", "it navigates to", "it redirects to"),
        "i is on",
    )


_TOLD = (
    "is notified, is informed, is told, is warned, is alerted, is notified with, is alerted with, is prompted with, "
    "is presented with, is shown, is displayed with, is shown with, is greeted with, is greeted by, is welcomed with"
)


def told() -> dict[str, str]:
    """What somebody is told is seen on the page."""
    people = (who for who in _WHO if who not in {"browser", "page"})
    return {f"{who} {told}": "page show" for who, told in product(people, _TOLD.split(", "))}


def messages() -> dict[str, str]:
    """What kind of message a text is says nothing that a page shows of it."""
    sorts, nouns = (*MESSAGE_SORTS, *_MORE_SORTS), _MESSAGES.split(", ")
    single = {f"{sort} {noun}": "text" for sort, noun in product(sorts, nouns)}
    single |= {f"{noun} {way} {sort}": "text" for sort, noun, way in product(sorts, nouns, ("for", "of"))}
    return single | {f"{sort} {words}": "text" for sort, words in product(sorts, single)}


_LIGHT = ("do", "does", "make", "makes", "perform", "performs")
_DEEDS = {
    "click": "click, left click, left-click, single click, tap",
    "double-click": "double click, double-click, doubleclick, double tap",
    "right-click": "right click, right-click, right mouse click, context click",
    "long-press": "long press, long-press, long tap",
    "hover": "hover, mouse hover, mouse over",
}
_MOUSE = ("mouse", "mouse pointer", "pointer", "mouse cursor")
_MOVED = "hover, hovers, hover with, move, moves, put, puts, place, places, position, positions, point, points"


def deeds() -> dict[str, str]:
    """Acts said as nouns: "perform a click on", "do a right click on", "make a page refresh"."""
    acts = [(act, noun) for act, nouns in _DEEDS.items() for noun in nouns.split(", ")]
    pointed = {f"{light} {noun} {way}": act for light, (act, noun), way in product(_LIGHT, acts, ("on", "over"))}
    loads = product(_LIGHT, ("", "page ", "browser "), ("refresh", "reload"))
    return pointed | {f"{light} {what}{noun}": "reload" for light, what, noun in loads}


def pointings() -> dict[str, str]:
    """Acts that move the mouse over something. "Cursor" may be that of a text field, so it counts only with "over"."""
    moved = {
        f"{verb} {mouse} {way}": "hover"
        for verb, mouse, way in product(_MOVED.split(", "), _MOUSE, ("over", "on", "onto", "to", "at", "above"))
    }
    cursor = {f"{verb} cursor over": "hover" for verb in _MOVED.split(", ")}
    return moved | cursor
