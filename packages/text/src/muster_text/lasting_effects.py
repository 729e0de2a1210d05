"""Words of irreversible acts, in names of controls and in whole steps. Pure.

Add a language by adding words to each row.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

EFFECTS: dict[str, tuple[str, ...]] = {
    "pays": (
        "pay", "pay now", "purchase", "buy", "buy now", "place order", "place your order", "order now", "submit order",
        "complete order", "donate", "transfer", "withdraw",
        "bezahlen", "zahlen", "jetzt zahlen", "kaufen", "jetzt kaufen", "bestellen", "jetzt bestellen",
        "zahlungspflichtig bestellen", "kostenpflichtig bestellen", "bestellung aufgeben", "bestellung abschließen",
        "spenden", "überweisen",
    ),
    "deletes": (
        "delete", "deletes", "remove all", "remove account", "erase", "wipe", "destroy", "purge", "discard",
        "empty trash", "reset", "factory reset", "format", "uninstall", "deactivate", "disable account",
        "close account", "terminate", "revoke", "unsubscribe", "cancel subscription", "cancel order",
        "löschen", "lösche", "alles entfernen", "konto entfernen", "vernichten", "leeren", "verwerfen", "zurücksetzen",
        "formatieren", "deinstallieren", "deaktivieren", "konto schließen", "kündigen", "widerrufen", "abbestellen",
        "stornieren",
    ),
    "mails": (
        "send", "send message", "publish", "post", "tweet", "share", "invite", "call",
        "senden", "absenden", "abschicken", "verschicken", "versenden", "veröffentlichen", "teilen", "einladen",
        "anrufen",
    ),
    "ends": (
        "log out", "logout", "log off", "logoff", "sign out", "signout", "sign off", "end session", "shut down",
        "shutdown", "reboot", "restart", "power off",
        "abmelden", "ausloggen", "abmeldung", "herunterfahren", "neu starten", "neustart", "ausschalten",
    ),
    "decides": (
        "block", "ban", "report abuse", "approve", "merge", "deploy", "sperren", "genehmigen", "freigeben",
    ),
}  # fmt: skip
"""Words of names by effect, in lower case with single blanks."""
_ALSO: dict[str, tuple[str, ...]] = {
    "pays": (
        "pays", "paying", "payment", "purchases", "buys", "buying", "subscribe", "subscribes", "charge",
        r"(?:place|submit|complete|confirm|finish)s? (?:(?:the|an?|your|this|my) )?orders?",
        "bezahle", "zahle", "zahlung", "kaufe", "bestelle", "überweise", "abonnieren",
    ),
    "deletes": (
        "deleting", "deletion", "remove", "removes", "erases", "wipes", "destroys", "truncate", "resets",
        "drop (?:table|database|schema|index)", "rm", "rmdir", "unlink", "shred", "empty (?:the )?(?:trash|bin)",
        "(?:close|cancel)s? (?:(?:the|an?|your|this|my) )?(?:account|subscription|order|booking)",
        "entfernen", "entferne", "leere", "kündige", "storniere",
    ),
    "mails": (
        "sends", "sending", "^(?:e )?mails?", "sendmail", "mail to", "invites", "publishes", "notify", "notifies",
        "forward (?:the|this|it)", "shares", "reply", "sende", "verschicke",
    ),
}  # fmt: skip
"""More expressions, for steps alone: a needless match there costs a question; an exploration would miss a control."""


def _expression(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![^\W_])")


@lru_cache(maxsize=64)  # cases watch words of their own, too
def _sought(watched: str) -> re.Pattern[str]:
    """Return what finds an effect or a word; compiling all effects would take a twentieth of a worker's start."""
    words = EFFECTS.get(watched)
    return _expression((*words, *_ALSO.get(watched, ())) if words else (re.escape(spoken(watched)),))


def find_effect(text: str, watched: Sequence[str]) -> str:
    """Return which of the watched effects and words a step has, as `pays (“place order”)`; "" if it has none.

    What is watched is the name of a row of `EFFECTS`, or else a word or several, in any case.
    """
    said = spoken(text)
    for each in watched:
        if found := _sought(each).search(said):
            return f"{each} (“{found[0]}”)" if each in EFFECTS else f"“{found[0]}”"
    return ""


def spoken(text: str) -> str:
    """Return a text in lower case with single blanks, without quotes: `"Place-Order"` and `placeOrder` are alike."""
    parted = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])", " ", text)
    return " ".join(re.sub(r"[-_/\"'“”„«»]+", " ", parted.lower()).split())
