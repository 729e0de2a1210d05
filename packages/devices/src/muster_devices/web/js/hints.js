// What stands beside the mouse, drawn by the browser or by the page.

function floats(style) { return /^(absolute|fixed)$/.test(style.position) && style.opacity !== "0"; }

// The tooltip that an element bears itself: its title under the mouse, or a text that a style lays over the page.
function hintOf(el) {
  if (el.title && el.matches(":hover") && !el.querySelector("[title]:hover")) return el.title;
  const part = ["::before", "::after"].find((one) => generated(el, one) && floats(getComputedStyle(el, one)));
  return part ? generated(el, part) : "";
}

// Whether a text lies over the page, with nothing to click in it: few pages say that this is a tooltip.
function isTooltip(el) {
  if (hintOf(el)) return true;
  const over = closest(el, (at) => floats(getComputedStyle(at)));
  return over !== null && !closest(el, isClickable) && ![...over.querySelectorAll("*")].some(isClickable);
}
