"""What to enter into a field: by what its name asks for, from a seed. Pure."""

import random
import re
from collections.abc import Callable, Mapping

from muster_protocol.explorations import Blank

_FIRST = ("Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Margaret", "Konrad")
_LAST = ("Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Hamilton", "Zuse")
_CITIES = ("Berlin", "Paris", "Rome", "Vienna", "Oslo", "Lisbon")
_WORDS = ("amber", "birch", "coral", "delta", "ember", "fjord", "grove", "heron")


def _two_words(dice: random.Random) -> str:
    return f"{dice.choice(_WORDS)} {dice.choice(_WORDS)}"


Maker = Callable[[random.Random], str]
_KINDS: tuple[tuple[str, Maker], ...] = (
    (r"e-?mail|mail address", lambda dice: f"{dice.choice(_WORDS)}.{dice.randrange(1000)}@example.com"),
    (r"password|passwort|kennwort|passphrase", lambda dice: f"Muster-{dice.randrange(10**6):06d}!"),
    (r"phone|mobile|telefon|handy|fax", lambda dice: f"+49301234{dice.randrange(10**4):04d}"),
    (r"zip|postal|postcode|plz|postleitzahl", lambda dice: f"{dice.randrange(10000, 99999)}"),
    (r"birth|geburt", lambda dice: f"19{dice.randrange(60, 99)}-0{dice.randrange(1, 9)}-1{dice.randrange(9)}"),
    (r"date|datum", lambda dice: f"2030-0{dice.randrange(1, 9)}-1{dice.randrange(9)}"),
    (r"time|uhrzeit", lambda dice: f"1{dice.randrange(9)}:30"),
    (r"url|website|homepage|link", lambda dice: f"https://example.com/{dice.choice(_WORDS)}"),
    (r"amount|price|betrag|preis", lambda dice: f"{dice.randrange(1, 100)}.50"),
    (r"quantity|number|count|age|menge|anzahl|alter|year|jahr|pieces", lambda dice: str(dice.randrange(1, 10))),
    (r"card", lambda _dice: "4111111111111111"),
    (r"first name|given name|vorname", lambda dice: dice.choice(_FIRST)),
    (r"last name|surname|family name|nachname", lambda dice: dice.choice(_LAST)),
    (r"user ?name|login|benutzer|nickname", lambda dice: f"{dice.choice(_WORDS)}{dice.randrange(1000)}"),
    (r"name", lambda dice: f"{dice.choice(_FIRST)} {dice.choice(_LAST)}"),
    (r"city|town|ort|stadt", lambda dice: dice.choice(_CITIES)),
    (r"street|address|straße|adresse", lambda dice: f"{dice.choice(_WORDS).title()} Street {dice.randrange(1, 99)}"),
    (r"country|land", lambda _dice: "Germany"),
    (r"search|find|query|such", lambda dice: dice.choice(_WORDS)),
)


def value_for(blank: Blank, seed: int, known: Mapping[str, str]) -> str:
    """Return what to enter: what is known for the field's name, else made up from the seed; of a list an option."""
    given = next((value for name, value in known.items() if name.casefold() == blank.name.casefold()), None)
    if given is not None:
        return given
    dice = random.Random(f"{seed}|{blank.role}|{blank.name}|{blank.ordinal}")
    if blank.options:
        return dice.choice(blank.options[1:] or blank.options)  # the first is mostly "Please choose"
    if blank.role in ("spinbutton", "slider"):
        return str(dice.randrange(1, 10))
    makers = (make for words, make in _KINDS if re.search(rf"\b(?:{words})", blank.name, re.IGNORECASE))
    return next(makers, _two_words)(dice)
