// Helpers of the late pages. `delay(600)` is ?ms= of the page, or 600.
const parameters = new URLSearchParams(location.search);
const delay = (usual) => Number(parameters.get("ms") ?? usual);
const one = (selector) => document.querySelector(selector);
const getJson = (url, options) => fetch(url, options).then((answer) => answer.json());
