// Sets the theme before anything is painted; a classic script, since modules run too late for that.
(() => {
  try {
    const kept = localStorage.getItem("muster.theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch {
    // Storage may be forbidden; then the system's theme it is.
  }
})();
