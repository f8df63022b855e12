import { globbed, type ShellWord, spreadWord, toText } from '../../ops/shell-split.js'

/** One argument as the program gets it, after braces. */
export interface Arg {
  readonly text: string
  /** `text` with its quoted pattern characters escaped. */
  readonly pattern: string
}

/** The arguments that words stand for; undefined when braces make more than can be told. */
export function argsOf(words: readonly ShellWord[]): readonly Arg[] | undefined {
  const args: Arg[] = []
  for (const word of words) {
    const patterns = spreadWord(word)
    if (!patterns || args.length > 20_000) return undefined
    // An argument that is empty and not quoted is none.
    for (const pattern of patterns) if (pattern !== '' || word.quotedAt !== undefined) args.push({ text: toText(pattern), pattern })
  }
  return args
}

export const isGlob = ({ pattern }: Arg): boolean => globbed(pattern)

/** What it expands to may begin with a dash, and so be an option. */
export const mayBecomeOption = ({ pattern }: Arg): boolean => /^[*?[]/.test(pattern)

/** An unquoted tilde at its beginning. */
export const isHome = ({ pattern }: Arg): boolean => pattern.startsWith('~')

/** The name of a program: its last component, lower case, without the endings that Windows adds. */
export function programName(text: string): string {
  const base = text.split(/[/\\]/).at(-1) ?? ''
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '')
}
