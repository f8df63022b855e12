import { parseArgs } from 'node:util'
import { createProxy } from '../proxy/handler.js'
import { type ProxyServer, serve } from '../proxy/node-server.js'
import type { ProxyOptions, Upstream } from '../proxy/options.js'
import { rejectRepeated, wordedFor } from './command-line.js'
import type { ExitCode } from './exit-code.js'
import { UsageError } from './options.js'
import { tokenIn } from './token.js'
import { version } from './version.js'

type Environment = Readonly<Record<string, string | undefined>>

interface ProxyArguments {
  readonly port: number
  readonly host: string
  readonly origins: readonly string[]
  readonly rate: number
  readonly help: boolean
  readonly version: boolean
}

export const PROXY_OPTIONS = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: '127.0.0.1' },
  origin: { type: 'string', multiple: true, default: [] as string[] },
  rate: { type: 'string', default: '60' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/** Returns the text that `toolport proxy --help` prints. */
export function proxyHelp(): string {
  return `toolport proxy: web search for the tools, with the keys kept here

Usage
  toolport proxy [--port N] [--host NAME] [--origin URL]... [--rate N]

  --port N      default 8787; 0 takes a free one
  --host NAME   where to listen (default: 127.0.0.1); anything else needs TOOLPORT_PROXY_TOKEN
  --origin URL  a page that may use it, as http://localhost:5173; repeat for more (default: none, only programs)
  --rate N      searches a minute for each client address (default: 60)

Environment (at least one search service)
  TOOLPORT_CSE_URL, TOOLPORT_CSE_KEY, TOOLPORT_CSE_ENGINE   Google's custom search
  TOOLPORT_SERPER_URL, TOOLPORT_SERPER_KEY                  Serper
  TOOLPORT_EXA_URL, TOOLPORT_EXA_KEY                        Exa
  TOOLPORT_PROXY_TOKEN                                      what callers must send as "Authorization: Bearer ..."
`
}

/** Serves until the signal aborts. `args`: the words after "proxy". @throws {UsageError} */
export async function proxy(args: readonly string[], environment: Environment, signal: AbortSignal): Promise<ExitCode> {
  const { port, host, origins, rate, help, version: wantsVersion } = parse(args)
  if (help || wantsVersion) {
    process.stdout.write(help ? proxyHelp() : `${version()}\n`)
    return 0
  }
  const options = { ...upstreamsOf(environment), origins, rate: { requests: rate, perMs: 60_000 } }
  if (options.token === undefined && !LOOPBACK.test(host)) {
    throw new UsageError(`--host ${host} lets others in: set TOOLPORT_PROXY_TOKEN, or they spend your keys`)
  }
  const server = await start(options, host, port)
  const names = (['google', 'serper', 'exa'] as const).filter((name) => options[name])
  process.stdout.write(`toolport proxy: ${server.url} (${names.join(', ')})\n`)
  await aborted(signal)
  await server.close()
  return 0
}

async function start(options: ProxyOptions, host: string, port: number): Promise<ProxyServer> {
  try {
    return await serve((client) => createProxy({ ...options, client }), { host, port })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`Cannot listen on ${host}, port ${port}: ${code}`)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function parse(args: readonly string[]): ProxyArguments {
  const { port, host, origin, rate, help, version } = parseValues(args)
  if (host === '') throw new UsageError('--host is empty')
  return {
    port: wholeNumber('--port', port, 0, 65_535),
    host,
    origins: origin,
    rate: wholeNumber('--rate', rate, 1, 1_000_000),
    help,
    version,
  }
}

function parseValues(args: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({ args: [...args], options: PROXY_OPTIONS, tokens: true })
    rejectRepeated(tokens, ['origin'])
    return values
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(wordedFor(error, Object.keys(PROXY_OPTIONS)))
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
}

function upstreamsOf(environment: Environment): Pick<ProxyOptions, 'google' | 'serper' | 'exa' | 'token'> {
  const cse = upstreamOf(environment, 'TOOLPORT_CSE')
  const serper = upstreamOf(environment, 'TOOLPORT_SERPER')
  const exa = upstreamOf(environment, 'TOOLPORT_EXA')
  if (!cse && !serper && !exa) throw new UsageError('"proxy" needs the key of a search service: see "toolport proxy --help"')
  const token = tokenIn(environment, 'TOOLPORT_PROXY_TOKEN')
  return {
    ...(cse && { google: { ...cse, engine: needed(environment, 'TOOLPORT_CSE_ENGINE') } }),
    ...(serper && { serper }),
    ...(exa && { exa }),
    ...(token && { token }),
  }
}

/** Returns the key and the URL of a service from the environment; undefined if the key is not set, which disables the service. */
function upstreamOf(environment: Environment, prefix: string): Upstream | undefined {
  const key = environment[`${prefix}_KEY`]
  return key ? { key, url: needed(environment, `${prefix}_URL`) } : undefined
}

function needed(environment: Environment, name: string): string {
  const value = environment[name]
  if (!value) throw new UsageError(`${name} is not set: docs/web-search.md has its value`)
  return value
}
