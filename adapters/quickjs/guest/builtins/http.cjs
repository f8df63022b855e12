// Node's `http` over the host's servers and `fetch`. Existing packages (unenv, stream-http) lack servers, or need a browser's `fetch`.
const { host, config } = internal
const { EventEmitter } = require('events')
const { Readable, Writable } = require('stream')
const { STATUS_CODES, METHODS } = require('internal/http_names')

/** Lowest port for a server that requests any free port. */
const FIRST_FREE = 49152
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i
const coded = (error, code) => Object.assign(error, { code })

class Socket extends EventEmitter {
  remoteAddress = '127.0.0.1'
  remoteFamily = 'IPv4'
  remotePort = 0
  localAddress = '127.0.0.1'
  localPort = 0
  readable = true
  writable = true
  destroyed = false
  encrypted = false
  destroy(error) {
    if (this.destroyed) return this
    this.destroyed = true
    this.writable = false
    if (error) this.emit('error', error)
    this.emit('close')
    return this
  }
  destroySoon() {
    this.destroy()
  }
  address() {
    return { address: this.localAddress, family: 'IPv4', port: this.localPort }
  }
}
for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref', 'cork', 'uncork', 'pause', 'resume'])
  Socket.prototype[name] = function () {
    return this
  }

/** Headers that may occur only once in a message. Duplicates are dropped. */
const SINGLE =
  'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent'.split(
    ' ',
  )

