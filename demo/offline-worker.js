// The playground's service worker: after the first visit, the page opens and works offline. The build inserts the file names.
/** @typedef {Event & { waitUntil(work: Promise<unknown>): void }} LifeEvent */
/** @typedef {Event & { readonly request: Request, respondWith(answer: Promise<Response>): void }} RequestEvent */

const FILES = ['__FILES__']
const scope = new URL('./', self.location.href)
// The prefix separates this build's caches from those of other builds on the same origin. The space ends the path: paths contain no spaces,
// so the prefix of a parent folder never matches this cache.
const PREFIX = `toolport-playground ${scope.pathname} `
const CACHE = `${PREFIX}__VERSION__`
const addresses = new Set(FILES.map((name) => new URL(name, scope).href))
const visits = new Map(FILES.filter((name) => name.endsWith('.html')).flatMap(addressesOf))

self.addEventListener('install', (event) => /** @type {LifeEvent} */ (event).waitUntil(fill()))
self.addEventListener('activate', (event) => /** @type {LifeEvent} */ (event).waitUntil(forgetOthers()))
self.addEventListener('fetch', (event) => answer(/** @type {RequestEvent} */ (event)))

/** The addresses of a page, each with the address of its cache entry. Many hosts serve `x.html` as `x`, and `index.html` as its folder. */
function addressesOf(/** @type {string} */ name) {
  const { href } = new URL(name, scope)
  const clean = href.replace(/\.html$/, '')
  const all = name === 'index.html' ? [href, clean, scope.href] : [href, clean]
  return all.map((address) => /** @type {const} */ ([address, href]))
}

/** Downloads one file at a time, because the user is using the page meanwhile. */
async function fill() {
  const cache = await caches.open(CACHE)
  for (const address of addresses) if (!(await cache.match(address))) await cache.put(address, await found(address))
}

/** @param {string} address */
async function found(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} cannot be kept: ${answer.status}`)
  if (!answer.redirected) return answer
  // Browsers reject a redirected response for a navigation, so copies the response without the redirect.
  const { status, headers } = answer
  return new Response(await answer.blob(), { status, headers })
}

async function forgetOthers() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)))
}

/** @param {RequestEvent} event */
function answer(event) {
  const { request } = event
  if (request.method !== 'GET') return
  const { origin, pathname } = new URL(request.url)
  const address = origin + pathname
  const visited = request.mode === 'navigate' ? visits.get(address) : undefined
  // Asks the server first, because there may be a newer page.
  if (visited) event.respondWith(fetch(request).catch(() => kept(visited, request)))
  // The names of all other files change with their content, so the cached copy is always current.
  else if (addresses.has(address)) event.respondWith(kept(address, request))
}

/** @param {string} address @param {Request} request */
async function kept(address, request) {
  const cache = await caches.open(CACHE)
  return (await cache.match(address)) ?? fetch(request)
}
