import { SAMPLE_PATH } from '../../sample-program.js'

export interface Example {
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Tool -> examples. Undefined entries need files that the workspace lacks. */
export type ExampleTable = Readonly<Record<string, readonly (Example | undefined)[]>>

/** What examples may refer to: the initial files of the workspace, and its background sessions. */
export interface Known {
  /** Virtual path of the workspace's root. */
  readonly root: string
  readonly paths: readonly string[]
  /** Relative path -> text, of the files that are text. */
  readonly texts: ReadonlyMap<string, string>
  /** Ids of background sessions, newest first. */
  readonly jobs: readonly string[]
}

export function knownFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  root: string,
  sessions: readonly { readonly id: string }[] = [],
): Known {
  const texts = Object.entries(files).flatMap(([path, content]) => (typeof content === 'string' ? [[path, content] as const] : []))
  return { root, paths: Object.keys(files), texts: new Map(texts), jobs: sessions.map(({ id }) => id) }
}

export const longestText = ({ texts }: Known): string | undefined => [...texts].sort((a, b) => b[1].length - a[1].length)[0]?.[0]
export const firstFolder = ({ paths }: Known): string | undefined => paths.find((path) => path.includes('/'))?.split('/')[0]

/** The preferred file extension: `ts` if there is such a file. */
export function likelyExtension({ paths }: Known): string {
  return paths.some((path) => path.endsWith('.ts')) ? 'ts' : (paths[0]?.split('.').at(-1) ?? 'txt')
}

export interface KnownLine {
  readonly path: string
  readonly line: string
}

/** A line of the sample program. */
const SHOWN = { path: SAMPLE_PATH, line: "const folder = process.argv[2] ?? 'src'" }

/** A line that is unique in its file, so that replacing it is not ambiguous. */
export function uniqueLine({ texts }: Known): KnownLine | undefined {
  if (texts.get(SHOWN.path)?.split(SHOWN.line).length === 2) return SHOWN
  for (const [path, text] of texts) {
    const line = text.split(/\r?\n/).find((one) => one.trim().length > 12 && one.length < 100 && text.split(one).length === 2)
    if (line) return { path, line }
  }
  return undefined
}

/** The line with a trailing comment, which changes no meaning in most languages. */
export const changedLine = (line: string): string => `${line} // Changed from the playground.`

/** A text that occurs several times in a file. */
export function repeatedText({ texts }: Known): KnownLine | undefined {
  const found = [...texts].find(([, text]) => text.split('=>').length > 2)
  return found && { path: found[0], line: '=>' }
}

/** A whole line that occurs several times in a file. */
export function repeatedLine({ texts }: Known): KnownLine | undefined {
  for (const [path, text] of texts) {
    const seen = new Set<string>()
    for (const line of text.split(/\r?\n/)) {
      if (/\w{3}/.test(line) && seen.has(line)) return { path, line }
      seen.add(line)
    }
  }
  return undefined
}

/** The small file that examples read completely. */
export function smallFile(known: Known): string | undefined {
  return known.texts.has(SHOWN.path) ? SHOWN.path : (longestText(known) ?? known.paths[0])
}
