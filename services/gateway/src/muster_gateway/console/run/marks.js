// How the state of a sub-task, a call or a clause looks: an icon of its own shape, a colour and a word for screen readers.
import { html } from "../html.js";
import { Icon, look } from "../ui.js";

const KNOWN = {
  waiting: ["queued", "not begun"],
  running: ["running", "is under way"],
  asking: ["asking", "asks a person"],
  retrying: ["retrying", "is tried again"],
  passed: ["pass", "passed"],
  failed: ["fail", "failed"],
  cancelled: ["cancelled", "cancelled"],
  skipped: ["skipped", "not run"],
  proven: ["pass", "proven"],
  refuted: ["fail", "refuted"],
  open: ["queued", "not proven"],
  error: ["warning", "could not be done"],
  lost: ["warning", "no outcome is recorded"],
};

/** Name of the icon, which is also that of the colour (`s-…`), for a state. */
export const toneOf = (state) => KNOWN[state]?.[0] ?? look(state);

/** The word for a state. */
export const wordOf = (state) => KNOWN[state]?.[1] ?? state;

/** A state as an icon. */
export function Mark({ state, word = wordOf(state) }) {
  return html`<span class="mark s-${toneOf(state)}" title=${word}><${Icon} name=${toneOf(state)} label=${word} /></span>`;
}
