/** The role of a word in its command. */
export type CommandPlace =
  /** The command's name. */
  | { readonly role: 'command' }
  /** An argument of this command. Undefined: of no known command. */
  | { readonly role: 'argument'; readonly command?: string }

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/

/** Words that precede a command. */
const LEADS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!'])

/** Commands that run another command: their options that take a value, and the number of operands before the command. */
const RUNNERS: ReadonlyMap<string, { readonly valued?: readonly string[]; readonly operands?: number }> = new Map([
  ['builtin', {}],
  ['command', {}],
  ['env', { valued: ['-u', '-C', '-S'] }],
  ['exec', { valued: ['-a'] }],
  ['nice', { valued: ['-n'] }],
  ['nohup', {}],
  ['sudo', { valued: ['-u', '-g'] }],
  ['time', {}],
  ['timeout', { valued: ['-k', '-s'], operands: 1 }],
  ['xargs', { valued: ['-a', '-d', '-E', '-I', '-L', '-n', '-P', '-s'] }],
])

/** Commands whose arguments are command names. */
const ABOUT_COMMANDS = new Set(['type', 'which', 'hash', 'help'])

/** The role of the word after these words. */
export function commandPlace(words: readonly string[]): CommandPlace {
  let at = 0
  for (let word = words[at]; word !== undefined; word = words[at]) {
    at += 1
    if (ASSIGNMENT.test(word) || LEADS.has(word)) continue
    const runner = RUNNERS.get(word)
    if (!runner) return ABOUT_COMMANDS.has(word) ? { role: 'command' } : { role: 'argument', command: word }
    at = behindOptions(words, at, runner.valued ?? []) + (runner.operands ?? 0)
    if (at > words.length) return { role: 'argument', command: word }
  }
  return { role: 'command' }
}

function behindOptions(words: readonly string[], from: number, valued: readonly string[]): number {
  let at = from
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    at += valued.includes(word) ? 2 : 1
    if (word === '--') break
  }
  return at
}
