import { Failure } from '../shared/failure.js'
import { Given, type GivenOption, parseOptions } from '../shared/options.js'

const OPTIONS =
  'e|regexp= f|file= i|ignore-case s|case-sensitive S|smart-case F|fixed-strings w|word-regexp x|line-regexp v|invert-match P|pcre2 ' +
  'r|replace= c|count count-matches include-zero l|files-with-matches files-without-match files o|only-matching m|max-count= q|quiet ' +
  'n|line-number N|no-line-number H|with-filename I|no-filename 0|null b|byte-offset A|after-context= B|before-context= C|context= ' +
  'context-separator= no-context-separator g|glob= t|type= T|type-not= type-list L|follow u|unrestricted a|text .|hidden no-hidden ' +
  'no-ignore no-ignore-vcs no-require-git max-depth|maxdepth= sort= color= no-heading no-messages no-config line-buffered j|threads= mmap no-mmap ' +
  'column! vimgrep! json! U|multiline! z|search-zip! heading! p|pretty! passthru! stats! trim! M|max-columns=! sortr=! iglob=! type-add=! ' +
  'pre=! E|encoding=! ignore-file=! max-filesize=!'

const INSTEAD: Readonly<Record<string, string>> = {
  U: 'use grep -Pzo',
  z: 'use zgrep',
  json: 'use -n',
  vimgrep: 'use -n',
  column: 'use -n or -b',
  heading: 'leave it out',
  p: 'use -n',
  passthru: "use -e '' -e PATTERN, or sed",
  stats: 'use --count-matches',
  trim: "pipe the output into sed 's/:[[:space:]]*/:/'",
  M: 'pipe the output into cut -c',
  sortr: 'pipe the output into sort -r',
  iglob: 'use -g with [Aa]',
  'type-add': 'use -g',
  pre: 'run the command first',
  E: 'use iconv on a machine that has it; this shell reads UTF-8',
  'ignore-file': 'use -g with !',
  'max-filesize': 'use find -size',
}

/** @throws {Failure} with status 2 for invalid options */
export function readOptions(args: readonly string[]): Given {
  const given = parseOptions('rg', args, OPTIONS, { status: 2, hint: '' })
  const refused = given.options.find(({ id }) => Object.hasOwn(INSTEAD, id))
  if (refused) {
    const shown = refused.id.length === 1 ? `-${refused.id}` : `--${refused.id}`
    throw new Failure(`${shown} is not supported in this shell: ${INSTEAD[refused.id]}`, 2)
  }
  if (/^(?:always|ansi)$/.test(given.value('color') ?? ''))
    throw new Failure('--color=always is not supported in this shell: leave it out', 2)
  if (!/^(?:path|none)$/.test(given.value('sort') ?? 'path'))
    throw new Failure('--sort is not supported in this shell, except --sort=path: use ls -t, or find -printf', 2)
  return given
}

/** @throws {Failure} with status 2 if the value is not a number */
export function numberOf(given: Given, id: string): number | undefined {
  const value = given.value(id)
  if (value !== undefined && !/^\d+$/.test(value)) throw new Failure(`invalid number '${value}' for --${id}`, 2)
  return value === undefined ? undefined : Number(value)
}

/** Maps options of ripgrep to options of grep, whose code prints the lines. */
const NAMES: Readonly<Record<string, string>> = {
  0: 'Z',
  A: 'A',
  B: 'B',
  C: 'C',
  b: 'b',
  'context-separator': 'group-separator',
  'no-context-separator': 'no-group-separator',
  o: 'o',
  q: 'q',
  v: 'v',
}
const LISTS: Readonly<Record<string, string>> = { c: 'c', 'count-matches': 'o', l: 'l', 'files-without-match': 'L' }

/** Converts the options to options of grep that give the same output. */
export function asGrep(given: Given, lists: string | undefined): Given {
  const options = given.options.flatMap(({ id, value }): GivenOption[] => (NAMES[id] ? [{ id: NAMES[id], value }] : []))
  if (given.last('n', 'N') === 'n') options.push({ id: 'n', value: undefined })
  if (lists !== undefined) options.push({ id: LISTS[lists] as string, value: undefined })
  return new Given(options)
}