class IncomingMessage extends Readable {
  constructor(socket = new Socket()) {
    super()
    Object.assign(this, {
      socket,
      connection: socket,
      httpVersion: '1.1',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      headers: {},
      rawHeaders: [],
      trailers: {},
      rawTrailers: [],
      complete: false,
      aborted: false,
      method: null,
      url: '',
      statusCode: null,
      statusMessage: null,
    })
    this._next = async () => undefined
  }
  get headersDistinct() {
    const all = {}
    for (let at = 0; at < this.rawHeaders.length; at += 2) {
      const name = this.rawHeaders[at].toLowerCase()
      all[name] = [...(all[name] ?? []), this.rawHeaders[at + 1]]
    }
    return all
  }
  _take(pairs) {
    for (const [name, value] of pairs) {
      const key = name.toLowerCase()
      this.rawHeaders.push(name, value)
      if (key === 'set-cookie') this.headers[key] = [...(this.headers[key] ?? []), value]
      else if (!Object.hasOwn(this.headers, key)) this.headers[key] = value
      else if (!SINGLE.includes(key)) this.headers[key] += (key === 'cookie' ? '; ' : ', ') + value
    }
  }
  _read() {
    this._next().then(
      (bytes) => {
        if (bytes === undefined) this.complete = true
        this.push(bytes === undefined ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      },
      (error) => this.destroy(error),
    )
  }
  setTimeout(_, callback) {
    if (callback) this.on('timeout', callback)
    return this
  }
}

/** An outgoing message and its headers. */
class OutgoingMessage extends Writable {
  constructor(options) {
    super({ decodeStrings: true, ...options })
    this._headers = new Map()
    Object.assign(this, { headersSent: false, sendDate: true, shouldKeepAlive: true, chunkedEncoding: false, _header: null })
  }
  get finished() {
    return this.writableEnded
  }
  setHeader(name, value) {
    if (this.headersSent) throw coded(new Error('Cannot set headers after they are sent to the client'), 'ERR_HTTP_HEADERS_SENT')
    validateHeaderName(name)
    validateHeaderValue(name, value)
    this._headers.set(name.toLowerCase(), [name, value])
    return this
  }
  setHeaders(headers) {
    for (const [name, value] of headers) this.setHeader(name, value)
    return this
  }
  appendHeader(name, value) {
    const before = this.getHeader(name)
    return this.setHeader(name, before === undefined ? value : [before, value].flat())
  }
  getHeader(name) {
    return this._headers.get(`${name}`.toLowerCase())?.[1]
  }
  getHeaders() {
    return Object.assign(Object.create(null), Object.fromEntries([...this._headers].map(([key, [, value]]) => [key, value])))
  }
  getHeaderNames() {
    return [...this._headers.keys()]
  }
  getRawHeaderNames() {
    return [...this._headers.values()].map(([name]) => name)
  }
  hasHeader(name) {
    return this._headers.has(`${name}`.toLowerCase())
  }
  removeHeader(name) {
    if (this.headersSent) throw coded(new Error('Cannot remove headers after they are sent to the client'), 'ERR_HTTP_HEADERS_SENT')
    this._headers.delete(`${name}`.toLowerCase())
  }
  addTrailers() {}
  setTimeout(_, callback) {
    if (callback) this.on('timeout', callback)
    return this
  }
  _pairs() {
    return [...this._headers.values()].flatMap(([name, value]) => [value].flat().map((one) => [name, `${one}`]))
  }
}

class ServerResponse extends OutgoingMessage {
  constructor(request, exchange) {
    super()
    Object.assign(this, { req: request, socket: request.socket, connection: request.socket, statusCode: 200, statusMessage: undefined })
    this._exchange = exchange ?? { head() {}, write() {}, end() {}, fail() {} }
  }
  assignSocket(socket) {
    this.socket = socket
  }
  detachSocket() {}
  writeHead(status, message, headers) {
    if (this.headersSent) throw coded(new Error('Cannot write headers after they are sent to the client'), 'ERR_HTTP_HEADERS_SENT')
    if (!(status >= 100 && status <= 999)) throw coded(new RangeError(`Invalid status code: ${status}`), 'ERR_HTTP_INVALID_STATUS_CODE')
    if (typeof message === 'string') this.statusMessage = message
    const given = typeof message === 'string' ? headers : (message ?? headers)
    this.statusCode = status
    if (Array.isArray(given)) {
      const pairs = Array.isArray(given[0]) ? given : given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1]]] : []))
      for (const [name] of pairs) this._headers.delete(`${name}`.toLowerCase())
      for (const [name, value] of pairs) this.appendHeader(name, value)
    } else for (const [name, value] of Object.entries(given ?? {})) if (value !== undefined) this.setHeader(name, value)
    this._sendHead()
    return this
  }
  _sendHead() {
    if (this.headersSent) return
    this.statusMessage ??= STATUS_CODES[this.statusCode] ?? ''
    this.headersSent = true
    this._header = `HTTP/1.1 ${this.statusCode} ${this.statusMessage}\r\n`
    this._exchange.head(this.statusCode, this.statusMessage, this._pairs())
  }
  flushHeaders() {
    this._sendHead()
  }
  writeContinue() {}
  writeEarlyHints() {}
  writeProcessing() {}
  write(...given) {
    this._sendImplicit()
    return super.write(...given)
  }
  end(...given) {
    const [chunk, encoding] = given
    if (!this.headersSent && !this.writableEnded && this._hasLength()) {
      const body = chunk === undefined || chunk === null || typeof chunk === 'function' ? '' : chunk
      if (typeof body === 'string' || ArrayBuffer.isView(body))
        this._headers.set('content-length', ['Content-Length', Buffer.byteLength(body, typeof encoding === 'string' ? encoding : 'utf8')])
    }
    this._sendImplicit()
    return super.end(...given)
  }
  /** Whether to add `content-length`, as Node does for a response that a single call of `end` sends. */
  _hasLength() {
    const { statusCode: status, req } = this
    return (
      !this.hasHeader('content-length') && !this.hasHeader('transfer-encoding') && req.method !== 'HEAD' && status !== 204 && status !== 304
    )
  }
  /** Sends the head through `writeHead`, because packages replace `writeHead` to intercept it. */
  _sendImplicit() {
    if (!this.headersSent && !this.writableEnded) this._implicitHeader()
  }
  /** Name of this function in Node, which packages call (compression). */
  _implicitHeader() {
    this.writeHead(this.statusCode)
  }
  _write(chunk, _, done) {
    Promise.resolve(this._exchange.write(chunk)).then(() => done(), done)
  }
  _final(done) {
    Promise.resolve(this._exchange.end()).then(() => done(), done)
  }
  _destroy(error, done) {
    if (!this.writableFinished) this._exchange.fail(error ?? new Error('The response was destroyed'))
    done(error)
  }
}

