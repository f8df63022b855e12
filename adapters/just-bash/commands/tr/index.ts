import { Printout } from '../shared/bulk.js'
import { binaryOf } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { command, Failure } from '../shared/failure.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { bytesNamed } from '../shared/text-io.js'
import { ALL, type Part, partsOf } from './sets.js'

export const trCommand: OwnCommand = command('tr', { usage: 'tr [OPTION]... STRING1 [STRING2]' }, run)

const HINT = "Try 'tr --help' for more information."
/** Number of bytes to process between two checks whether to yield to the event loop. */
const SLICE = 1 << 16

/** The operation for each byte. */
interface Plan {
  /** The replacement of each byte. -1 means that the byte is deleted. */
  readonly to: Int16Array
  /** 1 for each byte whose repetitions are squeezed. */
  readonly squeezed: Uint8Array
}

/** Runs `tr`. Like GNU, works on bytes: `ü` counts as two. */
async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('tr', args, 'c|C|complement d|delete s|squeeze-repeats t|truncate-set1', { stopAtOperand: true })
  const plan = planOf(given)
  const pace = new Pace(context)
  const input = await bytesNamed(context, '-')
  const out = new Printout(context)
  const piece = new Uint8Array(SLICE)
  let last = -1
  for (let from = 0; from < input.length; from += SLICE) {
    let length = 0
    for (let at = from; at < Math.min(from + SLICE, input.length); at++) {
      const byte = plan.to[input.charCodeAt(at)] as number
      if (byte < 0 || (byte === last && plan.squeezed[byte])) continue
      piece[length++] = byte
      last = byte
    }
    out.put(binaryOf(piece.subarray(0, length)))
    await pace.turn(SLICE >> 3)
  }
  return { stdout: out.text(), stderr: '', exitCode: 0, stdoutKind: 'bytes' }
}

function planOf(given: Given): Plan {
  const [deletes, squeezes] = [given.has('d'), given.has('s')]
  checkCount(given.operands, deletes, squeezes)
  const [first = [], second] = given.operands.map(partsOf)
  if (first.some(({ kind }) => kind === 'repeat')) throw new Failure('the [c*] repeat construct may not appear in string1')
  const set = membersOf(first, given.has('c'))
  const to = Int16Array.from(ALL)
  const squeezed = new Uint8Array(256)
  if (deletes) for (const byte of set) to[byte] = -1
  else if (second) translate(to, set, second, first, given)
  if (squeezes) for (const byte of second ? expanded(second, 0) : set) squeezed[byte] = 1
  return { to, squeezed }
}

function checkCount(operands: readonly string[], deletes: boolean, squeezes: boolean): void {
  const [first, , third] = operands
  const most = deletes && !squeezes ? 1 : 2
  if (first === undefined) throw new Failure(`missing operand\n${HINT}`)
  if (operands.length === 1 && deletes === squeezes) {
    const why = deletes ? 'deleting and squeezing repeats' : 'translating'
    throw new Failure(`missing operand after '${first}'\nTwo strings must be given when ${why}.\n${HINT}`)
  }
  if (operands.length <= most) return
  const extra = most === 1 ? operands[1] : third
  const why = most === 1 && operands.length === 2 ? '\nOnly one string may be given when deleting without squeezing repeats.' : ''
  throw new Failure(`extra operand '${extra}'${why}\n${HINT}`)
}

/** Returns the members of a set in order, with duplicates. */
function membersOf(parts: readonly Part[], complement: boolean): readonly number[] {
  const members = expanded(parts, 0)
  if (!complement) return members
  const within = new Set(members)
  return ALL.filter((byte) => !within.has(byte))
}

function translate(to: Int16Array, set: readonly number[], second: readonly Part[], first: readonly Part[], given: Given): void {
  const complemented = given.has('c') && first.some(({ kind }) => kind === 'class')
  checkClasses(first, second, given.has('c'))
  const target = expanded(second, set.length)
  if (target.length === 0 && !given.has('t')) throw new Failure('when not truncating set1, string2 must be non-empty')
  if (complemented && new Set(target).size > 1) {
    throw new Failure('when translating with complemented character classes,\nstring2 must map all characters in the domain to one')
  }
  for (const [i, byte] of set.entries()) {
    if (i < target.length) to[byte] = target[i] as number
    else if (!given.has('t')) to[byte] = target.at(-1) as number
  }
}

function checkClasses(first: readonly Part[], second: readonly Part[], complement: boolean): void {
  const isCase = (part: Part | undefined): boolean => part?.kind === 'class' && (part.name === 'upper' || part.name === 'lower')
  if (second.some((part) => part.kind === 'class' && !isCase(part))) {
    throw new Failure("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'")
  }
  if (!second.some(isCase)) return
  const startOf = (parts: readonly Part[], at: number): number => fixedLength(parts.slice(0, at))
  for (const [i, part] of second.entries()) {
    if (!isCase(part)) continue
    const at = startOf(second, i)
    if (complement || !first.some((other, j) => isCase(other) && startOf(first, j) === at)) {
      throw new Failure('misaligned [:upper:] and/or [:lower:] construct')
    }
  }
}

const fixedLength = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + (part.kind === 'repeat' ? (part.count === 'fill' ? 0 : part.count) : part.bytes.length), 0)

/** @param wanted the length up to which `[x*]` fills the set; longer repetitions are cut */
function expanded(parts: readonly Part[], wanted: number): number[] {
  const fixed = fixedLength(parts)
  if (parts.filter((part) => part.kind === 'repeat' && part.count === 'fill').length > 1) {
    throw new Failure('only one [c*] repeat construct may appear in string2')
  }
  return parts.flatMap((part) => {
    if (part.kind !== 'repeat') return [...part.bytes]
    const count = part.count === 'fill' ? Math.max(0, wanted - fixed) : Math.min(part.count, Math.max(1, wanted))
    return new Array<number>(count).fill(part.byte)
  })
}
