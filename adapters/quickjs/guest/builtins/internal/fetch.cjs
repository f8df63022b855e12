const { host } = internal
const NO_BODY = [101, 204, 205, 304]
const REDIRECTS = [301, 302, 303, 307, 308]
const MOST_HOPS = 20

async function fetch(url, options) {
  const request = new Request(url, options)
  const { signal } = request
  signal.throwIfAborted()
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const headers = new Headers(request.headers)
  return hop({ url: request.url, method: request.method, headers, body, redirect: request.redirect, signal, hops: 0 })
}

const failed = (cause) => Object.assign(new TypeError('fetch failed', { cause }))

/** Sends one request. The host follows redirects of the network. This function follows redirects of programs' servers. */
async function hop(asks) {
  const { url, method, headers, body, redirect, signal, hops } = asks
  const asked = host.later('fetch', { url, method, headers: [...headers] }, body)
  let stop
  const aborted = new Promise((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  let answer
  try {
    answer = await Promise.race([asked, aborted])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw failed(error)
  } finally {
    // Otherwise, the listener of a long-lived signal would keep the body in memory.
    signal.removeEventListener('abort', stop)
  }
  const { status, headers: given, packed } = answer.value
  const own = new Headers(given)
  const location = REDIRECTS.includes(status) && redirect !== 'manual' ? own.get('location') : null
  if (location !== null) return hop(redirected(asks, status, location))
  const bytes = packed ? unpacked(answer.bytes, own) : answer.bytes
  const response = new Response(NO_BODY.includes(status) ? null : bytes, { status, headers: own })
  return Object.defineProperties(response, {
    url: { value: url, configurable: true },
    redirected: { value: hops > 0, configurable: true },
  })
}

/** Returns the next request of a redirect, by the rules of the Fetch standard. */
function redirected({ url, method, headers, body, redirect, signal, hops }, status, location) {
  if (redirect === 'error') throw failed(new Error('unexpected redirect'))
  if (hops === MOST_HOPS) throw failed(new Error('redirect count exceeded'))
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (!/^https?:$/.test(next?.protocol)) throw failed(new Error(`invalid redirect URL "${location}"`))
  if (next.hash === '') next.hash = new URL(url).hash
  const kept = new Headers(headers)
  const isGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  const isElsewhere = next.origin !== new URL(url).origin
  for (const name of [...kept.keys()])
    if ((isGet && /^content-/.test(name)) || (isElsewhere && /^(proxy-)?authorization$|^cookie$|^host$/.test(name))) kept.delete(name)
  return { url: next.href, method: isGet ? 'GET' : method, headers: kept, body: isGet ? undefined : body, redirect, signal, hops: hops + 1 }
}

/** Decompresses a response of a program's server. The host has already decompressed responses from the network. */
function unpacked(bytes, headers) {
  const { gunzipSync, inflateSync } = require('zlib')
  let all = bytes
  for (const coding of (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .reverse()) {
    if (coding === '' || coding === 'identity') continue
    const unpack = { gzip: gunzipSync, deflate: inflateSync }[coding]
    if (!unpack) throw failed(new Error(`cannot decode the content-encoding "${coding}"`))
    if (all?.byteLength > 0) all = unpack(new Uint8Array(all))
  }
  return all
}

module.exports = { fetch }
