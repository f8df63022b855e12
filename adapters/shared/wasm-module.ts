import { joinBytes } from '../../src/ops/bytes.js'
/** The part of WebAssembly's binary format that the patches of QuickJS and jq read and write (core specification 2.0, chapter 5). */
export const I32 = 0x7f
export const I64 = 0x7e
export const REFERENCES = 0x70
export const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, global: 6, element: 9, code: 10 } as const
export const OP = {
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  drop: 0x1a,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  constant: 0x41,
  isZero: 0x45,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x71,
  widen: 0xad,
} as const
const HEADER = 8

/** Thrown for a module that is not the build that a patch was written for. */
export class OtherBuild extends Error {}

export interface Section {
  readonly id: number
  body: Uint8Array
}

export interface WasmModule {
  readonly sections: Section[]
  /** @throws {OtherBuild} if there is no such section */
  section(id: number): Section
  /** The function types, as `parameters>results`. */
  readonly types: readonly string[]
  /** The imported functions, each with its type index. Other imports are omitted. */
  readonly imports: readonly { readonly name: string; readonly type: number }[]
  encode(): Uint8Array
}

export function readModule(bytes: Uint8Array): WasmModule {
  const sections = readSections(bytes)
  const section = (id: number): Section => {
    const found = sections.find((each) => each.id === id)
    if (!found) throw new OtherBuild(`no section ${id}`)
    return found
  }
  return {
    sections,
    section,
    types: readTypes(section(SECTION.type).body),
    imports: readImports(section(SECTION.import).body),
    encode: () => encodeSections(bytes, sections),
  }
}

/** Returns the bytes of each function in a code section. */
export function readCode(body: Uint8Array): Uint8Array[] {
  const reader = new Reader(body)
  return Array.from({ length: reader.number() }, () => reader.bytes(reader.number()))
}

export const encodeCode = (codes: readonly Uint8Array[]): Uint8Array =>
  joinBytes([Uint8Array.from(number(codes.length)), ...codes.flatMap((code) => [Uint8Array.from(number(code.length)), code])])

/** Returns the type index of each function in a function section. */
export function readFunctions(body: Uint8Array): number[] {
  const reader = new Reader(body)
  return Array.from({ length: reader.number() }, () => reader.number())
}

/** Returns the size of the only table. @throws {OtherBuild} if there is not exactly one table of references */
export function readTable(body: Uint8Array): number {
  const reader = new Reader(body)
  if (reader.number() !== 1 || reader.byte() !== REFERENCES) throw new OtherBuild('not one table')
  reader.byte()
  return reader.number()
}

/** Appends an entry to the list of a section, and increments the count at the start of the list. */
export function appended(list: Uint8Array, entry: readonly number[]): Uint8Array {
  const reader = new Reader(list)
  const count = Uint8Array.from(number(reader.number() + 1))
  return joinBytes([count, list.subarray(reader.at), Uint8Array.from(entry)])
}

export function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
}

export function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  return (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40) ? [low] : [low | 0x80, ...signed(rest)]
}

export const fourBytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)

export class Reader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.at++]
    if (byte === undefined) throw new OtherBuild('too short')
    return byte
  }

  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  /** Skips a number of LEB128 integers of any size, signed or not. */
  skipNumbers(count: number): void {
    for (let left = count; left > 0; left--) while (this.byte() >= 0x80);
  }

  bytes(length: number): Uint8Array {
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }
}

export function readSections(bytes: Uint8Array): Section[] {
  const reader = new Reader(bytes)
  reader.bytes(HEADER)
  const sections: Section[] = []
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.bytes(reader.number()) })
  return sections
}

function readTypes(body: Uint8Array): string[] {
  const reader = new Reader(body)
  return Array.from({ length: reader.number() }, () => {
    reader.byte()
    const parameters = [...reader.bytes(reader.number())]
    return `${parameters.join()}>${[...reader.bytes(reader.number())].join()}`
  })
}

function readImports(body: Uint8Array): { readonly name: string; readonly type: number }[] {
  const reader = new Reader(body)
  const functions = []
  for (let left = reader.number(); left > 0; left--) {
    reader.bytes(reader.number())
    const name = new TextDecoder().decode(reader.bytes(reader.number()))
    const kind = reader.byte()
    if (kind === 0) functions.push({ name, type: reader.number() })
    else if (kind === 2) for (let flags = reader.byte(), left = flags & 1 ? 2 : 1; left > 0; left--) reader.number()
    else throw new OtherBuild(`imports of kind ${kind}`)
  }
  return functions
}

/** Encodes a module: the header of `module`, followed by the given sections. */
export function encodeSections(module: Uint8Array, sections: readonly Section[]): Uint8Array {
  return joinBytes([module.subarray(0, HEADER), ...sections.flatMap(({ id, body }) => [Uint8Array.of(id, ...number(body.length)), body])])
}
