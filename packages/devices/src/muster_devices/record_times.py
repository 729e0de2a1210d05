"""When something was heard or seen, in an order that no change of the machine's clock turns round."""

import time

_START = time.time() - time.monotonic()


def moment() -> float:
    """Return Unix seconds that never jump: the machine's clock when this process began, and how long that is ago.

    Compare them with others of the same process alone.
    """
    return _START + time.monotonic()
