import $ from "jquery";

// Plugins of jQuery look for it on the window.
window.jQuery = window.$ = $;
export default $;
