"""Sliders that are no native fields: moved by their arrow keys, or with the mouse where those do not move them."""

from typing import NamedTuple

from playwright.async_api import Locator

_MOVED = """(el, was) => new Promise(done => {
  const look = left => el.getAttribute("aria-valuenow") !== was || !left ? done(el.getAttribute("aria-valuenow") || "")
    : requestAnimationFrame(() => look(left - 1));
  look(was === null ? 0 : 30);
})"""
"""Returns where a slider is, once that is no longer where it was: products draw it anew some frames after a key."""
_TRACK = """el => {
  const number = (name, other) => Number(el.getAttribute(name) || other);
  const [low, high, now] = [number("aria-valuemin", 0), number("aria-valuemax", 100), number("aria-valuenow", 0)];
  const upright = el.getAttribute("aria-orientation") === "vertical";
  const turned = upright || getComputedStyle(el).direction === "rtl";
  const own = el.getBoundingClientRect();
  const lies = ({ left, top, width, height }) => upright ? [top, height] : [left, width];
  const [middle, size] = [lies(own)[0] + lies(own)[1] / 2, lies(own)[1]];
  const share = (now - low) / (high - low);
  const isTrack = at => {
    const [start, length] = lies(at.getBoundingClientRect());
    const there = start + (turned ? 1 - share : share) * length;
    return length >= 60 && (at === el || Math.abs(there - middle) <= size);
  };
  let at = el;
  while (at && !isTrack(at)) at = at.parentElement;
  if (!at || high <= low) return null;
  const { left, top, width, height } = at.getBoundingClientRect(), [x, y] = [left - own.left, top - own.top];
  const [to, down] = [x + width - 1, y + height - 1]; // what ends there is no longer in it
  const ends = upright ? [x + width / 2, y, x + width / 2, down] : [x, y + height / 2, to, y + height / 2];
  return [...(turned ? [...ends.slice(2), ...ends.slice(0, 2)] : ends), low, high];
}"""
"""Returns where a slider has its lowest and highest value (x, y, x, y: px from its corner), and these; null: unknown.
The track is the element itself, if it is 60 px long, or the first element around it that agrees with its value."""
_MOST_KEYS = 1000
_TRIES = 3


class _Track(NamedTuple):
    x: float
    y: float
    to_x: float
    to_y: float
    low: float
    high: float

    def at(self, value: float) -> tuple[float, float]:
        """Return the point of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.x + share * (self.to_x - self.x), self.y + share * (self.to_y - self.y)


async def slide(slider: Locator, text: str, milliseconds: float) -> bool:
    """Move a slider to a value as far as it goes; False: the text is no number, or the slider tells none."""
    wanted, began = number_of(text), await _value(slider, None, milliseconds)
    at = number_of(began)
    if wanted is None or at is None:
        return False
    if wanted == at:
        return True
    key = "ArrowRight" if wanted > at else "ArrowLeft"
    part = slider if await slider.evaluate("el => el.tabIndex >= 0") else slider.locator("[tabindex='0']").first
    await part.press(key, timeout=milliseconds)
    moved = number_of(await _value(slider, began, milliseconds))
    if moved is None or moved == at:
        await _press_track(slider, wanted, at, milliseconds)
        return True
    for _ in range(min(round((wanted - moved) / (moved - at)), _MOST_KEYS)):
        await part.press(key, timeout=milliseconds)
    return True


async def _press_track(slider: Locator, wanted: float, at: float, milliseconds: float) -> None:
    """Press the mouse at the point of a value, correcting the point up to twice; do nothing if the track is unknown."""
    aim = wanted
    for _ in range(_TRIES):
        await slider.scroll_into_view_if_needed(timeout=milliseconds)
        found, box = await slider.evaluate(_TRACK, timeout=milliseconds), await slider.bounding_box()
        if found is None or box is None:
            return
        track = _Track(*found)
        mouse, (x, y), (to_x, to_y) = slider.page.mouse, track.at(min(max(aim, track.low), track.high)), track.at(aim)
        await mouse.move(box["x"] + x, box["y"] + y)
        await mouse.down()
        await mouse.move(box["x"] + to_x, box["y"] + to_y)  # beyond its end, where that is how it gets there
        await mouse.up()
        now = number_of(await _value(slider, f"{at:g}", milliseconds))
        if now is None or now == wanted:
            return
        aim, at = aim + wanted - now, now


async def _value(slider: Locator, was: str | None, milliseconds: float) -> str:
    return str(await slider.evaluate(_MOVED, was, timeout=milliseconds))


def number_of(text: str) -> float | None:
    """Return the number that a text is; `40%` is 40. None: it is none."""
    try:
        return float(text.strip().removesuffix("%"))
    except ValueError:
        return None
