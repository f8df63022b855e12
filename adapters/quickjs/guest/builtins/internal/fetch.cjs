const { host } = internal
const NO_BODY = [101, 204, 205, 304]

async function fetch(url, options) {
  const request = new Request(url, options)
  const { signal, method } = request
  signal.throwIfAborted()
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const asked = host.later('fetch', { url: request.url, method, headers: [...request.headers] }, body)
  const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  let answer
  try {
    answer = await Promise.race([asked, aborted])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw Object.assign(new TypeError('fetch failed', { cause: error }))
  }
  const { status, headers } = answer.value
  const response = new Response(NO_BODY.includes(status) ? null : answer.bytes, { status, headers })
  return Object.defineProperty(response, 'url', { value: request.url, configurable: true })
}

module.exports = { fetch }
