// The secrets page: names, and a form that seals a value here before it is sent.
import { ask, at, remove } from "../api.js";
import { ask as confirmed } from "../dialogs.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { poll } from "../live.js";
import { Button, ErrorNote, Loading, Note, plain, plural, RelativeTime, Table, toast, useForbidden } from "../ui.js";
import { seal } from "./seal.js";

const EVERY_MS = 10_000;
const MOST_BYTES = 64 * 1024;

/** Lists the secrets that the fleet keeps, and sets and removes them; polls. */
export function SecretsPage() {
  const [found, know] = useState(null);
  const [error, tell] = useState(null);
  const polling = useRef(null);
  useEffect(() => (polling.current = poll("/secrets", () => ({}), EVERY_MS, (told) => (know(told), tell(null)), (_, problem) => problem && tell(problem))), []);
  const again = () => polling.current?.now();
  return html`<div class="fleet"><div class="row between"><h1>Secrets</h1>${found && html`<span class="dim">${plural(found.secrets.length, "secret")}</span>`}</div>
    <${ErrorNote} error=${error} />
    ${!found ? !error && html`<${Loading} />` : html`${found.public ? html`<${Form} found=${found} again=${again} />`
      : html`<${Note} kind="warn">The workers have no key yet. <code>muster secrets init --key-file FILE</code> makes one.<//>`}
      <${Table} label="Secrets" columns=${columns(again)} rows=${found.secrets} rowKey=${(row) => row.name} empty=${html`<p class="dim">There are no secrets yet.</p>`} />`}</div>`;
}

function Form({ found, again }) {
  const [name, call] = useState("");
  const [value, write] = useState("");
  const [busy, work] = useState(false);
  const [error, tell] = useState(null);
  const long = new TextEncoder().encode(value).length > MOST_BYTES;
  const why = useForbidden("admin") || (!name || !value ? "Write a name and a value first." : long ? "The value is longer than 64 KiB." : "");
  const set = async (event) => {
    event.preventDefault();
    if (why) return toast(why);
    work(true);
    tell(null);
    try {
      await ask("PUT", at("secrets", name), { body: { sealed: seal(name, value, found.public), key: found.key } });
      toast(`${name}: sealed to the key ${found.key}`, "good");
      call("");
      write("");
      again();
    } catch (problem) {
      tell(problem);
    }
    work(false);
  };
  return html`<section class="fleet-part" aria-label="Set a secret"><p class="dim">A value is sealed in this browser to the workers' key <code>${found.key}</code>; compare it with what <code>muster secrets init</code> has printed. Nobody can read the value again.
      A name like <code>model.TEAM.OPENAI_API_KEY</code> is the key for the models of a team's runs.</p>
    <form class="row" autocomplete="off" onSubmit=${set}><label class="row">Name <input class="input" value=${name} maxlength="128" onInput=${(event) => call(event.target.value.trim())} /></label>
      <label class="row">Value <input class="input" type="password" autocomplete="new-password" value=${value} onInput=${(event) => write(event.target.value)} /></label>
      <${Button} kind="primary" type="submit" why=${why} busy=${busy}>Set<//></form>
    <${ErrorNote} error=${error} title=${error && "Nothing was set"} /></section>`;
}

function Remove({ name, again }) {
  const why = useForbidden("admin");
  const act = async () => {
    if (!(await confirmed({ title: `Remove ${name}?`, text: "Steps that need it fail from now on.", confirm: "Remove", danger: true }))) return;
    try {
      await remove(at("secrets", name));
      toast(`${name}: removed`, "good");
      again();
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  return html`<${Button} kind="small" why=${why} label=${`Remove ${name}`} onClick=${act}>Remove<//>`;
}

const columns = (again) => [
  { name: "name", title: "Name", class: "wide", cell: (row) => html`<span><code>${plain(row.name)}</code>${!row.current && html` <span class="status s-warning">The workers have another key now: set it anew.</span>`}</span>` },
  { name: "at", title: "Set", class: "right", cell: (row) => html`<${RelativeTime} at=${row.at ?? 0} />` },
  { name: "by", title: "By", class: "fixed", cell: (row) => plain(row.by ?? "") || html`<span class="dim">–</span>` },
  { name: "key", title: "Key", class: "fixed", cell: (row) => html`<code>${row.key}</code>` },
  { name: "acts", title: "", cell: (row) => html`<${Remove} name=${row.name} again=${again} />` },
];
