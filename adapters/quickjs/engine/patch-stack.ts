import { joinBytes } from '../../../src/ops/bytes.js'
import {
  encodeCode,
  I32,
  I64,
  number,
  OP,
  OtherBuild,
  readCode,
  readFunctions,
  SECTION,
  signed,
  type WasmModule,
} from '../../shared/wasm-module.js'

/**
 * The engine limits only the stack in its own memory. The host has a second stack, for values that WebAssembly keeps outside this memory.
 * If the host's stack overflows, the program ends without an error that it can catch. A worker of Chromium has only 0.5 MB. Depending on
 * the compiler, one level of recursion takes 4 to 40 times as much of the host's stack as the engine counts. This patch makes recursive
 * functions take `bytes` more of the engine's stack, so that the engine's limit is always reached first.
 */
interface Deep {
  /** Length of the code in bytes. Length and type identify the function, because the build has no names. */
  readonly length: number
  readonly type: string
  readonly bytes: number
  /**
   * Size in bytes of the function's own stack frame, which is enlarged. If absent, a wrapper replaces the function at its index. The
   * wrapper lowers the stack pointer, calls the function, which moves to the end of the code, and restores the pointer.
   */
  readonly frame?: number
}

const type = (parameters: string, result: string): string => `${[...parameters].map(codeOf).join()}>${codeOf(result)}`
const codeOf = (letter: string): number => (letter === 'L' ? I64 : I32)

/** Recursive functions of quickjs-emscripten 0.32. `test/adapters/quickjs-deep.ts` tests each. */
const DEEP: Readonly<Record<string, Deep>> = {
  'calls of functions': { type: type('iLLLiii', 'L'), length: 28_980, bytes: 64, frame: 160 },
  'JSON.stringify': { type: type('iiLL', 'i'), length: 1898, bytes: 80 },
  'JSON.parse': { type: type('i', 'L'), length: 770, bytes: 64 },
  'a generator or async function that goes on': { type: type('ii', 'L'), length: 221, bytes: 112 },
  'flattening arrays': { type: type('iLLLLiLL', 'L'), length: 461, bytes: 160 },
  'values to primitives': { type: type('iLi', 'L'), length: 392, bytes: 192 },
  'toLocaleString of arrays': { type: type('iL', 'L'), length: 48, bytes: 128 },
  'proxies of proxies': { type: type('iLL', 'i'), length: 240, bytes: 96 },
  'calls of proxies': { type: type('iLLiii', 'L'), length: 463, bytes: 64 },
  'constructors of derived classes': { type: type('iLLiii', 'L'), length: 283, bytes: 64 },
  'iterators of iterables': { type: type('iLL', 'L'), length: 65, bytes: 96 },
  'patterns in patterns': { type: type('ii', 'i'), length: 220, bytes: 128 },
  'unary expressions': { type: type('ii', 'i'), length: 1352, bytes: 768 },
  'assignments and arrow functions': { type: type('ii', 'i'), length: 2011, bytes: 128 },
  'functions in functions': { type: type('iiiiii', 'i'), length: 3083, bytes: 256 },
}

/** The first global of the engine is its stack pointer. */
const POINTER = [0]

/** @throws {OtherBuild} before anything is changed */
export function patchStack({ types, imports, section }: WasmModule): void {
  const [functions, code] = [section(SECTION.function), section(SECTION.code)]
  const numbers = readFunctions(functions.body)
  const codes = readCode(code.body)
  const found = Object.entries(DEEP).map(([what, deep]) => {
    const places = [...codes.keys()].filter((at) => codes[at]?.length === deep.length && types[numbers[at] ?? -1] === deep.type)
    const [at] = places
    if (at === undefined || places.length > 1) throw new OtherBuild(what)
    return { at, ...deep }
  })
  for (const { at, type, bytes, frame } of found) {
    if (frame !== undefined) {
      codes[at] = widened(codes[at] as Uint8Array, frame, bytes)
      continue
    }
    const moved = imports.length + codes.length
    numbers.push(numbers[at] as number)
    codes.push(codes[at] as Uint8Array)
    codes[at] = Uint8Array.from(deeper(type.split('>')[0]?.split(',').length ?? 0, bytes, moved))
  }
  functions.body = Uint8Array.from([...number(numbers.length), ...numbers.flatMap(number)])
  code.body = encodeCode(codes)
}

function deeper(parameters: number, bytes: number, called: number): number[] {
  const move = (operation: number): number[] => [
    OP.globalGet,
    ...POINTER,
    OP.constant,
    ...signed(bytes),
    operation,
    OP.globalSet,
    ...POINTER,
  ]
  const given = Array.from({ length: parameters }, (_, local) => [OP.localGet, ...number(local)]).flat()
  return [0, ...move(OP.subtract), ...given, OP.call, ...number(called), ...move(OP.add), OP.end]
}

/** Enlarges the stack frame: lowers the pointer by more at the start, and raises it by the same amount at the end. */
function widened(code: Uint8Array, frame: number, bytes: number): Uint8Array {
  const down = (size: number): number[] => [OP.globalGet, ...POINTER, OP.constant, ...signed(size), OP.subtract]
  const back = (size: number): number[] => [OP.constant, ...signed(size), OP.add, OP.globalSet, ...POINTER]
  return replaced(replaced(code, down(frame), down(frame + bytes)), back(frame), back(frame + bytes))
}

function indexOf(code: Uint8Array, bytes: readonly number[], from = 0): number {
  const [first = 0] = bytes
  for (let at = code.indexOf(first, from); at >= 0; at = code.indexOf(first, at + 1))
    if (bytes.every((byte, index) => code[at + index] === byte)) return at
  return -1
}

/** @throws {OtherBuild} unless `from` occurs exactly once */
function replaced(code: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array {
  const at = indexOf(code, from)
  if (at < 0 || indexOf(code, from, at + 1) >= 0) throw new OtherBuild('another frame')
  return joinBytes([code.subarray(0, at), Uint8Array.from(to), code.subarray(at + from.length)])
}
