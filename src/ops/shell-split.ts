import { ShellScanner } from './shell-split/scanner.js'
import type { ShellLine } from './shell-split/types.js'
import { unreadable } from './shell-split/unreadable.js'

export type { Construct, Expansion, Redirection, ShellLine, ShellSegment, ShellWord } from './shell-split/types.js'
export { globbed, spreadWord, toText } from './shell-split/words.js'

/**
 * Splits a command line of sh, bash or zsh into its simple commands, as these shells do: at `;` `|` `|&` `&&` `||` `&` and newlines that
 * are not quoted, escaped, commented out or in a heredoc. Nothing is expanded. Time is linear in the length; nothing is ever thrown:
 * what these shells may read differently, or not at all, is `unparsable`.
 */
export function splitShell(command: string): ShellLine {
  const problem = unreadable(command)
  return problem ? { segments: [], expansions: [], constructs: [], unparsable: problem } : new ShellScanner(command).run()
}
