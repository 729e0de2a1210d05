// Sets the theme before the first paint; a classic script, because modules run too late.
(() => {
  try {
    const kept = localStorage.getItem("muster.theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch {
    // Storage may be blocked; then use the system's theme.
  }
})();
