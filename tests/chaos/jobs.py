"""What is run while faults strike: a function of the seed. Each kind of job has one verdict, by construction. Pure."""

import random
from typing import Literal, NamedTuple

from muster_protocol.requests import Drill, Job, Limits, RunRequest, Step, TestCase

Kind = Literal[
    "drill",
    "drill-cancelled",
    "drill-paused",
    "commands",
    "commands-bad",
    "commands-cancelled",
    "order",
    "order-bad",
]
PATTERN: tuple[Kind, ...] = (
    *("drill", "commands", "order", "drill-paused", "drill", "commands-bad"),
    *("drill-cancelled", "commands-cancelled", "order", "commands", "drill", "order-bad"),
)
EXPECTED: dict[Kind, str] = {
    "drill": "pass",
    "drill-cancelled": "pass",
    "drill-paused": "pass",
    "commands": "pass",
    "commands-bad": "product",
    "commands-cancelled": "cancelled",
    "order": "pass",
    "order-bad": "product",
}
"""The verdict of an undisturbed run: `pass`, or the cause of its fail."""
BROWSING: tuple[Kind, ...] = ("order", "order-bad")
CANCELLED: tuple[Kind, ...] = ("drill-cancelled", "commands-cancelled")


ENDLESS = TestCase(
    name="commands-cancelled",
    steps=(
        Step(action='Run the command "sleep 600 & echo begun"', expected='The output contains "begun"'),
        Step(action='Run the command "sleep 600 & sleep 600" within 10 minutes', expected="The exit code is 0"),
    ),
)
"""A case that only ends if it is cancelled, with children that must end then."""


class Assignment(NamedTuple):
    """One run to ask for."""

    run: str
    kind: Kind
    request: RunRequest
    by: Literal["nats", "http"]
    control_after: float
    """Seconds after acceptance at which it is cancelled or paused, for the kinds that are."""
    paused: float
    """Seconds it stays paused."""


def assignments(seed: int, count: int, shop: str) -> tuple[Assignment, ...]:
    """Return the runs to ask for, in order; the seed is part of their ids."""
    chance = random.Random(f"jobs {seed}")
    return tuple(_assignment(chance, seed, number, shop) for number in range(1, count + 1))


def _assignment(chance: random.Random, seed: int, number: int, shop: str) -> Assignment:
    kind = PATTERN[(number - 1) % len(PATTERN)]
    run = f"chaos-{seed}-{number:04d}"
    job = _job(chance, kind, run, shop)
    request = RunRequest(id=run, job=job, suite=f"chaos-{seed}", limits=Limits(timeout_seconds=3600, max_subtasks=100))
    return Assignment(
        run=run,
        kind=kind,
        request=request,
        by="http" if chance.random() < 0.4 else "nats",
        control_after=chance.uniform(0.0, 3.0),
        paused=chance.uniform(0.5, 6.0),
    )


def _job(chance: random.Random, kind: Kind, run: str, shop: str) -> Job:
    match kind:
        case "drill" | "drill-cancelled" | "drill-paused":
            return Drill(name=kind, count=chance.randint(5, 20), wait_seconds=round(chance.uniform(0.1, 0.8), 2))
        case "commands" | "commands-bad":
            return ledger_case(kind, chance.randint(3, 6), good=kind == "commands")
        case "commands-cancelled":
            return ENDLESS
        case "order" | "order-bad":
            return order_case(kind, shop, run, good=kind == "order")


def ledger_case(name: str, count: int, *, good: bool) -> TestCase:
    """Return a case whose commands keep a ledger: one that is run twice, or beside another, shows at the end."""
    steps = [
        Step(
            action=f'Run the command "echo begin-{n} >> ledger; sleep 0.3; echo end-{n} >> ledger; tail -n 1 ledger"',
            expected=f'The output contains "end-{n}"',
        )
        for n in range(1, count + 1)
    ]
    whole = " ".join(f"begin-{n} end-{n}" for n in range(1, count + 1))
    seen = f"<{whole}>" if good else f"<{whole} never-written>"
    look = "Run the command \"echo '<'$(cat ledger)'>'\""
    return TestCase(name=name, steps=(*steps, Step(action=look, expected=f'The output contains "{seen}"')))


def order_case(name: str, shop: str, customer: str, *, good: bool) -> TestCase:
    """Return a case that places one order in the shop, under the customer's name."""
    thanked = customer if good else "somebody else"
    steps = (
        (f'Open "{shop}/login"', 'The page title is "Demo shop"'),
        (
            'Type "tester" into the "User name" field and type "swordfish" into the "Password" field',
            'The "User name" field has the value "tester"',
        ),
        ('Click the "Log in" button', 'The text "Hello, tester" is visible'),
        ('Type "Backpack" into the "Search products" field and click the "Search" button', '"1 product found" appears'),
        ('Click the "Add to cart" button', 'The text "Backpack was added to your cart." is visible'),
        ('Click the "Cart" link', 'The text "Total: $29.99" is visible'),
        ('Click the "Check out" link', 'The URL contains "/checkout"'),
        (
            f'Type "{customer}" into the "Full name" field and type "ada@example.com" into the "E-mail" field',
            f'The "Full name" field has the value "{customer}"',
        ),
        ('Check "I accept the terms"', 'The "Continue to review" button is enabled'),
        ('Click the "Continue to review" button', 'The text "Total: $29.99" is visible'),
        ('Click the "Place order" button', f'The text "Thank you, {thanked}!" is visible'),
    )
    return TestCase(name=name, steps=tuple(Step(action=action, expected=expected) for action, expected in steps))
