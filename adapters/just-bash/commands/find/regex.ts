import { Failure } from '../shared/failure.js'
import { compileRegex, loadLongest } from '../shared/regex/regex.js'
import { unsupported } from './messages.js'

/** The syntax of each `-regextype`. Undefined for a type that is not supported here. */
const TYPES: Readonly<Record<string, 'emacs' | 'basic' | 'extended' | 'egrep' | undefined>> = {
  'findutils-default': 'emacs',
  ed: 'basic',
  emacs: 'emacs',
  'gnu-awk': undefined,
  grep: 'basic',
  'posix-awk': undefined,
  awk: undefined,
  'posix-basic': 'basic',
  'posix-egrep': 'egrep',
  egrep: 'egrep',
  'posix-extended': 'extended',
  'posix-minimal-basic': undefined,
  sed: 'basic',
}

export const DEFAULT_TYPE = 'findutils-default'

/** @throws {Failure} for an unknown or unsupported type */
export function checkRegexType(type: string): void {
  if (!Object.hasOwn(TYPES, type)) {
    const names = Object.keys(TYPES).map((name) => `'${name}'`)
    throw new Failure(`Unknown regular expression type '${type}'; valid types are ${names.join(', ')}.`)
  }
  if (TYPES[type] === undefined)
    throw unsupported(`-regextype ${type}`, 'its syntax is not implemented', 'Use -regextype posix-extended or posix-basic')
}

/** Compiles a test for whole paths. @throws {Failure} with GNU's message */
export async function compilePathRegex(source: string, type: string, ignoreCase: boolean): Promise<(path: string) => boolean> {
  const syntax = TYPES[type]
  await loadLongest()
  try {
    const regex = compileRegex(syntax === 'emacs' ? fromEmacs(source) : source, {
      extended: syntax === 'extended' || syntax === 'egrep',
      leadingRepeat: syntax === 'extended' ? 'refused' : syntax === 'egrep' ? 'ignored' : 'literal',
      ignoreCase,
      whole: 'line',
    })
    return (path) => regex.test(path)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`failed to compile regular expression '${source}': ${error.message}`)
  }
}

/**
 * Converts Emacs syntax to a POSIX basic expression. In Emacs syntax, `+` and `?` repeat, `\+` and `\?` are literal, and there are no
 * intervals.
 */
function fromEmacs(source: string): string {
  let basic = ''
  // At the start of an expression, `+` and `?` are literal.
  let isStart = true
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    const set = char === '[' ? /^(\[\^?\]?)([^\]]*)\]/.exec(source.slice(at)) : undefined
    if (set) {
      basic += `${set[1]}${plainMembers(set[2] as string)}]`
      at += set[0].length - 1
    } else if (char === '\\' && at + 1 < source.length) {
      const next = source[++at] as string
      basic += '+?{}'.includes(next) ? next : `\\${next}`
      isStart = next === '(' || next === '|'
      continue
    } else basic += (char === '+' || char === '?') && !isStart ? `\\${char}` : char
    isStart = false
  }
  return basic
}

/** Emacs syntax has no character classes: `[[:alpha:]` is a set of `[`, `:` and letters. Moving `[` to the end avoids a class. */
const plainMembers = (members: string): string => (/\[[:.=]/.test(members) ? `${members.replaceAll('[', '')}[` : members)
