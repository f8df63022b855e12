import { globbed, type ShellWord, spreadWord, toText } from '../../ops/shell-split.js'

/** One argument of a program, after brace expansion. */
export interface Arg {
  readonly text: string
  /** `text` with its quoted pattern characters escaped. */
  readonly pattern: string
}

/** Returns the arguments that the words expand to; undefined if braces produce too many arguments. */
export function argsOf(words: readonly ShellWord[]): readonly Arg[] | undefined {
  const args: Arg[] = []
  for (const word of words) {
    const patterns = spreadWord(word)
    if (!patterns || args.length > 20_000) return undefined
    // The shell drops an empty argument without quotes.
    for (const pattern of patterns) if (pattern !== '' || word.quotedAt !== undefined) args.push({ text: toText(pattern), pattern })
  }
  return args
}

export const isGlob = ({ pattern }: Arg): boolean => globbed(pattern)

/** Whether the argument may expand to a name that begins with a dash, and so become an option. */
export const mayBecomeOption = ({ pattern }: Arg): boolean => /^[*?[]/.test(pattern)

/** Whether the argument begins with an unquoted tilde. */
export const isHome = ({ pattern }: Arg): boolean => pattern.startsWith('~')

/** Returns the name of a program: its last path component in lower case, without `.exe` and similar Windows extensions. */
export function programName(text: string): string {
  const base = text.split(/[/\\]/).at(-1) ?? ''
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '')
}
