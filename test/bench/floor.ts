// The baseline of every ratio: the least code that does a tool's job. It parses the same input with zod/mini, and then works on a Map from
// path to text that holds the same files. It has no path resolution, decoding, limits, locks, links, ignore rules, signals or promises.
// A ratio is the price of all of these.
import * as z from 'zod/mini'

type Files = Map<string, string>

const readInput = z.strictObject({ path: z.string() })
const writeInput = z.strictObject({ path: z.string(), content: z.string() })
const editInput = z.strictObject({
  path: z.string(),
  edits: z.array(z.strictObject({ old_string: z.string(), new_string: z.string() })),
})
const grepInput = z.strictObject({ pattern: z.string() })
const globInput = z.strictObject({ pattern: z.string() })
const listInput = z.strictObject({ recursive: z.boolean(), limit: z.number() })

/** Read: the lines with their numbers. */
export function read(files: Files, input: unknown): string {
  const { path } = readInput.parse(input)
  return numbered(files.get(path) ?? missing(path))
}

export function numbered(text: string): string {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join('\n')
}

/** Write: sets the text. */
export function write(files: Files, input: unknown): void {
  const { path, content } = writeInput.parse(input)
  files.set(path, content)
}

/** Edit: replaces the first occurrence, and sets the text. */
export function edit(files: Files, input: unknown): void {
  const { path, edits } = editInput.parse(input)
  let text = files.get(path) ?? missing(path)
  for (const { old_string, new_string } of edits) text = text.replace(old_string, () => new_string)
  files.set(path, text)
}

export interface Hit {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Grep: one RegExp over every text. Only texts that match are split into lines. */
export function grep(files: Files, input: unknown): Hit[] {
  const { pattern } = grepInput.parse(input)
  const wanted = new RegExp(pattern)
  const hits: Hit[] = []
  for (const [path, text] of files) if (wanted.test(text)) addHits(hits, wanted, path, text)
  return hits
}

export function addHits(hits: Hit[], wanted: RegExp, path: string, text: string): void {
  for (const [i, line] of text.split('\n').entries()) if (wanted.test(line)) hits.push({ path, line: i + 1, text: line })
}

/** Glob: one RegExp over every path. `wanted` is compiled before, because compiling a glob is not work on files. */
export function glob(files: Files, input: unknown, wanted: RegExp): string[] {
  globInput.parse(input)
  const paths: string[] = []
  for (const path of files.keys()) if (wanted.test(path)) paths.push(path)
  return paths
}

export interface Listed {
  readonly path: string
  readonly kind: 'file' | 'dir'
  readonly size?: number
}

/** List: every entry with kind and size, sorted. Directories are keys that end with a slash. */
export function list(files: Files, input: unknown): Listed[] {
  listInput.parse(input)
  return entries(files)
}

/** All entries of a walk, sorted. */
export function entries(files: Files): Listed[] {
  const found: Listed[] = []
  for (const [path, text] of files) {
    if (path.endsWith('/')) found.push({ path: path.slice(0, -1), kind: 'dir' })
    else found.push({ path, kind: 'file', size: text.length })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function missing(path: string): never {
  throw new Error(`There is no ${path}`)
}
