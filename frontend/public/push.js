// Shows push notifications. The service worker imports it.
const STOP = "stop";

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

async function show({ id, consumerId, title, body, path, stopToken }) {
  const owner = await findOwner();
  // Another person signed in since the message was sent.
  if (owner !== undefined && consumerId !== undefined && owner !== consumerId) return;
  await self.registration.showNotification(title, {
    body,
    // A notification that is delivered twice replaces itself.
    tag: id,
    icon: "/icon-192.png",
    data: { path, stopToken },
    actions: [{ action: STOP, title: "Stop these" }],
  });
}

/** Returns the id of the signed-in consumer, empty if signed out, or undefined if the app has not stored it yet. */
async function findOwner() {
  const stored = await self.caches.match("/push-owner", { cacheName: "push-owner" });
  return stored?.text();
}

self.addEventListener("notificationclick", (event) => {
  const { path, stopToken } = event.notification.data;
  event.notification.close();
  event.waitUntil(event.action === STOP ? stop(stopToken) : open(path));
});

/** Turns off push notifications of the consumer. Works after a sign-out as well. */
function stop(token) {
  return fetch(`/api/consumer/user/stop-notifications?token=${encodeURIComponent(token)}`, { method: "POST" });
}

async function open(path) {
  const url = new URL(path, self.location.origin);
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(url);
  await page.focus();
  return page.navigate(url);
}
