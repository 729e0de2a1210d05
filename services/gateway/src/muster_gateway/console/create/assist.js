// Help while a case is written: what can stand at the caret, what its sentence means, and sentences to write instead.
import { post } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { plain } from "../ui.js";
import { FORMS, placeAt } from "./text.js";

const TYPING_MS = 250;
const NONE = { proposals: [], meaning: "", repairs: [] };

/** The gateway's help for the text and the caret (an offset; -1: there is none), with the `text` and `caret` it is for. */
export function useHelp(text, form, caret) {
  const [help, tell] = useState(NONE);
  useEffect(() => {
    if (!text.trim()) return tell(NONE);
    const abort = new AbortController();
    const query = placeAt(text, Math.max(caret, 0));
    const ask = () => post("/cases/assist", text, { query, type: FORMS[form][1], signal: abort.signal });
    const timer = setTimeout(() => ask().then((found) => tell({ ...found, text, caret }), () => abort.signal.aborted || tell(NONE)), TYPING_MS);
    return () => (clearTimeout(timer), abort.abort());
  }, [text, form, caret]);
  return help.text === text ? help : NONE;
}

/** What the sentence at the caret is read as. */
export function Meaning({ text }) {
  if (!text) return null;
  const [title, ...rest] = plain(text).split("\n").filter(Boolean);
  return html`<div class="meaning"><span class="dim">${title.replaceAll("*", "")}${rest[0]?.startsWith("- not read") ? ":" : ", read as"}</span> ${rest.map((line, at) => html`<span key=${at} class="meaning-call">${styled(line.replace(/^- /, ""))}</span>`)}</div>`;
}

const styled = (line) =>
  line.split(/(\*\*[^*]+\*\*|`[^`]*`)/).map((part, at) => (part.startsWith("**") ? html`<b key=${at}>${part.slice(2, -2)}</b>` : part.startsWith("`") ? html`<code key=${at}>${part.slice(1, -1)}</code>` : part));

/** Sentences that are read, to put in the place of those that are not: `write(repair)`. */
export function Repairs({ repairs, write }) {
  if (!repairs.length) return null;
  return html`<ul class="repairs">${repairs.map((one) => html`<li key=${`${one.line}:${one.column}`}>
    <button type="button" class="problem" title=${plain(one.message)} onClick=${() => write(one)}><span class="num dim">${one.line}:${one.column}</span><span>Write instead: <b>${plain(one.text)}</b></span></button></li>`)}</ul>`;
}
