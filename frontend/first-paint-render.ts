/**
 * Prints the HTML of a screen of the build before its data has arrived, and the scripts that it loads, as JSON. Arguments: the folder
 * of the build, the path, and whether a consumer is signed in. One process per screen, because the app has state in its modules.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { JSDOM } from "jsdom";

/** Long enough to load the code of a screen from the disk of a busy machine. */
const MAX_WAIT_MS = 30_000;
/** The screen is complete when it does not change for this time. */
const STABLE_MS = 1_000;

const [folder = "dist", path = "/", session] = process.argv.slice(2);
const page = readFileSync(`${folder}/index.html`, "utf8");
const { window } = new JSDOM(page, { url: `http://localhost${path}`, pretendToBeVisual: true });
const { document, localStorage } = window;

/** What the app uses and jsdom lacks. No request is ever answered. */
const missing = {
  fetch: () => new Promise(() => undefined),
  scrollTo: () => undefined,
  // What the app does when it is idle is not part of the first paint.
  requestIdleCallback: () => 0,
  matchMedia: () => Object.assign(new window.EventTarget(), { matches: false, media: "" }),
  EventSource: class extends window.EventTarget {},
  IntersectionObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
};

const names = [
  ...["window", "self", "document", "navigator", "location", "history", "localStorage", "sessionStorage"],
  ...[
    "Node",
    "Element",
    "HTMLElement",
    "HTMLIFrameElement",
    "SVGElement",
    "Event",
    "CustomEvent",
    "EventTarget",
  ],
  ...[
    "MutationObserver",
    "requestAnimationFrame",
    "cancelAnimationFrame",
    "getComputedStyle",
    "DOMException",
  ],
  ...["addEventListener", "removeEventListener", "dispatchEvent"],
] as const;

function provideGlobals(): void {
  Object.assign(window, missing);
  // The build preloads scripts as modules only where they are supported, which jsdom does not state.
  window.DOMTokenList.prototype.supports = () => true;
  for (const name of [...names, ...Object.keys(missing)]) {
    const value: unknown = window[name as keyof typeof window];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** jsdom loads no styles, and the app waits for those of a screen. */
function reportLoadedLinks(): void {
  const observer = new window.MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) node.dispatchEvent(new window.Event("load"));
    }
  });
  observer.observe(document.head, { childList: true });
}

function signIn(): void {
  const names = { id: "0", email: "", firstName: "", lastName: "", phone: "", shareCode: "" };
  const value = { ...names, points: null };
  localStorage.setItem("order-ahead.user", JSON.stringify({ version: 1, value }));
}

async function renderScreen(root: Element): Promise<string> {
  let html = "";
  let stable = 0;
  for (let waited = 0; waited < MAX_WAIT_MS && stable < STABLE_MS; waited += 100) {
    await setTimeout(100);
    const isComplete = root.querySelector("main") !== null;
    stable = isComplete && root.innerHTML === html ? stable + 100 : 0;
    html = root.innerHTML;
  }
  // The greeting depends on the time of day.
  if (path === "/") root.querySelector("h1")?.replaceChildren("\u00a0");
  return root.innerHTML;
}

/** Returns the addresses of the scripts that the page or the app preloads. */
function preloadedScripts(): string[] {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
  return [...links].map((link) => new URL(link.href).pathname);
}

provideGlobals();
reportLoadedLinks();
if (session === "signed-in") signIn();
else {
  const meta = document.createElement("meta");
  meta.name = "session";
  document.head.append(meta);
}
const root = document.getElementById("root");
const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute("src");
if (!root || !entry) throw new Error("the build has no root or no script");
// In the order in which they run.
const first = [...preloadedScripts(), entry];
await import(pathToFileURL(resolve(folder + entry)).href);
const html = await renderScreen(root);
const scripts = [...new Set([...first, ...preloadedScripts()])];
process.stdout.write(JSON.stringify({ html, scripts }));
process.exit(0);
