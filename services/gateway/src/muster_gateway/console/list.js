// A virtual list that renders only visible rows: 20,000 rows scroll like 20.
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";

const BEYOND = 600; // pixels rendered above and below the visible part
const AT_END = 24; // pixels from the end that count as the end

/** Offsets of all rows, then of the end; `rowHeight` is a number or a function of (item, index). Pure. */
export function offsets(items, rowHeight) {
  const made = new Float64Array(items.length + 1);
  const fixed = typeof rowHeight === "number" ? rowHeight : 0;
  for (let i = 0; i < items.length; i++) made[i + 1] = made[i] + (fixed || rowHeight(items[i], i));
  return made;
}

/** Index of the row at an offset. Pure. */
export function rowAt(tops, offset) {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, Math.max(0, tops.length - 2));
}

/**
 * A scrolling list. `items`; `rowHeight` in pixels (number, or function of item and index); `render(item, index)` renders a
 * row; `itemKey(item)` is its key. Optional: `header` (stays on top), `active` (index to keep visible),
 * `onEnd()` near the end, `follow` (true: stays at the end) with `onFollow(bool)` when the reader scrolls away or back,
 * `start` (initial scroll position in pixels) with `onPlace(pixels)`, `label`, `class`, `role` and `rowRole`, `empty` (shown without rows), `footer`.
 * New rows above do not move the visible rows.
 */
export function VirtualList(props) {
  const { items, rowHeight, itemKey, header, footer, active = -1, onEnd, follow, onFollow, label, empty, start = 0, onPlace } = props;
  const box = useRef(null);
  const body = useRef(null);
  const anchor = useRef({ key: undefined, top: 0 });
  const reached = useRef(0);
  const [view, look] = useState({ from: 0, height: 800 });
  const tops = useMemo(() => offsets(items, rowHeight), [items, rowHeight]);
  const total = tops[items.length];
  const measure = useCallback(() => {
    const at = box.current;
    if (at) look((old) => (old.from === at.scrollTop && old.height === at.clientHeight ? old : { from: at.scrollTop, height: at.clientHeight }));
  }, []);

  useLayoutEffect(() => {
    if (start) box.current.scrollTop = start;
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (follow) box.current.scrollTop = box.current.scrollHeight;
    else keepPlace(box.current, anchor.current, items, itemKey, tops);
    measure();
  }, [items, tops, follow]);
  useLayoutEffect(() => reveal(box.current, body.current, tops, active), [active]);

  const first = rowAt(tops, view.from - BEYOND);
  const last = items.length ? rowAt(tops, view.from + view.height + BEYOND) : -1;
  useEffect(() => {
    if (onEnd && last >= items.length - 1) onEnd();
  }, [last, items.length, onEnd]);
  const scrolled = () => {
    const at = box.current;
    const index = rowAt(tops, at.scrollTop);
    anchor.current = at.scrollTop > 4 && items.length ? { key: itemKey(items[index]), top: tops[index] } : { key: undefined, top: 0 };
    // Rows may have arrived since the scroll to the end: only scrolling up stops following.
    const [atEnd, up] = [at.scrollTop + at.clientHeight >= at.scrollHeight - AT_END, at.scrollTop < reached.current];
    reached.current = at.scrollTop;
    if (atEnd || up) onFollow?.(atEnd);
    onPlace?.(at.scrollTop);
    measure();
  };
  const rows = [];
  for (let i = first; i <= last; i++) rows.push(row(items[i], i, tops, props, active));
  return html`<div class="vlist ${props.class ?? ""}" ref=${box} onScroll=${scrolled} tabindex="0" role=${props.role ?? (items.length ? "list" : "group")}
      aria-label=${label} aria-rowcount=${props.role === "table" ? items.length + 1 : undefined}>
    ${header}
    ${items.length ? html`<div class="vlist-body" ref=${body} role="presentation" style=${{ height: `${total}px` }}>${rows}</div>` : empty}
    ${footer}
  </div>`;
}

function row(item, index, tops, { render, itemKey, rowRole = "listitem", role }, active) {
  const style = { transform: `translateY(${tops[index]}px)`, height: `${tops[index + 1] - tops[index]}px` };
  return html`<div class="vlist-row ${index === active ? "active" : ""}" key=${itemKey(item)} role=${rowRole} style=${style}
    aria-current=${index === active ? "true" : undefined} aria-rowindex=${role === "table" ? index + 2 : undefined}
    aria-posinset=${rowRole === "listitem" ? index + 1 : undefined}>${render(item, index)}</div>`;
}

/** Scroll so that the top row stays on top after its index changed. */
function keepPlace(box, anchor, items, itemKey, tops) {
  if (anchor.key === undefined) return;
  const near = rowAt(tops, anchor.top);
  for (let step = 0; step < items.length; step++) {
    for (const index of step ? [near + step, near - step] : [near]) {
      if (index < 0 || index >= items.length || itemKey(items[index]) !== anchor.key) continue;
      const moved = tops[index] - anchor.top;
      if (moved) (box.scrollTop += moved), (anchor.top = tops[index]);
      return;
    }
  }
}

/** Scroll as little as possible to show a whole row below the header. */
function reveal(box, body, tops, index) {
  if (!body || index < 0 || index >= tops.length - 1) return;
  const above = body.offsetTop;
  const [top, bottom] = [tops[index], tops[index + 1]];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom + above > box.scrollTop + box.clientHeight) box.scrollTop = bottom + above - box.clientHeight;
}
