// The only module that imports the vendored libraries: `html` tagged templates and hooks.
import { Component, createContext, Fragment, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

/** Tagged template for elements; inserted values are text, never markup. */
export const html = htm.bind(h);
export { Component, createContext, Fragment, h, render };
export {
  useCallback, useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from "./vendor/hooks.js";
