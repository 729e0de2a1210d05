"""Examples of API responses about maps of explored apps."""

from muster_gateway.description.operation_docs import RUN

ROW: dict[str, object] = {
    "run": RUN,
    "app": "shop.example",
    "name": "Explore https://shop.example",
    "at": 1796000102.5,
    "states": 2,
    "edges": 1,
    "open": 1,
    "findings": 1,
    "over": "max_steps: 200 steps are spent",
}
NODE: dict[str, object] = {"type": "node", "id": "vip", "title": "VIP lounge", "address": "https://shop.example/vip"}
EDGE: dict[str, object] = {"type": "edge", "source": "5f1c0a7b", "target": "vip", "role": "link", "name": "Lounge"}
MAPS: dict[str, object] = {"maps": [ROW]}
STATE: dict[str, object] = {
    "id": "5f1c0a7b",
    "title": "Cart",
    "address": "https://shop.example/cart",
    "depth": 1,
    "tried": 0,
    "moves": 1,
    "findings": 1,
    "picture": "states/5f1c0a7b.png",
    "goal": False,
    "outside": False,
}
FINDING: dict[str, object] = {
    "kind": "server_error",
    "text": "GET https://shop.example/cart answered 500",
    "state": "5f1c0a7b",
    "address": "https://shop.example/cart",
    "request": "GET https://shop.example/cart: 500",
    "picture": "states/5f1c0a7b.png",
    "times": 2,
    "pages": 1,
    "case": True,
    "no_case": "",
}
_NODE: dict[str, object] = {
    "state": "91d2e3f4",
    "title": "Shop",
    "column": 0,
    "row": 0,
    "stands_for": 1,
    "findings": 0,
    "start": True,
}
MAP: dict[str, object] = {
    "row": ROW,
    "policy": ["coverage"],
    "seed": 0,
    "steps": 200,
    "restarts": 0,
    "drawing": {
        "by": "state",
        "nodes": [_NODE, {**_NODE, "state": "5f1c0a7b", "title": "Cart", "column": 1, "findings": 1, "start": False}],
        "lines": [{"source": 0, "target": 1, "moves": 1, "found": True}],
        "undrawn": 0,
    },
    "states": [STATE],
    "pages": [{"name": "https://shop.example/product/#", "states": 12, "tried": 30, "moves": 41}],
    "elements": [{"name": "button", "states": 2, "tried": 1, "moves": 2}],
    "findings": [FINDING],
    "versions": [ROW],
}
STATE_VIEW: dict[str, object] = {
    "state": STATE,
    "headings": ["Your cart"],
    "path": ['Open "https://shop.example"', 'Click the "Cart" link'],
    "moves": [
        {"text": "tap link “Shop”", "outcome": "reached", "target": "91d2e3f4", "title": "Shop", "said": ""},
        {"text": "tap button “Save”", "outcome": "open", "target": "", "title": "", "said": ""},
    ],
    "left_out": ["button “Place order”: it may spend money"],
    "findings": [FINDING],
    "screen": "states/5f1c0a7b.txt",
    "source": "",
}
CHANGES: dict[str, object] = {
    "new": [STATE],
    "gone": [],
    "changed": [
        {"title": "Shop", "address": "https://shop.example/", "changes": ["new: tap link “Cart”"]},
    ],
    "new_findings": [FINDING],
    "mended": [],
}
