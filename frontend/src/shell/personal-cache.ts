/** Responses that the service worker caches for offline use (`pwa.ts`). Those about stores have the consumer's favorites. */
const CACHES = ["personal", "menu"];

/** Deletes the responses that are cached for the previous consumer. */
export async function clearPersonalCache(): Promise<void> {
  await Promise.all(CACHES.map((name) => globalThis.caches?.delete(name)));
}
