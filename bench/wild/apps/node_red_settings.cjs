// Node-RED without sign-in, tours or palettes from elsewhere; `node_red_faults.js` runs in its editor.
const path = require("path");
module.exports = {
  uiHost: "127.0.0.1",
  flowFile: "flows.json",
  credentialSecret: "for tests alone",
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false } },
  editorTheme: { tours: false, page: { scripts: path.join(__dirname, "node_red_faults.js") } },
  logging: { console: { level: "warn" } },
};
