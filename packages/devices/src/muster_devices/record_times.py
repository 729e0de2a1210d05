"""When something was heard or seen, in an order that no change of the machine's clock turns round."""

import time
from functools import cache


def moment() -> float:
    """Return Unix seconds that never jump: the machine's clock when this process first asked, and how long ago that is.

    Compare them with others of the same process alone.
    """
    return _offset() + time.monotonic()


@cache
def _offset() -> float:
    return time.time() - time.monotonic()
