import { FsError } from '../../src/errors/index.js'
import type { BashDirent, BashEntry, BashFs, BashStat } from '../../src/workspace/facades/to-bash-fs.js'
import type { ScriptText } from './byte-text.js'
import type { CommandFiles } from './command-files.js'
import { isText, stored } from './descriptor-files.js'
import { binaryOf, decodeEscaped } from './escaped-bytes.js'
import type { Output, StreamName } from './output.js'
import type { StreamCopies } from './process/copies.js'
import type { Refusals } from './refusals.js'
import type { SharedSlicer } from './shared-slicer.js'
import type { OutputFiles } from './syntax/streaming.js'

type Encoding = Parameters<BashFs['readFile']>[1]

const DEVICE: BashStat = { isFile: true, isDirectory: false, isSymbolicLink: false, mode: 0o666, size: 0, mtime: new Date(0) }

/** An empty path resolves to this missing file. If it meant the working directory, `rm -rf "$unset"` would remove everything. */
const NOWHERE = '/.no-name/file'

/** Approximate cost in microseconds of a call (first line) and of a command, for runtimes whose clock stands still during work. */
const CALL_STEPS = 50
const COMMAND_STEPS = 20
/** Number of bytes to convert between two yields to the event loop. */
const PIECE = 64 * 1024

export interface ShellFsParts {
  readonly fs: BashFs
  readonly turns: SharedSlicer
  readonly commands: CommandFiles
  readonly output: Output
  readonly refusals: Refusals
  readonly text: ScriptText
  /** Paths that stand for the output streams. Content that a command appends to these paths is output of the script. */
  readonly files: OutputFiles
  /** Copies of the standard streams, such as `3>&1` creates. The library sees them as files. */
  readonly copies: Pick<StreamCopies, 'write'>
}

/**
 * The file system of one running command: `fs` plus the shell's devices and command files, which need no call of `fs`. Yields to the event
 * loop when it is time. Rejects calls that `closed` forbids.
 */
export class ShellFs implements BashFs {
  /** Set when the command has ended, or when the shell has given up on it. */
  closed = false
  readonly #parts: ShellFsParts

  constructor(parts: ShellFsParts) {
    this.#parts = parts
  }

  /** Yields before a command, or after `steps` of work, if it is time. */
  turn(steps: number = COMMAND_STEPS): Promise<void> | undefined {
    return this.#parts.turns.due(steps)
  }

