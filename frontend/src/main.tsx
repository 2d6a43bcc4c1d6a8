// Must be the first import: declares the order of the cascade layers.
import "./styles/main.css";
import "./styles/transitions.css";

import { report } from "./shell/error-reports";
import { start } from "./start";

// Reading the width later lays out the page once more.
const opened = { search: location.search, width: window.innerWidth };

window.addEventListener("error", ({ error }) => report(error));
window.addEventListener("unhandledrejection", ({ reason }) => report(reason));

// Evaluating the modules is a task of its own.
setTimeout(start, 0, opened);
