import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

/** Calls of `fs.promises`: each method with each kind of path, data and option, on equal trees. */
export interface Call {
  readonly method: string
  /** Arguments and options, in words. */
  readonly what: string
  args(at: (name: string) => string): readonly unknown[]
}

/** Path -> content, `-> target`, or `/`; with permission bits where they differ from the default. */
export const TREE: Readonly<Record<string, string | Uint8Array | { readonly text: string; readonly mode: number }>> = {
  'file.txt': 'hello',
  'other.txt': 'other',
  'run.sh': { text: '#!/bin/sh\n', mode: 0o755 },
  'bytes.bin': new Uint8Array([0xff, 0xfe, 0, 0x41, 0xc3, 0xa9, 0xed]),
  empty: '',
  'dir/inner.txt': 'inner',
  'dir/sub/deep.txt': 'deep',
  'void/': '/',
  link: '-> file.txt',
  dirlink: '-> dir',
  dangling: '-> nowhere',
  loop: '-> loop',
}

const aborted = () => {
  const controller = new AbortController()
  controller.abort()
  return controller.signal
}

/** Values that are not valid paths. */
const NO_PATHS: Readonly<Record<string, unknown>> = {
  'an empty path': '',
  'a NUL in the path': 'a\0b',
  'a number': 5,
  null: null,
  nothing: undefined,
  'an object': {},
  'a list': ['file.txt'],
  'a URL of the web': new URL('http://host/x'),
  'a URL that is no UTF-8': new URL('file:///%ff'),
  'a URL with a NUL': new URL('file:///a%00b'),
}

type Named = (name: string) => string

/** Other forms of the path of `file.txt`. */
const FORMS: Readonly<Record<string, (at: Named) => unknown>> = {
  'a path as bytes': (at) => Buffer.from(at('file.txt')),
  'a path as bytes that are not UTF-8': (at) => Buffer.concat([Buffer.from(at('new')), Buffer.of(0xff)]),
  'a path with a lone surrogate': (at) => `${at('new')}\ud800`,
  'a path as a URL': (at) => pathToFileURL(at('file.txt')),
  'a URL with a query': (at) => new URL(`${pathToFileURL(at('file.txt'))}?a#b`),
  'a URL of localhost': (at) => new URL(`file://localhost${at('file.txt')}`),
  'a URL of another host': (at) => new URL(`file://host${at('file.txt')}`),
  'a URL with an encoded slash': (at) => new URL(`file://${at('')}%2ffile.txt`),
  'a URL with another encoded slash': (at) => new URL(`file://${at('')}%2Ffile.txt`),
  'what looks like a URL': (at) => ({ href: 'file:', protocol: 'file:', pathname: at('file.txt'), hostname: '' }),
  'what looks like a URL, without a host': (at) => ({ href: 'file:', protocol: 'file:', pathname: at('file.txt') }),
  'what looks like a URL, without an address': (at) => ({ href: '', protocol: 'file:', pathname: at('file.txt'), hostname: '' }),
  'a URL as parsed': (at) => ({
    href: 'file:',
    protocol: 'file:',
    pathname: at('file.txt'),
    hostname: '',
    path: at('file.txt'),
    auth: null,
  }),
}

/** Method -> the arguments after the path. */
const REST: Readonly<Record<string, readonly unknown[]>> = {
  readFile: [],
  writeFile: ['new'],
  appendFile: ['more'],
  mkdir: [],
  rmdir: [],
  unlink: [],
  rm: [{ recursive: true }],
  stat: [],
  lstat: [],
  readdir: [],
  readlink: [],
  access: [],
  realpath: [],
  chmod: [0o600],
  utimes: [1, 2],
}

export const CALLS: Call[] = []

const inWords = (value: unknown): string => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value))

const add = (method: string, what: string, args: Call['args']): unknown => CALLS.push({ method, what, args })

for (const [method, rest] of Object.entries(REST)) {
  for (const [what, path] of Object.entries(NO_PATHS)) add(method, what, () => [path, ...rest])
  for (const name of [
    ...Object.keys(TREE).filter((name) => !name.includes('/')),
    'dir',
    'void',
    'missing',
    'file.txt/below',
    'missing/below',
    'n'.repeat(256),
    `dir/${'n'.repeat(256)}/below`,
    '\u20ac'.repeat(86),
    'dir/../file.txt',
    'file.txt/',
    'dir/',
    'link/',
    'dirlink/',
    'new/',
    'dangling/',
    'file.txt/.',
    'dir/.',
    'dirlink/.',
    'file.txt/..',
    'file.txt/../other.txt',
    'missing/../other.txt',
  ])
    add(method, `"${name}"`, (at) => [at(name), ...rest])
  for (const [what, path] of Object.entries(FORMS)) add(method, what, (at) => [path(at), ...rest])
}
for (const method of ['rename', 'copyFile', 'symlink']) {
  for (const [what, path] of Object.entries(NO_PATHS)) {
    add(method, `first: ${what}`, (at) => [path, at('new')])
    add(method, `second: ${what}`, (at) => [at('file.txt'), path])
  }
  for (const [what, path] of Object.entries(FORMS)) {
    if (method !== 'symlink') add(method, `first: ${what}`, (at) => [path(at), at('new')])
    add(method, `second: ${what}`, (at) => [at('other.txt'), path(at)])
  }
  const names = [
    'file.txt',
    'dir',
    'void',
    'link',
    'dirlink',
    'dangling',
    'missing',
    'dir/inner.txt',
    'missing/below',
    'dirlink/',
    'dir/.',
    'file.txt/.',
    'new/',
  ]
  for (const from of names)
    for (const to of names) add(method, `"${from}" to "${to}"`, (at) => [method === 'symlink' ? from : at(from), at(to)])
}

