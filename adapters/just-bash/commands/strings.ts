import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { OwnCommand } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { eachSource, Report } from './shared/text-io.js'

/** Default of `-n`: minimum number of characters of a string. */
const LEAST = 4
const BASES: Readonly<Record<string, number>> = { o: 8, d: 10, x: 16 }
/** Printable characters for `-e s` (7-bit bytes) and `-e S` (8-bit bytes). */
const CHARS: Readonly<Record<string, RegExp>> = { s: /[\t -~]+/y, S: /[\t -~\x80-\xff]+/y }
const OTHERS: Readonly<Record<string, RegExp>> = { s: /[^\t -~]+/y, S: /[^\t -~\x80-\xff]+/y }

export const stringsCommand: OwnCommand = command('strings', { usage: 'strings [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('strings', args, 'a|all f|print-file-name n|bytes= t|radix= o e|encoding=', { number: 'n' })
  const least = Number(given.value('n') ?? LEAST)
  if (!Number.isInteger(least) || least < 1) throw new Failure(`invalid integer argument ${given.value('n')}`)
  const encoding = given.value('e') ?? 's'
  const [chars, others] = [CHARS[encoding], OTHERS[encoding]]
  if (!chars || !others) throw new Failure(`-e ${encoding} is not supported in this shell: use s or S (one byte per character)`)
  const radix = given.last('t', 'o') === 'o' ? 'o' : given.value('t')
  const base = radix === undefined ? undefined : BASES[radix]
  if (radix !== undefined && base === undefined) throw new Failure(`invalid radix '${radix}': o, d or x`)
  const out = new Printout(context)
  const report = new Report('strings', out)
  const pace = new Pace(context)
  const sources = eachSource(context, given.operands, report, {
    tell: (name, words) => `'${name}': ${words.replace('No such file or directory', 'No such file')}`,
  })
  for await (const { name, data } of sources) {
    const head = given.has('f') ? `${name === '-' ? '{standard input}' : packed(name)}: ` : ''
    for (let at = 0; at < data.length; ) {
      others.lastIndex = at
      at += others.exec(data)?.[0].length ?? 0
      chars.lastIndex = at
      const found = chars.exec(data)?.[0] ?? ''
      if (found.length >= least) out.put(`${head}${base === undefined ? '' : `${at.toString(base).padStart(7)} `}${found}\n`)
      at += found.length
      await pace.turn(1 + (found.length >> 8))
    }
  }
  return report.result(out.text())
})