class Server extends EventEmitter {
  listening = false
  timeout = 0
  keepAliveTimeout = 5000
  headersTimeout = 60000
  requestTimeout = 300000
  maxHeadersCount = null
  constructor(options, listener) {
    super()
    if (typeof options === 'function') listener = options
    if (listener) this.on('request', listener)
    this._open = new Set()
    this._inner = undefined
    /** Set while the host's answer to `listen` is pending. `port`: the expected port. `isClosed`: whether `close` was called. */
    this._pending = undefined
    this._referenced = true
  }
  listen(...given) {
    const callback = typeof given.at(-1) === 'function' ? given.pop() : undefined
    const [first, host] = given
    const options = typeof first === 'object' && first !== null ? first : { port: first, host: typeof host === 'string' ? host : undefined }
    const port = Number(options.port ?? 0)
    if (typeof options.path === 'string' || !Number.isInteger(port) || port < 0 || port > 65535) {
      throw coded(new RangeError(`options.port should be >= 0 and < 65536. Received ${options.path ?? first}.`), 'ERR_SOCKET_BAD_PORT')
    }
    if (this._inner || this._pending)
      throw coded(new Error('Listen method has been called more than once without closing.'), 'ERR_SERVER_ALREADY_LISTEN')
    if (callback) this.once('listening', callback)
    // Programs read the port at once, so choose one at random. If this port is taken, the host chooses another one.
    const own = port || FIRST_FREE + Math.floor(Math.random() * (65536 - FIRST_FREE))
    const pending = { port: own, isClosed: false }
    this._pending = pending
    this.listening = true
    this._host = options.host
    const { listen } = require('internal/servers')
    const receive = (exchange) => this._receive(exchange)
    listen(own, receive)
      .catch((error) => {
        if (port !== 0 || error.code !== 'EADDRINUSE') throw error
        return listen(0, receive)
      })
      .then(
        (inner) => {
          this._pending = undefined
          if (pending.isClosed) return this._end(inner)
          this._inner = inner
          if (!this._referenced) inner.unref()
          process.nextTick(() => this.emit('listening'))
        },
        (error) => {
          this._pending = undefined
          this.listening = false
          if (pending.isClosed) return void process.nextTick(() => this.emit('close'))
          process.nextTick(() => this.emit('error', Object.assign(error, { syscall: 'listen', port, address: this._host ?? '::' })))
        },
      )
    return this
  }
  _receive(exchange) {
    const url = new URL(exchange.url)
    const socket = new Socket()
    socket.localPort = this._inner?.port ?? 0
    const request = new IncomingMessage(socket)
    request._take(exchange.headers)
    request.headers.host ??= url.host
    if (exchange.headers.every(([name]) => name.toLowerCase() !== 'host')) request.rawHeaders.push('Host', url.host)
    request.method = exchange.method
    request.url = url.pathname + url.search
    if (exchange.hasBody) {
      request._next = () => exchange.read()
      if (request.headers['content-length'] === undefined) request.headers['transfer-encoding'] ??= 'chunked'
    }
    const response = new ServerResponse(request, exchange)
    this._open.add(socket)
    response.once('close', () => {
      this._open.delete(socket)
      socket.destroy()
    })
    // In Node, request and response share a connection, so closing the connection also destroys the response.
    const cut = () => {
      if (!response.writableFinished) response.destroy(coded(new Error('The connection was destroyed'), 'ECONNRESET'))
    }
    socket.once('close', cut)
    request.once('close', () => {
      if (!request.readableEnded && !response.writableEnded) socket.destroy()
    })
    exchange.onGone = () => {
      request.aborted = true
      request.emit('aborted')
      if (!request.readableEnded) request.destroy(coded(new Error('aborted'), 'ECONNRESET'))
      socket.destroy()
      response.destroy()
    }
    // If the client has left, the program may have no listeners for these errors.
    request.on('error', () => {})
    response.on('error', () => {})
    this.emit('connection', socket)
    if (this.listenerCount('request') === 0) exchange.fail(new Error('The server has no listener for requests'))
    else this.emit('request', request, response)
  }
  address() {
    const port = (this._inner ?? this._pending)?.port
    return port === undefined ? null : { address: this._host ?? '::', family: this._host?.includes('.') ? 'IPv4' : 'IPv6', port }
  }
  close(callback) {
    const inner = this._inner
    if (callback) {
      if (inner || this._pending) this.once('close', callback)
      else process.nextTick(callback, coded(new Error('Server is not running.'), 'ERR_SERVER_NOT_RUNNING'))
    }
    this.listening = false
    if (this._pending) this._pending.isClosed = true
    if (!inner) return this
    this._inner = undefined
    this._end(inner)
    return this
  }
  /** As in Node, emits `close` after all open requests have been answered. */
  _end(inner) {
    const answered = [...this._open].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    inner.close(Promise.all(answered)).then(() => this.emit('close'))
  }
  closeAllConnections() {
    for (const socket of this._open) socket.destroy()
  }
  closeIdleConnections() {}
  setTimeout(_, callback) {
    if (callback) this.on('timeout', callback)
    return this
  }
  ref() {
    this._referenced = true
    this._inner?.ref()
    return this
  }
  unref() {
    this._referenced = false
    this._inner?.unref()
    return this
  }
  getConnections(callback) {
    process.nextTick(callback, null, this._open.size)
  }
  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    if (this._inner) await new Promise((resolve) => this.close(resolve))
  }
}

