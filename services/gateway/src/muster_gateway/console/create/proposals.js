// The list of sentences and names that can be written at the caret.
import { html, useEffect, useState } from "../html.js";
import { plain } from "../ui.js";
import { offsetAfter, placeAt } from "./text.js";

const ID = "proposals";
const KINDS = { phrase: "sentence", own: "own sentence", variable: "variable", secret: "secret" };

/**
 * The list for a field: `{shown, chosen, keys(event), open(), close(), accept(at)}`; `typed` counts the user's changes and opens
 * the list, Ctrl+Space too. Nothing is chosen until an arrow key is pressed, so Enter stays a new line.
 */
export function useProposals(field, help, typed) {
  const [open, set] = useState(false);
  const [chosen, choose] = useState(-1);
  useEffect(() => (typed > 0 && set(true), choose(-1)), [typed]);
  const here = help.caret === field.current?.selectionStart;
  const shown = open && here ? help.proposals.filter((one) => one.text !== written(field.current, one)) : [];
  const close = () => (set(false), choose(-1));
  const accept = (at) => (insert(field.current, shown[at]), close());
  const keys = (event) => {
    if (event.ctrlKey && event.key === " ") return event.preventDefault(), set(true);
    if (!shown.length) return undefined;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      return choose((chosen + (event.key === "ArrowDown" ? 1 : chosen < 0 ? 0 : -1) + shown.length) % shown.length);
    }
    if (event.key === "Escape") return event.stopPropagation(), event.preventDefault(), close();
    if (event.key === "Enter" && chosen >= 0 && !event.ctrlKey) return event.preventDefault(), accept(chosen);
    return undefined;
  };
  return { shown, chosen, keys, close, accept };
}

const begin = (field, one) => offsetAfter(field.value, placeAt(field.value, field.selectionStart).line, one.begin);
const written = (field, one) => field.value.slice(begin(field, one), field.selectionStart);

/** Write a proposal through the browser's own editing, so that undo works, and select the first value in it. */
function insert(field, one) {
  const from = begin(field, one);
  field.focus();
  field.setSelectionRange(from, field.selectionStart);
  document.execCommand("insertText", false, one.text);
  const value = /"([^"]*)"/.exec(one.text);
  if (value) field.setSelectionRange(from + value.index + 1, from + value.index + 1 + value[1].length);
}

/** The list, below the caret, or above it in the lower half of the field. */
export function Proposals({ field, list }) {
  const { shown, chosen, accept } = list;
  useEffect(() => {
    document.getElementById(`${ID}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  if (!shown.length) return null;
  return html`<ul id=${ID} class="proposals" role="listbox" aria-label="Can be written here" style=${place(field.current, shown[0])}>${shown.map((one, at) => html`<li key=${at} id=${`${ID}-${at}`} role="option"
    aria-selected=${String(at === chosen)} title=${plain(one.detail)} onMouseDown=${(event) => (event.preventDefault(), accept(at))}><span>${plain(one.label)}</span><span class="dim">${KINDS[one.kind]}</span></li>`)}</ul>`;
}

/** Attributes of the field that lead assistive technology to the list. */
export const described = ({ shown, chosen }) => ({
  "aria-autocomplete": "list",
  "aria-controls": shown.length ? ID : undefined,
  "aria-activedescendant": shown.length && chosen >= 0 ? `${ID}-${chosen}` : undefined,
});

const LINE = 20;
const PADDING = 8;

function place(field, { begin }) {
  const { line } = placeAt(field.value, field.selectionStart);
  const top = PADDING + line * LINE - field.scrollTop;
  const left = `max(4px, min(calc(${begin}ch + 8px - ${field.scrollLeft}px), calc(100% - 320px)))`;
  return top > field.clientHeight / 2 ? { left, bottom: `${field.clientHeight - top + 4}px` } : { left, top: `${top + LINE + 4}px` };
}
