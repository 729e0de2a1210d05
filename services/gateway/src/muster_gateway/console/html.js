// The one place the vendored libraries are imported from: `html` tagged templates and the hooks.
import { Component, createContext, Fragment, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

/** Tagged template that makes elements; whatever is put into it is text, never markup. */
export const html = htm.bind(h);
export { Component, createContext, Fragment, h, render };
export {
  useCallback, useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from "./vendor/hooks.js";
