/**
 * Completes a build with the first paint of its main screens: renders them without data, as the app does at its start, and writes the
 * HTML into `pages.json`. The gateway puts it into the page, where it covers the app until the first route is rendered. Also inlines
 * the styles, which would otherwise delay it by a request, and lets the script wait for the first frame. Run by `npm run build`.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const DIST = "dist";

/** Paths that show the screens of these routes. */
const SCREENS: Readonly<Record<string, string>> = {
  "/": "/",
  "/explore": "/explore",
  "/store/$storeId/menu": "/store/0/menu",
};

async function render(path: string, session: "signed-in" | "signed-out"): Promise<string> {
  const { stdout } = await run(process.execPath, ["first-paint-render.ts", DIST, path, session]);
  if (!stdout.includes("<main")) throw new Error(`the first paint of ${path} (${session}) is empty`);
  return `<div id="first-paint" inert>${stdout}</div>`;
}

async function addFirstPaints(): Promise<void> {
  const file = `${DIST}/pages.json`;
  const pages: Record<string, unknown>[] = JSON.parse(await readFile(file, "utf8"));
  for (const page of pages) {
    const path = SCREENS[String(page.path)];
    if (path === undefined) continue;
    page.signedOut = await render(path, "signed-out");
    page.signedIn = await render(path, "signed-in");
  }
  await writeFile(file, JSON.stringify(pages));
}

/** Inlines the styles, and starts the script after the first frame. */
async function rewritePage(): Promise<void> {
  const file = `${DIST}/index.html`;
  const html = await readFile(file, "utf8");
  const [link, styles] = find(html, /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/);
  const [script, entry] = find(html, /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/);
  const css = await readFile(DIST + styles, "utf8");
  const page = html
    // The link is not loaded. Chunks that need the styles find it and do not load them again.
    .replace(link, () => `<style>${css}</style><link rel="stylesheet" href="${styles}" disabled>`)
    .replace(script, `<link rel="modulepreload" crossorigin href="${entry}">`)
    .replace("</body>", `<script>${startScript(entry)}</script></body>`);
  await writeFile(file, page);
}

/** A page in the background has no frames. */
const startScript = (entry: string): string =>
  `{const start=()=>import("${entry}");document.hidden?start():requestAnimationFrame(()=>setTimeout(start))}`;

function find(html: string, pattern: RegExp): [text: string, address: string] {
  const [text, address] = html.match(pattern) ?? [];
  if (!text || !address) throw new Error(`the page does not match ${pattern}`);
  return [text, address];
}

await addFirstPaints();
await rewritePage();
