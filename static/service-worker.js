// Keeps the page for days without a network. The whole of one version is kept at once, and served until the page asks
// for the next one, or until nobody has it open any more: files of two versions never meet.

// Both filled in by `cargo xtask build`.
const VERSION = "";
const FILES = [];

// Other copies of the page may live below other paths of this host.
const OURS = `tail-lab ${self.registration.scope} `;
const PAGE = new URL("./", self.registration.scope).href;

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  const bare = url.split(/[?#]/)[0];
  const wanted = mode === "navigate" && bare === `${PAGE}index.html` ? PAGE : bare;
  event.respondWith(kept(wanted).then((it) => it ?? fetch(event.request)));
});

// Names with a hash in them never change their content, so that what the page has just loaded is not loaded again.
async function keep() {
  const cache = await caches.open(OURS + VERSION);
  const hashed = /-[0-9a-f]{16}\.\w+$/;
  await cache.addAll(FILES.map((it) => new Request(it, { cache: hashed.test(it) ? "default" : "no-cache" })));
}

async function kept(url) {
  const cache = await caches.open(OURS + VERSION);
  return cache.match(url);
}

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((it) => it.startsWith(OURS) && it !== OURS + VERSION);
  await Promise.all(old.map((it) => caches.delete(it)));
}
