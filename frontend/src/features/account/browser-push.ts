/** Push notifications of the browser. The service worker shows them (`public/push.js`). */
import { write } from "@/api/client";

/** Whether this browser can get push notifications. On iOS only an installed app can. */
export function hasBrowserPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/**
 * Asks for permission, which must happen in a click, and registers this browser until the consumer signs out. `key` is the server's
 * public key. Resolves to whether notifications are on.
 */
export async function subscribeBrowser(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await saveSubscription(key);
  return true;
}

/** Registers this browser again for the current session, if the consumer gave permission before. */
export async function renewSubscription(key: string): Promise<void> {
  if (Notification.permission === "granted") await saveSubscription(key);
}

async function saveSubscription(key: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, key);
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  const web = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  await write("/user/save-push-subscription", { web });
}

async function subscribe(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // The server's key has changed.
    const previous = await pushManager.getSubscription();
    if (!previous) throw error;
    await previous.unsubscribe();
    return pushManager.subscribe(options);
  }
}