  readFile(path: string, options?: Encoding): Promise<string> {
    if (this.#isDevice(path) || this.#parts.commands.at(path)) return Promise.resolve('')
    return this.#call(path, async (fs) => (isText(options) ? decodeEscaped(await fs.readFileBuffer(path)) : fs.readFile(path, options)))
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    if (this.#isDevice(path) || this.#parts.commands.at(path)) return Promise.resolve(new Uint8Array())
    return this.#call(path, (fs) => fs.readFileBuffer(path))
  }

  /** Reads a file as a string with one character per byte. The library's own conversion would block for a second per 10 MB. */
  async readFileBytes(path: string): Promise<string> {
    const bytes = await this.readFileBuffer(path)
    const pieces: string[] = []
    for (let at = 0; at < bytes.length; at += PIECE) {
      const turn = at > 0 ? this.#parts.turns.due(PIECE >> 8) : undefined
      if (turn) await turn
      pieces.push(binaryOf(bytes.subarray(at, at + PIECE)))
    }
    return pieces.join('')
  }

  writeFile(path: string, content: string | Uint8Array, options?: Encoding): Promise<void> {
    return this.#write(path, content, options, (fs) => fs.writeFile(path, stored(content, options), options))
  }

  appendFile(path: string, content: string | Uint8Array, options?: Encoding): Promise<void> {
    const copied = typeof content === 'string' ? this.#parts.copies.write(path, content, options === 'binary') : undefined
    if (copied) return copied
    // The shell's redirections write with this method. With `binary`, the content is bytes.
    const text = typeof content === 'string' && options === 'utf8' ? this.#parts.text.written(content) : content
    return this.#write(path, content, options, (fs) => fs.appendFile(path, stored(text, options), options))
  }

  exists(path: string): Promise<boolean> {
    if (this.#parts.commands.lacks(path)) return Promise.resolve(this.#parts.commands.isCommand(path))
    if (this.#isDevice(path) || this.#parts.commands.at(path)) return Promise.resolve(true)
    return this.#call(path, (fs) => fs.exists(path))
  }

  stat(path: string): Promise<BashStat> {
    return this.#stat(path, (fs) => fs.stat(path))
  }

  lstat(path: string): Promise<BashStat> {
    return this.#stat(path, (fs) => fs.lstat(path))
  }

  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void> {
    return this.#change(path, (fs) => fs.mkdir(path, options))
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name)
  }

  readdirWithFileTypes(path: string): Promise<BashDirent[]> {
    return this.#call(path, (fs) => this.#parts.commands.list(path, fs))
  }

  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void> {
    return this.#change(path, (fs) => fs.rm(path, options))
  }

  cp(from: string, to: string, options?: { readonly recursive?: boolean }): Promise<void> {
    if (this.#isDevice(from) || this.#isDevice(to)) return this.readFileBuffer(from).then((bytes) => this.writeFile(to, bytes))
    return this.#change(to, (fs) => fs.cp(from, to, options))
  }

  mv(from: string, to: string): Promise<void> {
    return this.#change(to, (fs) => fs.mv(from, to))
  }

  resolvePath(base: string, path: string): string {
    const resolved = path === '' ? NOWHERE : this.#parts.fs.resolvePath(base, path)
    this.#parts.refusals.named(resolved, path)
    return resolved
  }

  getAllPaths(): string[] {
    return []
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.#change(path, (fs) => fs.chmod(path, mode))
  }

  replace(path: string, entry: BashEntry): Promise<void> {
    return this.#change(path, (fs) => fs.replace(path, entry))
  }

  symlink(target: string, path: string): Promise<void> {
    return this.#change(path, (fs) => fs.symlink(target, path))
  }

  link(from: string, to: string): Promise<void> {
    return this.#change(to, (fs) => fs.link(from, to))
  }

  readlink(path: string): Promise<string> {
    return this.#call(path, (fs) => fs.readlink(path))
  }

  realpath(path: string): Promise<string> {
    if (this.#isDevice(path) || this.#parts.commands.at(path)) return Promise.resolve(path)
    return this.#call(path, (fs) => fs.realpath(path))
  }

  utimes(path: string, atime: Date, mtime: Date): Promise<void> {
    return this.#change(path, (fs) => fs.utimes(path, atime, mtime))
  }

  #isDevice(path: string): boolean {
    return path.startsWith('/dev/') && (path === '/dev/null' || this.#streamAt(path) !== undefined)
  }

  #streamAt(path: string): StreamName | undefined {
    const { out, err } = this.#parts.files
    if (path === out || path === '/dev/stdout') return 'stdout'
    return path === err || path === '/dev/stderr' ? 'stderr' : undefined
  }

  #stat(path: string, body: (fs: BashFs) => Promise<BashStat>): Promise<BashStat> {
    if (this.#isDevice(path)) return Promise.resolve({ ...DEVICE, identity: `device:${path}` })
    const found = this.#parts.commands.at(path)
    return found ? Promise.resolve(found) : this.#call(path, body)
  }

  #write(path: string, content: string | Uint8Array, options: Encoding, body: (fs: BashFs) => Promise<void>): Promise<void> {
    const encoding = typeof options === 'string' ? options : options?.encoding
    const binary = encoding === 'binary' || encoding === 'latin1'
    if (this.#isDevice(path)) {
      const stream = this.#streamAt(path)
      if (stream) this.#parts.output.write(stream, content, binary)
      return this.#parts.turns.due() ?? Promise.resolve()
    }
    const written = this.#change(path, body)
    // The library opens a file for output by writing an empty string.
    if (content !== '' || !binary) return written
    return written.catch((error: unknown) => {
      this.#parts.refusals.add(path, error)
      throw error
    })
  }

  #change<T>(path: string, body: (fs: BashFs) => Promise<T>): Promise<T> {
    return this.#call(path, async (fs) => {
      await this.#parts.commands.allowChange(path, fs)
      return body(fs)
    })
  }

  async #call<T>(path: string, body: (fs: BashFs) => Promise<T>): Promise<T> {
    const turn = this.#parts.turns.due(CALL_STEPS)
    if (turn) await turn
    if (this.closed) throw new FsError({ code: 'EIO', op: 'use', path, detail: 'the command has been stopped' })
    try {
      return await body(this.#parts.fs)
    } catch (error) {
      throw this.#parts.refusals.failed(path, error)
    }
  }
}
