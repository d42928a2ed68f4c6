// Millwright's service worker: keeps the app's shell so that the whole app works with the network off.
//
// It serves one version of the app, whole or not at all. `cargo pkg bundle` fills in the constants below; any change of any
// file makes another version and thereby another worker, which waits until the page says that it may take over.
// Documents are none of its business (the engine keeps them), and /api/ passes it untouched.

const VERSION = "MILLWRIGHT_VERSION";

// Every file of this version with its hash: [address, integrity]. The shell is what the first paint and the first answer
// need, the page itself being "/"; what comes later is fetched when it is first used, or here after the shell; what is only
// for some (programs that nobody needs without a model, in a build for each kind of browser) is kept once it was used.
const SHELL = ["MILLWRIGHT_SHELL"];
const LATER = ["MILLWRIGHT_LATER"];
const FOR_SOME = ["MILLWRIGHT_FOR_SOME"];

const PREFIX = "millwright-shell-";
const CACHE = PREFIX + VERSION;
const OWN = new Set([...SHELL, ...LATER, ...FOR_SOME].map(([url]) => url));
const USED = new Map(FOR_SOME);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) return;
  // Any address that is navigated to is the app's, whose own router reads it.
  const wanted = mode === "navigate" ? "/" : pathname;
  // What is not of this version is not answered from another one's cache: the network says whether it exists.
  if (OWN.has(wanted)) event.respondWith(serve(wanted, event.request));
});

// From the page: {type: "activate"} lets this version take over, {type: "version"} is answered with {version} through
// the port that came with it.
self.addEventListener("message", (event) => {
  switch (event.data?.type) {
    case "activate":
      event.waitUntil(self.skipWaiting());
      break;
    case "version":
      event.ports[0]?.postMessage({ version: VERSION });
      break;
  }
});

// The shell first, then the rest, which would otherwise take its share of a slow network from what a person waits for; of
// what is only for some, what the version before was used with.
// All or nothing: one file missing, or of another version than the list says (the server's files were replaced meanwhile),
// and this worker is discarded; the browser tries again at the next visit. Past the HTTP cache, which may be stale.
async function install() {
  const cache = await caches.open(CACHE);
  try {
    await keep(cache, SHELL);
    await keep(cache, LATER);
    await keep(cache, await inUse());
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

async function inUse() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const paths = new Set(kept.flat().map(({ url }) => new URL(url).pathname));
  return FOR_SOME.filter(([url]) => paths.has(url));
}

function keep(cache, files) {
  return Promise.all(
    files.map(async ([url, integrity]) => {
      const response = await fetch(url, { cache: "reload", integrity, redirect: "error" });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await cache.put(url, response);
    }),
  );
}

// The old version's pages have been told by "controllerchange" and reload themselves, so its files can go, as can what an
// interrupted installation left. Pages are taken over only where there was no version before: that first page was loaded
// from the network a moment ago, and taken over it works offline without a reload.
async function activate() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  if (others.length === 0) await self.clients.claim();
}

// Stored answers keep their headers, so that isolation and content security policy hold offline too.
async function serve(url, request) {
  const cache = await caches.open(CACHE);
  const find = () => cache.match(url, { ignoreVary: true });
  const stored = await find();
  if (stored) return stored;
  if (USED.has(url)) {
    try {
      await keep(cache, [[url, USED.get(url)]]);
      return await find();
    } catch {
      // No network, no room, or of another version: the network below says which.
    }
  }
  // Else only a browser that threw the cache away gets here; the server then has the last word.
  return fetch(request);
}
