/**
 * The published engine tells nobody of a promise that is rejected and that nobody handles: its function for that can be set from C only.
 * One function more is put into its table, which hands what it is told to a function that the engine imports anyway (`localtime`, whose
 * second argument is an address and never one of these).
 */
export const TELLS = { promise: -1, reason: -2, handled: -3 } as const

/** Name of a section of the patched module that holds nothing but the place in the table, in four bytes. */
const MARK = 'toolport-rejections'

const I32 = 0x7f
const I64 = 0x7e
const REFERENCES = 0x70
const SECTION = { custom: 0, type: 1, import: 2, function: 3, table: 4, element: 9, code: 10 }
/** The import's name in the engine's build: `_localtime_js`. */
const IMPORT = 'm'

/** Where the function lies in the table of a patched engine; undefined for one as it is published. */
export function placeInTable(module: WebAssembly.Module): number | undefined {
  const [mark] = WebAssembly.Module.customSections(module, MARK)
  return mark && new DataView(mark).getUint32(0, true)
}

/** The engine with that function; as it is, where it is another build. */
export function patchEngine(bytes: Uint8Array): Uint8Array {
  try {
    return patched(bytes)
  } catch {
    return bytes
  }
}

interface Section {
  readonly id: number
  body: Uint8Array
}

function patched(bytes: Uint8Array): Uint8Array {
  const sections = readSections(bytes)
  const body = (id: number): Section => {
    const found = sections.find((section) => section.id === id)
    if (!found) throw new Error(`no section ${id}`)
    return found
  }
  const types = readTypes(body(SECTION.type).body)
  const imports = readImports(body(SECTION.import).body)
  const teller = imports.findIndex(({ name, type }) => name === IMPORT && types[type] === `${I64},${I32}>`)
  const type = types.indexOf(`${I32},${I64},${I64},${I32},${I32}>`)
  const table = body(SECTION.table)
  const place = readTable(table.body)
  if (teller < 0 || type < 0) throw new Error('another build')

  const functions = body(SECTION.function)
  const index = imports.length + new Reader(functions.body).number()
  functions.body = appended(functions.body, number(type))
  table.body = Uint8Array.of(1, REFERENCES, 0, ...number(place + 1))
  body(SECTION.element).body = appended(body(SECTION.element).body, [0, 0x41, ...signed(place), 0x0b, 1, ...number(index)])
  body(SECTION.code).body = appended(body(SECTION.code).body, tellerCode(teller))
  sections.push({ id: SECTION.custom, body: Uint8Array.of(MARK.length, ...new TextEncoder().encode(MARK), ...fourBytes(place)) })
  return join(bytes.subarray(0, 8), sections)
}

/** `(context, promise, reason, handled, opaque)`: three calls. */
function tellerCode(teller: number): number[] {
  const [get, constant, call, widen, end] = [0x20, 0x41, 0x10, 0xad, 0x0b]
  const tell = (local: number[], mark: number): number[] => [get, ...local, constant, ...signed(mark), call, ...number(teller)]
  const code = [0, ...tell([1], TELLS.promise), ...tell([2], TELLS.reason), ...tell([3, widen], TELLS.handled), end]
  return [...number(code.length), ...code]
}

class Reader {
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
    if (byte === undefined) throw new Error('too short')
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

  bytes(length: number): Uint8Array {
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }
}

function readSections(bytes: Uint8Array): Section[] {
  const reader = new Reader(bytes)
  reader.bytes(8)
  const sections: Section[] = []
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.bytes(reader.number()) })
  return sections
}

/** As `parameters>results`. */
function readTypes(body: Uint8Array): string[] {
  const reader = new Reader(body)
  return Array.from({ length: reader.number() }, () => {
    reader.byte()
    const parameters = [...reader.bytes(reader.number())]
    return `${parameters.join()}>${[...reader.bytes(reader.number())].join()}`
  })
}

/** Of the functions. */
function readImports(body: Uint8Array): { readonly name: string; readonly type: number }[] {
  const reader = new Reader(body)
  const functions = []
  for (let left = reader.number(); left > 0; left--) {
    reader.bytes(reader.number())
    const name = new TextDecoder().decode(reader.bytes(reader.number()))
    const kind = reader.byte()
    if (kind === 0) functions.push({ name, type: reader.number() })
    else if (kind === 2) for (let flags = reader.byte(), left = flags & 1 ? 2 : 1; left > 0; left--) reader.number()
    else throw new Error('another build')
  }
  return functions
}

/** Its size. */
function readTable(body: Uint8Array): number {
  const reader = new Reader(body)
  if (reader.number() !== 1 || reader.byte() !== REFERENCES) throw new Error('another build')
  reader.byte()
  return reader.number()
}

/** One more entry of a list. */
function appended(list: Uint8Array, entry: readonly number[]): Uint8Array {
  const reader = new Reader(list)
  const count = number(reader.number() + 1)
  const rest = list.subarray(reader.at)
  const bytes = new Uint8Array(count.length + rest.length + entry.length)
  bytes.set(count)
  bytes.set(rest, count.length)
  bytes.set(entry, count.length + rest.length)
  return bytes
}

function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  return (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40) ? [low] : [low | 0x80, ...signed(rest)]
}

const fourBytes = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)

function join(head: Uint8Array, sections: readonly Section[]): Uint8Array {
  const parts = [head, ...sections.flatMap(({ id, body }) => [Uint8Array.of(id, ...number(body.length)), body])]
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
