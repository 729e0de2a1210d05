// Playwright's selector engine `muster=<query>`: the one element that a query means, or all that it may mean.
// It lives out of the page's reach; the reading script in the page hears of its choice by an event.

function aim(root, query) {
  if (query.kind === "list") return listOf(root);
  const { best, rank: of } = search(query);
  if (!best.length) return [];
  const [behind, hidden, tier] = of;
  const sure = best.length === 1 && tier === 0 && !behind;
  // what is not certain waits until the page has nothing more to do: the exact one may still come
  if (hidden || (!sure && askFollower("muster:busy", document.documentElement))) return [];
  if (best.length !== 1) return best;
  const used = ["click", "check", "select"].includes(query.kind) ? faceToUse(best[0]) : best[0];
  if (["type", "select", "value"].includes(query.kind) && isKeptBack(used)) return []; // the driver would not notice
  if (query.kind === "type") bringOut(used);
  askFollower("muster:aim", best[0]);
  // An option of a closed list is no place to click at: with the page it is two elements, which the driver refuses at once.
  if (query.kind === "click" && isShut(best[0])) return [best[0], document.documentElement];
  return [used];
}
