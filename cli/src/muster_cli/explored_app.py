"""What `muster explore` reads from files: a simulated app, and nodes of a team's own."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from muster_cli.named_files import read_named
from muster_devices.screens.app_loader import AppRefused, load_app
from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_protocol.errors import InvalidRequest
from muster_protocol.explorations import OwnNode
from muster_protocol.requests import DeviceSpec
from muster_text.unreadable import why_unreadable
from muster_yaml.bounded_yaml import YamlFault, load

LARGEST_NODES = 100_000
"""Bytes of a file."""


class NodesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file with nodes."""

    nodes: Annotated[tuple[OwnNode, ...], Meta(min_length=1, max_length=20)]


def explored_device(app: Path | None, faults: tuple[str, ...], phone: str) -> DeviceSpec | None:
    """Return the device that is explored; None: a browser.

    Raises:
        InvalidRequest: the app's file cannot be used, or two devices are named.
    """
    if app is not None and phone:
        raise InvalidRequest(["--device and --phone name two devices; leave one out"])
    if phone:
        return DeviceSpec(kind="appium", name=phone)
    if app is None:
        return None
    text = read_named(app, "--device")
    try:
        load_app(text, str(app))
    except AppRefused as refused:
        raise InvalidRequest([f"{flaw}" for flaw in refused.flaws]) from refused
    return DeviceSpec(kind="screens", definition=text, source=str(app), faults=faults)


def load_nodes(path: Path | None) -> tuple[OwnNode, ...]:
    """Return the nodes of a file, each sentence of which was read.

    Raises:
        InvalidRequest: it cannot be used; each reason names the node.
    """
    if path is None:
        return ()
    try:
        text = path.read_bytes()[: LARGEST_NODES + 1].decode()
        if len(text) > LARGEST_NODES:
            raise InvalidRequest([f"--nodes {path} is larger than {LARGEST_NODES:,} bytes"])
        nodes = msgspec.convert(load(text), NodesFile).nodes
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest([f"--nodes {path}: {why_unreadable(error)}"]) from error
    except (YamlFault, msgspec.ValidationError) as error:
        raise InvalidRequest([f"--nodes {path}: {error}"]) from error
    if problems := [f"--nodes {path}: {node.name}: {problem}" for node in nodes for problem in _problems(node)]:
        raise InvalidRequest(problems)
    return nodes


def _problems(node: OwnNode) -> list[str]:
    found: list[str] = []
    for parse, sentences in ((parse_action, node.do), (parse_expectation, (node.when, node.expect))):
        for sentence in filter(None, sentences):
            try:
                parse(sentence)
            except PhraseError as error:
                found.append(f"{sentence!r} needs a model, and explorations have none: {error}")
    return found
