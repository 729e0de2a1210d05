// The login page.
import { html, useRef, useState } from "./html.js";
import { logIn } from "./session.js";
import { Button, ErrorNote } from "./ui.js";

/** The key in a link (`#key=…`), removed from the address at once to keep it out of the history. */
const offered = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
if (offered) history.replaceState(history.state, "", location.pathname + location.search);

/** Asks for an API key and logs in; the gateway sets a cookie that scripts cannot read. */
export function Login() {
  const field = useRef(null);
  const [error, tell] = useState(null);
  const [busy, work] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    const key = field.current.value.trim();
    if (!key) return field.current.focus();
    work(true);
    tell(null);
    try {
      await logIn(key);
    } catch (refused) {
      tell(refused);
      work(false);
      field.current?.select();
    }
    return undefined;
  };
  return html`<main id="main" class="login"><form class="panel" method="post" action="/login" onSubmit=${send}>
    <h1>Log in</h1>
    <p class="dim">This gateway asks for an API key. Whoever runs it makes one with <code>muster keys add</code>; <code>muster up</code> prints a link that holds one.</p>
    ${offered && html`<p class="note">This link contains a key. Log in only if you know who made the link: whoever has the key sees what you do here.</p>`}
    <label class="field"><span>API key</span><input ref=${field} name="key" type="password" defaultValue=${offered} autocomplete="current-password" autofocus required spellcheck="false" /></label>
    <${ErrorNote} title=${error?.status === 401 ? "Unknown key" : "Login failed"} error=${error} />
    <div class="row end"><${Button} type="submit" kind="primary" busy=${busy}>Log in<//></div>
  </form></main>`;
}
