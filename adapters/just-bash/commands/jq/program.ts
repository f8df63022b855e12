import { bytesOfText, textOfBytes } from '../shared/bytes.js'
import type { Zone } from '../shared/time/posix-zone.js'
import { clockCalls, readTm, writeTm } from './clock.js'
import { type Entry, ERRNO, type Files } from './files.js'
import { Memory } from './memory.js'
import { type Piece, Streams, TooMuch } from './streams.js'
import { readTime } from './strptime.js'

export interface Run {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files: Files
  /** Returns the whole input. Called when the program first reads. If it throws, the program ends and the error is rethrown. */
  readonly input: () => Uint8Array
  readonly zone: Zone
  readonly now: () => number
  readonly random: () => number
  /** Called when the program prints, reads or allocates memory. If it throws, the program ends and the error is rethrown. */
  readonly checkStop: () => void
  readonly memoryBytes: number
  /** Maximum number of bytes per output stream. */
  readonly outputBytes: number
}

export interface Ended {
  readonly pieces: readonly Piece[]
  readonly exitCode: number
}

/** The exports of jq-wasm 3.0.0-jq-1.8.2, with Emscripten's minified names. */
interface Exports {
  readonly F: WebAssembly.Memory
  G(): void
  H(argc: number, argv: number): number
  K(bytes: number): number
  L(): number
}

/** Thrown if the arguments need more than the available stack space. */
class TooLong extends Error {}

class Exit extends Error {
  readonly status: number

  constructor(status: number) {
    super()
    this.status = status
  }
}

/**
 * The program does not check its stack for overflow. So bytes at the lower end of the stack, above the program's data, are marked. An
 * overflow overwrites these bytes.
 */
const STACK_BYTES = 1024 * 1024
const MARK_BYTES = 32 * 1024
const MARK = 0xa5
/** Exit statuses: of an aborted program (128 + SIGABRT), and of a stack overflow (128 + SIGSEGV). */
const ABORTED = 134
const OVERFLOWN = 139
const NOTHING = new Uint8Array()
const UTC = bytesOfText('UTC\0')
/** Exit status in bash of a command that cannot be started. */
const NOT_RUN = 126
const TOO_LONG = 'bash: jq: Argument list too long (pass a file with --rawfile or --slurpfile, or standard input)\n'
const TOO_DEEP = 'jq: error: the program or its data is nested too deeply\n'

/**
 * Runs jq once, in a new instance.
 *
 * @throws {Error} `Unread` of files.ts if jq needs a file that is not loaded yet
 */
export function runJq(module: WebAssembly.Module, run: Run): Ended {
  const streams = new Streams(run.input, run.outputBytes)
  let memory: Memory
  let utc = 0
  const calls = hostCalls(
    () => memory,
    streams,
    run,
    () => utc,
  )
  const exports = new WebAssembly.Instance(module, { a: calls }).exports as unknown as Exports
  memory = new Memory(exports.F)
  const told = (exitCode: number, message?: string): Ended => ({
    pieces: message === undefined ? streams.pieces : [...streams.pieces, { stdout: NOTHING, stderr: bytesOfText(message) }],
    exitCode,
  })
  exports.G()
  const lowest = exports.L() - STACK_BYTES
  memory.put(lowest, new Uint8Array(MARK_BYTES).fill(MARK))
  utc = exports.K(UTC.length)
  memory.put(utc, UTC)
  const tooDeep = (): boolean => memory.bytes(lowest, MARK_BYTES).some((byte) => byte !== MARK)
  try {
    const argv = pushArguments(exports, memory, ['jq', ...run.args])
    const status = exports.H(run.args.length + 1, argv)
    return tooDeep() ? overflown() : told(status)
  } catch (error) {
    if (error instanceof Exit) return tooDeep() ? overflown() : told(error.status)
    if (error instanceof TooMuch) return told(1)
    if (error instanceof TooLong) return told(NOT_RUN, TOO_LONG)
    if (error instanceof RangeError || (error instanceof WebAssembly.RuntimeError && tooDeep())) return overflown()
    if (error instanceof WebAssembly.RuntimeError) return told(ABORTED, `jq: error: ${error.message}\n`)
    throw error
  }
}

const overflown = (): Ended => ({ pieces: [{ stdout: NOTHING, stderr: bytesOfText(TOO_DEEP) }], exitCode: OVERFLOWN })

function pushArguments(exports: Exports, memory: Memory, args: readonly string[]): number {
  const texts = args.map(bytesOfText)
  const listBytes = (args.length + 1) * 4
  const bytes = texts.reduce((sum, text) => sum + text.length + 1, listBytes)
  if (bytes > STACK_BYTES / 2) throw new TooLong()
  const list = exports.K(bytes)
  let at = list + listBytes
  for (const [i, text] of texts.entries()) {
    memory.view.setUint32(list + i * 4, at, true)
    memory.put(at, text)
    memory.view.setUint8(at + text.length, 0)
    at += text.length + 1
  }
  memory.view.setUint32(list + args.length * 4, 0, true)
  return list
}

