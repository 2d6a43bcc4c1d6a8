/**
 * Completes a build with the first paint of its main screens: renders them without data, as the app does at its start, and writes the
 * HTML into `pages.json`. The gateway puts it into the page, where it covers the app until the first route is rendered. Also inlines
 * the styles, which would otherwise delay it by a request, and lets the scripts wait for the first frame. Run by `npm run build`.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { buttonVariants } from "./src/ui/button-variants.ts";

const run = promisify(execFile);
const DIST = "dist";
/** The scripts load after this time without a frame. */
const MAX_WAIT_MS = 500;
/** The time before the page is loaded again because the app did not load. A release or a lost connection may be over then. */
const RELOAD_DELAY_MS = 2_000;
/** Key in the session storage: the builds for which the page was already loaded again. */
const FAILED_BUILDS = "order-ahead.failed-builds";

interface Screen {
  /** An address that shows the screen. */
  path: string;
  /** Name of the script that has the screen. Home is part of the first script. */
  script: string;
}

/** By the paths of the routes. */
const SCREENS: Readonly<Record<string, Screen>> = {
  "/": { path: "/", script: "index" },
  "/explore": { path: "/explore", script: "explore.index" },
  "/store/$storeId/menu": { path: "/store/0/menu", script: "store._storeId.menu" },
};

async function render({ path, script }: Screen, session: "signed-in" | "signed-out"): Promise<string> {
  const { stdout } = await run(process.execPath, ["first-paint-render.ts", DIST, path, session]);
  const { html, scripts }: { html: string; scripts: string[] } = JSON.parse(stdout);
  if (!html.includes("<main")) throw new Error(`the first paint of ${path} (${session}) is empty`);
  if (!scripts.some((address) => address.startsWith(`/assets/${script}-`))) {
    throw new Error(`the scripts of ${path} (${session}) lack that of its screen: ${scripts.join(", ")}`);
  }
  return `<div id="first-paint" inert data-scripts="${scripts.join(" ")}">${markName(html)}</div>`;
}

/** Marks the placeholder that the gateway replaces with the name of the record. */
const markName = (html: string): string =>
  html.replace(/(<div data-name[^>]*>)(.*?)(<\/div>)/, "$1<!--name-->$2<!--/name-->$3");

async function addFirstPaints(): Promise<void> {
  const file = `${DIST}/pages.json`;
  const pages: Record<string, unknown>[] = JSON.parse(await readFile(file, "utf8"));
  for (const page of pages) {
    const screen = SCREENS[String(page.path)];
    if (screen === undefined) continue;
    page.signedOut = await render(screen, "signed-out");
    page.signedIn = await render(screen, "signed-in");
  }
  await writeFile(file, JSON.stringify(pages));
}

/** Inlines the styles, and loads the scripts after the first frame. */
async function rewritePage(): Promise<void> {
  const file = `${DIST}/index.html`;
  const html = await readFile(file, "utf8");
  const [link, styles] = find(html, /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/);
  const [script, entry] = find(html, /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/);
  const [, libraries] = find(html, /<link rel="modulepreload"[^>]*href="([^"]*\/libraries-[^"]+)"[^>]*>/);
  const css = await readFile(DIST + styles, "utf8");
  const page = html
    // The link is not loaded. Chunks that need the styles find it and do not load them again.
    .replace(link, () => `<style>${css}</style><link rel="stylesheet" href="${styles}" disabled>`)
    .replace(script, "")
    .replace(/ *<link rel="modulepreload"[^>]*>\n/g, "")
    .replace("</body>", () => `<script>${startScript(libraries, entry)}</script></body>`);
  await writeFile(file, page);
}

/** Covers the page, which does nothing without the app. */
const START_ERROR =
  `<div role="alert" class="fixed inset-0 z-50 grid content-center justify-items-center gap-2 bg-ground px-gutter text-center">
<h1 class="t-title">The app didn't load</h1>
<p class="text-ink-2">Check your connection, then try again.</p>
<button type="button" class="mt-4 ${buttonVariants("solid")}">Try again</button>
</div>`.replaceAll("\n", "");

/**
 * Loads the scripts of the screen at once, when the first frame is painted: they are large, and it needs none of them. Libraries run in
 * a task of their own before the app. A page in the background has no frames. Offline the page of another path may be served: its
 * first paint is removed.
 *
 * During a release, a server of the other build may receive the request for a script. The page is then loaded again, once per build, so
 * that a missing script causes no loop. The browser keeps the result of a failed import until then.
 */
const startScript = (libraries: string, entry: string): string => `{
const url = document.querySelector('meta[property="og:url"]')?.content;
if (url && new URL(url, location.href).pathname !== location.pathname) document.getElementById("first-paint")?.remove();
let started = false;
const start = () => {
  if (started) return;
  started = true;
  const screen = document.getElementById("first-paint")?.dataset.scripts ?? "${libraries} ${entry}";
  for (const href of screen.split(" ")) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href }));
  }
  const load = () => import("${entry}").catch(() => setTimeout(recover, ${RELOAD_DELAY_MS}));
  import("${libraries}").catch(() => undefined).then(() => setTimeout(load));
};
const recover = () => {
  if (navigator.onLine && isFirstFailure()) return location.reload();
  document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(START_ERROR)});
  document.querySelector("body > [role=alert] button").onclick = () => location.reload();
};
const isFirstFailure = () => {
  try {
    const build = document.querySelector("meta[name=build-id]").content;
    const failed = (sessionStorage.getItem("${FAILED_BUILDS}") ?? "").split(" ");
    if (failed.includes(build)) return false;
    sessionStorage.setItem("${FAILED_BUILDS}", [...failed, build].join(" "));
    return true;
  } catch {
    return false;
  }
};
if (document.hidden) start();
else {
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
  setTimeout(start, ${MAX_WAIT_MS});
}
}`;

function find(html: string, pattern: RegExp): [text: string, address: string] {
  const [text, address] = html.match(pattern) ?? [];
  if (!text || !address) throw new Error(`the page does not match ${pattern}`);
  return [text, address];
}

await addFirstPaints();
await rewritePage();
