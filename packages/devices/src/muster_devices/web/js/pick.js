async (list, [wanted, timeout]) => {
  // The wanted options of a <select>, as [index, label], once they are there; else the labels of those that are. Null
  // for a list that is made of other elements.
  if (list.localName !== "select") return null;
  const same = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const ways = [
    (option, want) => same(option.label) === want,
    (option, want) => same(option.value) === want,
    (option, want) => hasWhole(same(option.label), want),
  ];
  const find = (want) => {
    for (const way of ways) {
      const hits = [...list.options].filter((option) => !option.disabled && way(option, want));
      if (hits.length === 1 || (hits.length && way === ways[0])) return hits[0];
    }
    return null;
  };
  const start = performance.now();
  for (;;) {
    const found = wanted.map(same).map(find);
    if (found.every(Boolean)) return { picked: found.map((option) => [option.index, option.label]), there: [] };
    const there = [...list.options].map((option) => option.label);
    if (performance.now() - start > timeout * 0.9) return { picked: null, there };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
