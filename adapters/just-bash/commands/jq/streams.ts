import { type Entry, ERRNO } from './files.js'
import type { Memory } from './memory.js'

/** Thrown out of the program: it has printed more than it may. */
export class TooMuch extends Error {}

/** What it prints, in one growing piece. */
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

  /** @throws {TooMuch} */
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

/** The numbered streams of a program, over its input, its output and files that are only read. */
export class Streams {
  readonly stdout: Printed
  readonly stderr: Printed
  readonly #open = new Map<number, Open>()
  readonly #input: () => Uint8Array
  #next = 3

  /** @param input all of it, asked for when the program first reads */
  constructor(input: () => Uint8Array, most: number) {
    this.stdout = new Printed(most)
    this.stderr = new Printed(most)
    this.#input = input
  }

  open(entry: Entry): number {
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

  close(fd: number): number {
    return this.#open.delete(fd) || fd < 3 ? 0 : ERRNO.EBADF
  }

  /** Into the places that a list in the memory names. */
  read(memory: Memory, fd: number, list: number, count: number, readAt: number): number {
    if (fd === 0 && !this.#open.has(0)) this.#open.set(0, { entry: { kind: 'file', bytes: this.#input() }, at: 0 })
    const stream = this.#open.get(fd)
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
