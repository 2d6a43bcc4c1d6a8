import type { GeneratorPlugin } from "@tanstack/router-generator";
import type { Plugin } from "vite";

/**
 * Writes `routes.json` into the build: the paths of all screens, for example `/store/$storeId/menu`. The gateway serves the
 * page for these paths and responds 404 to others. `collect` is a plugin of the route generator, `emit` of the build.
 */
export function routesList(): { collect: GeneratorPlugin; emit: Plugin } {
  let routes: string[] = [];
  return {
    collect: {
      name: "collect-routes",
      onRouteTreeChanged({ acc }) {
        const paths = acc.routeNodes.flatMap(({ isNonPath, isVirtual, routePath }) =>
          isNonPath || isVirtual || !routePath ? [] : [pathOf(routePath)],
        );
        routes = [...new Set(paths)];
      },
    },
    emit: {
      name: "emit-routes",
      apply: "build",
      generateBundle() {
        if (!routes.includes("/")) this.error("the route generator returned no routes");
        this.emitFile({ type: "asset", fileName: "routes.json", source: JSON.stringify(routes) });
      },
    },
  };
}

/** Returns the path of a route without a final slash. A segment that ends with `_` is not part of the layout of the segment. */
function pathOf(routePath: string): string {
  return routePath.replace(/(.)\/$/, "$1").replace(/(\/[^/$]+)_(?=\/)/g, "$1");
}
