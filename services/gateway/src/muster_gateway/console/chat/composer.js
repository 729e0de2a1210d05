// The field for a message: Enter sends, Shift+Enter begins a line.
import { html, useEffect, useRef, useState } from "../html.js";
import { Button } from "../ui.js";

const LONGEST = 20_000;
const LEADS = "muster.chat.leads";

/** Whether answers may lead this browser to pages. */
export const leads = () => localStorage.getItem(LEADS) === "yes";

/** `send(text)` resolves to whether it was sent; `stop`, while there is an answer to stop; `why` says who may write. */
export function Composer({ send, stop = null, why = "", busy = false, hint = "Message" }) {
  const [text, write] = useState("");
  const [led, lead] = useState(leads);
  const allow = ({ target }) => (localStorage.setItem(LEADS, target.checked ? "yes" : "no"), lead(target.checked));
  const field = useRef(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    const wanted = text.trim();
    if (!wanted || why || busy) return;
    write("");
    if (!(await send(wanted))) write(wanted);
  };
  const pressed = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && submit(event);
  return html`<form class="chat-composer" onSubmit=${submit}>
    <textarea ref=${field} class="input" rows="2" maxlength=${LONGEST} aria-label=${hint} placeholder=${why || `${hint} (Enter sends)`} value=${text} disabled=${Boolean(why)}
      onInput=${(event) => write(event.target.value)} onKeyDown=${pressed}></textarea>
    <label class="chat-leads"><input type="checkbox" checked=${led} onChange=${allow} />Follow links</label>
    ${stop && html`<${Button} onClick=${stop} label="Stop the answer" keys="Escape">Stop<//>`}
    <${Button} kind="primary" type="submit" why=${why} busy=${busy}>Send<//></form>`;
}
