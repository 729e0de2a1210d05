"""What counts as growth: a slope does, noise and warming up do not."""

import pytest

from soak.growth import MB, Reading, table, trends


def series(name: str, *values: float) -> list[Reading]:
    return [Reading(10.0 * n, {name: value}) for n, value in enumerate(values)]


@pytest.mark.parametrize(
    ("name", "values", "grew"),
    [
        ("worker-1 memory", [100 * MB + n * MB for n in range(60)], True),
        ("worker-1 memory", [100 * MB + (n % 7) * 5 * MB for n in range(60)], False),
        ("worker-1 memory", [40 * MB + min(n, 5) * 20 * MB for n in range(60)], False),
        ("worker-1 files", [20 + n / 2 for n in range(60)], True),
        ("worker-1 files", [20 + (n % 5) * 4 for n in range(60)], False),
        ("nats consumers", [8 + n // 6 for n in range(60)], True),
        ("sessions-1 strays", [(n % 3) * 4 for n in range(60)], False),
        ("sessions-1 strays", [n // 3 for n in range(60)], True),
        ("sessions-1 children", [n for n in range(60)], False),
        ("nats streams", [13] * 59 + [14], False),
        ("nats streams", [13] * 30 + [14] * 30, True),
    ],
)
def test_a_slope_is_growth_and_noise_and_warming_up_are_not(name: str, values: list[float], grew: bool) -> None:
    (found,) = trends(series(name, *values), 60.0)

    assert found.grew is grew
    assert found.most == max(values[6:])


def test_what_was_not_there_all_the_time_is_left_out_and_too_few_readings_say_nothing() -> None:
    readings = [Reading(float(n), {"a files": 5, **({"b files": 3} if n > 4 else {})}) for n in range(12)]

    assert [it.name for it in trends(readings, 0.0)] == ["a files"]
    assert trends(readings[:5], 0.0) == ()


def test_the_table_says_what_grew_in_units_people_read() -> None:
    steady = [Reading(float(n), {"w memory": 50 * MB, "w files": 10.0 + 2 * n}) for n in range(30)]

    text = table(trends(steady, 0.0))

    assert "| w memory | 50 MB | 50 MB | 50 MB | 62 MB | flat |" in text
    assert "**grew**" in next(line for line in text.splitlines() if line.startswith("| w files"))
