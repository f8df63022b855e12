import { type Entry, ERRNO } from './files.js'
import type { Memory } from './memory.js'

/** Thrown to end the program when its output exceeds the limit. */
export class TooMuch extends Error {}

/** An output stream, buffered in one growing array. */
export class Printed {
  #bytes = new Uint8Array(4096)
  #length = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  get length(): number {
    return this.#length
  }

  /** @throws {TooMuch} if the output exceeds the limit */
  push(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2))
      bytes.set(this.bytes)
      this.#bytes = bytes
    }
    this.#bytes.set(piece, this.#length)
    this.#length = length
    if (length > this.#most) throw new TooMuch()
  }
}

type Open = { readonly entry: Entry; at: number }

/** File names that stand for standard input. */
const INPUT_NAMES = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** Consecutive output of both streams. `stdout` precedes `stderr`. */
export interface Piece {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** Size of the output buffer of GNU's C library. Standard error has no buffer. */
const BLOCK_BYTES = 4096

/** The program's file descriptors: standard input, output and error, and read-only files. */
export class Streams {
  readonly stdout: Printed
  readonly stderr: Printed
  /** Where error output belongs: after `at` bytes of standard output, the errors up to `end` follow. */
  readonly #errors: { readonly at: number; end: number }[] = []
  readonly #open = new Map<number, Open>()
  readonly #input: () => Uint8Array
  #next = 3

  /** @param input returns the whole input; called when the program first reads */
  constructor(input: () => Uint8Array, most: number) {
    this.stdout = new Printed(most)
    this.stderr = new Printed(most)
    this.#input = input
  }

  /** @param found looks up a file; not called for names of standard input */
  open(name: string, found: (name: string) => Entry): number {
    if (INPUT_NAMES.has(name)) {
      this.#open.set(this.#next, this.#ownInput())
      return this.#next++
    }
    const entry = found(name)
    if (entry.kind === 'none') return -entry.errno
    this.#open.set(this.#next, { entry, at: 0 })
    return this.#next++
  }

  entryOf(fd: number): Entry | undefined {
    return this.#open.get(fd)?.entry
  }

  isOpen(fd: number): boolean {
    return fd < 3 || this.#open.has(fd)
  }

  get pieces(): readonly Piece[] {
    let [out, error] = [0, 0]
    const pieces = this.#errors.map(({ at, end }): Piece => {
      const piece = { stdout: this.stdout.bytes.subarray(out, at), stderr: this.stderr.bytes.subarray(error, end) }
      out = at
      error = end
      return piece
    })
    return [...pieces, { stdout: this.stdout.bytes.subarray(out), stderr: this.stderr.bytes.subarray(error) }]
  }

  #noteErrors(): void {
    const at = this.stdout.length - (this.stdout.length % BLOCK_BYTES)
    const last = this.#errors.at(-1)
    if (last?.at === at) last.end = this.stderr.length
    else this.#errors.push({ at, end: this.stderr.length })
  }

  /** Returns the stream for standard input. All names of standard input share its position. */
  #ownInput(): Open {
    const open = this.#open.get(0) ?? { entry: { kind: 'file', bytes: this.#input() }, at: 0 }
    this.#open.set(0, open)
    return open
  }

  close(fd: number): number {
    return this.#open.delete(fd) || fd < 3 ? 0 : ERRNO.EBADF
  }

  /** Reads into the buffers that an iovec list in memory describes. */
  read(memory: Memory, fd: number, list: number, count: number, readAt: number): number {
    const stream = fd === 0 ? this.#ownInput() : this.#open.get(fd)
    if (!stream) return ERRNO.EBADF
    if (stream.entry.kind !== 'file') return ERRNO.EISDIR
    let total = 0
    for (const [at, length] of places(memory, list, count)) {
      const piece = stream.entry.bytes.subarray(stream.at, stream.at + length)
      memory.put(at, piece)
      stream.at += piece.length
      total += piece.length
      if (piece.length < length) break
    }
    memory.view.setUint32(readAt, total, true)
    return 0
  }

  write(memory: Memory, fd: number, list: number, count: number, writtenAt: number): number {
    const to = fd === 1 ? this.stdout : fd === 2 ? this.stderr : undefined
    if (!to) return ERRNO.EBADF
    let total = 0
    for (const [at, length] of places(memory, list, count)) {
      to.push(memory.bytes(at, length))
      total += length
    }
    if (fd === 2) this.#noteErrors()
    memory.view.setUint32(writtenAt, total, true)
    return 0
  }
}

function* places(memory: Memory, list: number, count: number): Generator<readonly [number, number]> {
  for (let i = 0; i < count; i++) {
    const { view } = memory
    yield [view.getUint32(list + i * 8, true), view.getUint32(list + i * 8 + 4, true)]
  }
}
