"""Numbers as words. Data."""

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split())}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}
