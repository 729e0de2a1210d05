"""What a step does that cannot be taken back: it pays, deletes or sends; found by its words. Pure.

Add a language by adding words to each row.
"""

import re
from collections.abc import Sequence

EFFECTS: dict[str, tuple[str, ...]] = {
    "pays": (
        "pay", "pays", "paying", "payment", "purchase", "purchases", "buy", "buys", "buying", "order now", "donate",
        r"(?:place|submit|complete|confirm|finish)s? (?:(?:the|an?|your|this|my) )?orders?", "subscribe", "subscribes",
        "transfer", "withdraw", "charge", "bezahlen", "bezahle", "zahlen", "zahle", "zahlung", "kaufen", "kaufe",
        "bestellen", "bestelle", "bestellung aufgeben", "spenden", "überweisen", "überweise", "abonnieren",
    ),
    "deletes": (
        "delete", "deletes", "deleting", "deletion", "remove", "removes", "erase", "erases", "wipe", "wipes", "purge",
        "destroy", "destroys", "discard", "truncate", "drop (?:table|database|schema|index)", "uninstall", "deactivate",
        "terminate", "revoke", "reset", "resets", "format", "rm", "rmdir", "unlink", "shred",
        "empty (?:the )?(?:trash|bin)",
        "(?:close|cancel)s? (?:(?:the|an?|your|this|my) )?(?:account|subscription|order|booking)",
        "löschen", "lösche", "entfernen", "entferne", "leeren", "leere", "zurücksetzen", "vernichten", "kündigen",
        "kündige", "stornieren", "storniere", "widerrufen",
    ),
    "mails": (
        "send", "sends", "sending", "^(?:e )?mails?", "sendmail", "mail to", "invite", "invites", "publish",
        "publishes", "tweet", "notify", "notifies", "forward (?:the|this|it)", "share", "shares", "reply",
        "senden", "sende", "absenden", "verschicken", "verschicke", "versenden", "einladen", "veröffentlichen",
        "teilen",
    ),
}  # fmt: skip
"""Words by effect, as expressions for texts in lower case with single blanks."""
_SOUGHT = {
    effect: re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![^\W_])")
    for effect, words in EFFECTS.items()
}


def find_effect(text: str, watched: Sequence[str]) -> str:
    """Return which of the watched effects and words a step has, as `pays (“place order”)`; "" if it has none.

    What is watched is the name of a row of `EFFECTS`, or else a word or several, in any case.
    """
    said = _spoken(text)
    for each in watched:
        sought = _SOUGHT.get(each) or re.compile(rf"(?<![^\W_]){re.escape(_spoken(each))}(?![^\W_])")
        if found := sought.search(said):
            return f"{each} (“{found[0]}”)" if each in _SOUGHT else f"“{found[0]}”"
    return ""


def _spoken(text: str) -> str:
    """Return a text in lower case with single blanks and without quotes: `"Place-Order"` and `placeOrder` are alike."""
    parted = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])", " ", text)
    return " ".join(re.sub(r"[-_/\"'“”„«»]+", " ", parted.lower()).split())
