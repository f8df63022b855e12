import { normalized } from '../ops/unicode-form.js'

// Imports nothing: it is a separate chunk of a bundle and must not share code with the start chunk.

export interface Listed {
  readonly root: string
  readdir(folder: string): Promise<readonly { readonly name: string }[]>
}

export interface OtherSpelling {
  readonly path: string
  readonly missed: string
  readonly refused: string
}

/** The part of a path that exists. `at` has its stored spelling. */
interface Found {
  readonly at: string
  readonly isWhole: boolean
  readonly isShown: boolean
  readonly isCased: boolean
}

/**
 * Returns the part of a path that exists, if its stored spelling differs: in the Unicode form (NFC, NFD), in how listings show special
 * characters, or with `anyCase` in case. The details for messages contain JSON escapes, so that a model does not change the spelling.
 */
export async function otherSpelling(fs: Listed, path: string, anyCase = false): Promise<OtherSpelling | undefined> {
  const { at, isShown, isCased } = await lookUp(fs, path, anyCase)
  if (path === at || path.startsWith(`${at}/`)) return undefined
  const spelled = isShown ? 'a name that lists show like this' : 'the same name in another Unicode form (NFC, NFD)'
  const why = isCased ? 'and names are case-sensitive' : spelled
  const twin = `"${escaped(at)}" exists, ${why}`
  return { path: at, missed: `no such file or directory, but ${twin}`, refused: `${twin}: use that path, or move that file first` }
}

/**
 * Finds the path without a repeated root (`/workspace/workspace/src`), if that path exists in any spelling and case. Its `missed` is for
 * the message about a missing file.
 */
export async function rootedOnce(fs: Listed, path: string): Promise<Pick<OtherSpelling, 'missed'> | undefined> {
  const { at, isWhole, isCased } = await lookUp(fs, path.slice(fs.root.length), true)
  const why = `this path repeats the root${isCased ? ', and names are case-sensitive' : ''}`
  return isWhole ? { missed: `no such file or directory, but "${escaped(at)}" exists, and ${why}` } : undefined
}

async function lookUp(fs: Listed, path: string, anyCase: boolean): Promise<Found> {
  const top = fs.root === '/' ? '' : fs.root
  let at = top
  let isShown = false
  let isCased = false
  for (const name of path.slice(top.length).split('/').slice(1)) {
    // A directory that cannot be listed offers no names.
    const names = (await fs.readdir(at || '/').catch(() => [])).map((entry) => entry.name)
    const same = (form: string): string | undefined => names.find((other) => normalized(other) === normalized(form))
    const meant = unmarked(name)
    const exact = names.includes(name) ? name : (same(name) ?? same(meant))
    const found = exact ?? (anyCase ? names.find((other) => cased(other) === cased(meant)) : undefined)
    if (found === undefined) return { at, isWhole: false, isShown, isCased }
    isCased ||= exact === undefined
    isShown ||= found !== name && meant !== name
    at += `/${found}`
  }
  return { at, isWhole: true, isShown, isCased }
}

const cased = (name: string): string => normalized(name).toLowerCase()

/** Converts a name as listings show it, with marks such as `⟨U+000A⟩`, to the stored name. */
const unmarked = (name: string): string =>
  name.replace(/⟨U\+([0-9A-F]{4,5})⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

const escaped = (path: string): string => path.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
