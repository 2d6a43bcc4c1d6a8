import { brotliCompressSync } from "node:zlib";
import type { Logger, Plugin, Rolldown } from "vite";

/**
 * Budget of a first visit in bytes after brotli: script of home, everything including page, styles and fonts, script of a menu with
 * the drawings of drinks, and what the map loads after the first script, without the tiles of a style.
 */
export const BUDGET = { script: 110_000, all: 161_500, menu: 145_000, map: 480_000 };

/** Modules that the first route reaches through an index file only, without a use. Other screens load them. */
const LATER_MODULES =
  /\/(react-query|query-core)\/.*\/(useMutation|useInfiniteQuery|useSuspenseQuery|useSuspenseInfiniteQuery|useQueries|mutationObserver|infiniteQueryObserver|queriesObserver|useMutationState|index)\.js$/;

const DRAWINGS = "/src/art/ItemArt.tsx";
const MENU = /\/store\.\$storeId\.menu\.tsx\?/;
const MAP = /\/stores\/map\/StoreMap\.tsx/;
/** Files that the script of the map loads. */
const MAP_DATA = /\/(maplibre-gl-worker|states|ground|streets)-[^/]*\.js(on)?$/;
/** At least its script and styles, and four files of data. */
const MAP_FILES = 6;
/** The lists of stores and the menu, which share most of their modules. */
const LISTS = /\/(store\.\$storeId\.menu|explore\.index|NearStores)\.tsx/;

const BUDGETS = ["script", "all", "menu", "map"] as const;

interface LoadedFile {
  file: string;
  bytes: number;
}

/**
 * Fails the build if the first route exceeds its budget, and lists its files. Puts the modules of the first route into two chunks,
 * libraries and app code, so that a release does not invalidate the cached libraries.
 */
export function firstRoute() {
  const modules = new Set<string>();
  const drawings = new Set<string>();
  const lists = new Set<string>();
  const menu = new Set<string>();
  let logger: Logger;
  const first = (id: string) => modules.has(id) && !LATER_MODULES.test(id);

  /** Collects a module and its static imports. */
  function follow(this: Rolldown.PluginContext, id: string, found: Set<string>): void {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow.call(this, imported, found);
  }

  /** Returns whether a module needs the drawings or a part of them. */
  function draws(this: Rolldown.PluginContext, id: string): boolean {
    const found = new Set<string>();
    follow.call(this, id, found);
    return [...found].some((module) => drawings.has(module) && !first(module));
  }

  const plugin: Plugin = {
    name: "first-route",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      logger = config.logger;
    },
    buildEnd() {
      for (const id of this.getModuleIds()) {
        if (this.getModuleInfo(id)?.isEntry) follow.call(this, id, modules);
        if (id.endsWith(DRAWINGS)) follow.call(this, id, drawings);
        if (LISTS.test(id)) follow.call(this, id, lists);
        if (MENU.test(id)) follow.call(this, id, menu);
      }
      for (const id of [...lists]) if (draws.call(this, id)) lists.delete(id);
    },
    writeBundle(_, bundle) {
      const script = scriptOf(bundle, ({ isEntry }) => isEntry);
      const others = othersOf(bundle);
      const menu = scriptOf(
        bundle,
        ({ isEntry, facadeModuleId }) => isEntry || MENU.test(facadeModuleId ?? ""),
      );
      const map = mapOf(bundle, script);
      const sums = {
        script: sum(script),
        all: sum(script) + sum(others),
        menu: sum(menu),
        map: sum(map),
      };
      logger.info(
        `first route: script ${kB(sums.script)} of ${kB(BUDGET.script)}, all ${kB(sums.all)} of ${kB(BUDGET.all)}; ` +
          `menu: script ${kB(sums.menu)} of ${kB(BUDGET.menu)}; map: ${kB(sums.map)} of ${kB(BUDGET.map)}`,
      );
      if (sums.menu === sums.script) this.error("The build has no script of the menu.");
      if (map.length < MAP_FILES) this.error("The build lacks files of the map.");
      if (BUDGETS.every((name) => sums[name] <= BUDGET[name])) return;
      const list = [...menu, ...others, ...map].map(({ file, bytes }) => `  ${kB(bytes)} ${file}`).join("\n");
      this.error(`The build is over its budget (docs/frontend.md, "Size budget"):\n${list}`);
    },
  };
  const groups = [
    {
      name: "libraries",
      test: (id: string) => first(id) && id.includes("node_modules"),
      priority: 2,
    },
    { name: "first", test: first, priority: 1 },
    // Few files instead of dozens of small ones, which need a round trip for every six.
    { name: "drawings", test: (id: string) => drawings.has(id), priority: 1 },
    { name: "lists", test: (id: string) => lists.has(id) && menu.has(id), minShareCount: 2, priority: 1 },
    { name: "stores", test: (id: string) => lists.has(id) && !menu.has(id), minShareCount: 2, priority: 1 },
    { name: "later-libraries", test: LATER_MODULES, priority: 0 },
    // One file instead of one per icon: the first script lists the files that a screen needs. Apart from the icon of the connection
    // notice, which every visit loads.
    {
      name: "icons",
      test: (id: string) => id.includes("/lucide-react/") && !id.includes("/wifi-off."),
      priority: 0,
    },
  ];
  return { plugin, groups };
}

type Bundle = Rolldown.OutputBundle;

/** Returns these chunks and those that they import statically. */
function scriptOf(bundle: Bundle, isStart: (chunk: Rolldown.OutputChunk) => boolean): LoadedFile[] {
  const chunks = new Map<string, LoadedFile>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || chunks.has(file)) return;
    chunks.set(file, { file, bytes: brotli(chunk.code) });
    chunk.imports.forEach(add);
  };
  for (const chunk of Object.values(bundle))
    if (chunk.type === "chunk" && isStart(chunk)) add(chunk.fileName);
  return [...chunks.values()];
}

/** Returns the script of the map without that of the first route, its worker, styles and data. */
function mapOf(bundle: Bundle, first: readonly LoadedFile[]): LoadedFile[] {
  const isLoaded = ({ file }: LoadedFile) => first.some((loaded) => loaded.file === file);
  const script = scriptOf(bundle, ({ facadeModuleId }) => MAP.test(facadeModuleId ?? ""));
  const others = Object.values(bundle).flatMap((file) => {
    if (!MAP_DATA.test(file.fileName) && !/\/StoreMap-[^/]*\.css$/.test(file.fileName)) return [];
    return [{ file: file.fileName, bytes: brotli(file.type === "asset" ? file.source : file.code) }];
  });
  return [...script.filter((file) => !isLoaded(file)), ...others];
}

/** Returns the page, its styles, and the fonts and pictures that it shows first. */
function othersOf(bundle: Bundle): LoadedFile[] {
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

/** Fonts are already compressed. */
const transferred = ({ fileName, source }: Rolldown.OutputAsset): number =>
  fileName.endsWith(".woff2") ? source.length : brotli(source);

const brotli = (source: string | Uint8Array): number => brotliCompressSync(source).length;
const sum = (files: readonly LoadedFile[]): number => files.reduce((all, { bytes }) => all + bytes, 0);
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
