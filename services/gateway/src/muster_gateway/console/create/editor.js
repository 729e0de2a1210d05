// A text field with line numbers and marked problems.
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { described, Proposals, useProposals } from "./proposals.js";
import { offsetOf } from "./text.js";

/**
 * The editor. `text`, `onText(text)`, `problems` (`[{message, line, column}]`, line 0: the whole text), `label`,
 * `field` (a ref to the textarea), `help` (of useHelp), `onCaret(offset)`. Enter keeps the indentation; Tab leaves the field.
 */
export function Editor({ text, onText, problems, label, field: area, help, onCaret }) {
  const [typed, type] = useState(0);
  const list = useProposals(area, help, typed);
  const gutter = useRef(null);
  const marks = useRef(null);
  const lines = text.split("\n").length;
  const at = useMemo(() => byLine(problems), [problems]);
  const follow = () => {
    gutter.current.scrollTop = area.current.scrollTop;
    marks.current.style.transform = `translate(${-area.current.scrollLeft}px, ${-area.current.scrollTop}px)`;
  };
  const moved = (event) => onCaret(event.target.selectionStart);
  useEffect(follow, [text, problems]);
  return html`<div class="editor">
    <div class="editor-gutter" ref=${gutter} aria-hidden="true"><div>${Array.from({ length: lines }, (_, index) => html`<span key=${index} class=${at.has(index + 1) ? "bad" : ""}
      title=${at.get(index + 1)?.map((one) => one.message).join("\n")}>${index + 1}</span>`)}</div></div>
    <div class="editor-box"><div class="editor-marks" aria-hidden="true"><pre ref=${marks}>${marked(text, problems)}</pre></div>
      <textarea ref=${area} value=${text} aria-label=${label} aria-invalid=${problems.length ? "true" : undefined} aria-describedby="problems" spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off" wrap="off"
        ...${described(list)} onInput=${(event) => (onText(event.target.value), type(typed + 1), moved(event))} onScroll=${() => (follow(), list.close())} onBlur=${list.close}
        onKeyUp=${moved} onClick=${moved} onKeyDown=${(event) => (list.keys(event), event.defaultPrevented || indent(event))}></textarea>
      <${Proposals} field=${area} list=${list} /></div>
  </div>`;
}

function byLine(problems) {
  const found = new Map();
  for (const one of problems) found.set(one.line, [...(found.get(one.line) ?? []), one]);
  return found;
}

/** The text in pieces; a problem marks from its column to the end of the word or line. */
function marked(text, problems) {
  const pieces = [];
  let done = 0;
  const starts = problems.filter((one) => one.line > 0).map((one) => offsetOf(text, one.line, one.column || 1)).sort((a, b) => a - b);
  for (const start of starts) {
    if (start < done) continue;
    const rest = text.slice(start).split("\n", 1)[0];
    const length = (/^[\w$-]+/.exec(rest)?.[0] ?? rest).length || 1;
    pieces.push(text.slice(done, start), html`<mark key=${start}>${text.slice(start, start + length) || " "}</mark>`);
    done = start + length;
  }
  return [...pieces, text.slice(done), "\n"];
}

/** Start a new line with the same indentation, through the browser's own editing, so that undo works. */
function indent(event) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  const { value, selectionStart } = event.target;
  const before = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const deep = /^[ ]*/.exec(before)[0];
  if (!deep) return;
  event.preventDefault();
  document.execCommand("insertText", false, `\n${deep}`);
}
