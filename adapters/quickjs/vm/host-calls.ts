import { modules as builtinSources } from '#quickjs-guest'
import { FEW_VALUES, NO_BUFFER, parsedBytes } from '../../shared/js/parsed.js'
import { type Answer, failed } from '../answer.js'
import type { FileCalls } from '../fs/calls.js'
import { type MemoryBudget, mayPass, mostAtOnce } from '../memory-budget.js'
import { commonJsSource, type Modules } from './modules.js'

export interface HostCallsOptions {
  readonly modules: Modules
  readonly files: FileCalls | undefined
  readonly budget: MemoryBudget
  now(): number
}

const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const

interface UrlQuestion {
  readonly url: string
  readonly base?: string
  readonly set?: string
  readonly value?: string
}

/** Creates the function that answers synchronous questions of the guest. A question consists of JSON and optional bytes. */
export function createHostCalls({
  modules,
  files,
  budget,
  now,
}: HostCallsOptions): (operation: string, json: string, bytes?: Uint8Array) => Answer {
  const encoder = new TextEncoder()
  const operations: Readonly<Record<string, (input: never, bytes: Uint8Array | undefined) => Answer>> = {
    clock: () => String(now()),
    memory: () => String(budget.engine),
    encode: (text: string) => encoder.encode(text),
    decoder: (label: string) => JSON.stringify(new TextDecoder(label).encoding),
    decode: ([label, fatal, ignoreBOM]: [string, boolean, boolean], bytes = NO_BYTES) => {
      const decoder = (): TextDecoder => new TextDecoder(label, { fatal, ignoreBOM })
      checkDecoded(bytes, decoder(), budget)
      return JSON.stringify(decoder().decode(bytes))
    },
    url: (question: UrlQuestion) => {
      checkUrl(question, budget)
      return JSON.stringify(askedUrl(question))
    },
    resolve: ({ specifier, from, kind }: { specifier: string; from: string; kind: 'import' | 'require' }) =>
      JSON.stringify(modules.resolve(specifier, from, kind) ?? null),
    module: (path: string) => {
      const module = modules.find(path)
      if (!module) return failed({ name: 'Error', message: `Cannot find module '${path}'`, code: 'MODULE_NOT_FOUND' })
      return JSON.stringify({ kind: module.kind, error: module.error })
    },
    text: (path: string) => quoted(modules.find(path)?.code ?? '', budget),
    fs: (question: unknown, bytes) => {
      if (!files) return failed({ name: 'Error', message: 'Cannot use files: this program is granted none', code: 'ERR_ACCESS_DENIED' })
      return files.now(question, bytes)
    },
  }
  return (operation, json, bytes) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (!run) return failed({ name: 'Error', message: `There is no ${operation} in this environment` })
    if (parsedBytes(json, FEW_VALUES) > FEW_VALUES) return failed(NO_BUFFER)
    try {
      return run((json === '' ? null : JSON.parse(json)) as never, bytes)
    } catch (error) {
      return failed({
        name: error instanceof RangeError ? 'RangeError' : 'TypeError',
        message: error instanceof Error ? error.message : String(error),
      })
    }
  }
}

/** Maximum number of copies of a text: in the URL, in a part of the URL, and in the JSON of both. */
const COPIES = 4
/** Number of characters that percent-encoding needs for a character of three bytes. */
const LONGEST_ESCAPE = 9

/** @throws {RangeError} */
function checkUrl({ url, base = '', value = '' }: UrlQuestion, budget: MemoryBudget): void {
  const text = `${url}${base}${value}`
  if (mayPass(budget, COPIES * LONGEST_ESCAPE * text.length) || mayPass(budget, COPIES * escapedLength(text))) return
  throw new RangeError(NO_BUFFER.message)
}

/** Returns the length of a text after percent-encoding. */
function escapedLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128) length += LONGEST_ESCAPE
    else length += code <= 32 || '"<>\\^`{|}\''.includes(text.charAt(at)) ? 3 : 1
  }
  return length
}

/** Maximum number of bytes per character for a text together with its JSON, in which an escape has six characters. */
const TEXT_AND_JSON = 8

/** @throws {RangeError} if there is no room */
function quoted(text: string, budget: MemoryBudget): string {
  const most = mostAtOnce(budget)
  if (TEXT_AND_JSON * text.length > most && 2 * text.length + quotedLength(text) > most) throw new RangeError(NO_BUFFER.message)
  return JSON.stringify(text)
}

const NO_BYTES: Uint8Array = new Uint8Array(0)
const DECODED_AT_A_TIME = 65_536

/**
 * Checks the room for the decoded text and its JSON before creating them. Decodes one chunk at a time, because a rejected large text would
 * stay in memory until it is collected. @throws {RangeError} if there is no room; {TypeError} if the bytes cannot be decoded
 */
function checkDecoded(bytes: Uint8Array, decoder: TextDecoder, budget: MemoryBudget): void {
  const most = mostAtOnce(budget)
  // No encoding yields more characters than bytes, except for one unfinished character at the end.
  if (TEXT_AND_JSON * (bytes.length + 1) <= most) return
  let needed = 0
  for (let at = 0; at < bytes.length; at += DECODED_AT_A_TIME) {
    const end = at + DECODED_AT_A_TIME
    const text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length })
    needed += 2 * text.length + quotedLength(text)
    if (needed > most) throw new RangeError(NO_BUFFER.message)
  }
}

function quotedLength(text: string): number {
  let length = 2 + text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32) length += 5
    else if (code === 34 || code === 92) length++
  }
  return length
}

function askedUrl({ url, base, set, value = '' }: UrlQuestion): Record<string, string> | null {
  try {
    const parsed = new URL(url, base)
    if (set !== undefined && set !== 'origin' && PARTS.includes(set as (typeof PARTS)[number])) parsed[set as 'href'] = value
    return Object.fromEntries(PARTS.map((part) => [part, parsed[part]]))
  } catch {
    return null
  }
}

/**
 * Returns the source of a function to compile in the guest: one of Node's modules, or a CommonJS module of the program. Returns undefined
 * if there is no such module.
 */
export function functionSource(
  operation: string,
  name: string,
  modules: Modules,
): { readonly code: string; readonly file: string } | undefined {
  if (operation === 'builtin') {
    const body = Object.hasOwn(builtinSources, name) ? builtinSources[name] : undefined
    return body === undefined
      ? undefined
      : { code: `(function(exports,require,module,internal,JSON){${body}\n})`, file: `node:internal/${name}` }
  }
  const module = modules.find(name)
  return module && { code: commonJsSource(module), file: name }
}
