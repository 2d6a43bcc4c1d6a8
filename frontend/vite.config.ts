import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import type { CodeSplittingOptions } from "@tanstack/router-plugin";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { VitePWA } from "vite-plugin-pwa";
import { defineConfig } from "vitest/config";
import { firstRoute } from "./first-route.ts";
import { pagesList } from "./pages.ts";
import { precompressed } from "./precompressed.ts";
import { offline } from "./pwa.ts";
import { routesList } from "./routes.ts";

const gateway = process.env.GATEWAY_ADDRESS ?? "http://127.0.0.1:7080";

const target = { target: gateway, changeOrigin: false };
const proxy = { "/api": target, "/store-api": target };

/** Screens that few visits open first: their loaders are not part of the first script. */
const RARE_ROUTES = [
  "/account",
  "/checkout",
  "/company",
  "/explore/location-permissions",
  "/explore/map",
  "/gift-cards",
  "/inbox",
  "/lp",
  "/my-joe",
  "/order/complete",
  "/orders",
  "/rewards",
  "/sign-in",
  "/store-console",
  "/wallet",
];

/** Returns which parts of a route get a script of their own; `undefined` is the default of the router: all but the loader. */
function splitRoute(routeId: string): CodeSplittingOptions["defaultBehavior"] {
  // Home is opened most often: its code is part of the first script and saves a round trip.
  if (routeId === "/") return [];
  if (!RARE_ROUTES.some((route) => routeId.startsWith(route))) return undefined;
  return [["loader", "component", "pendingComponent", "errorComponent", "notFoundComponent"]];
}

/** Scripts of rare routes in folders. Their names lack the folder: `/sign-in/verify` is `verify`, and `/lp/$` is `_`. */
const RARE_SCRIPTS = [
  "/-failed-payments-modal",
  "/_-",
  "/error-",
  "/explore.filtered",
  "/getting-started",
  "/orders.",
  "/verify",
];

/** Scripts that start after the first screen. Each file that the page lists for them would take the browser time there. */
const LATER_SCRIPTS = [
  "/ConnectionNotice",
  "/InstallBanner",
  "/after-load",
  "/analytics",
  "/follow-inbox",
  "/notifications",
  "/ordered-cart",
];

/** Returns whether the script loads what it imports itself: few visits need it, or not at once. */
function loadsImportsItself(file: string): boolean {
  return [...RARE_ROUTES, ...RARE_SCRIPTS, ...LATER_SCRIPTS].some((route) =>
    file.startsWith(`assets/${route.slice(1).replace("/", ".")}`),
  );
}

const first = firstRoute();
const routes = routesList();
const source = fileURLToPath(new URL("./src", import.meta.url));

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      codeSplittingOptions: { splitBehavior: ({ routeId }) => splitRoute(routeId) },
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
      routeFileIgnorePattern: "\\.test\\.",
      quoteStyle: "double",
      semicolons: true,
      plugins: [routes.collect],
    }),
    react(),
    tailwindcss(),
    VitePWA(offline),
    routes.emit,
    pagesList(),
    first.plugin,
    precompressed(),
  ],
  resolve: {
    alias: [
      { find: "@", replacement: source },
      // The shim supports React before 18: 0.3 kB of the first route.
      {
        find: "use-sync-external-store/shim/with-selector",
        replacement: "use-sync-external-store/with-selector",
      },
      // The icon library's own component adds 0.8 kB to the first route: 110.4 instead of 109.6 kB, of a budget of 110 kB.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: `${source}/ui/create-icon.ts` },
    ],
  },
  server: { host: "127.0.0.1", port: 5173, proxy },
  preview: { host: "127.0.0.1", port: 4173, proxy },
  build: {
    target: "es2022",
    sourcemap: true,
    // The first script contains the list of preloaded files.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, dependencies) =>
        loadsImportsItself(file) ? dependencies.filter((name) => name.endsWith(".css")) : dependencies,
    },
    // The first script contains the names of all chunks, and the characters of hashes cannot be compressed.
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: { groups: first.groups },
      },
    },
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
    include: ["src/**/*.test.{ts,tsx}", "native-shell/**/*.test.{ts,tsx}"],
    // React Native runs on devices only; its npm package here has only types.
    alias: [
      {
        find: /^(react-native|react-native-webview)$/,
        replacement: fileURLToPath(new URL("./native-shell/testing/$1.tsx", import.meta.url)),
      },
    ],
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
    testTimeout: 90_000,
  },
});
