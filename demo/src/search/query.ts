/** What is searched for, as the form has it. */
export interface Query {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  /** The text is a regular expression, in the dialect of the tool `grep`. */
  readonly isPattern: boolean
  /** Globs, separated by commas; empty: all files. */
  readonly include: string
  readonly exclude: string
  /** Also what .gitignore files name, and installed packages. */
  readonly everything: boolean
}

/** Of a word, in any script. */
export const WORD = '[\\p{L}\\p{M}\\p{N}_]'
/** What has a meaning in a regular expression. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g
/** `!(a|b)` is a group. */
const EXCLUSION = /^!(?!\()/
/** Installed packages: most workspaces have no .gitignore that would name them. */
const PACKAGES = 'node_modules'

export const quoted = (text: string): string => text.replace(SYNTAX, '\\$&')

/** The part of `grep`'s input that is about the text. */
export function patternOf(query: Query): { readonly pattern: string; readonly literal: boolean; readonly ignore_case: boolean } {
  const { text, matchCase, wholeWord, isPattern } = query
  const ignore_case = !matchCase
  if (!wholeWord) return { pattern: text, literal: !isPattern, ignore_case }
  if (isPattern) return { pattern: `\\b(?:${text})\\b`, literal: false, ignore_case }
  // `\b` knows words of ASCII only. Where it says nothing the lines that are found are looked through once more.
  const edge = (char: string | undefined): string => (/^\w$/.test(char ?? '') ? '\\b' : '')
  return { pattern: edge(text[0]) + quoted(text) + edge(text.at(-1)), literal: false, ignore_case }
}

/** The part of `glob`'s input that says which files. `root` is that of the workspace. */
export function filesOf(
  { include, exclude, everything }: Pick<Query, 'include' | 'exclude' | 'everything'>,
  root: string,
): { readonly pattern: readonly string[]; readonly hidden: boolean; readonly ignore: boolean } {
  const wanted = globsIn(include)
  const included = wanted.filter((glob) => !EXCLUSION.test(glob)).flatMap((glob) => below(glob, root))
  const excluded = [...wanted.filter((glob) => EXCLUSION.test(glob)).map((glob) => glob.slice(1)), ...globsIn(exclude)]
  // Who names packages wants them.
  if (!everything && !include.includes(PACKAGES)) excluded.push(PACKAGES)
  return {
    pattern: [...(included.length > 0 ? included : ['**']), ...excluded.map((glob) => `!${placed(glob, root)}`)],
    hidden: true,
    ignore: !everything,
  }
}

/** Commas in braces are part of a glob. */
function globsIn(text: string): string[] {
  const parts = text.match(/(?:\\.|\{[^}]*\}|[^,])+/gs) ?? []
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** The glob itself, and all below where it names a directory. */
function below(glob: string, root: string): string[] {
  const at = placed(glob, root)
  if (/(^|\/)\*\*$/.test(at)) return [at]
  return at.endsWith('/') ? [`${at}**`] : [at, `${at}/**`]
}

/** As `grep` reads it: a glob without a slash is about names, wherever they are; any other one begins at the root. */
function placed(glob: string, root: string): string {
  const inner = glob === root ? './' : glob.startsWith(`${root}/`) ? `/${glob.slice(root.length + 1)}` : glob
  const path = inner.replace(/^\.?\/+/, '')
  if (path === '') return '**'
  return path !== inner || path.replace(/\/+$/, '').includes('/') ? path : `**/${path}`
}
