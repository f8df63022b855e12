import { Failure } from '../shared/failure.js'
import { checkChoice, type Given, parseOptions } from '../shared/options.js'

export const GREP_OPTIONS: string =
  'E|extended-regexp F|fixed-strings G|basic-regexp P|perl-regexp e|regexp= f|file= i|y|ignore-case no-ignore-case v|invert-match w|word-regexp ' +
  'x|line-regexp c|count l|files-with-matches L|files-without-match m|max-count= o|only-matching q|quiet|silent s|no-messages ' +
  'n|line-number b|byte-offset H|with-filename h|no-filename label= Z|null z|null-data r|recursive R|dereference-recursive ' +
  'include= exclude= exclude-dir= exclude-from= color|colour=? A|after-context= B|before-context= C|context= a|text I binary-files= U|binary ' +
  'line-buffered group-separator= no-group-separator T|initial-tab d|directories= D|devices= u'

export interface GrepOptions {
  readonly given: Given
  readonly syntax: 'basic' | 'extended' | 'fixed' | 'perl'
  readonly before: number
  readonly after: number
  readonly max: number
  readonly color: boolean
}

/** @throws {Failure} with status 2 for invalid options */
export function readOptions(name: string, args: readonly string[]): GrepOptions {
  const given = parseOptions(name, args, GREP_OPTIONS, {
    status: 2,
    number: 'C',
    hint: `Usage: ${name} [OPTION]... PATTERNS [FILE]...\nTry '${name} --help' for more information.`,
  })
  checkChoice(given, ['d', '--directories'], 'read recurse skip')
  checkChoice(given, ['D', '--devices'], 'read skip', 2)
  checkChoice(given, ['binary-files', '--binary-files'], 'binary text without-match', 2)
  const kind = given.last('E', 'F', 'G', 'P') ?? (name === 'egrep' ? 'E' : name === 'fgrep' ? 'F' : 'G')
  const around = numberOf(given, 'C') ?? 0
  const color = given.value('color')
  return {
    given,
    syntax: ({ E: 'extended', F: 'fixed', G: 'basic', P: 'perl' } as const)[kind as 'E'],
    before: numberOf(given, 'B') ?? around,
    after: numberOf(given, 'A') ?? around,
    max: numberOf(given, 'm') ?? Number.POSITIVE_INFINITY,
    color: color === 'always' || color === 'yes' || color === 'force',
  }
}

function numberOf(given: Given, id: string): number | undefined {
  const value = given.value(id)
  if (value === undefined) return undefined
  if (!/^-?\d+$/.test(value)) throw new Failure(`${value}: invalid ${id === 'm' ? 'max count' : 'context length argument'}`, 2)
  return Number(value) < 0 ? Number.POSITIVE_INFINITY : Number(value)
}
