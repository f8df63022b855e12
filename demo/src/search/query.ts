/** The search query of the form. */
export interface Query {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  /** Whether the text is a regular expression in the dialect of the tool `grep`. */
  readonly isPattern: boolean
  /** Globs, separated by commas. Empty: all files. */
  readonly include: string
  readonly exclude: string
  /** Also search ignored files and installed packages. */
  readonly everything: boolean
}

/** A word character of any script. */
export const WORD = '[\\p{L}\\p{M}\\p{N}_]'
/** Special characters of regular expressions. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g
/** `!(a|b)` is a group, not an exclusion. */
const EXCLUSION = /^!(?!\()/
/** Installed packages are excluded, because most workspaces have no .gitignore that excludes them. */
const PACKAGES = 'node_modules'

export const quoted = (text: string): string => text.replace(SYNTAX, '\\$&')

/** The text-related part of the input of `grep`. */
export function patternOf(query: Query): { readonly pattern: string; readonly literal: boolean; readonly ignore_case: boolean } {
  const { text, matchCase, wholeWord, isPattern } = query
  const ignore_case = !matchCase
  if (!wholeWord) return { pattern: text, literal: !isPattern, ignore_case }
  if (isPattern) return { pattern: `\\b(?:${text})\\b`, literal: false, ignore_case }
  // `\b` only knows ASCII words. For other words the matching lines are filtered afterwards.
  const edge = (char: string | undefined): string => (/^\w$/.test(char ?? '') ? '\\b' : '')
  return { pattern: edge(text[0]) + quoted(text) + edge(text.at(-1)), literal: false, ignore_case }
}

/** The file-related part of the input of `glob`. `root` is the root of the workspace. */
export function filesOf(
  { include, exclude, everything }: Pick<Query, 'include' | 'exclude' | 'everything'>,
  root: string,
): { readonly pattern: readonly string[]; readonly hidden: boolean; readonly ignore: boolean } {
  const wanted = globsIn(include)
  const included = wanted.filter((glob) => !EXCLUSION.test(glob)).flatMap((glob) => below(glob, root))
  const excluded = [...wanted.filter((glob) => EXCLUSION.test(glob)).map((glob) => glob.slice(1)), ...globsIn(exclude)]
  // If the user names packages, they are included.
  if (!everything && !include.includes(PACKAGES)) excluded.push(PACKAGES)
  return {
    pattern: [...(included.length > 0 ? included : ['**']), ...excluded.map((glob) => `!${placed(glob, root)}`)],
    hidden: true,
    ignore: !everything,
  }
}

/** Splits at commas. Commas inside braces belong to a glob. */
function globsIn(text: string): string[] {
  const parts = text.match(/(?:\\.|\{[^}]*\}|[^,])+/gs) ?? []
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** The glob itself, and everything below if it matches a directory. */
function below(glob: string, root: string): string[] {
  const at = placed(glob, root)
  if (/(^|\/)\*\*$/.test(at)) return [at]
  return at.endsWith('/') ? [`${at}**`] : [at, `${at}/**`]
}

/** Like in `grep`, a glob without a slash matches names at any depth; other globs start at the root. */
function placed(glob: string, root: string): string {
  const inner = glob === root ? './' : glob.startsWith(`${root}/`) ? `/${glob.slice(root.length + 1)}` : glob
  const path = inner.replace(/^\.?\/+/, '')
  if (path === '') return '**'
  return path !== inner || path.replace(/\/+$/, '').includes('/') ? path : `**/${path}`
}
