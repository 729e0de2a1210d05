// Texts from cases, pages and commands: never markup, isolated in direction, long ones collapsed.
import { html, useState } from "../html.js";
import { plain, quoted } from "../ui.js";
import { marked } from "./model.js";

/** A tool argument's value as source text. */
const written = (value) =>
  typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? `[${value.map(written).join(", ")}]` : String(value);

const LONG_ARGUMENT = 70;
const SHOWN = 600;

/** Text with words highlighted. */
export function Marked({ text, words = [] }) {
  const shown = (part) => marked(part, words).map((one, at) => (one.hit ? html`<mark key=${at}>${one.text}</mark>` : one.text));
  return html`<bdi>${quoted(text).map((part, at) => (part.apart ? html`<bdi key=${at}>${shown(part.text)}</bdi>` : shown(part.text)))}</bdi>`;
}

/** A text of any length: its start, and the rest on click. */
export function Long({ name, text, words }) {
  const [open, show] = useState(false);
  const clean = plain(text);
  const cut = !open && clean.length > SHOWN;
  return html`<div class="run-long">${name && html`<span class="dim">${plain(name)}</span>`}
    <pre><${Marked} text=${cut ? `${clean.slice(0, SHOWN)}…` : clean} words=${words} /></pre>
    ${clean.length > SHOWN && html`<button type="button" class="link" aria-expanded=${String(open)} onClick=${() => show(!open)}>
      ${open ? "Show less" : `Show all ${clean.length.toLocaleString("en")} characters`}</button>`}</div>`;
}

/** A tool call as source text; long arguments below it. */
export function Call({ tool, arguments: given, words }) {
  const named = Object.entries(given ?? {});
  const isLong = ([, value]) => typeof value === "string" && (value.length > LONG_ARGUMENT || value.includes("\n"));
  const short = named.filter((one) => !isLong(one));
  const long = named.filter(isLong);
  return html`<div class="run-call"><code><b>${plain(tool)}</b>(${short.map(([name, value], at) => html`<span key=${name}>
    ${at > 0 && ", "}${name && html`<span class="dim">${plain(name)}=</span>`}<${Marked} text=${written(value)} words=${words} />
    </span>`)}${long.length > 0 && (short.length ? ", …" : "…")})</code>
    ${long.map(([name, value]) => html`<${Long} key=${name} name=${name} text=${value} words=${words} />`)}</div>`;
}
