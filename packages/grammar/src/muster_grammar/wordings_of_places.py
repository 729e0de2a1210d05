"""Wordings with a part of the page, a noun for a text or a unit beside a name. Data; `wording_forms.py` explains."""

from muster_grammar.wording_forms import form

_SIDE = r"(?:(?:main|top|bottom|left|right|side) )?"
_PART = rf"(?P<p>{_SIDE}(?:nav|navbar|navigation|sidebar|toolbar|header|footer))"
_KIND = r"(?P<k>link|item|icon|button|tab)"
_NAME = r"(?P<n>(?-i:[A-Z0-9][\w'&.-]*(?: [A-Z0-9][\w'&.-]*){0,3}))"
_UNIT = r"(?:kg|g|mg|lbs?|cm|mm|m|km|ml|l|\x25|€|EUR|USD|GBP|px|°C|°F)"
_AMOUNT = rf"(?P<v>\d[\d.,]* ?{_UNIT})"
_MEASURED = r"(?P<l>(?!(?:wait|scroll|zoom|move|resize)\b)[a-z]+(?: [a-z]+)?)"
_POINTING = (("%C", "Click"), (r"hovers?(?: over| on)?(?: the)?", "Hover over"))

PLACED_ACTS = (
    *(
        form(rf"{verb} {said}", f"{meant} {named} {{k}} in the {{p}}")
        for verb, meant in _POINTING
        for said, named in (
            (rf"{_PART} {_NAME} {_KIND}", 'the "{n}"'),
            (rf"{_NAME} {_PART} {_KIND}", 'the "{n}"'),
            (rf"%a {_PART} {_KIND}", "the {a}"),
            (rf"{_PART} %a {_KIND}", "the {a}"),
        )
    ),
    form(rf"%N {_MEASURED} {_AMOUNT}", 'Type "{v}" into "{l}"'),
    form(rf"{_MEASURED} {_AMOUNT}", 'Type "{v}" into "{l}"'),
)

PLACED_CLAIMS = (
    form(rf"(?:the )?{_PART} {_NAME} {_KIND} %V", 'The "{n}" {k} is {x}visible in the {p}'),
    form(rf"(?:the )?{_NAME} {_PART} {_KIND} %V", 'The "{n}" {k} is {x}visible in the {p}'),
    form(
        r"(?P<r>[^«»]*?\b(?:contains?|shows?|displays?|includes?|has))(?: the)?"
        r" (?P<v>(?-i:[A-Z0-9])[\w'-]*(?: (?-i:[A-Z0-9])[\w'-]*)*) (?:word|text|string|keyword|phrase|label)",
        '{r} "{v}"',
    ),
)
