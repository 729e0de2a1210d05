async (list, [wanted, timeout]) => {
  // The wanted options of a <select>, or of the suggestions of a field, once they are there, each as [index, label]; else
  // the labels of those that are. `typed`: what choosing a suggestion types. Null for a list that is made of other elements.
  const isLeftOut = (el) => el !== null && getComputedStyle(el).display === "none"; // of what opens
  const options = () => [...(list.localName === "select" ? list.options : list.list.options)].filter((one) => ![one, one.closest("optgroup")].some(isLeftOut));
  if (list.localName !== "select" && !list.list) return null;
  // A list of several that is drawn anew keeps what is chosen in it: a person would add to that.
  const isAdded = list.multiple && window.__muster && !window.__muster.seen(list);
  const kept = (found) => (isAdded ? [...list.selectedOptions].filter((option) => !found.includes(option)) : []);
  const same = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const ways = [
    (option, want) => same(option.label) === want,
    (option, want) => same(option.value) === want,
    (option, want) => hasWhole(same(option.label), want),
  ];
  const find = (want) => {
    for (const way of ways) {
      const hits = options().filter((option) => !option.matches(":disabled") && way(option, want));
      if (hits.length === 1 || (hits.length && way === ways[0])) return hits[0];
    }
    return null;
  };
  const told = (option) => (option.label || option.value) + (option.matches(":disabled") ? " (disabled)" : "");
  const start = performance.now();
  for (;;) {
    const found = wanted.map(same).map(find);
    if (found.every(Boolean)) {
      const typed = list.localName === "select" ? null : found[0].value;
      return { picked: [...found, ...kept(found)].map((option) => [option.index, typed ?? option.label]), typed, there: [] };
    }
    const there = options().map(told);
    if (performance.now() - start > timeout * 0.9) return { picked: null, typed: null, there };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
