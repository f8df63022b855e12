import { blake2b } from '@noble/hashes/blake2.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Printout } from './shared/bulk.js'
import { bytesOf, packed, textOfBytes } from './shared/bytes.js'
import { type CommandContext, failed, type OwnCommand, type OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace, Stopped } from './shared/pace.js'
import { Report } from './shared/text-io.js'

const SPECS = 'b|binary c|check t|text tag z|zero ignore-missing quiet status strict w|warn'

/** Hash functions by algorithm. `--tag` prints the same names without the hyphen. */
const HASHES = { MD5: md5, 'SHA-1': sha1, 'SHA-224': sha224, 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512, BLAKE2b: blake2b }
type Digest = keyof typeof HASHES
const digitsOf = (algorithm: Digest): number => HASHES[algorithm].outputLen * 2

function checksum(name: string, algorithm: Digest): OwnCommand {
  const whole: Sum = { name, tag: algorithm.replace('-', ''), digits: digitsOf(algorithm), algorithm }
  return command(name, { usage: `${name} [OPTION]... [FILE]...` }, async (args, context) => {
    const given = parseOptions(name, args, algorithm === 'BLAKE2b' ? `${SPECS} l|length=` : SPECS)
    const sum = shortened(whole, given.value('l') ?? '0')
    const names = given.operands.length > 0 ? given.operands : ['-']
    return given.has('c') ? check(sum, given, names, context) : print(sum, given, names, context)
  })
}

const SHA: Readonly<Record<string, Digest>> = { 1: 'SHA-1', 224: 'SHA-224', 256: 'SHA-256', 384: 'SHA-384', 512: 'SHA-512' }

/** Perl's `shasum`, where `-a` selects the algorithm. */
const shasumCommand = command('shasum', { usage: 'shasum [-a 1|224|256|384|512] [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('shasum', args, `${SPECS} a|algorithm=`)
  const names = given.operands.length > 0 ? given.operands : ['-']
  const algorithm = given.has('c') && !given.has('a') ? await listed(names[0] as string, context) : SHA[given.value('a') ?? '1']
  if (!algorithm) throw new Failure(`Unrecognized algorithm: ${given.value('a')}`)
  const sum: Sum = { name: 'shasum', tag: algorithm.replace('-', ''), digits: digitsOf(algorithm), algorithm }
  return given.has('c') ? check(sum, given, names, context) : print(sum, given, names, context)
})

/** Detects the SHA variant of a checksum list by the length of its first sum. Default: SHA-1. */
async function listed(name: string, context: CommandContext): Promise<Digest> {
  const text = await contentOf(name, context).then(textOfBytes, () => '')
  const digits = /^\\?([\da-f]+) /im.exec(text)?.[1]?.length
  return Object.values(SHA).find((each) => digitsOf(each) === digits) ?? 'SHA-1'
}

export const checksumCommands: readonly OwnCommand[] = [
  checksum('md5sum', 'MD5'),
  checksum('sha1sum', 'SHA-1'),
  checksum('sha224sum', 'SHA-224'),
  checksum('sha256sum', 'SHA-256'),
  checksum('sha384sum', 'SHA-384'),
  checksum('sha512sum', 'SHA-512'),
  checksum('b2sum', 'BLAKE2b'),
  shasumCommand,
]

/** Shortens a sum to `length` bits (`b2sum -l`). */
function shortened(sum: Sum, length: string): Sum {
  const bits = Number(length)
  if (bits === 0) return sum
  if (!/^\d+$/.test(length) || bits % 8 !== 0) throw new Failure(`invalid length: '${length}'\n${sum.name}: length is not a multiple of 8`)
  if (bits > 512) throw new Failure(`invalid length: '${length}'\n${sum.name}: maximum digest length for 'BLAKE2b' is 512 bits`)
  return { ...sum, digits: bits / 4, tag: `${sum.tag}-${bits}` }
}

interface Sum {
  readonly name: string
  readonly tag: string
  readonly digits: number
  readonly algorithm: Digest
}

async function print(sum: Sum, given: Given, names: readonly string[], context: CommandContext): Promise<OwnResult> {
  const idle = given.last('ignore-missing', 'quiet', 'status', 'strict', 'w')
  if (idle) throw new Failure(`the --${idle === 'w' ? 'warn' : idle} option is meaningful only when verifying checksums`)
  const out = new Printout(context)
  const report = new Report(sum.name, out)
  const pace = new Pace(context)
  const end = given.has('z') ? '\0' : '\n'
  for (const name of names) {
    try {
      const hash = await hashOf(sum, name, context, pace)
      const escaped = !given.has('z') && /[\\\n\r]/.test(name)
      const shown = escaped ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : name
      const line = given.has('tag') ? `${sum.tag} (${shown}) = ${hash}` : `${hash} ${given.last('b', 't') === 'b' ? '*' : ' '}${shown}`
      out.put(packed(`${escaped ? '\\' : ''}${line}${end}`))
    } catch (error) {
      report.fail(`${name}: ${wordsOf(error)}`)
    }
  }
  return report.result(out.text())
}