/** Creates the imports of jq-wasm 3.0.0-jq-1.8.2 by their minified names, from the table `wasmImports` of its JavaScript. */
function hostCalls(memory: () => Memory, streams: Streams, run: Run, utc: () => number): WebAssembly.ModuleImports {
  const clock = clockCalls(memory, run.zone, run.now, utc)
  const name = (at: number): string => textOfBytes(memory().textBytes(at))
  const stat = (entry: Entry | undefined, at: number): number => writeStat(memory(), entry, at)
  const byName = (path: number, at: number): number => stat(run.files.at(name(path)), at)
  const variables = Object.entries(run.env).map(([key, value]) => bytesOfText(`${key}=${value}`))
  return {
    a: (text: number) => {
      streams.stderr.push(bytesOfText(`jq: error: assertion failed: ${name(text)}\n`))
      throw new Exit(ABORTED)
    },
    b: (status: number) => {
      throw new Exit(status)
    },
    c: (fd: number) => streams.close(fd),
    d: (fd: number, list: number, count: number, at: number) => {
      run.checkStop()
      return streams.write(memory(), fd, list, count, at)
    },
    e: () => 0,
    f: (_: number, path: number) => streams.open(name(path), (file) => run.files.at(file)),
    g: () => {
      run.checkStop()
      return run.now()
    },
    h: (fd: number, list: number, count: number, at: number) => {
      run.checkStop()
      return streams.read(memory(), fd, list, count, at)
    },
    i: () => -ERRNO.ENOTTY,
    j: (list: number, texts: number) => {
      let at = texts
      for (const [i, text] of variables.entries()) {
        memory().view.setUint32(list + i * 4, at, true)
        memory().put(at, text)
        memory().view.setUint8(at + text.length, 0)
        at += text.length + 1
      }
      return 0
    },
    k: (bytes: number) => {
      run.checkStop()
      return memory().grow(bytes >>> 0, run.memoryBytes) ? 1 : 0
    },
    l: (countAt: number, bytesAt: number) => {
      memory().view.setUint32(countAt, variables.length, true)
      memory().view.setUint32(
        bytesAt,
        variables.reduce((sum, text) => sum + text.length + 1, 0),
        true,
      )
      return 0
    },
    m: () => -ERRNO.EINVAL,
    n: (at: number, size: number) => {
      const cwd = bytesOfText(`${run.env.PWD ?? '/'}\0`)
      if (cwd.length > size) return -ERRNO.EINVAL
      memory().put(at, cwd)
      return cwd.length
    },
    o: () => 0,
    p: (status: number) => {
      throw new Exit(status)
    },
    q: () => undefined,
    r: clock.gmtime,
    s: clock.localtime,
    t: clock.mktime,
    u: clock.timegm,
    v: clock.tzset,
    w: (text: number, format: number, at: number) => {
      const found = readTime(name(text), name(format), readTm(memory(), at))
      if (!found) return 0
      writeTm(memory(), at, found.tm)
      if (found.offset !== undefined) memory().view.setInt32(at + 36, found.offset, true)
      return text + bytesOfText(name(text).slice(0, found.end)).length
    },
    x: () => 70,
    y: (fd: number, at: number) => {
      if (!streams.isOpen(fd)) return ERRNO.EBADF
      memory().put(at, new Uint8Array(24))
      memory().view.setUint8(at, 4)
      return 0
    },
    z: (at: number, length: number) => {
      memory().put(
        at,
        Uint8Array.from({ length }, () => run.random() * 256),
      )
      return 0
    },
    A: byName,
    B: (_: number, path: number, at: number) => byName(path, at),
    C: byName,
    D: (fd: number, at: number) => (streams.isOpen(fd) ? stat(streams.entryOf(fd) ?? EMPTY, at) : -ERRNO.EBADF),
    E: () => {
      throw new Exit(ABORTED)
    },
  }
}

const EMPTY: Entry = { kind: 'file', bytes: new Uint8Array() }
const STAT_BYTES = 96
const IS_DIRECTORY = 0o40755
const IS_FILE = 0o100644

function writeStat(memory: Memory, entry: Entry | undefined, at: number): number {
  if (!entry || entry.kind === 'none') return -(entry?.errno ?? ERRNO.ENOENT)
  memory.put(at, new Uint8Array(STAT_BYTES))
  memory.view.setUint32(at + 4, entry.kind === 'file' ? IS_FILE : IS_DIRECTORY, true)
  memory.view.setUint32(at + 8, 1, true)
  memory.view.setBigInt64(at + 24, BigInt(entry.kind === 'file' ? entry.bytes.length : 0), true)
  return 0
}
