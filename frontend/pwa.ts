import type { VitePWAOptions } from "vite-plugin-pwa";

const API = "/api/consumer";

/**
 * Calls available offline: stores and menus as last loaded. Deleted on sign-out and when another consumer signs in
 * (`src/shell/personal-cache.ts`), because they have the consumer's favorites.
 */
const MENU_CALLS = [
  "/stores/list",
  "/store/menu",
  "/store/info",
  "/store/card",
  "/store/company-info",
  "/store/pickup-options",
  "/store/top-ordered",
  "/store/locations",
  "/company/stores",
  "/item/details",
  "/item/modifications",
  "/item/sizes",
];
/** Personal data available offline. Deleted in the same cases, and after two days. */
const PERSONAL_CALLS = [
  "/store/usual-items",
  "/order/active",
  "/order/status",
  "/user/orders",
  "/user/profile",
  "/user/my-joe",
  "/user/points",
  "/user/offers",
  "/user/transaction-history",
  "/inbox/list",
];

/** Parts of the service worker, in `public/`. */
const WORKER_SCRIPTS = ["push.js", "offline-start.js"];

/**
 * The service worker caches the app and the responses of a few GETs for offline use. It never caches, repeats or queues a POST.
 * A cached response has the header `x-cached`, also if the network is too slow or fails while the device is online. The app shows a
 * notice above it and fetches it again (`src/shell/ConnectionNotice.tsx`). A cached balance pays nothing.
 */
export const offline: Partial<VitePWAOptions> = {
  injectRegister: false,
  manifest: {
    name: "Order Ahead",
    short_name: "Order Ahead",
    description: "Order coffee ahead. It's ready when you arrive.",
    start_url: "/",
    display: "standalone",
    background_color: "#f6f0e6",
    theme_color: "#f6f0e6",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any maskable" },
    ],
  },
  workbox: {
    // The map is large and needs the network anyway. No HTML: the gateway writes build id and metadata into it.
    globPatterns: ["**/*.{js,css,woff2,svg}"],
    globIgnores: ["**/maplibre*", "**/StoreMap*", ...WORKER_SCRIPTS],
    navigateFallback: null,
    importScripts: WORKER_SCRIPTS.map((file) => `/${file}`),
    skipWaiting: true,
    clientsClaim: true,
    runtimeCaching: [pages(), cachedCalls("menu", MENU_CALLS, 7), cachedCalls("personal", PERSONAL_CALLS, 2)],
  },
};

/** Every page is the same app, so the page loaded last serves all paths while offline. `offline-start.js` adds the first one. */
function pages() {
  return {
    // The gateway handles navigations with a hand-over code and its own paths. A path with an extension is a file.
    urlPattern: ({ request, url }: { request: Request; url: URL }) =>
      request.mode === "navigate" &&
      !url.searchParams.has("session") &&
      !/^\/(api|store-api|webhooks|docs)(\/|$)|\.\w+$/.test(url.pathname),
    handler: "NetworkFirst" as const,
    options: {
      cacheName: "page",
      networkTimeoutSeconds: 4,
      plugins: [
        {
          cacheKeyWillBeUsed: async () => "/",
          cacheWillUpdate: async ({ response }: { response: Response }) => {
            const isPage = response.headers.get("content-type")?.startsWith("text/html");
            return response.status === 200 && isPage ? response : null;
          },
        },
      ],
    },
  };
}

function cachedCalls(cacheName: string, calls: string[], days: number) {
  return {
    urlPattern: new RegExp(`^https?://[^/]+${API}(?:${calls.join("|")})`),
    handler: "NetworkFirst" as const,
    method: "GET" as const,
    options: {
      cacheName,
      networkTimeoutSeconds: 4,
      expiration: { maxEntries: 60, maxAgeSeconds: days * 86_400 },
      cacheableResponse: { statuses: [200] },
      plugins: [{ cachedResponseWillBeUsed: markAsCached }],
    },
  };
}

/** Becomes part of the service worker as text, so it uses nothing of this module. */
async function markAsCached({ cachedResponse }: { cachedResponse?: Response }): Promise<Response | null> {
  if (!cachedResponse) return null;
  const { body, status, statusText } = cachedResponse;
  const headers = new Headers(cachedResponse.headers);
  headers.set("x-cached", "1");
  return new Response(body, { status, statusText, headers });
}
