"""What is wrong with the environment that a service starts with, in words; shows no value but numbers. Pure."""

import difflib
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec import Struct

from muster_service.setting_texts import Setting, settings_of

NEAR = 0.88
"""Least likeness of a name that is taken for a misspelt setting; no two settings of any services are as much alike."""


class Misspelt(NamedTuple):
    """A variable that the service does not read, and the setting that it is probably meant to be."""

    variable: str
    setting: str


def describe_wrong_settings(kind: type[Struct], given: Mapping[str, str]) -> str:
    """Return each variable whose value a settings struct does not take, with what it takes; empty: none."""
    return "; ".join(
        f"environment variable `{setting.variable}` is {_shape(given[setting.variable])}; valid: {setting.values}"
        for setting in _wrong(kind, given)
    )


def _wrong(kind: type[Struct], given: Mapping[str, str]) -> Iterator[Setting]:
    described = {setting.variable: setting for setting in settings_of(kind)}
    for field in msgspec.structs.fields(kind):
        if field.encode_name in given and not _fits(given[field.encode_name], field.type):
            yield described[field.encode_name]


def _fits(value: str, kind: object) -> bool:
    try:
        found = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        return False
    return not isinstance(found, float) or math.isfinite(found)  # `nan` is within any bounds, and ends no wait


def _shape(value: str) -> str:
    """Return what kind of text a value is; it may be a secret that was given to the wrong variable."""
    if value != value.strip():
        return f"text of {len(value)} characters with a space at its start or end"
    try:
        return f"the number {float(value):g}"
    except ValueError:
        pass
    begins = " that begins with a digit (numbers have no unit)" if value[:1].isdigit() else ""
    return f"text of {len(value)} character{'s' * (len(value) != 1)}{begins}"


def find_misspelt(kind: type[Struct], environ: Mapping[str, str]) -> tuple[Misspelt, ...]:
    """Return the variables named almost like a setting that is not set, or like one with `MUSTER_` before it."""
    free = [it.encode_name for it in msgspec.structs.fields(kind) if it.encode_name not in environ]
    known = {it.encode_name for it in msgspec.structs.fields(kind)}
    near = {name: _nearest(name.removeprefix("MUSTER_"), free) for name in environ if name not in known}
    return tuple(Misspelt(name, setting) for name, setting in sorted(near.items()) if setting)


def _nearest(name: str, settings: list[str]) -> str:
    return next(iter(difflib.get_close_matches(name.upper(), settings, 1, NEAR)), "")
