import { binaryOf, decodeEscaped, encodeEscaped, latin1Bytes } from './escaped-bytes.js'

type Encoding = string | null | undefined | { readonly encoding?: string | null | undefined }

/** Whether the encoding is UTF-8, so that the content is text. */
export function isText(options: Encoding): boolean {
  const encoding = (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
  return encoding === 'utf8' || encoding === 'utf-8'
}

/** Converts a text to UTF-8 bytes for writing. Each escape becomes the byte that it stands for. Keeps other content. */
export const stored = (content: string | Uint8Array, options: Encoding): string | Uint8Array =>
  typeof content === 'string' && isText(options) ? encodeEscaped(content) : content

/** A file system as a map of methods. */
type Methods = Readonly<Record<PropertyKey, unknown>>
type Method = (...args: readonly unknown[]) => unknown

const FOLDER = '/dev/fd'
const isDescriptor = (path: string): boolean => /^\/dev\/fd\/\d+$/.test(path)

/**
 * Adds the files of `<(...)` and `>(...)` to `fs` as `/dev/fd/63`. The file system `descriptors` stores them as `/63`. Keeps all other
 * methods of `fs`, even those unknown to the library. Built into just-bash by `scripts/vendor.mjs`.
 */
export function withDescriptors<Fs extends object>(fs: Fs, descriptors: object): Fs {
  const base = fs as Methods
  const all: Record<PropertyKey, unknown> = {}
  for (const name of namesOf(fs)) {
    const value = base[name]
    const method = methodOf(descriptors as Methods, name)
    const own: Method | undefined = method && ((path, ...rest) => method((path as string).slice(FOLDER.length), ...rest))
    all[name] = typeof value === 'function' ? routed(value.bind(fs), own, isDescriptor) : value
  }
  return all as Fs
}

const INPUT_FILE = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/(\d+))$/
const descriptorOf = (path: string): number => Number(INPUT_FILE.exec(path)?.[1] ?? 0)

const OUTPUT_FILE = /\/(?:dev\/std(?:out|err)|(?:dev|proc\/self)\/fd\/[12])$/
const isError = (path: string): boolean => /(?:err|2)$/.test(path)

/** Prints on a standard stream of a program. */
type Print = (printed: { stdout: string; stderr: string; exitCode: 0; stdoutKind: 'text' | 'bytes' }) => Promise<unknown>

/** Adds the standard streams to `fs` as writable files. */
function withOutput<Fs extends object>(fs: Fs, print: Print): Fs {
  const write: Method = async (path, content, options) => {
    const given = stored(content as string | Uint8Array, options as Encoding)
    const bytes = typeof given === 'string' ? (latin1Bytes(given) ?? encodeEscaped(given)) : given
    const stderr = isError(path as string) ? decodeEscaped(bytes) : ''
    await print({ stdout: stderr === '' ? binaryOf(bytes) : '', stderr, exitCode: 0, stdoutKind: 'bytes' })
  }
  const own: Methods = { writeFile: write, appendFile: write }
  return routes(fs, own, (path) => OUTPUT_FILE.test(path))
}

/**
 * Adds the descriptors of a program to `fs` as files if its arguments name them: `/dev/stdin`, `/dev/fd/3`, `/dev/stderr`. `input` returns
 * the readable content of a descriptor, one character per byte, or undefined if the descriptor is not open. Built into just-bash like
 * `withDescriptors`.
 */
export function withInput<Fs extends object>(
  given: Fs,
  args: readonly string[],
  input: (descriptor: number) => string | undefined,
  print?: Print,
): Fs {
  const fs = print && args.some((arg) => OUTPUT_FILE.test(arg)) ? withOutput(given, print) : given
  const isOpen = (path: string): boolean => INPUT_FILE.test(path) && (descriptorOf(path) === 0 || input(descriptorOf(path)) !== undefined)
  if (!args.some(isOpen)) return fs
  const textOf = (path: unknown): string => input(descriptorOf(path as string)) ?? ''
  const bytes = async (path: unknown): Promise<Uint8Array> => latin1Bytes(textOf(path)) ?? encodeEscaped(textOf(path))
  const stat = async () => ({ isFile: true, isDirectory: false, isSymbolicLink: false, mode: 0o600, size: 0, mtime: new Date(0) })
  const own: Readonly<Record<PropertyKey, Method>> = {
    readFile: async (path, options) => (isText(options as Encoding) ? decodeEscaped(await bytes(path)) : textOf(path)),
    readFileBuffer: bytes,
    readFileBytes: async (path) => textOf(path),
    exists: async () => true,
    realpath: async (path) => path,
    stat,
    lstat: stat,
  }
  return routes(fs, own, isOpen)
}

/** Routes paths for which `isOwn` is true to methods of `own`. */
function routes<Fs extends object>(fs: Fs, own: Methods, isOwn: (path: string) => boolean): Fs {
  const base = fs as Methods
  const all: Record<PropertyKey, unknown> = {}
  for (const name of namesOf(fs)) {
    const value = base[name]
    const mine = Object.hasOwn(own, name) ? (own[name] as Method) : undefined
    all[name] = typeof value === 'function' ? routed(value.bind(fs), mine, isOwn) : value
  }
  return all as Fs
}

/**
 * Returns the names of all members, including inherited methods. The object is copied by these names instead of wrapped in a proxy, because
 * the library reads the properties of the object.
 */
function namesOf(fs: object): Set<PropertyKey> {
  const names = new Set<PropertyKey>()
  for (let at: object | null = fs; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Reflect.ownKeys(at)) if (name !== 'constructor') names.add(name)
  }
  return names
}

function routed(value: Method, own: Method | undefined, isOwn: (path: string) => boolean): Method {
  if (own === undefined) return value
  return (path, ...rest) => (typeof path === 'string' && isOwn(path) ? own(path, ...rest) : value(path, ...rest))
}

function methodOf(fs: Methods, name: PropertyKey): Method | undefined {
  const method = (key: PropertyKey): Method => (fs[key] as Method).bind(fs)
  switch (name) {
    // Keep the method of `fs`, which gives an empty path a special meaning.
    case 'resolvePath':
      return undefined
    // The result holds one character per byte.
    case 'readFileBytes':
      return (path) => method('readFile')(path, 'binary')
    case 'readFile':
      return async (path, options) =>
        isText(options as Encoding)
          ? decodeEscaped((await method('readFileBuffer')(path)) as Uint8Array)
          : method('readFile')(path, options)
    case 'writeFile':
    case 'appendFile':
      return (path, content, options) => method(name)(path, stored(content as string | Uint8Array, options as Encoding), options)
    default:
      return typeof fs[name] === 'function' ? method(name) : undefined
  }
}
