import type { Arg } from './args.js'

/** Builtins that take names of variables, in any argument or behind an option. */
const ANYWHERE = new Set('export declare typeset local readonly unset read getopts'.split(' '))
const BEHIND: Readonly<Record<string, string>> = { test: '-v', '[': '-v', printf: '-v', wait: '-p' }
const SUBSCRIPT = /^[A-Za-z_]\w*\[/

/**
 * Why a builtin would have the shell calculate text, which can run a command however the text is quoted: `unset 'a[$(x)]'`. Undefined: it
 * would not.
 */
export function calculationProblem(name: string, args: readonly Arg[]): string | undefined {
  if (/^(?:declare|typeset|local)$/.test(name)) {
    const option = args.find(({ text }) => /^-[A-Za-z]*[inEF]/.test(text))
    if (option) return `"${name}" with ${option.text} is not allowed: shells calculate what such a variable gets`
  }
  const option = Object.hasOwn(BEHIND, name) ? BEHIND[name] : undefined
  const names = ANYWHERE.has(name) ? args.map(({ text }) => text) : option === undefined ? [] : valuesOf(args, option)
  const hit = names.find((text) => SUBSCRIPT.test(text))
  return hit === undefined ? undefined : `"${name}" with "${hit}" is not allowed: shells calculate what is in the brackets`
}

/** What stands behind the option, or is joined to it. */
function valuesOf(args: readonly Arg[], option: string): readonly string[] {
  return args.flatMap(({ text }, i) => {
    if (args[i - 1]?.text === option) return [text]
    return text.startsWith(option) ? [text.slice(option.length)] : []
  })
}
