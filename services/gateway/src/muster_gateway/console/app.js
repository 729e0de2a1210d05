// The console: header, login, and the page for the address.
import { Component, Fragment, html, render, useEffect, useRef, useState } from "./html.js";
import { Login } from "./login.js";
import { catchClicks, navigate, pageHref, useRoute } from "./router.js";
import { logOut, recognise, useWho } from "./session.js";
import { Button, Dialogs, EmptyState, ErrorNote, Icon, Loading, openHelp, toast, Toasts, useKeys } from "./ui.js";

/** Module of each page, loaded on first use, so that one broken page does not break the others. */
const PAGES = {
  runs: async () => (await import("./runs/page.js")).RunsPage,
  run: async () => (await import("./run/page.js")).RunPage,
  health: async () => (await import("./health/page.js")).HealthPage,
  suites: async () => (await import("./suites/page.js")).SuitesPage,
  library: async () => (await import("./library/page.js")).LibraryPage,
  stored: async () => (await import("./library/stored.js")).StoredCasePage,
  maps: async () => (await import("./maps/page.js")).MapsPage,
  triggers: async () => (await import("./triggers/page.js")).TriggersPage,
  case: async () => (await import("./history/page.js")).CasePage,
  secrets: async () => (await import("./secrets/page.js")).SecretsPage,
  fleet: async () => (await import("./fleet/page.js")).FleetPage,
  chat: async () => (await import("./chat/page.js")).ChatPage,
  new: async () => (await import("./create/page.js")).NewRunPage,
};
const TITLES = { runs: "Runs", suites: "Suites", library: "Cases", stored: "Case", maps: "Maps", triggers: "Triggers", health: "Health", fleet: "Fleet", secrets: "Secrets", chat: "Chat", new: "New run", case: "Case", run: "Run", nowhere: "Not found" };
const PLACES = [["runs", ""], ["suites", "suites"], ["library", "library"], ["maps", "maps"], ["triggers", "triggers"], ["health", "health"], ["fleet", "fleet"], ["secrets", "secrets"], ["chat", "chat"]];
const loaded = {};

function App() {
  const who = useWho();
  useKeys([
    { keys: "g r", does: "Runs", group: "Go to", run: () => navigate(pageHref()) },
    { keys: "g s", does: "Suites", group: "Go to", run: () => navigate(pageHref("suites")) },
    { keys: "g c", does: "Cases", group: "Go to", run: () => navigate(pageHref("library")) },
    { keys: "g m", does: "Maps", group: "Go to", run: () => navigate(pageHref("maps")) },
    { keys: "g t", does: "Triggers", group: "Go to", run: () => navigate(pageHref("triggers")) },
    { keys: "g h", does: "Health", group: "Go to", run: () => navigate(pageHref("health")) },
    { keys: "g f", does: "Fleet", group: "Go to", run: () => navigate(pageHref("fleet")) },
    { keys: "g k", does: "Secrets", group: "Go to", run: () => navigate(pageHref("secrets")) },
    { keys: "g a", does: "Chat", group: "Go to", run: () => navigate(pageHref("chat")) },
    { keys: "g n", does: "New run", group: "Go to", run: () => navigate(pageHref("new")) },
    { keys: "?", does: "This help", group: "Everywhere", run: openHelp },
    { keys: "t", does: "Change the theme", group: "Everywhere", run: nextTheme },
  ]);
  if (!who.known) return html`<${Loading} />`;
  return html`<${Fragment}>
    <a class="skip" href="#main">Skip to the content</a>
    <${Header} who=${who} />
    ${who.refused ? html`<${Login} />` : html`<${Page} />`}
    <${Dialogs} /><${Toasts} />
  <//>`;
}

function Page() {
  const { page, arg } = useRoute();
  const [problem, tell] = useState(null);
  const [, arrived] = useState(0);
  useEffect(() => {
    document.title = `${arg && page !== "runs" ? `${arg} · ` : ""}${TITLES[page]} · Muster`;
    tell(null);
    if (page in PAGES && !loaded[page]) {
      PAGES[page]().then((found) => ((loaded[page] = found), arrived((count) => count + 1)), tell);
    }
  }, [page, arg]);
  if (page === "nowhere") {
    return html`<main id="main"><${EmptyState} title="Page not found" text="The console has no page at this address.">
      <a class="button" href="/console/">Go to the runs</a><//></main>`;
  }
  const Shown = loaded[page];
  if (problem) return html`<main id="main"><${ErrorNote} title="This page cannot be loaded" error=${problem} retry=${() => location.reload()} /></main>`;
  if (!Shown) return html`<main id="main"><${Loading} /></main>`;
  return html`<${Guard} key=${`${page}/${arg}`}><main id="main" class="page-${page}" tabindex=${page === "fleet" ? 0 : -1}><${Shown} run=${arg} name=${arg} /></main><//>`;
}

