// Pictures of pages: thumbnails that open large, with the touched element marked.
import { createContext, html, useContext, useEffect, useRef, useState } from "../html.js";
import { artifactHref } from "../api.js";
import { Icon, isolated, plain } from "../ui.js";
import { nameIn } from "./model.js";

/** The stored files: `{names, over}`; other pictures are not requested. */
export const Kept = createContext({ names: null, over: true });

/**
 * A picture with the touched element marked, once its size is known. `element` is `{x, y, width, height}` in pixels;
 * `sha256` distinguishes pictures with the same name.
 */
export function Picture({ run, picture, alt = "" }) {
  const [seen, see] = useState({}); // of which address, and what came of it: a picture may be there before an effect runs
  const { names, over } = useContext(Kept);
  const name = nameIn(run, picture.name);
  const address = artifactHref(run, name) + (picture.sha256 ? `?v=${picture.sha256.slice(0, 12)}` : "");
  const { size, gone } = seen.address === address ? seen : {};
  if (!names) return html`<span class="run-picture-gone dim">…</span>`;
  if (gone || !names.has(name)) return html`<span class="run-picture-gone dim">
    ${over ? "This picture is not stored." : "The picture is being stored."}</span>`;
  const took = (event) => see({ address, size: [event.target.naturalWidth, event.target.naturalHeight] });
  return html`<span class="run-picture"><img src=${address} alt=${alt} loading="lazy" onLoad=${took} onError=${() => see({ address, gone: true })} />
    ${size && picture.element && html`<${Touched} size=${size} box=${picture.element} />`}
    ${size && (picture.parts ?? []).map((box, at) => html`<${Touched} key=${at} size=${size} box=${box} />`)}</span>`;
}

function Touched({ size: [width, height], box }) {
  const { x, y } = box;
  if (![x, y, box.width, box.height].every(Number.isFinite)) return null;
  return html`<svg class="run-touched" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
    <rect x=${x - 4} y=${y - 4} width=${box.width + 8} height=${box.height + 8} rx="4" /></svg>`;
}

/** A picture that opens large when clicked. */
export function Shot({ run, picture, open, caption = "" }) {
  const name = plain(nameIn(run, picture.name));
  return html`<figure class="run-shot"><button type="button" aria-label="Show the picture ${name} large" onClick=${() => open(picture)}>
    <${Picture} run=${run} picture=${picture} /></button>
    <figcaption class="dim">${caption || html`<bdi>${name}</bdi>`}${picture.element && html` · the touched element is marked`}
      </figcaption></figure>`;
}

/** A picture over the whole page. */
export function Large({ run, picture, close }) {
  const box = useRef(null);
  useEffect(() => box.current.showModal(), []);
  const name = nameIn(run, picture.name);
  return html`<dialog ref=${box} class="run-large" aria-label="Picture" onClose=${close}
    onClick=${(event) => event.target === box.current && close()}>
    <div class="row between"><code><bdi>${isolated(name)}</bdi></code><span class="row">
      <a class="button" href=${artifactHref(run, name)} download><${Icon} name="download" />Download</a>
      <button type="button" class="button icon" aria-label="Close" autofocus onClick=${close}><${Icon} name="close" /></button></span>
        </div>
    <${Picture} run=${run} picture=${picture} alt=${`The page: ${plain(name)}`} />
  </dialog>`;
}
