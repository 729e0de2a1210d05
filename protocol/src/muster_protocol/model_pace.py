"""How far a fleet has used its budget of requests and tokens at a model's endpoint: a row of the bucket `PACE`."""

from msgspec import Struct


class PaceRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an endpoint will have made up for what was sent to it, in Unix seconds of the NATS server's clock.

    A time that is past says that nothing is owed.
    """

    requests: float = 0.0
    tokens: float = 0.0
