/** Deletes the personal responses that the service worker caches for offline use. */
export async function clearPersonalCache(): Promise<void> {
  await globalThis.caches?.delete("personal");
}
