// Overlays: toasts, confirmations and the shortcut help.
import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { shortcuts } from "./keys.js";

const TOAST_MS = 6000;
let showToast = () => {};
let showDialog = () => {};
let counted = 0;

/** Show a toast for a few seconds; `kind` is info, good or bad. */
export const toast = (text, kind = "info") => showToast({ id: ++counted, text, kind });

/** Ask for confirmation; resolves to true or false. `danger` colours the confirming button. */
export const ask = ({ title, text, confirm = "Yes", cancel = "Cancel", danger = false }) =>
  new Promise((answer) => showDialog({ title, text, confirm, cancel, danger, answer }));

/** Show the shortcuts of the current page. */
export const openHelp = () => showDialog({ help: shortcuts() });

/** The container of toasts; once in the page. */
export function Toasts() {
  const [shown, show] = useState([]);
  useEffect(() => {
    showToast = (one) => {
      show((old) => [...old.slice(-3), one]);
      setTimeout(() => show((old) => old.filter((other) => other.id !== one.id)), TOAST_MS);
    };
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${shown.map((one) => html`<div class="toast ${one.kind}" key=${one.id}>${one.text}</div>`)}</div>`;
}

/** The container of dialogs; once in the page. */
export function Dialogs() {
  const [shown, show] = useState(null);
  const box = useRef(null);
  useEffect(() => {
    showDialog = (next) => show((old) => (old?.answer?.(false), next));
  }, []);
  useEffect(() => {
    if (shown && !box.current.open) box.current.showModal();
  }, [shown]);
  if (!shown) return null;
  const close = (answer) => {
    shown.answer?.(answer);
    show(null);
  };
  const outside = (event) => event.target === box.current && close(false);
  return html`<dialog ref=${box} class="dialog" aria-labelledby="dialog-title" onClose=${() => close(false)} onClick=${outside}>
    ${shown.help ? html`<${Help} list=${shown.help} close=${() => close(false)} />` : html`<${Question} ...${shown} close=${close} />`}</dialog>`;
}

function Question({ title, text, confirm, cancel, danger, close }) {
  return html`<div class="dialog-body"><h2 id="dialog-title">${title}</h2>${text && html`<p>${text}</p>`}
    <div class="row end"><button type="button" class="button" onClick=${() => close(false)}>${cancel}</button>
      <button type="button" autofocus class="button ${danger ? "danger" : "primary"}" onClick=${() => close(true)}>${confirm}</button></div></div>`;
}

function Help({ list, close }) {
  const groups = new Map();
  for (const one of list) groups.set(one.group ?? "This page", [...(groups.get(one.group ?? "This page") ?? []), one]);
  return html`<div class="dialog-body help"><div class="row between"><h2 id="dialog-title">Keyboard</h2>
      <button type="button" class="button icon" aria-label="Close" autofocus onClick=${close}><${Icon} name="close" /></button></div>
    <div class="help-groups">${[...groups].map(([name, keys]) => html`<section key=${name}><h3>${name}</h3><dl>
      ${keys.map((one) => html`<div key=${one.keys}><dt>${one.keys.split(" ").map((key, at) => html`<kbd key=${at}>${key}</kbd>`)}</dt><dd>${one.does}</dd></div>`)}
    </dl></section>`)}</div></div>`;
}
