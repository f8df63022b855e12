import type { CommandResult, Context } from '../library-types.js'

/** Options of builtins that the library accepts but ignores. */
const MISSING: Readonly<Record<string, RegExp>> = {
  set: /^(?:\+\w*B|-\w*P|\+o braceexpand|-o physical)/,
  shopt: /^-\w*s\w* (?:nocaseglob|cdable_vars|execfail|extdebug|localvar_\w+)$|^-\w*u\w* (?:sourcepath|extquote|interactive_comments)$/,
}

/** Option letters of builtins. A colon follows letters that take a value. The library ignores unknown letters. */
const KNOWN: Readonly<Record<string, string>> = {
  alias: 'p',
  cd: 'LPe@',
  command: 'pVv',
  hash: 'lrp:dt',
  help: 's',
  history: 'cd:anrwps',
  pwd: 'LP',
  read: 'ersa:d:i:n:N:p:t:u:',
  readonly: 'aAfp',
  set: 'abefhkmnptuvxBCEHPTo:',
  type: 'afptP',
  unalias: 'a',
  unset: 'fnv',
}

export const CHECKED_BUILTINS: readonly string[] = ['declare', 'typeset', 'local', ...Object.keys(MISSING), ...Object.keys(KNOWN)]

/** Returns the failure for an unknown or unsupported option, or undefined if all options are valid. */
export function refusedOption(name: string, args: readonly string[]): CommandResult | undefined {
  if (name === 'cd' && args.slice(args.findIndex((arg) => !/^-./.test(arg))).filter((arg) => arg !== '--').length > 1)
    return failure('cd: too many arguments', 1)
  const wrong = Object.hasOwn(KNOWN, name) ? unknownOption(name, KNOWN[name] as string, args) : undefined
  if (wrong) return wrong
  const missing = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined
  const given = args.find((arg, at) => missing?.test(arg) || missing?.test(`${args[name === 'set' ? at - 1 : 0]} ${arg}`))
  const instead = given === 'nocaseglob' ? '. Use patterns as [Rr]eadme*, or find -iname' : ''
  return given === undefined ? undefined : failure(`${name}: ${given}: not supported here${instead}`, 1)
}

function unknownOption(name: string, known: string, args: readonly string[]): CommandResult | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (!/^-./.test(arg) || arg === '--') return undefined
    for (let at = 1; at < arg.length; at++) {
      const place = known.indexOf(arg[at] as string)
      if (place < 0 || arg[at] === ':') {
        const letters = known.replaceAll(':', '')
        return failure(`${name}: -${arg[at]}: invalid option\n${name}: usage: ${name} [-${letters}] ...`, 2)
      }
      if (known[place + 1] !== ':') continue
      // The value is the rest of the word, or the next word.
      if (at === arg.length - 1) i++
      break
    }
  }
  return undefined
}

const SETS: Readonly<Record<string, string>> = { i: 'integerVars', l: 'lowercaseVars', u: 'uppercaseVars' }

/** Applies attributes that the library ignores: `declare +i name` and `shopt -s inherit_errexit`. */
export function keepAttributes({ state }: Context, name: string, [first = '', ...names]: readonly string[]): void {
  if (name === 'shopt' && names.includes('inherit_errexit') && /^-[su]$/.test(first)) state.options.inherit_errexit = first === '-s'
  if (!/^(?:declare|typeset|local)$/.test(name) || !/^\+[ilu]+$/.test(first)) return
  for (const letter of first.slice(1)) {
    const set = (state as unknown as Record<string, unknown>)[SETS[letter] as string]
    if (set instanceof Set) for (const each of names) set.delete(each.replace(/=.*/s, ''))
  }
}

/**
 * Adapts the arguments of `unset`. With `-n`, deletes the references themselves. Without options, drops invalid names unless a function has
 * the name.
 */
export function unsetArguments({ state }: Context, [first = '', ...rest]: readonly string[]): readonly string[] {
  const { namerefs } = state
  if (first.startsWith('-n')) return ['-v', ...rest.filter((name) => namerefs?.delete(name))]
  if (first.startsWith('-') && first !== '--') return [first, ...rest]
  return [first, ...rest].filter((name) => /^(?:--$|[A-Za-z_])/.test(name) || state.functions.has(name))
}

const failure = (message: string, exitCode: number): CommandResult => ({ stdout: '', stderr: `bash: ${message}\n`, exitCode })
