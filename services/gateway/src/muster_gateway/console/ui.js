// Shared components. Pages import from here (and from html.js, api.js, live.js, router.js, keys.js).
import { toast } from "./dialogs.js";
import { ago, duration, moment, quoted } from "./format.js";
import { html, useEffect, useReducer, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { STATES } from "./words.js";

export { ask, Dialogs, openHelp, Toasts, toast } from "./dialogs.js";
export * from "./format.js";
export { Icon } from "./icons.js";
export { useKeys } from "./keys.js";
export { VirtualList } from "./list.js";
export { useForbidden, useWho } from "./session.js";

/** Icon and colour class of a state of runs (`fail` + cause), sub-tasks, calls and clauses. */
export const look = (status, cause = "") => (cause === "cancelled" ? STATES.cancelled : STATES[status])?.tone ?? status;

/** The name of a state. */
export const word = (status, cause = "") => (cause === "cancelled" ? STATES.cancelled : STATES[status])?.name ?? status;

/** State as icon and word; `quiet` shows the word only to screen readers, `cause` is added to a fail. */
export function Status({ status, cause = "", quiet = false }) {
  const name = look(status, cause);
  const text = word(status, cause);
  const because = status === "fail" && cause && cause !== "cancelled" ? html`<span class="cause">${cause}</span>` : null;
  if (quiet) return html`<span class="status s-${name}" title=${because ? `${text}: ${cause}` : text}><${Icon} name=${name} label=${text} /></span>`;
  return html`<span class="status s-${name}"><${Icon} name=${name} /><span>${text}</span>${because}</span>`;
}

/** A text of a case or page: each quoted part has its own direction, so that no number after right-to-left words changes places with them. */
export function isolated(text) {
  const parts = quoted(text);
  return parts.length > 1 ? parts.map((part, at) => (part.apart ? html`<bdi key=${at}>${part.text}</bdi>` : part.text)) : parts[0].text;
}

/** Unix seconds now, rerendered every `ms`; 0: never. */
export function useNow(ms = 1000) {
  const [, again] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    if (!ms) return undefined;
    const timer = setInterval(again, ms);
    return () => clearInterval(timer);
  }, [ms]);
  return Date.now() / 1000;
}

/** Time from `from` to `to` (unix seconds); without `to` it keeps counting. */
export function Duration({ from, to = 0 }) {
  const now = useNow(from && !to ? 1000 : 0);
  if (!from) return html`<span class="dim">–</span>`;
  const seconds = Math.max(0, (to || now) - from);
  return html`<span class="num">${duration(to ? seconds : Math.floor(seconds))}</span>`;
}

/** Time ago (unix seconds), with the full date as title. */
export function RelativeTime({ at }) {
  const now = useNow(at ? 10_000 : 0);
  if (!at) return html`<span class="dim">–</span>`;
  return html`<time class="num" datetime=${new Date(at * 1000).toISOString()} title=${moment(at)}>${ago(at, now)}</time>`;
}

/** Progress as a bar with numbers. */
export function Progress({ done, total, status = "running", cause = "" }) {
  if (!total) return html`<span class="dim">–</span>`;
  const share = Math.min(1, done / total);
  return html`<span class="progress s-${look(status, cause)}"><span class="progress-bar"><i style=${{ width: `${share * 100}%` }}></i></span>
    <span class="num">${done}/${total}</span></span>`;
}

/**
 * A button. `why` (a sentence) disables it and explains why, also on a click; `kind` is primary, danger, plain or icon; `busy` while it works.
 * `label` is for buttons that show only an icon.
 */
export function Button({ onClick, children, why = "", kind = "", icon, label, busy = false, type = "button", keys, ...more }) {
  const off = Boolean(why) || busy;
  const title = why || [label, keys && `(${keys})`].filter(Boolean).join(" ");
  const refuse = (event) => (event.preventDefault(), why && toast(why));
  const told = Array.isArray(children) ? children.some(Boolean) : Boolean(children);
  return html`<button type=${type} class="button ${kind}" aria-disabled=${off ? "true" : undefined} aria-busy=${busy || undefined}
    aria-label=${told ? undefined : label} title=${title || undefined} onClick=${off ? refuse : onClick} ...${more}>
    ${icon && html`<${Icon} name=${icon} />`}${children}</button>`;
}

