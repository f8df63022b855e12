/** The parsed arguments of `curl`. */
export interface CurlArguments {
  readonly urls: readonly string[]
  readonly method?: string
  readonly headers: readonly (readonly [string, string])[]
  readonly data: readonly CurlData[]
  readonly output?: string
  readonly writeOut?: string
  readonly flags: ReadonlySet<CurlFlag>
}

export interface CurlData {
  readonly text: string
  /** Whether `text` is a file name (`@file`). */
  readonly reads: boolean
  /** Whether to keep line breaks of the file (`--data-binary`). */
  readonly binary: boolean
}

type CurlFlag = 'silent' | 'showError' | 'include' | 'head' | 'fail' | 'location' | 'get'

/** An error with curl's message and exit code. */
export class CurlError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

const LONG: Readonly<Record<string, string>> = {
  silent: 's',
  'show-error': 'S',
  include: 'i',
  'show-headers': 'i',
  head: 'I',
  fail: 'f',
  location: 'L',
  get: 'G',
  'no-buffer': 'N',
  request: 'X',
  header: 'H',
  data: 'd',
  'data-ascii': 'd',
  output: 'o',
  'write-out': 'w',
  'user-agent': 'A',
  user: 'u',
  'max-time': 'm',
}
const FLAGS: Readonly<Record<string, CurlFlag | undefined>> = {
  s: 'silent',
  S: 'showError',
  i: 'include',
  I: 'head',
  f: 'fail',
  L: 'location',
  G: 'get',
}
const VALUES = 'XHdowAum'
const LONG_VALUES: ReadonlySet<string> = new Set(['data-raw', 'data-binary', 'json', 'url', 'connect-timeout'])

/** @throws {CurlError} with exit code 2 for unsupported arguments */
export function curlArguments(args: readonly string[]): CurlArguments {
  const urls: string[] = []
  const headers: [string, string][] = []
  const data: CurlData[] = []
  const flags = new Set<CurlFlag>()
  const single: { method?: string; output?: string; writeOut?: string } = {}
  const rest = [...args]
  const take = (name: string): string => {
    const value = rest.shift()
    if (value === undefined) throw new CurlError(2, `option ${name}: requires parameter`)
    return value
  }
  const set = (name: string, value: string): void => {
    const read = { text: value.replace(/^@/, ''), reads: value.startsWith('@') }
    if (name === 'X') single.method = value
    else if (name === 'H') headers.push(headerOf(value))
    else if (name === 'd') data.push({ ...read, binary: false })
    else if (name === 'data-binary') data.push({ ...read, binary: true })
    else if (name === 'data-raw') data.push({ text: value, reads: false, binary: true })
    else if (name === 'json') {
      data.push({ ...read, binary: true })
      headers.push(['content-type', 'application/json'], ['accept', 'application/json'])
    } else if (name === 'o') single.output = value
    else if (name === 'w') single.writeOut = value
    else if (name === 'A') headers.push(['user-agent', value])
    else if (name === 'u') headers.push(['authorization', `Basic ${btoa(value)}`])
    else if (name === 'url') urls.push(value)
  }
  const short = (letters: string): void => {
    for (let at = 0; at < letters.length; at++) {
      const letter = letters.charAt(at)
      const flag = FLAGS[letter]
      if (flag) flags.add(flag)
      else if (VALUES.includes(letter)) {
        set(letter, letters.slice(at + 1) || take(`-${letter}`))
        return
      } else if (letter !== 'N') throw new CurlError(2, `option -${letter}: is unknown`)
    }
  }
  while (rest.length > 0) {
    const arg = rest.shift() ?? ''
    if (arg.startsWith('--')) {
      const name = arg.slice(2)
      const letter = LONG[name]
      if (letter && !VALUES.includes(letter)) short(letter)
      else if (letter || LONG_VALUES.has(name)) set(letter ?? name, take(arg))
      else throw new CurlError(2, `option ${arg}: is unknown`)
    } else if (arg.startsWith('-') && arg !== '-') short(arg.slice(1))
    else urls.push(arg)
  }
  if (urls.length === 0) throw new CurlError(2, 'no URL specified')
  return { urls, headers, data, flags, ...single }
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at < 1) throw new CurlError(2, `header "${text}": expected "name: value"`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
