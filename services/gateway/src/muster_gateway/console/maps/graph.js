// The graph of a map: states as buttons, in columns by their distance from the start, over lines in SVG.
import { html, useEffect, useRef } from "../html.js";
import { Icon, isolated, plain, plural } from "../ui.js";

const WIDTH = 168, HEIGHT = 44, ACROSS = 240, DOWN = 60, EDGE = 12;

const left = (node) => EDGE + node.column * ACROSS;
const top = (node) => EDGE + node.row * DOWN;

/** `choose(id)` is called with the state of a node. Arrow keys walk from node to node. */
export function Graph({ drawing, chosen, choose }) {
  const box = useRef(null);
  const { nodes, lines } = drawing;
  const current = Math.max(0, nodes.findIndex((node) => node.state === chosen));
  useEffect(() => box.current?.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [chosen]);
  const walk = (event) => {
    const here = [...box.current.querySelectorAll("button")].indexOf(document.activeElement);
    const next = here < 0 ? -1 : neighbour(nodes, here, event.key);
    if (next < 0) return;
    event.preventDefault();
    box.current.querySelectorAll("button")[next].focus();
  };
  const width = Math.max(...nodes.map(left)) + WIDTH + EDGE, height = Math.max(...nodes.map(top)) + HEIGHT + EDGE;
  return html`<p class="dim map-hint">${says(drawing)}</p>
    <div class="map-graph" ref=${box} role="group" aria-label="Graph of states" onKeyDown=${walk}><div class="map-sheet" style=${{ width: `${width}px`, height: `${height}px` }}>
      <svg width=${width} height=${height} aria-hidden="true">${lines.map((line) => html`<${Line} key=${`${line.source}-${line.target}`} line=${line} nodes=${nodes} chosen=${chosen} />`)}</svg>
      ${nodes.map((node, index) => html`<${Node} key=${node.state} node=${node} here=${index === current} chosen=${node.state === chosen} choose=${choose} />`)}</div></div>`;
}

function says({ by, nodes, undrawn }) {
  const what = by === "page" ? `Each box is a page with all its states` : "Each box is a state";
  return `${what}; columns are moves from the start, strong lines the shortest known ways.${undrawn ? ` The ${nodes.length} nearest are drawn, ${undrawn} are not.` : ""}`;
}

function Node({ node, here, chosen, choose }) {
  const more = node.stands_for > 1 ? `, ${plural(node.stands_for, "state")}` : "";
  const label = `${plain(node.title)}${node.start ? ", start" : ""}${more}${node.findings ? `, ${plural(node.findings, "finding")}` : ""}`;
  return html`<button type="button" class="map-node ${node.start ? "is-start" : ""} ${node.findings ? "is-found" : ""}" tabindex=${here ? 0 : -1} aria-pressed=${String(chosen)} aria-label=${label} title=${plain(node.title)}
    style=${{ left: `${left(node)}px`, top: `${top(node)}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` }} onClick=${() => choose(node.state)}>
    <span class="map-node-name"><bdi>${isolated(node.title)}</bdi></span>${node.stands_for > 1 && html`<span class="count">${node.stands_for}</span>`}${node.findings > 0 && html`<${Icon} name="warning" />`}</button>`;
}

function Line({ line, nodes, chosen }) {
  const from = nodes[line.source], to = nodes[line.target];
  const near = chosen && (from.state === chosen || to.state === chosen);
  return html`<path class="map-line ${line.found ? "is-found" : ""} ${near ? "is-near" : ""}" d=${curve(from, to)} />`;
}

function curve(from, to) {
  const y1 = top(from) + HEIGHT / 2, y2 = top(to) + HEIGHT / 2;
  if (to.column > from.column) {
    const x1 = left(from) + WIDTH, x2 = left(to), bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const x1 = left(from), x2 = left(to) + (to.column < from.column ? WIDTH : 0), bend = 30; // back, or within a column
  return to.column < from.column ? `M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}` : `M${x1} ${y1}C${x1 - bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** The node that an arrow key leads to: the next in the column, or the nearest row of the next column; -1: none. */
function neighbour(nodes, here, key) {
  const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
  const { column, row } = nodes[here];
  const there = nodes.map((node, index) => ({ ...node, index })).filter((node) => (dx ? node.column === column + dx : dy && node.column === column && node.row === row + dy));
  return there.sort((a, b) => Math.abs(a.row - row) - Math.abs(b.row - row))[0]?.index ?? -1;
}
