// Choosing in a list that is made of other elements than <option>, once it is open.

const CHOICES = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "radio"]);

function isChoice(el) { return CHOICES.has(roleOf(el)) && !isShut(el); } // an option of a closed list has no place to click at

// What a choice of this name may be: elements of such a role first, else any text that is just this name.
function choicesNamed(name) {
  const want = plain(name);
  const isNamed = (el) => isChoice(el) && compare(labelOf(el), want) === 0 && seen(faceOf(el)); // to look for a face may scroll
  const texts = allTextHits(want).filter((el) => seen(el) && compare(textOf(el), want) === 0);
  return [...allElements().filter(isNamed), ...texts];
}

// The choice of a name that a list or a group of radio buttons holds, which has not to be opened for it: the one of just
// this name, else the one with these words. For a group that has none the names it has.
function offered(list, name) {
  const own = [...list.querySelectorAll("*")].filter((el) => CHOICES.has(roleOf(el)) && visible(el) && seen(faceOf(el)));
  const fit = (el, most) => { const tier = wordsFit(labelOf(el), plain(name)); return tier !== null && tier <= most; };
  const found = [0, 2].map((most) => own.filter((el) => fit(el, most))).find((some) => some.length) || [];
  if (found.length === 1) return faceOf(found[0]);
  return radiosOf(list).length ? own.map(labelOf) : null;
}

// The choice of a name that has come since `old` were there, else one of its role; the names there are if none comes.
async function chosen(name, old, timeout) {
  const start = performance.now();
  for (;;) {
    const there = choicesNamed(name);
    const found = there.find((el) => !old.includes(el)) || there.find(isChoice);
    if (found) return faceOf(found);
    const visibleOnes = allElements().filter((el) => isChoice(el) && seen(el));
    if (performance.now() - start > timeout) return visibleOnes.map((el) => labelOf(el));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
