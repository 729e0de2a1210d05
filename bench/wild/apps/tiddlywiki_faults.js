// Seeds the fault that the address names into a TiddlyWiki, once it has started.
const fault = location.search.slice(1);
const started = setInterval(() => {
  const wiki = window.$tw?.wiki;
  if (!wiki || !document.querySelector(".tc-tiddlylink")) return;
  clearInterval(started);
  const add = wiki.addTiddler.bind(wiki);
  const isNote = (one) => one?.fields?.title === "Shopping";
  if (fault === "keep-loses-text") wiki.addTiddler = (one) => add(isNote(one) ? new $tw.Tiddler(one, { text: "" }) : one);
  if (fault === "keep-cuts-text") wiki.addTiddler = (one) => add(isNote(one) ? new $tw.Tiddler(one, { text: "Milk and" }) : one);
  if (fault === "keep-renames") wiki.addTiddler = (one) => add(isNote(one) ? new $tw.Tiddler(one, { title: "Shoping" }) : one);
  if (fault === "text-faded") document.head.insertAdjacentHTML("beforeend", "<style>.tc-tiddler-body{opacity:0}</style>");
  if (fault === "text-covered") document.head.insertAdjacentHTML("beforeend",
    "<style>.tc-tiddler-body{position:relative}.tc-tiddler-body::after{content:'';position:absolute;inset:0;background:#fff;pointer-events:none}</style>");
  const dead = { "keep-dead": "Confirm changes", "drop-dead": "Discard changes", "new-dead": "new tiddler", "close-dead": "close all" }[fault];
  if (dead) addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if ((button?.getAttribute("aria-label") || button?.textContent || "").includes(dead)) event.stopImmediatePropagation();
  }, true);
  if (fault === "search-dead") addEventListener("input", (event) => event.stopImmediatePropagation(), true);
}, 20);
