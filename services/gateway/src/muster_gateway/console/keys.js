// Keyboard shortcuts: single keys, sequences such as `g r`, and the list for the help.
import { useEffect, useRef } from "./html.js";

const SEQUENCE_MS = 1200;
const layers = [];
let begun = "";
let begunAt = 0;

/** The active shortcuts, for the help: `[{keys, does, group}]`, without duplicates. */
export function shortcuts() {
  const seen = new Map();
  for (const layer of [...layers].reverse()) for (const one of layer.current) if (!seen.has(one.keys)) seen.set(one.keys, one);
  return [...seen.values()].filter((one) => one.does);
}

/**
 * Register shortcuts while the component is mounted: `[{keys: "j", does: "Next run", group: "Lists", run(event), typing?}]`.
 * `keys` is a key, `Ctrl+Enter`, or a sequence `g r`; with `typing` it also works in fields. The newest registration wins.
 */
export function useKeys(list) {
  const layer = useRef(list);
  layer.current = list;
  useEffect(() => {
    layers.push(layer);
    return () => layers.splice(layers.indexOf(layer), 1);
  }, []);
}

function pressed(event) {
  const key = event.key === " " ? "Space" : event.key;
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${key}`;
}

const isField = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio|button)$/.test(target.type ?? "");

function find(keys, typing) {
  for (const layer of [...layers].reverse()) {
    const found = layer.current.find((one) => one.keys === keys && (!typing || one.typing));
    if (found) return found;
  }
  return undefined;
}

function onKey(event) {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const key = pressed(event);
  const typing = isField(event.target);
  // Enter and Space activate the focused button or link.
  if (!typing && (key === "Enter" || key === "Space") && event.target.closest?.("button, a, summary, [role=tab]")) return;
  const inTime = performance.now() - begunAt < SEQUENCE_MS;
  const found = (begun && inTime && find(`${begun} ${key}`, typing)) || find(key, typing);
  begun = "";
  if (found) {
    event.preventDefault();
    found.run(event);
  } else if (!typing && key.length === 1) {
    [begun, begunAt] = [key, performance.now()];
  }
}

addEventListener("keydown", onKey);
