/**
 * Completes a build with the first paint of its main screens: renders them without data, as the app does at its start, and writes the
 * HTML into `pages.json`. The gateway puts it into the page, where it covers the app until the first route is rendered. Also inlines
 * the styles, which would otherwise delay it by a request. Run by `npm run build`.
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

async function inlineStyles(): Promise<void> {
  const file = `${DIST}/index.html`;
  const html = await readFile(file, "utf8");
  const [link, href] = html.match(/<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/) ?? [];
  if (!link || !href) throw new Error("the page has no styles");
  const styles = await readFile(DIST + href, "utf8");
  // Not loaded. Chunks that need the styles find the link and do not load them again.
  const disabled = `<link rel="stylesheet" href="${href}" disabled>`;
  await writeFile(
    file,
    html.replace(link, () => `<style>${styles}</style>${disabled}`),
  );
}

await addFirstPaints();
await inlineStyles();