interface Counts {
  mismatched: number
  unreadable: number
  malformed: number
  good: number
}

async function check(sum: Sum, given: Given, names: readonly string[], context: CommandContext): Promise<OwnResult> {
  const out = new Printout(context)
  const report = new Report(sum.name, out)
  const pace = new Pace(context)
  const silent = given.has('status')
  const tell = (file: string, verdict: string): void => void (silent || out.put(packed(`${file}: ${verdict}\n`)))
  const counts: Counts = { mismatched: 0, unreadable: 0, malformed: 0, good: 0 }
  for (const list of names) {
    const text = await contentOf(list, context).then(textOfBytes, (error) => failureOf(list, error))
    if (text instanceof Failure) return failed(`${sum.name}: ${text.message}\n`)
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const entry = readLine(sum, line)
      if (!entry) {
        counts.malformed++
        continue
      }
      const actual = await hashOf({ ...sum, digits: entry.hash.length }, entry.file, context, pace).catch((error: unknown) =>
        failureOf(entry.file, error),
      )
      if (actual instanceof Failure) {
        if (given.has('ignore-missing') && /No such file/.test(actual.message)) continue
        counts.unreadable++
        report.fail(actual.message)
        tell(entry.file, 'FAILED open or read')
      } else if (actual === entry.hash.toLowerCase()) {
        counts.good++
        if (!given.has('quiet')) tell(entry.file, 'OK')
      } else {
        counts.mismatched++
        tell(entry.file, 'FAILED')
      }
    }
    if (counts.good + counts.mismatched + counts.unreadable === 0 && counts.malformed > 0) {
      report.fail(`${list}: no properly formatted checksum lines found`)
      return report.result(out.text())
    }
  }
  const bad = counts.mismatched + counts.unreadable + (given.has('strict') ? counts.malformed : 0)
  if (!silent) report.say(warnings(sum, counts))
  return report.result(out.text(), bad > 0 ? 1 : 0)
}

function warnings({ name }: Sum, { malformed, unreadable, mismatched }: Counts): string {
  const many = (count: number, one: string, more: string): string =>
    count === 0 ? '' : `${name}: WARNING: ${count} ${count === 1 ? one : more}\n`
  return (
    many(malformed, 'line is improperly formatted', 'lines are improperly formatted') +
    many(unreadable, 'listed file could not be read', 'listed files could not be read') +
    many(mismatched, 'computed checksum did NOT match', 'computed checksums did NOT match')
  )
}

interface Listed {
  readonly hash: string
  readonly file: string
}

function readLine({ tag, digits, algorithm }: Sum, line: string): Listed | undefined {
  const plain = /^\\?([0-9a-fA-F]+) [ *](.+)$/.exec(line)
  const tagged = /^\\?([\w-]+) \((.+)\) = ([0-9a-fA-F]+)$/.exec(line)
  const isLengthy = algorithm === 'BLAKE2b'
  const isOurs = tagged?.[1] === tag || (isLengthy && tagged?.[1]?.replace(/-\d+$/, '') === tag)
  const [hash, name] = plain ? [plain[1], plain[2]] : isOurs ? [tagged?.[3], tagged?.[2]] : []
  if (hash === undefined || name === undefined) return undefined
  if (isLengthy ? hash.length > digits || hash.length % 2 === 1 : hash.length !== digits) return undefined
  const file = line.startsWith('\\') ? name.replace(/\\([nr\\])/g, (_, letter) => ({ n: '\n', r: '\r' })[letter as string] ?? '\\') : name
  return { hash, file }
}

/** Returns the message for an error. @throws {Stopped} if the script was stopped, which ends the command */
function wordsOf(error: unknown): string {
  if (error instanceof Stopped) throw error
  return error instanceof Failure ? error.message : errorWords(error)
}
const failureOf = (name: string, error: unknown): Failure => new Failure(`${name}: ${wordsOf(error)}`)

async function contentOf(name: string, context: CommandContext): Promise<Uint8Array> {
  return name === '-' ? bytesOf(context.stdin) : context.fs.readFileBuffer(pathOf(context, name))
}

/** Number of bytes to process between two checks whether to yield to the event loop. */
const TURN = 64 * 1024
/** Approximate microseconds for opening a file. */
const FILE_STEPS = 20

async function hashOf({ algorithm, digits }: Sum, name: string, context: CommandContext, pace: Pace): Promise<string> {
  const bytes = await contentOf(name, context)
  await pace.turn(FILE_STEPS)
  const hash = algorithm === 'BLAKE2b' ? blake2b.create({ dkLen: digits / 2 }) : HASHES[algorithm].create()
  for (let at = 0; at < bytes.length; at += TURN) {
    hash.update(bytes.subarray(at, at + TURN))
    await pace.turn(TURN / 100)
  }
  return bytesToHex(hash.digest())
}
