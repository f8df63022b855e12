// Servers of the program: the host delivers requests and receives the responses.
const { host, timers, config } = internal

const servers = new Map()
const exchanges = new Map()
let last = 0

const refused = (port) =>
  Object.assign(
    new Error(
      `Cannot listen on port ${port}: this program may not serve. Grant it to the adapter: createQuickJs({ grants: { servers: createLocalServers() } }).`,
    ),
    { code: 'ERR_ACCESS_DENIED', syscall: 'listen', port },
  )
const ask = (question, bytes) => host.later('server', question, bytes)
const bufferOf = (view) =>
  view.byteLength === view.buffer.byteLength ? view.buffer : view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)

/** Starts a server, which keeps the program running until it is closed. @throws the error of the host */
async function listen(port, onRequest) {
  if (!config.servers) throw refused(port)
  const server = ++last
  // The first request may arrive before the answer to `listen`.
  servers.set(server, onRequest)
  let own
  try {
    own = (await ask({ do: 'listen', server, port })).port
  } catch (error) {
    servers.delete(server)
    throw error
  }
  const alive = timers.setInterval(() => {}, 2 ** 30)
  return {
    port: own,
    ref: () => alive.ref(),
    unref: () => alive.unref(),
    /** Closes the server. The program keeps running until the promise `answered` is settled. */
    async close(answered) {
      servers.delete(server)
      await ask({ do: 'close', server })
      await answered
      timers.clearInterval(alive)
    },
  }
}

/** Ignores failures. When the program ends, the host itself fails the open requests. */
const quiet = (promise) => promise.catch(() => false)

function exchangeOf({ id, method, url, headers, body }) {
  const exchange = {
    id,
    method,
    url,
    headers,
    hasBody: body,
    isGone: false,
    onGone: () => {},
    /** Returns undefined at the end of the body. */
    async read() {
      const answer = await ask({ do: 'read', id })
      return answer.bytes && new Uint8Array(answer.bytes)
    },
    head: (status, statusText, given) => quiet(ask({ do: 'head', id, status, statusText, headers: given })),
    write: (view) => quiet(ask({ do: 'write', id }, bufferOf(view))),
    end() {
      exchanges.delete(id)
      return quiet(ask({ do: 'end', id }))
    },
    fail(error) {
      exchanges.delete(id)
      return quiet(ask({ do: 'fail', id, message: error instanceof Error ? `${error.stack ?? error}` : `${error}` }))
    },
  }
  exchanges.set(id, exchange)
  return exchange
}

function receive(event) {
  if (event.gone !== undefined) {
    const exchange = exchanges.get(event.gone)
    exchanges.delete(event.gone)
    if (!exchange) return
    exchange.isGone = true
    exchange.onGone()
    return
  }
  const onRequest = servers.get(event.server)
  const exchange = exchangeOf(event)
  if (onRequest) onRequest(exchange)
  else exchange.fail(new Error('The server was closed'))
}

/** Starts a server for the default export `app`, whose method `fetch(request)` returns the responses. */
async function serveFetch(app, port) {
  const server = await listen(port, (exchange) => void answer(app, exchange))
  host.write('stdout', `Listening on http://localhost:${server.port}/\n`)
}

async function answer(app, exchange) {
  const abort = new AbortController()
  exchange.onGone = () => abort.abort()
  const { method, url, headers } = exchange
  const body = exchange.hasBody && method !== 'GET' && method !== 'HEAD' ? streamOf(exchange) : undefined
  try {
    const request = new Request(url, { method, headers, signal: abort.signal, ...(body && { body, duplex: 'half' }) })
    const context = { waitUntil: (promise) => void Promise.resolve(promise).catch(internal.fatal), passThroughOnException() {} }
    const response = await app.fetch(request, process.env, context)
    if (typeof response?.arrayBuffer !== 'function') throw new TypeError('Expected fetch(request) to return a Response')
    await exchange.head(response.status, response.statusText, [...response.headers])
    if (response.body) await send(response.body, exchange)
    await exchange.end()
  } catch (error) {
    host.write('stderr', `${internal.inspection().inspect(error)}\n`)
    await exchange.fail(error)
  }
}

const streamOf = (exchange) =>
  new ReadableStream({
    async pull(controller) {
      const bytes = await exchange.read()
      if (bytes) controller.enqueue(bytes)
      else controller.close()
    },
  })

async function send(body, exchange) {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (exchange.isGone || (await exchange.write(value)) === false) return void reader.cancel()
  }
}

module.exports = { listen, receive, serveFetch }