/**
 * A plain table for short lists: `columns` are `{name, title, cell(row), class}`, `rows` with `rowKey(row)`. On narrow screens
 * each row is a card with titled values.
 */
export function Table({ columns, rows, rowKey, label, empty, rowClass }) {
  if (!rows.length && empty) return empty;
  return html`<div class="table-box"><table class="table" aria-label=${label}>
    <thead><tr>${columns.map((one) => html`<th key=${one.name} scope="col" class=${one.class}>${one.title}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${rowKey(row)} class=${rowClass?.(row)}>
      ${columns.map((one) => html`<td key=${one.name} class=${one.class} data-title=${one.title}>${one.cell(row)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** Tabs: `tabs` are `{name, title, count}`; the caller renders the selected content in `#panel-<name>`. */
export function Tabs({ tabs, chosen, onChoose, label }) {
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((one) => one.name === chosen) + by + tabs.length) % tabs.length];
    onChoose(next.name);
    event.currentTarget.querySelector(`#tab-${next.name}`)?.focus();
  };
  const list = useRef(null);
  useEffect(() => { // where tabs do not fit, the chosen one is in sight
    const tab = list.current?.querySelector("[aria-selected=true]");
    if (tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen, tabs.length]);
  return html`<div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${step}>
    ${tabs.map((one) => html`<button type="button" key=${one.name} id="tab-${one.name}" role="tab" aria-selected=${String(one.name === chosen)}
      aria-controls="panel-${one.name}" tabindex=${one.name === chosen ? 0 : -1} onClick=${() => onChoose(one.name)}>
      ${one.title}${one.count !== undefined && html`<span class="count">${one.count}</span>`}</button>`)}</div>`;
}

/** An empty state: title, sentence, and actions as children. */
export const EmptyState = ({ title, text, icon, children }) => html`<div class="empty">
  ${icon && html`<${Icon} name=${icon} size=${28} />`}<h2>${title}</h2>${text && html`<p>${text}</p>`}${children && html`<div class="row">${children}</div>`}</div>`;

/** An error (ApiError or Error), with an optional `retry()`. */
export function ErrorNote({ error, retry, title }) {
  if (!error) return null;
  const reasons = error.reasons ?? [error.message];
  return html`<div class="note bad" role="alert"><${Icon} name="warning" /><div><strong>${title ?? error.title ?? "Something went wrong"}</strong>
    ${reasons.filter((one) => one !== (title ?? error.title)).map((one) => html`<p key=${one}>${one}</p>`)}</div>
    ${retry && html`<${Button} onClick=${retry}>Try again<//>`}</div>`;
}

/** A remark: `kind` is info, warn or bad. */
export const Note = ({ kind = "info", children }) => html`<div class="note ${kind}" role="status"><${Icon} name="warning" /><div>${children}</div></div>`;

/** Placeholder bars while rows load. */
export const Loading = ({ rows = 6 }) => html`<div class="loading" role="status" aria-label="Loading">
  ${Array.from({ length: rows }, (_, at) => html`<i key=${at}></i>`)}</div>`;

/** State of live updates: `live`, `away`, `polling`. */
export function Liveness({ state }) {
  const told = { live: "Live", away: "Reconnecting", polling: "Refreshing", over: "Over", refused: "Not followed" }[state] ?? "Connecting";
  return html`<span class="liveness l-${state}" role="status"><i></i>${told}</span>`;
}

/** Whether a media query matches; rerenders on changes. */
export function useMedia(query) {
  const [holds, tell] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => tell(media.matches);
    changed();
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return holds;
}

/** A key as it is printed on keyboards. */
export const Keys = ({ keys }) => html`<span class="keys">${keys.split(" ").map((one, at) => html`<kbd key=${at}>${one}</kbd>`)}</span>`;
