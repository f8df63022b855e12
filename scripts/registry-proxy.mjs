// Gives the playground access to the package registry: forwards GET /registry/<path> to npm's configured registry and returns the response.
// Serves only this page on this machine: over loopback, under a loopback host name, and not to other sites. Forwards only the path and the
// `accept` header of a request, so no credentials.
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

const PATH = '/registry/'
const LOCAL_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/
const LOCAL_NAME = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|[\w-]+\.localhost)(?::\d+)?$/i
/** Response headers to forward. The proxy sets the content type itself, so that a browser never shows a response as a page. */
const HEADERS = ['etag', 'last-modified']
const MOST_REDIRECTS = 5

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {(request: Request, response: Response, next: () => void) => void} Middleware */

/**
 * A Vite plugin that adds the proxy to Vite's development server and preview server.
 *
 * @returns {import('vite').Plugin}
 */
export function registryProxy() {
  const pass = registryMiddleware()
  return {
    name: 'registry-proxy',
    configureServer: (server) => void server.middlewares.use(pass),
    configurePreviewServer: (server) => void server.middlewares.use(pass),
  }
}

/**
 * @param {() => Promise<string>} [find] the registry's address; default npm's configured registry
 * @param {readonly string[]} [origins] other origins that the registry may redirect to, such as a host for tarballs; default none
 * @returns {Middleware}
 */
export function registryMiddleware(find = configuredRegistry, origins = []) {
  /** @type {Promise<string> | undefined} */
  let found
  return (request, response, next) => {
    const path = request.url?.split('?')[0] ?? ''
    if (!path.startsWith(PATH)) return next()
    const refusal = refused(request)
    if (refusal) return answer(response, refusal.status, { error: refusal.error })
    // Answer the root path here, so that the page can detect the proxy.
    if (path === PATH) return answer(response, 200, { registry: 'pass-through' })
    found ??= find()
    found
      .then((base) => pass(base, path.slice(PATH.length), request, response, origins))
      .catch((error) => {
        found = undefined
        if (response.headersSent) response.destroy()
        else answer(response, 502, { error: `The registry cannot be reached: ${messageOf(error)}` })
      })
  }
}

/**
 * Returns the error for a request that the proxy rejects, otherwise undefined.
 *
 * @param {Request} request
 * @returns {{ status: number, error: string } | undefined}
 */
function refused({ method, headers, socket }) {
  if (method !== 'GET') return { status: 405, error: 'Only GET is passed on' }
  const isLocal = LOCAL_ADDRESS.test(socket.remoteAddress ?? '') && LOCAL_NAME.test(headers.host ?? '')
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  return isLocal && isOwn ? undefined : { status: 403, error: 'Only for this machine, and for the page that it serves' }
}

/**
 * Forwards one request.
 *
 * @param {string} base
 * @param {string} path below the registry
 * @param {Request} request
 * @param {Response} response
 * @param {readonly string[]} origins other origins that the registry may redirect to
 */
async function pass(base, path, request, response, origins) {
  const address = new URL(base + path)
  if (!address.href.startsWith(base)) return answer(response, 400, { error: 'There is no such path of a registry' })
  const left = new AbortController()
  response.once('close', () => left.abort())
  const { accept = '*/*' } = request.headers
  const from = await fetchWithin(address, { headers: { accept }, signal: left.signal, redirect: 'manual' }, [address.origin, ...origins])
  const headers = HEADERS.flatMap((name) => {
    const value = from.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const type = /\.tgz$/.test(path) ? 'application/octet-stream' : 'application/json'
  response.writeHead(from.status, { ...Object.fromEntries(headers), 'content-type': type, 'x-content-type-options': 'nosniff' })
  if (!from.body) return void response.end()
  // @ts-expect-error: `fetch` returns a stream of Node, but its declared type is the stream of the DOM.
  const body = Readable.fromWeb(from.body)
  // Ignore the error if the client has disconnected.
  await pipeline(body, response).catch((error) => left.signal.aborted || Promise.reject(error))
}

/**
 * Follows redirects only to these origins: any other origin may be a service in this machine's network.
 *
 * @param {URL} address
 * @param {RequestInit} init
 * @param {readonly string[]} origins
 */
async function fetchWithin(address, init, origins) {
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const from = await fetch(at, init)
    const to = from.status >= 300 && from.status < 400 ? from.headers.get('location') : null
    if (to === null) return from
    await from.body?.cancel()
    at = new URL(to, at)
    if (!origins.includes(at.origin)) throw new Error(`it redirects to ${at.origin}, which is not allowed`)
  }
  throw new Error(`it redirects more than ${MOST_REDIRECTS} times`)
}

/**
 * The output of `npm config get registry`, with a trailing slash. npm sets `npm_config_registry` for scripts if the registry is not the
 * default.
 */
async function configuredRegistry() {
  const { npm_config_registry: set, npm_execpath: npm } = process.env
  const said = set || (npm ? await run(process.execPath, [npm, ...ASK]) : await run('npm', ASK))
  const address = new URL(said.trim())
  // Remove the key of a private registry, so that pages cannot read it.
  address.username = address.password = address.search = address.hash = ''
  return address.href.endsWith('/') ? address.href : `${address.href}/`
}

const ASK = ['config', 'get', 'registry']

/**
 * @param {string} file
 * @param {readonly string[]} args
 */
async function run(file, args) {
  // On Windows npm is a shell script.
  const shell = process.platform === 'win32' && file === 'npm'
  return (await promisify(execFile)(file, args, { shell })).stdout
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {object} body
 */
function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** @param {unknown} error */
function messageOf(error) {
  const { cause } = /** @type {{ cause?: unknown }} */ (error ?? {})
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
}