/** Shows the error when a page fails to render. */
class Guard extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ error });
  }

  render({ children }, { error }) {
    return error ? html`<main id="main"><${ErrorNote} title="This page has crashed" error=${error} retry=${() => this.setState({ error: null })} /></main>` : children;
  }
}

function Header({ who }) {
  const { page } = useRoute();
  const here = { run: "runs", case: "suites", stored: "library" }[page] ?? page;
  const places = useRef(null);
  useEffect(() => void places.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [here, who.refused]);
  return html`<header class="top">
    <a class="brand" href="/console/" aria-label="Muster, to the runs"><${Logo} /><span>Muster</span></a>
    ${!who.refused && html`<nav aria-label="Console" ref=${places}>${PLACES.map(([name, path]) => html`<a key=${name} href=${pageHref(path)} aria-current=${here === name ? "page" : undefined}>${TITLES[name]}</a>`)}</nav>`}
    <span class="grow"></span>
    ${!who.refused && html`<a class="button primary new" href=${pageHref("new")} aria-current=${here === "new" ? "page" : undefined} title="New run (g n)"><${Icon} name="plus" /><span>New run</span></a>`}
    <span class="wide-only"><${Theme} /><${Button} kind="icon" icon="keyboard" label="Keyboard" keys="?" onClick=${openHelp} /></span>
    <${Menu} who=${who} />
  </header>`;
}

const Logo = () => html`<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="8" class="logo-ground" />
  <path d="M8 22V10l5 7 3-4 3 4 5-7v12" fill="none" stroke="#fff" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round" /></svg>`;

/** The menu: key name and role, logout, and on narrow screens theme and shortcuts. */
function Menu({ who }) {
  const box = useRef(null);
  const shut = () => box.current.removeAttribute("open");
  useEffect(() => {
    const outside = (event) => box.current.contains(event.target) || shut();
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);
  const leave = () => logOut().catch((error) => toast(error.message, "bad"));
  const escape = (event) => event.key === "Escape" && (shut(), box.current.querySelector("summary").focus());
  const known = who.name && !who.refused;
  return html`<details class="menu" ref=${box} onKeyDown=${escape}><summary class="button plain" title="Menu" aria-label=${known ? undefined : "Menu"}>
      <${Icon} name=${known ? "person" : "more"} />${known && html`<span class="who-name">${who.name}</span><span class="role">${who.role}</span>`}</summary>
    <div class="menu-box" onClick=${shut}>${known && html`<p class="menu-who"><b>${who.name}</b><span class="role">${who.role}</span></p>`}
      <button type="button" onClick=${nextTheme}><${Icon} name="moon" />Theme<kbd>t</kbd></button>
      <button type="button" onClick=${openHelp}><${Icon} name="keyboard" />Keyboard<kbd>?</kbd></button>
      <a href="/api"><${Icon} name="link" />API</a>
      ${known && !who.open && html`<button type="button" onClick=${leave}><${Icon} name="left" />Log out</button>`}</div></details>`;
}

const THEMES = { "": ["screen", "as the system"], light: ["sun", "light"], dark: ["moon", "dark"] };
let themeChanged = () => {};

function nextTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length];
  if (next) document.documentElement.dataset.theme = next;
  else delete document.documentElement.dataset.theme;
  try {
    next ? localStorage.setItem("muster.theme", next) : localStorage.removeItem("muster.theme");
  } catch {
    // Storage may be blocked; then the choice lasts as long as the page.
  }
  themeChanged(next);
}

function Theme() {
  const [theme, show] = useState(document.documentElement.dataset.theme ?? "");
  themeChanged = show;
  const [icon, told] = THEMES[theme] ?? THEMES[""];
  return html`<${Button} kind="icon" icon=${icon} label=${`Theme: ${told}`} keys="t" onClick=${nextTheme} />`;
}

catchClicks();
recognise();
render(html`<${App} />`, document.getElementById("app"));
