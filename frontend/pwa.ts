import type { VitePWAOptions } from "vite-plugin-pwa";

const API = "/api/consumer";

/** What can be looked at offline: stores and a menu as they were last seen. */
const MENU = [
  "/stores/list",
  "/store/menu",
  "/store/info",
  "/store/card",
  "/item/details",
  "/item/modifications",
  "/item/sizes",
];
/** The person's own: what they order again and what is being made. Deleted when they sign out or somebody signs in. */
const PERSONAL = ["/store/usual-items", "/order/active", "/order/status", "/user/orders", "/user/profile"];

/**
 * The service worker: the app itself, and answers to a few GETs for when there is no network. No POST is ever kept,
 * repeated or queued, and what says how much money there is comes from the network or not at all.
 */
export const offline: Partial<VitePWAOptions> = {
  injectRegister: false,
  manifest: {
    name: "Order Ahead",
    short_name: "Order Ahead",
    description: "Order coffee ahead, walk in at the minute we promise.",
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
    // The map is large and needs the network anyway. No HTML: the gateway writes the build and the route into it.
    globPatterns: ["**/*.{js,css,woff2,svg}"],
    globIgnores: ["**/maplibre*", "**/StoreMap*"],
    navigateFallback: null,
    skipWaiting: true,
    clientsClaim: true,
    runtimeCaching: [pages(), kept("menu", MENU, 7), kept("personal", PERSONAL, 2)],
  },
};

/** Any page is the same app: the last one seen stands in for all of them when there is no network. */
function pages() {
  return {
    // The gateway exchanges hand-over codes before the page loads, and answers its own paths itself.
    urlPattern: ({ request, url }: { request: Request; url: URL }) =>
      request.mode === "navigate" &&
      !url.searchParams.has("session") &&
      !/^\/(api|store-api|webhooks)\//.test(url.pathname),
    handler: "NetworkFirst" as const,
    options: {
      cacheName: "page",
      networkTimeoutSeconds: 4,
      plugins: [{ cacheKeyWillBeUsed: async () => "/" }],
    },
  };
}

function kept(cacheName: string, calls: string[], days: number) {
  return {
    urlPattern: new RegExp(`^https?://[^/]+${API}(?:${calls.join("|")})`),
    handler: "NetworkFirst" as const,
    method: "GET" as const,
    options: {
      cacheName,
      networkTimeoutSeconds: 4,
      expiration: { maxEntries: 60, maxAgeSeconds: days * 86_400 },
      cacheableResponse: { statuses: [200] },
    },
  };
}