const ENCODINGS: Readonly<Record<string, unknown>> = Object.fromEntries(
  [
    'utf8',
    'UTF-8',
    'utf16le',
    'ucs2',
    'latin1',
    'binary',
    'ascii',
    'base64',
    'base64url',
    'hex',
    'buffer',
    'unknown',
    '',
    5,
    true,
    0,
    false,
  ].map((each) => [`encoding ${JSON.stringify(each)}`, each]),
)
for (const [what, encoding] of Object.entries(ENCODINGS)) {
  for (const file of ['file.txt', 'bytes.bin']) add('readFile', `"${file}", ${what}`, (at) => [at(file), { encoding }])
  if (typeof encoding === 'string') add('readFile', `${what} as the options`, (at) => [at('file.txt'), encoding])
  add('writeFile', what, (at) => [at('new'), 'aGk=é', { encoding }])
  add('readdir', what, (at) => [at('dir'), { encoding }])
  add('readlink', what, (at) => [at('link'), { encoding }])
  add('realpath', what, (at) => [
    at('void'),
    { encoding: encoding === 'buffer' || typeof encoding !== 'string' || encoding === 'unknown' ? encoding : 'utf8' },
  ])
  add('readdir', `recursive, ${what}`, (at) => [at('dir'), { encoding, recursive: true }])
  add('readdir', `recursive, withFileTypes, ${what}`, (at) => [at('dir'), { encoding, recursive: true, withFileTypes: true }])
}
for (const method of ['writeFile', 'appendFile', 'readFile']) {
  const args =
    (path: (at: (name: string) => string) => string, options: object): Call['args'] =>
    (at) =>
      method === 'readFile' ? [path(at), options] : [path(at), 'xy', options]
  for (const flag of ['r', 'rs', 'r+', 'rs+', 'w', 'wx', 'xw', 'w+', 'wx+', 'a', 'as', 'ax', 'a+', 'ax+', 'b', '', 1, {}])
    for (const name of ['file.txt', 'new', 'link', 'dangling', 'dir', 'dirlink', 'loop'])
      add(
        method,
        `"${name}", flag ${JSON.stringify(flag)}`,
        args((at) => at(name), { flag }),
      )
  for (const [what, signal] of Object.entries({
    'a signal that is aborted': aborted(),
    'a signal that is not': new AbortController().signal,
    'a signal that is none': 'x',
  }))
    add(
      method,
      what,
      args((at) => at('new'), { signal }),
    )
  for (const options of [5, true, () => undefined])
    add(method, `options ${typeof options}`, (at) => (method === 'readFile' ? [at('file.txt'), options] : [at('new'), 'x', options]))
  if (method === 'readFile') continue
  for (const mode of [0o600, 0o777, 0o4755, '755', '0o755', -1, 1.5, 'x', {}])
    add(
      method,
      `mode ${JSON.stringify(mode)}`,
      args((at) => at('new'), { mode }),
    )
  add(
    method,
    'mode of a file that is there',
    args((at) => at('file.txt'), { mode: 0o600 }),
  )
  for (const flush of [true, false, 1])
    add(
      method,
      `flush ${flush}`,
      args((at) => at('new'), { flush }),
    )
  const data: Readonly<Record<string, () => unknown>> = {
    'a Buffer': () => Buffer.from('é'),
    'a Uint8Array that is part of a buffer': () => new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
    'a Uint16Array': () => new Uint16Array([1, 0x1234, 0xffff]),
    'a Float64Array': () => new Float64Array([1.5]),
    'a DataView': () => new DataView(new Uint8Array([9, 8, 7]).buffer, 1),
    'an ArrayBuffer': () => new Uint8Array([1, 2]).buffer,
    'a list of texts': () => ['a', 'b'],
    'a list of bytes': () => [new Uint8Array([1]), new Uint8Array([2])],
    'a list of numbers': () => [1, 2],
    'a generator': function* () {
      yield 'one'
      yield new Uint8Array([2])
    },
    'an async generator': async function* () {
      yield 'one'
      yield 'two'
    },
    'a stream': () => Readable.from(['s', 't']),
    'a Set': () => new Set(['x']),
    'a Map': () => new Map([['a', 'b']]),
    'a generator that throws': function* () {
      if (TREE) throw Object.assign(new Error('mine'), { code: 'MINE' })
      yield ''
    },
    'an async generator that throws': async function* () {
      if (TREE) throw Object.assign(new Error('mine'), { code: 'EACCES' })
      yield ''
    },
    'an async generator that throws in the middle': async function* () {
      yield 'one'
      throw Object.assign(new Error('mine'), { code: 'MINE' })
    },
    'a text with a lone surrogate': () => '\ud800',
    'a number': () => 5,
    'an object': () => ({ a: 1 }),
    null: () => null,
    nothing: () => undefined,
    true: () => true,
    'a bigint': () => 5n,
  }
  for (const [what, make] of Object.entries(data)) add(method, `data: ${what}`, (at) => [at('new'), make()])
}
for (const options of [
  { recursive: true },
  { recursive: false },
  { recursive: 1 },
  { mode: 0o700 },
  { recursive: true, mode: 0o700 },
  0o700,
  '700',
  'x',
  -1,
  { mode: 'x' },
  { mode: null },
  { mode: true },
  { mode: 0o7755 },
  { recursive: true, mode: 0o7755 },
  0o7755,
  null,
  true,
  [],
  5n,
])
  for (const name of ['new', 'new/deep/er', 'void', 'file.txt', 'dir/sub/new', 'link', 'dangling', 'dirlink/new', 'loop', 'loop/new'])
    add('mkdir', `"${name}", ${inWords(options)}`, (at) => [at(name), options])
