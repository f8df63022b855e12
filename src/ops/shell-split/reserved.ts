import type { ConstructKind, ShellWord } from './types.js'

interface Reserved {
  readonly construct?: ConstructKind
  /** A command follows in the same place. */
  readonly before: boolean
}

const BEFORE: readonly string[] = ['if', 'then', 'else', 'elif', 'while', 'until', 'do']
const OTHERS: readonly string[] = ['fi', 'done', 'esac', 'for', 'select', 'case', 'function', '[[', 'coproc', 'repeat', 'foreach', 'end']
const RESERVED = new Map<string, Reserved>([
  ['!', { before: true }],
  ['{', { construct: 'group', before: true }],
  ['}', { construct: 'group', before: true }],
  ...BEFORE.map((word) => [word, { construct: 'compound', before: true }] as const),
  ...OTHERS.map((word) => [word, { construct: 'compound', before: false }] as const),
])

/** What the word means where a command begins; undefined: it is a command's name. A quoted word is never reserved. */
export function reservedWord({ text, quotedAt }: ShellWord): Reserved | undefined {
  return quotedAt === undefined ? RESERVED.get(text) : undefined
}
