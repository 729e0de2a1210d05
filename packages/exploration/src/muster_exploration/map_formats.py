"""A map as Mermaid and GraphML. Pure."""

from xml.sax.saxutils import escape, quoteattr

from muster_exploration.app_map import AppMap, Edge

LONGEST_LABEL = 40


def to_mermaid(known: AppMap) -> str:
    """Return the map as a Mermaid flowchart; ways that lead back to the same state are left out."""
    lines = ["flowchart LR"]
    lines += [f"  s{index}[{_label(state.words)}]" for index, state in enumerate(known.states)]
    for edge in _shown(known):
        if edge.source != edge.target:
            lines.append(f"  s{edge.source} -->|{_label(known.move(edge.source, edge.move).name)}| s{edge.target}")
    if known.start >= 0:
        lines.append(f"  style s{known.start} stroke-width:3px")
    return "\n".join(lines) + "\n"


def to_graphml(known: AppMap) -> str:
    """Return the map as GraphML, with title and address of each state and the words of each move."""
    keys = (("title", "node"), ("address", "node"), ("move", "edge"), ("outcome", "edge"))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'  <key id="{key}" for="{of}" attr.name="{key}" attr.type="string"/>' for key, of in keys]
    lines.append('  <graph id="map" edgedefault="directed">')
    for index, state in enumerate(known.states):
        lines.append(f'    <node id="s{index}">{_data("title", state.words)}{_data("address", state.address)}</node>')
    for number, edge in enumerate(_shown(known)):
        told = _data("move", known.move(edge.source, edge.move).name) + _data("outcome", edge.outcome)
        ends = f"source={quoteattr(f's{edge.source}')} target={quoteattr(f's{edge.target}')}"
        lines.append(f'    <edge id="e{number}" {ends}>{told}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _shown(known: AppMap) -> list[Edge]:
    return [edge for edge in known.edges if edge.target >= 0]


def _data(key: str, text: str) -> str:
    printable = "".join(letter for letter in text if letter.isprintable())
    return f'<data key="{key}">{escape(printable)}</data>'


def _label(text: str) -> str:
    short = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return '"' + "".join(letter for letter in short if letter.isprintable()).replace('"', "#quot;") + '"'
