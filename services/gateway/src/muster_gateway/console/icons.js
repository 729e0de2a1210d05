// Inline SVG icons, 16 × 16; each state has its own shape, so that it does not depend on colour.
import { html } from "./html.js";

const STROKE = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" };
const line = (d) => html`<path d=${d} ...${STROKE} />`;
const disc = html`<circle cx="8" cy="8" r="7" fill="currentColor" />`;
const cut = (d) => html`<path d=${d} class="icon-cut" ...${STROKE} />`;
const ring = html`<circle cx="8" cy="8" r="6" ...${STROKE} />`;

const DRAWN = {
  pass: [disc, cut("M4.8 8.3l2.2 2.2 4.2-4.7")],
  fail: [disc, cut("M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2")],
  running: [html`<circle cx="8" cy="8" r="6" ...${STROKE} opacity=".28" />`, line("M8 2a6 6 0 0 1 6 6")],
  queued: [html`<circle cx="8" cy="8" r="6" ...${STROKE} stroke-dasharray="2.2 2.5" />`],
  paused: [ring, line("M6.4 5.8v4.4M9.6 5.8v4.4")],
  parked: [ring, line("M8 4.8V8l2.2 1.4")],
  asking: [ring, line("M6.3 6.3a1.75 1.75 0 1 1 2.4 1.7c-.5.2-.7.5-.7 1M8 11.1v.01")],
  retrying: [line("M13.2 6.2A5.6 5.6 0 1 0 13.6 8.6M13.6 2.8v3.6H10")],
  cancelled: [ring, line("M4 12L12 4")],
  skipped: [ring, line("M5.4 8h5.2")],
  warning: [line("M8 2.2L14.4 13.4H1.6zM8 6.6v3M8 11.4v.01")],
  search: [line("M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14")],
  play: [html`<path d="M4.5 2.8v10.4L13 8z" fill="currentColor" />`],
  close: [line("M4 4l8 8M12 4l-8 8")],
  down: [line("M4 6l4 4 4-4")],
  right: [line("M6 4l4 4-4 4")],
  left: [line("M10 4L6 8l4 4")],
  sun: [html`<circle cx="8" cy="8" r="3" ...${STROKE} />`, line("M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1")],
  moon: [line("M13.4 9.6A5.8 5.8 0 0 1 6.4 2.6a5.8 5.8 0 1 0 7 7z")],
  screen: [line("M2 3h12v8H2zM6 14h4M8 11v3")],
  download: [line("M8 2v8M4.6 6.8L8 10.2l3.4-3.4M2.5 13.5h11")],
  link: [line("M6 3H3v10h10v-3M9 2.5h4.5V7M13.2 2.8L7.5 8.5")],
  plus: [line("M8 3v10M3 8h10")],
  person: [line("M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM2.8 14c.4-2.8 2.5-4 5.2-4s4.8 1.2 5.2 4")],
  more: [line("M3 8h.01M8 8h.01M13 8h.01")],
  keyboard: [line("M1.5 4h13v8.5h-13zM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 10h6")],
  tag: [line("M2 2.5h5.5L14 9l-5 5-6.5-6.5zM5 5.5v.01")],
};

/** An icon by name; hidden from screen readers unless it has a `label`. */
export function Icon({ name, label = "", size = 16 }) {
  const told = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return html`<svg class="icon icon-${name}" viewBox="0 0 16 16" width=${size} height=${size} ...${told}>${DRAWN[name]}</svg>`;
}
