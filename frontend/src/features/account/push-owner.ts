/**
 * The consumer whose push notifications this browser shows. The service worker reads it (`public/push.js`), because a push service
 * may deliver a message after another person signed in.
 */
const CACHE = "push-owner";
const KEY = "/push-owner";

/**
 * Stores the id of the signed-in consumer; empty if signed out. If it was another consumer, the registration of the browser ends, so that
 * the push service drops the messages that wait for it.
 */
export async function setPushOwner(consumerId: string): Promise<void> {
  const cache = await globalThis.caches?.open(CACHE);
  const stored = await cache?.match(KEY);
  const previous = (await stored?.text()) ?? "";
  await cache?.put(KEY, new Response(consumerId));
  if (previous && previous !== consumerId) await unsubscribe();
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
