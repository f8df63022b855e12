import { Printout } from './shared/bulk.js'
import { textOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { Report } from './shared/text-io.js'

/** Maximum number: finding a factor of a larger number may take too long. */
const MOST = 2n ** 64n

export const factorCommand: OwnCommand = command('factor', { usage: 'factor [OPTION] [NUMBER]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const { operands } = parseOptions('factor', args, 'version')
  const words = operands.length > 0 ? operands : textOf(context.stdin).split(/\s+/).filter(Boolean)
  const out = new Printout(context)
  const report = new Report('factor', out)
  const pace = new Pace(context)
  for (const word of words) {
    const text = /^\s*\+?(\d+)\s*$/.exec(word)?.[1]
    if (text === undefined) report.fail(`'${word}' is not a valid positive integer`)
    else if (BigInt(text) > MOST) report.fail(`'${word}' is too large: numbers up to ${MOST} are factored here`)
    else out.put(`${BigInt(text)}:${(await factorsOf(BigInt(text), pace)).map((factor) => ` ${factor}`).join('')}\n`)
  }
  return report.result(out.text())
}

async function factorsOf(value: bigint, pace: Pace): Promise<bigint[]> {
  const found: bigint[] = []
  let rest = value
  for (let divisor = 2n; divisor < 1000n && rest > 1n; divisor++) {
    while (rest % divisor === 0n) {
      found.push(divisor)
      rest /= divisor
    }
  }
  const open = rest > 1n ? [rest] : []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isPrime(next)) found.push(next)
    else {
      const divisor = await divisorOf(next, pace)
      open.push(divisor, next / divisor)
    }
  }
  return found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let [square, rest] = [base % modulus, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/**
 * Returns whether a number without small divisors is prime (Miller-Rabin test). With these bases, the result is exact for all 64-bit
 * numbers.
 */
function isPrime(value: bigint): boolean {
  if (value < 1_000_000n) return true
  let [odd, twos] = [value - 1n, 0]
  for (; odd % 2n === 0n; odd /= 2n) twos++
  return [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n].every((base) => {
    let x = power(base, odd, value)
    for (let i = 0; i < twos && x !== 1n; i++) {
      if (x === value - 1n) return true
      x = (x * x) % value
      if (i === twos - 1) return false
    }
    return x === 1n && power(base, odd, value) === 1n
  })
}

/** Finds a divisor with Pollard's rho algorithm. */
async function divisorOf(value: bigint, pace: Pace): Promise<bigint> {
  for (let step = 1n; ; step++) {
    let [slow, fast, common] = [2n, 2n, 1n]
    while (common === 1n) {
      slow = (slow * slow + step) % value
      fast = (fast * fast + step) % value
      fast = (fast * fast + step) % value
      common = commonDivisor(slow > fast ? slow - fast : fast - slow, value)
      await pace.turn(10)
    }
    if (common !== value) return common
  }
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y > 0n) [x, y] = [y, x % y]
  return x
}
