// Choosing in a list that is made of other elements than <option>, once it is open.

const CHOICES = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "radio"]);

// What a choice of this name may be: elements of such a role first, else any text that is just this name.
function choicesNamed(name) {
  const want = plain(name);
  const isNamed = (el) => CHOICES.has(roleOf(el)) && seen(faceOf(el)) && compare(labelOf(el), want) === 0;
  const texts = allTextHits(want).filter((el) => seen(el) && compare(textOf(el), want) === 0);
  return [...allElements().filter(isNamed), ...texts];
}

// The choice of a name that has come since `old` were there, else one of its role; the names there are if none comes.
async function chosen(name, old, timeout) {
  const start = performance.now();
  for (;;) {
    const there = choicesNamed(name);
    const found = there.find((el) => !old.includes(el)) || there.find((el) => CHOICES.has(roleOf(el)));
    if (found) return faceOf(found);
    const visibleOnes = allElements().filter((el) => CHOICES.has(roleOf(el)) && seen(el));
    if (performance.now() - start > timeout) return visibleOnes.map((el) => labelOf(el));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
