import { brotliCompressSync } from "node:zlib";
import type { Logger, Plugin, Rolldown } from "vite";

/** What a first visit to home may load, in bytes after brotli: its script, and all of it with page, styles and fonts. */
export const BUDGET = { script: 110_000, all: 170_000 };

interface Loaded {
  file: string;
  bytes: number;
}

/**
 * Holds the first route to its budget. Its modules come in two chunks, libraries and our own, so that a release of
 * ours leaves the larger one in every cache; a build that goes over the budget fails and says what is in it.
 */
export function firstRoute() {
  const modules = new Set<string>();
  let logger: Logger;
  const first = (id: string) => modules.has(id);

  /** Modules that the page's own script imports without being asked for, and what those import. */
  function follow(this: Rolldown.PluginContext, id: string): void {
    if (modules.has(id)) return;
    modules.add(id);
    for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow.call(this, imported);
  }

  const plugin: Plugin = {
    name: "first-route",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      logger = config.logger;
    },
    buildEnd() {
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) follow.call(this, id);
    },
    writeBundle(_, bundle) {
      const script = scriptOf(bundle);
      const others = othersOf(bundle);
      const sums = { script: sum(script), all: sum(script) + sum(others) };
      logger.info(
        `first route: script ${kB(sums.script)} of ${kB(BUDGET.script)}, all ${kB(sums.all)} of ${kB(BUDGET.all)}`,
      );
      if (sums.script <= BUDGET.script && sums.all <= BUDGET.all) return;
      const list = [...script, ...others].map(({ file, bytes }) => `  ${kB(bytes)} ${file}`).join("\n");
      this.error(`The first route is over its budget (docs/frontend.md, "How much it loads"):\n${list}`);
    },
  };
  const groups = [
    {
      name: "libraries",
      test: (id: string) => first(id) && id.includes("node_modules"),
      priority: 2,
    },
    { name: "first", test: first, priority: 1 },
  ];
  return { plugin, groups };
}

type Bundle = Rolldown.OutputBundle;

/** The page's script and every chunk that it imports at once. */
function scriptOf(bundle: Bundle): Loaded[] {
  const chunks = new Map<string, Loaded>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || chunks.has(file)) return;
    chunks.set(file, { file, bytes: brotli(chunk.code) });
    chunk.imports.forEach(add);
  };
  for (const chunk of Object.values(bundle)) if (chunk.type === "chunk" && chunk.isEntry) add(chunk.fileName);
  return [...chunks.values()];
}

/** The page itself, the styles that it waits for, and the fonts and pictures that it shows first. */
function othersOf(bundle: Bundle): Loaded[] {
  const page = bundle["index.html"];
  if (page?.type !== "asset") throw new Error("the build has no index.html");
  const text = String(page.source);
  const named = Object.values(bundle).filter(
    (file) => file.type === "asset" && (text.includes(`/${file.fileName}`) || /welcome-/.test(file.fileName)),
  );
  return [page, ...named].flatMap((file) =>
    file.type === "asset" ? [{ file: file.fileName, bytes: transferred(file) }] : [],
  );
}

/** Fonts are compressed already; what else there is compresses well. */
const transferred = ({ fileName, source }: Rolldown.OutputAsset): number =>
  fileName.endsWith(".woff2") ? source.length : brotli(source);

const brotli = (source: string | Uint8Array): number => brotliCompressSync(source).length;
const sum = (files: readonly Loaded[]): number => files.reduce((all, { bytes }) => all + bytes, 0);
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