for (const options of [
  {},
  { recursive: true },
  { force: true },
  { recursive: true, force: true },
  { recursive: 1 },
  { force: 'x' },
  { maxRetries: 3, retryDelay: 1 },
  { maxRetries: -1 },
  { retryDelay: 'x' },
  { maxRetries: null },
  { retryDelay: -1 },
  null,
  [],
  'x',
  5,
  true,
])
  for (const name of ['file.txt', 'dir', 'void', 'link', 'dirlink', 'dangling', 'missing', 'file.txt/below'])
    for (const method of ['rm', 'rmdir']) add(method, `"${name}", ${JSON.stringify(options)}`, (at) => [at(name), options])
add('rm', 'an empty path with force', () => ['', { recursive: true, force: true }])
for (const options of [
  { withFileTypes: true },
  { recursive: true },
  { recursive: true, withFileTypes: true },
  { recursive: 1 },
  { withFileTypes: 1 },
  { withFileTypes: true, encoding: 'buffer' },
])
  for (const name of ['', 'dir', 'void', 'dirlink', 'file.txt'])
    add('readdir', `"${name || '.'}", ${JSON.stringify(options)}`, (at) => [at(name), options])
for (const mode of [0, 1, 2, 4, 6, 7, 8, -1, 1.5, 'x', null, true, {}])
  for (const name of ['file.txt', 'run.sh', 'dir', 'missing', 'dangling'])
    add('access', `"${name}", mode ${JSON.stringify(mode)}`, (at) => [at(name), mode])
// Without mode 4 (`COPYFILE_FICLONE_FORCE`), which depends on the disk.
for (const mode of [0, 1, 2, 3, 8, -1, 'x', null])
  for (const name of ['new', 'other.txt', 'link', 'dangling', 'dir', 'file.txt'])
    add('copyFile', `to "${name}", mode ${JSON.stringify(mode)}`, (at) => [at('file.txt'), at(name), mode])
add('copyFile', 'an executable file', (at) => [at('run.sh'), at('new')])
add('copyFile', 'an executable file over another', (at) => [at('run.sh'), at('file.txt')])
for (const mode of [0o600, 0o755, '755', '0755', 0o100644, 'x', '9', -1, 1.5, 2 ** 32, null, {}])
  for (const name of ['file.txt', 'link', 'dir', 'missing']) add('chmod', `"${name}", ${JSON.stringify(mode)}`, (at) => [at(name), mode])
for (const time of [
  0,
  1.5,
  1e9,
  '12',
  '1.5',
  'x',
  '',
  new Date(5000),
  new Date(-5000),
  new Date(Number.NaN),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  {},
])
  for (const name of ['file.txt', 'link'])
    add(
      'utimes',
      `"${name}", ${time instanceof Date ? `a date of ${time.getTime()}` : typeof time === 'number' ? time : JSON.stringify(time)}`,
      (at) => [at(name), 1, time],
    )
for (const type of ['file', 'dir', 'junction', 'x', 5, null])
  add('symlink', `type ${JSON.stringify(type)}`, (at) => ['file.txt', at('new'), type])
for (const method of ['stat', 'lstat'])
  for (const options of [{}, { bigint: false }, { bigint: true }, null, 5])
    add(method, JSON.stringify(options), (at) => [at('file.txt'), options])
