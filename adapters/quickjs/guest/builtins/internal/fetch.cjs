const { host } = internal
const NO_BODY = [101, 204, 205, 304]

async function fetch(url, options) {
  const request = new Request(url, options)
  const { signal, method } = request
  signal.throwIfAborted()
  const body = request.body === null ? undefined : await request.arrayBuffer()
  const asked = host.later('fetch', { url: request.url, method, headers: [...request.headers] }, body)
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
    throw Object.assign(new TypeError('fetch failed', { cause: error }))
  } finally {
    // A signal that keeps the listener keeps the body too.
    signal.removeEventListener('abort', stop)
  }
  const { status, headers } = answer.value
  const response = new Response(NO_BODY.includes(status) ? null : answer.bytes, { status, headers })
  return Object.defineProperty(response, 'url', { value: request.url, configurable: true })
}

module.exports = { fetch }