class Agent extends EventEmitter {
  constructor(options = {}) {
    super()
    Object.assign(this, {
      options,
      requests: {},
      sockets: {},
      freeSockets: {},
      maxSockets: Infinity,
      maxFreeSockets: 256,
      protocol: 'http:',
      keepAlive: false,
    })
  }
  destroy() {}
}
const globalAgent = new Agent()

/** A client request. `end` sends the complete request, and the host returns the complete response. */
class ClientRequest extends OutgoingMessage {
  constructor(protocol, given, more, listener) {
    super({ autoDestroy: false })
    const options = optionsOf(protocol, given, more)
    this._listener = typeof more === 'function' ? more : listener
    if (this._listener) this.once('response', this._listener)
    const hostname = options.hostname ?? options.host ?? 'localhost'
    const port = options.port ?? options.defaultPort
    const path = options.path ?? '/'
    if (/[\0-\x20]/.test(path)) throw coded(new TypeError('Request path contains unescaped characters'), 'ERR_UNESCAPED_CHARACTERS')
    Object.assign(this, {
      method: (options.method ?? 'GET').toUpperCase(),
      path,
      host: hostname,
      protocol: options.protocol ?? protocol,
      agent: options.agent ?? globalAgent,
      aborted: false,
      reusedSocket: false,
      res: null,
      socket: new Socket(),
    })
    this.connection = this.socket
    const authority = `${hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname}${port ? `:${port}` : ''}`
    this._url = new URL(path, `${this.protocol}//${authority}`).href
    const headers = Array.isArray(options.headers) ? options.headers : Object.entries(options.headers ?? {})
    for (const [name, value] of headers) if (value !== undefined) this.setHeader(name, value)
    if (options.auth && !this.hasHeader('authorization'))
      this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`)
    this._chunks = []
    const { signal } = options
    if (signal?.aborted) process.nextTick(() => this.destroy(abortError(signal)))
    else signal?.addEventListener('abort', () => this.destroy(abortError(signal)), { once: true })
    if (options.timeout) this.setTimeout(options.timeout)
    process.nextTick(() => {
      this.emit('socket', this.socket)
      this.socket.emit('connect')
    })
  }
  _write(chunk, _, done) {
    this._chunks.push(chunk)
    done()
  }
  _final(done) {
    this.headersSent = true
    this._header = `${this.method} ${this.path} HTTP/1.1\r\n`
    done()
    this._send()
  }
  async _send() {
    const body = this._chunks.length > 0 ? Buffer.concat(this._chunks) : undefined
    const bytes = body?.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength)
    const headers = this._pairs().filter(([name]) => !/^(host|connection|content-length|transfer-encoding|expect|keep-alive)$/i.test(name))
    try {
      if (!config.fetch) throw coded(new Error(`connect ECONNREFUSED ${this.host}: this program is granted no network`), 'ECONNREFUSED')
      const answer = await host.later('fetch', { url: this._url, method: this.method, headers }, bytes)
      if (this.destroyed) return
      this._answer(answer)
    } catch (error) {
      this.destroy(error.code ? error : coded(error, 'ECONNREFUSED'))
    } finally {
      clearTimeout(this._timer)
    }
  }
  _answer({ value: { status, headers, packed }, bytes }) {
    const response = new IncomingMessage(this.socket)
    response._take(headers)
    // The host has already decompressed responses from the network.
    if (!packed) delete response.headers['content-encoding']
    delete response.headers['transfer-encoding']
    Object.assign(response, { statusCode: status, statusMessage: STATUS_CODES[status] ?? '', url: '', req: this })
    let left = bytes?.byteLength > 0 ? new Uint8Array(bytes) : undefined
    response._next = async () => {
      const all = left
      left = undefined
      return all
    }
    this.res = response
    if (!this.emit('response', response)) response.resume()
    response.once('end', () => {
      this.socket.emit('close')
      this.destroy()
    })
  }
  abort() {
    this.aborted = true
    process.nextTick(() => this.emit('abort'))
    this.destroy()
  }
  setTimeout(ms, callback) {
    if (callback) this.once('timeout', callback)
    clearTimeout(this._timer)
    if (ms > 0) this._timer = setTimeout(() => this.emit('timeout'), ms).unref()
    return this
  }
  flushHeaders() {}
  setNoDelay() {}
  setSocketKeepAlive() {}
  _destroy(error, done) {
    clearTimeout(this._timer)
    if (this.res) this.res.destroy(error)
    done(error ?? (this.res ? null : coded(new Error('socket hang up'), 'ECONNRESET')))
  }
}

const abortError = (signal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' })

function optionsOf(protocol, given, more) {
  const extra = typeof more === 'object' && more !== null ? more : {}
  if (typeof given !== 'string' && !(given instanceof URL)) {
    const wanted = given?.protocol ?? protocol
    if (wanted !== protocol)
      throw coded(new TypeError(`Protocol "${wanted}" not supported. Expected "${protocol}"`), 'ERR_INVALID_PROTOCOL')
    return given ?? {}
  }
  const url = new URL(given)
  if (url.protocol !== protocol)
    throw coded(new TypeError(`Protocol "${url.protocol}" not supported. Expected "${protocol}"`), 'ERR_INVALID_PROTOCOL')
  return {
    protocol: url.protocol,
    hostname: url.hostname,
    port: url.port || undefined,
    path: url.pathname + url.search,
    ...(url.username && { auth: decodeURIComponent(`${url.username}:${url.password}`) }),
    ...extra,
  }
}

function validateHeaderName(name) {
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw coded(new TypeError(`Header name must be a valid HTTP token ["${name}"]`), 'ERR_INVALID_HTTP_TOKEN')
}
function validateHeaderValue(name, value) {
  if (value === undefined) throw coded(new TypeError(`Invalid value "undefined" for header "${name}"`), 'ERR_HTTP_INVALID_HEADER_VALUE')
  for (const one of [value].flat())
    if (/[^\t\x20-\x7e\x80-\xff]/.test(`${one}`))
      throw coded(new TypeError(`Invalid character in header content ["${name}"]`), 'ERR_INVALID_CHAR')
}

/** Creates `request` and `get` for a protocol. */
const clientOf = (protocol) => {
  const request = (given, more, listener) => new ClientRequest(protocol, given, more, listener)
  return {
    request,
    get(given, more, listener) {
      const sent = request(given, more, listener)
      sent.end()
      return sent
    },
  }
}

module.exports = {
  METHODS,
  STATUS_CODES,
  Agent,
  ClientRequest: class extends ClientRequest {
    constructor(given, more, listener) {
      super('http:', given, more, listener)
    }
  },
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer: (options, listener) => new Server(options, listener),
  ...clientOf('http:'),
  globalAgent,
  maxHeaderSize: 16384,
  validateHeaderName,
  validateHeaderValue,
  setMaxIdleHTTPParsers() {},
}
Object.defineProperty(module.exports, '_clientOf', { value: clientOf })
