/**
 * When the last response to a GET came from the cache of the service worker (`pwa.ts`), by its path: the network failed or was too slow.
 * Responses of the network delete their path.
 */
export const cachedAt = new Map<string, number>();

declare global {
  interface WindowEventMap {
    /** Raised after each response that was recorded. */
    api_response: Event;
  }
}

/** Records a response to a GET. */
export function recordResponse(path: string, { headers }: Response): void {
  if (headers.has("x-cached")) cachedAt.set(path, Date.now());
  else cachedAt.delete(path);
  window.dispatchEvent(new Event("api_response"));
}
