// Lets home start offline after a first visit, whose page and stores were loaded before this worker. The service worker imports it.
const HOME = { page: "/", menu: "/api/consumer/stores/list?take=3" };

self.addEventListener("install", (event) => event.waitUntil(cacheHome()));

async function cacheHome() {
  // A failed request must not fail the installation: the next visit fills the caches.
  await Promise.allSettled(
    Object.entries(HOME).map(async ([name, address]) => (await caches.open(name)).add(address)),
  );
}
