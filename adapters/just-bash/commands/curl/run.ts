import { joinBytes } from '../../../../src/ops/bytes.js'
import type { LocalServers } from '../../../../src/types/servers.js'
import type { ShellCommandContext, ShellCommandResult } from '../../../../src/types/shell.js'
import { type CurlArguments, type CurlData, CurlError, curlArguments } from './arguments.js'

const MAX_REDIRECTS = 50
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/

/** Runs `curl`, with curl's exit codes and messages. */
export async function runCurl(args: readonly string[], servers: LocalServers, context: ShellCommandContext): Promise<ShellCommandResult> {
  const encoder = new TextEncoder()
  const out: Uint8Array[] = []
  let silent = false
  try {
    const asked = curlArguments(args)
    silent = asked.flags.has('silent') && !asked.flags.has('showError')
    for (const url of asked.urls) {
      const { response, url: last } = await ask(url, asked, servers, context)
      const body = asked.flags.has('head') ? new Uint8Array(0) : new Uint8Array(await response.arrayBuffer())
      if (asked.flags.has('fail') && response.status >= 400) throw new CurlError(22, `The requested URL returned error: ${response.status}`)
      const head = asked.flags.has('include') || asked.flags.has('head') ? encoder.encode(headOf(response)) : new Uint8Array(0)
      const all = joinBytes([head, body])
      if (asked.output === undefined) out.push(all)
      else await context.fs.writeFile(context.fs.resolvePath(context.cwd, asked.output), all)
      if (asked.writeOut !== undefined) out.push(encoder.encode(written(asked.writeOut, response, body.length, last)))
    }
    return { stdout: joinBytes(out), stderr: '', exitCode: 0 }
  } catch (error) {
    context.signal.throwIfAborted()
    const { exitCode, message } =
      error instanceof CurlError ? error : new CurlError(7, error instanceof Error ? error.message : String(error))
    return { stdout: joinBytes(out), stderr: silent ? '' : `curl: (${exitCode}) ${message}\n`, exitCode }
  }
}

async function ask(
  given: string,
  asked: CurlArguments,
  servers: LocalServers,
  context: ShellCommandContext,
): Promise<{ readonly response: Response; readonly url: string }> {
  const data = await bodyOf(asked.data, context)
  const url = urlOf(given)
  if (asked.flags.has('get') && data) url.search += `${url.search ? '&' : ''}${new TextDecoder().decode(data)}`
  let body = asked.flags.has('get') ? undefined : data
  let method = asked.method ?? (asked.flags.has('head') ? 'HEAD' : body ? 'POST' : 'GET')
  for (let redirects = 0; ; redirects++) {
    checkUrl(url, servers)
    const headers = new Headers([
      ['user-agent', 'curl/8.0.0'],
      ['accept', '*/*'],
    ])
    if (body) headers.set('content-type', 'application/x-www-form-urlencoded')
    for (const [name, value] of asked.headers) headers.set(name, value)
    const response = await servers.fetch(new Request(url, { method, headers, signal: context.signal, ...(body && { body }) }))
    const location =
      asked.flags.has('location') && response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return { response, url: url.href }
    if (redirects === MAX_REDIRECTS) throw new CurlError(47, `Maximum (${MAX_REDIRECTS}) redirects followed`)
    await response.body?.cancel()
    url.href = new URL(location, url).href
    if (response.status !== 307 && response.status !== 308 && method !== 'HEAD') [method, body] = [asked.method ?? 'GET', undefined]
  }
}

function urlOf(given: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`
  if (!URL.canParse(text)) throw new CurlError(3, 'URL rejected: Malformed input to a URL function')
  return new URL(text)
}

function checkUrl({ protocol, hostname, port }: URL, { ports }: LocalServers): void {
  if (protocol !== 'http:')
    throw new CurlError(1, `Protocol "${protocol.slice(0, -1)}" not supported: this shell reaches http://localhost only`)
  if (!LOCAL.test(hostname)) throw new CurlError(6, `Could not resolve host: ${hostname}. This shell reaches programs on localhost only.`)
  const own = Number(port || 80)
  if (!ports.includes(own))
    throw new CurlError(7, `Failed to connect to ${hostname} port ${own}: Connection refused. Open ports: ${ports.join(', ') || 'none'}.`)
}

/** Joins the data arguments with `&`, like curl. Returns undefined without data arguments. */
async function bodyOf(data: readonly CurlData[], context: ShellCommandContext): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (data.length === 0) return undefined
  const parts: Uint8Array[] = []
  for (const { text, reads, binary } of data) {
    if (parts.length > 0) parts.push(new TextEncoder().encode('&'))
    const bytes = reads ? await contentOf(text, context) : new TextEncoder().encode(text)
    parts.push(reads && !binary ? bytes.filter((byte) => byte !== 10 && byte !== 13) : bytes)
  }
  return joinBytes(parts)
}

async function contentOf(path: string, { fs, cwd, stdin }: ShellCommandContext): Promise<Uint8Array> {
  if (path === '-') return stdin
  try {
    return await fs.readFileBuffer(fs.resolvePath(cwd, path))
  } catch {
    throw new CurlError(26, `Failed to open ${path}`)
  }
}

const headOf = (response: Response): string =>
  `HTTP/1.1 ${response.status} ${response.statusText}\r\n${[...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`

const written = (format: string, response: Response, size: number, url: string): string =>
  format
    .replace(/%\{(\w+)\}/g, (_, name: string) => {
      if (name === 'http_code' || name === 'response_code') return String(response.status)
      if (name === 'size_download') return String(size)
      if (name === 'url_effective') return url
      return name === 'content_type' ? (response.headers.get('content-type') ?? '') : ''
    })
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
