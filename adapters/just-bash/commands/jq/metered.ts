import { joinBytes } from '../../../../src/ops/bytes.js'
import {
  appended,
  encodeCode,
  encodeSections,
  I32,
  number,
  OP,
  OtherBuild,
  Reader,
  readCode,
  readSections,
  SECTION,
  signed,
} from '../../../shared/wasm-module.js'

/** Number of loop iterations between two checks of the time. Each iteration increments a counter. */
const TURNS = 65_536
/** Index of the import that returns the time: `a.g`, without parameters. */
const TIME_IMPORT = 6

/**
 * Rewrites a WebAssembly module so that its loops call the host's clock regularly. The host ends the program by throwing from that call.
 *
 * @throws {OtherBuild} for instructions that the supported build of jq-wasm does not use
 */
export function metered(module: Uint8Array): Uint8Array {
  // Return invalid modules unchanged, because the compiler reports the error.
  if (module[0] !== 0 || module[1] !== 0x61) return module
  let counter = 0
  const sections = readSections(module).map(({ id, body }) => {
    if (id === SECTION.global) {
      counter = new Reader(body).number()
      return { id, body: appended(body, [I32, MUTABLE, OP.constant, 0, OP.end]) }
    }
    if (id !== SECTION.code) return { id, body }
    const checks = check(counter)
    return { id, body: encodeCode(readCode(body).map((code) => withChecks(code, checks))) }
  })
  return encodeSections(module, sections)
}

const MUTABLE = 1

/** counter = counter + 1; if ((counter & (TURNS - 1)) == 0) time() */
function check(counter: number): Uint8Array {
  const global = number(counter)
  return Uint8Array.of(
    ...[OP.globalGet, ...global, OP.constant, 1, OP.add, OP.globalSet, ...global],
    ...[OP.globalGet, ...global, OP.constant, ...signed(TURNS - 1), OP.and, OP.isZero],
    ...[OP.if, EMPTY, OP.call, ...number(TIME_IMPORT), OP.drop, OP.end],
  )
}

/** Block type of a block without results. */
const EMPTY = 0x40

/** Inserts the check at the start of each loop of a function. */
function withChecks(code: Uint8Array, checks: Uint8Array): Uint8Array {
  const reader = new Reader(code)
  for (let groups = reader.number(); groups > 0; groups--) {
    reader.number()
    reader.byte()
  }
  const parts: Uint8Array[] = []
  let from = 0
  while (!reader.done) {
    const opcode = reader.byte()
    skipImmediates(reader, opcode)
    if (opcode !== OP.loop) continue
    parts.push(code.subarray(from, reader.at), checks)
    from = reader.at
  }
  parts.push(code.subarray(from))
  return joinBytes(parts)
}

/** Number of immediates of each instruction that has the prefix 0xfc. */
const WIDE = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1]

function skipImmediates(reader: Reader, opcode: number): void {
  if ((opcode >= 0x45 && opcode <= 0xc4) || [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(opcode)) return
  if (opcode >= 0x28 && opcode <= 0x3e) reader.skipNumbers(2)
  else if ((opcode >= 0x02 && opcode <= 0x04) || opcode === 0x0c || opcode === 0x0d || opcode === 0x10) reader.skipNumbers(1)
  else if ((opcode >= 0x20 && opcode <= 0x24) || (opcode >= 0x3f && opcode <= 0x42)) reader.skipNumbers(1)
  else if (opcode === 0x11) reader.skipNumbers(2)
  else if (opcode === 0x0e) reader.skipNumbers(reader.number() + 1)
  else if (opcode === 0x43) reader.at += 4
  else if (opcode === 0x44) reader.at += 8
  else {
    const wide = opcode === 0xfc ? WIDE[reader.number()] : undefined
    if (wide === undefined) throw new OtherBuild(`the instruction 0x${opcode.toString(16)} is not known`)
    reader.skipNumbers(wide)
  }
}
