import type { Plugin } from "vite";
import { pages } from "./src/shell/pages.ts";

const API = "/api/consumer";

/** Writes `pages.json` into the build: metadata and preloads of each page. The gateway writes them into the pages that it serves. */
export function pagesList(): Plugin {
  return {
    name: "pages",
    apply: "build",
    generateBundle() {
      const list = Object.entries(pages).map(([path, { preload = [], ...metadata }]) => ({
        path,
        ...metadata,
        preload: preload.map((call) => API + call),
      }));
      this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(list) });
    },
  };
}
