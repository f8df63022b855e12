const { host } = internal

class Headers {
  #map = new Map()
  constructor(given = []) {
    const entries = given instanceof Headers || typeof given[Symbol.iterator] === 'function' ? given : Object.entries(given)
    for (const [name, value] of entries) this.append(name, value)
  }
  append(name, value) {
    const key = `${name}`.toLowerCase()
    this.#map.set(key, this.#map.has(key) ? `${this.#map.get(key)}, ${value}` : `${value}`)
  }
  set(name, value) {
    this.#map.set(`${name}`.toLowerCase(), `${value}`)
  }
  get(name) {
    return this.#map.get(`${name}`.toLowerCase()) ?? null
  }
  has(name) {
    return this.#map.has(`${name}`.toLowerCase())
  }
  delete(name) {
    this.#map.delete(`${name}`.toLowerCase())
  }
  forEach(body) {
    for (const [name, value] of this) body(value, name, this)
  }
  entries() {
    return [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]()
  }
  keys() {
    return [...this].map(([name]) => name)[Symbol.iterator]()
  }
  values() {
    return [...this].map(([, value]) => value)[Symbol.iterator]()
  }
  [Symbol.iterator]() {
    return this.entries()
  }
}

const bytesOf = (body) => {
  if (body === undefined || body === null) return undefined
  if (body instanceof ArrayBuffer) return body
  if (ArrayBuffer.isView(body)) return body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength)
  return new TextEncoder().encode(`${body}`).buffer
}

class Response {
  #bytes
  constructor(body, { status = 200, statusText = '', headers, url = '' } = {}) {
    this.#bytes = bytesOf(body) ?? new ArrayBuffer(0)
    Object.assign(this, {
      status,
      statusText,
      headers: new Headers(headers),
      url,
      ok: status >= 200 && status < 300,
      bodyUsed: false,
      redirected: false,
      type: 'default',
    })
  }
  async arrayBuffer() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
    this.bodyUsed = true
    return this.#bytes
  }
  async bytes() {
    return new Uint8Array(await this.arrayBuffer())
  }
  async text() {
    return new TextDecoder().decode(await this.arrayBuffer())
  }
  async json() {
    return JSON.parse(await this.text())
  }
  clone() {
    return new Response(this.#bytes, this)
  }
}

class Request {
  constructor(url, { method = 'GET', headers, body, signal } = {}) {
    Object.assign(this, { url: `${url?.url ?? url}`, method: method.toUpperCase(), headers: new Headers(headers), body, signal })
  }
}

async function fetch(url, options) {
  const request = new Request(url, url instanceof Request ? { ...url, ...options } : options)
  request.signal?.throwIfAborted()
  const asked = host.later('fetch', { url: request.url, method: request.method, headers: [...request.headers] }, bytesOf(request.body))
  const aborted =
    request.signal &&
    new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true }))
  let answer
  try {
    answer = await (aborted ? Promise.race([asked, aborted]) : asked)
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason
    throw Object.assign(new TypeError('fetch failed', { cause: error }))
  }
  return new Response(answer.bytes, { ...answer.value, url: request.url })
}

module.exports = { fetch, Headers, Request, Response }
