import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const TREE = new URL("./src/routeTree.gen.ts", import.meta.url);

/**
 * Lists the app's routes beside the page, so that the gateway knows where a screen stands and answers 404 elsewhere. The
 * router's own plugin has written the tree by the time the files are made.
 */
export function routesList(): Plugin {
  return {
    name: "routes-list",
    apply: "build",
    generateBundle() {
      const routes = routesOf(readFileSync(TREE, "utf8"));
      if (!routes.includes("/")) this.error("no routes in src/routeTree.gen.ts");
      this.emitFile({ type: "asset", fileName: "routes.json", source: JSON.stringify(routes) });
    },
  };
}

/** The addresses in the router's generated tree: `/store/$storeId/menu`. */
function routesOf(tree: string): string[] {
  const [, list = ""] = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree) ?? [];
  return [...list.matchAll(/"([^"]+)"/g)].map(([, route = ""]) => route);
}
