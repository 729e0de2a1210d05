// States of sub-tasks, calls and clauses: an icon, a colour, and a word for screen readers.
import { html } from "../html.js";
import { Icon, look } from "../ui.js";
import { STATES } from "../words.js";

/** The word for a state. */
export const wordOf = (state) => STATES[state]?.word ?? state;

/** A state as an icon. */
export function Mark({ state, word = wordOf(state) }) {
  return html`<span class="mark s-${look(state)}" title=${word}><${Icon} name=${look(state)} label=${word} /></span>`;
}
