// Bundles each page of `pages/` with its component library into `built/<page>.js` and `built/<page>.css`.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const pages = readdirSync("pages").filter((name) => /\.jsx?$/.test(name));
await build({
  entryPoints: pages.map((name) => `pages/${name}`),
  outdir: "built",
  bundle: true,
  minify: true,
  format: "iife",
  target: "chrome120",
  jsx: "automatic",
  logLevel: "error",
  define: { "process.env": "{}", "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
  alias: { vue: "vue/dist/vue.esm-bundler.js" },
  loader: { ".woff": "empty", ".woff2": "empty", ".ttf": "empty", ".eot": "empty", ".svg": "dataurl", ".png": "dataurl", ".gif": "dataurl" },
});
