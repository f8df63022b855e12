/** What each turn of a loop does: counts, and asks the host for the time once in so many turns, which may throw. */
const TURNS = 65_536
/** The import that gives the time: `a.g`, of no arguments. */
const TIME_IMPORT = 6

const GLOBALS = 6
const CODE = 10

/**
 * A WebAssembly module whose loops look at the clock: what the host throws there ends the program.
 *
 * @throws for instructions that the build of jq-wasm which we know does not have
 */
export function metered(module: Uint8Array): Uint8Array {
  // What is none is for the compiler to say.
  if (module[0] !== 0 || module[1] !== 0x61) return module
  const source = new Reader(module)
  const parts: Uint8Array[] = [module.subarray(0, 8)]
  source.at = 8
  let counter = 0
  while (source.at < module.length) {
    const id = module[source.at++] as number
    const body = source.take(source.number())
    const inner = new Reader(body)
    if (id !== GLOBALS && id !== CODE) {
      parts.push(section(id, [body]))
      continue
    }
    const count = inner.number()
    if (id === GLOBALS) {
      counter = count
      // One more: i32, mutable, 0.
      parts.push(section(id, [encoded(count + 1), body.subarray(inner.at), Uint8Array.of(0x7f, 1, 0x41, 0, 0x0b)]))
      continue
    }
    const bodies: Uint8Array[] = [encoded(count)]
    for (let left = count; left > 0; left--) bodies.push(...withChecks(inner.take(inner.number()), check(counter)))
    parts.push(section(id, bodies))
  }
  return joined(parts)
}

/** counter = counter + 1; if ((counter & (TURNS - 1)) == 0) time() */
function check(counter: number): Uint8Array {
  const global = encoded(counter)
  return joined([
    ...[Uint8Array.of(0x23), global, Uint8Array.of(0x41, 1, 0x6a, 0x24), global, Uint8Array.of(0x23), global],
    ...[Uint8Array.of(0x41), encoded(TURNS - 1), Uint8Array.of(0x71, 0x45, 0x04, 0x40, 0x10), encoded(TIME_IMPORT)],
    Uint8Array.of(0x1a, 0x0b),
  ])
}

const LOOP = 0x03

/** A function with its length, and the check at the beginning of each loop. */
function withChecks(code: Uint8Array, checks: Uint8Array): Uint8Array[] {
  const reader = new Reader(code)
  for (let groups = reader.number(); groups > 0; groups--) {
    reader.number()
    reader.at++
  }
  const parts: Uint8Array[] = []
  let from = 0
  while (reader.at < code.length) {
    const opcode = code[reader.at++] as number
    skipImmediates(reader, opcode)
    if (opcode !== LOOP) continue
    parts.push(code.subarray(from, reader.at), checks)
    from = reader.at
  }
  parts.push(code.subarray(from))
  return [encoded(parts.reduce((sum, { length }) => sum + length, 0)), ...parts]
}

/** How many numbers follow each instruction of the prefix 0xfc. */
const WIDE = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1]

function skipImmediates(reader: Reader, opcode: number): void {
  if ((opcode >= 0x45 && opcode <= 0xc4) || [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(opcode)) return
  if (opcode >= 0x28 && opcode <= 0x3e) reader.skip(2)
  else if ((opcode >= 0x02 && opcode <= 0x04) || opcode === 0x0c || opcode === 0x0d || opcode === 0x10) reader.skip(1)
  else if ((opcode >= 0x20 && opcode <= 0x24) || (opcode >= 0x3f && opcode <= 0x42)) reader.skip(1)
  else if (opcode === 0x11) reader.skip(2)
  else if (opcode === 0x0e) reader.skip(reader.number() + 1)
  else if (opcode === 0x43) reader.at += 4
  else if (opcode === 0x44) reader.at += 8
  else {
    const wide = opcode === 0xfc ? WIDE[reader.number()] : undefined
    if (wide === undefined) throw new Error(`the instruction 0x${opcode.toString(16)} is not known`)
    reader.skip(wide)
  }
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** An unsigned number (LEB128). */
  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  /** Numbers of any kind. */
  skip(numbers: number): void {
    for (let left = numbers; left > 0; left--) while ((this.#bytes[this.at++] as number) >= 0x80);
  }

  take(length: number): Uint8Array {
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }
}

/** LEB128; the numbers here are the same signed and unsigned, where the last byte is below 0x40. */
function encoded(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.of(...bytes, rest)
    bytes.push((rest & 0x7f) | 0x80)
  }
}

function section(id: number, parts: readonly Uint8Array[]): Uint8Array {
  const body = joined(parts)
  return joined([Uint8Array.of(id), encoded(body.length), body])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
