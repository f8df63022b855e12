import { shorten } from '../../core/field-path.js'
import { toModelText } from '../../core/result.js'
import { fromBase64 } from '../../ops/base64.js'
import { joinBytes } from '../../ops/bytes.js'
import { numberLines } from '../../ops/lines.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { ContentPart, ToolError } from '../../types/tool.js'
import { versionOf } from '../../workspace/state.js'
import { type Fields, optionalText, textOf } from './input.js'
import { type Operations, Refused } from './operations.js'

/** A path as the model wrote it, and its path in the workspace. */
export interface Place {
  readonly shown: string
  readonly path: string
}

/** Maximum length of text quoted in an error. */
const LONGEST_QUOTE = 200
const READ_LINES = 10_000
const READ_BYTES = 1024 * 1024
/** Maximum size in bytes of a file for `insert`, which reads the whole file. `str_replace` and commands can change larger files. */
const INSERT_BYTES = 16 * READ_BYTES
const BOM = '\uFEFF'

interface ReadText {
  readonly text: string
  readonly start_line: number
  readonly end_line: number
  readonly total_lines?: number
  readonly size: number
  readonly truncated: boolean
}

/** Returns the numbered lines of a text file, or the content parts of an image. */
export async function viewFile(
  ops: Operations,
  place: Place,
  range: { readonly first: number; readonly last: number } = { first: 1, last: Infinity },
): Promise<string | readonly ContentPart[] | 'directory'> {
  const { first, last } = range
  const limit = Math.min(last - first + 1, READ_LINES)
  const result = await ops.attempt('read_file', { path: place.path, offset: first, limit, max_bytes: READ_BYTES, numbered: false })
  if (!result.ok) {
    if (result.output.code === 'EISDIR') return 'directory'
    if (result.output.issues?.[0]?.path === 'offset')
      throw new Refused(
        `Error: Invalid \`view_range\`: [${first}, ${last === Infinity ? -1 : last}]. It should be within the lines of the file: [1, ${result.output.total_lines}]`,
      )
    throw refused(result, place)
  }
  const images = result.content?.filter(({ type }) => type === 'image') ?? []
  if (images.length > 0) return result.content ?? []
  const { text, start_line, end_line, total_lines, size, truncated } = result.output as unknown as ReadText
  if (size === 0) return '[The file is empty]'
  const shown = numberLines(text.split('\n'), start_line)
  if (end_line >= last || !truncated) return shown
  const of = total_lines === undefined ? '' : ` of ${total_lines}`
  return `${shown}\n[Lines ${start_line} to ${end_line}${of}: use view_range for the rest]`
}

export interface Listed {
  readonly shown: string
  readonly kind: string
  readonly size?: number
}

interface ListOptions {
  readonly max_depth: number
  readonly hidden: boolean
  readonly ignore?: boolean
}

/** Lists a directory recursively, without node_modules. */
export async function listDirectory(
  ops: Operations,
  { shown, path }: Place,
  options: ListOptions,
): Promise<{ readonly entries: readonly Listed[]; readonly more: boolean }> {
  const { output } = await ops.run('list_files', { path, recursive: true, limit: READ_LINES, ...options })
  const { entries, truncated } = output as unknown as {
    readonly entries: readonly { readonly path: string; readonly kind: string; readonly size?: number }[]
    readonly truncated: boolean
  }
  const base = ops.workspace.resolve(path)
  const start = base === '/' ? 1 : base.length + 1
  const listed = entries.map((entry) => ({ kind: entry.kind, size: entry.size, below: entry.path.slice(start) }))
  return {
    entries: listed
      .filter(({ below }) => !below.split('/').includes('node_modules'))
      .map(({ below, kind, size }) => ({ shown: `${shown.replace(/\/+$/, '')}/${below}`, kind, ...(size !== undefined && { size }) })),
    more: truncated,
  }
}

/** Creates a file. @throws Refused if the file already exists: the model might overwrite content that it has not read */
export async function createFile(ops: Operations, place: Place, content: string): Promise<string> {
  const result = await ops.attempt('write_file', { path: place.path, content, mode: 'create' })
  if (result.ok) return `File created successfully at: ${place.shown}`
  if (result.output.code === 'EEXIST')
    throw new Refused(`Error: File ${place.shown} already exists. Use str_replace or insert to change it, or choose another path.`)
  throw refused(result, place)
}

/** Returns the lines around the change, if known. */
export async function replaceText(ops: Operations, place: Place, input: Fields): Promise<string | undefined> {
  const old_string = textOf(input, 'old_str')
  const new_string = optionalText(input, 'new_str') ?? ''
  if (old_string === '') throw new Refused('Error: Parameter `old_str` is empty. Use create for a new file, or insert to add text.')
  const result = await ops.attempt('edit_file', { path: place.path, edits: [{ old_string, new_string }] })
  if (result.ok) return snippetOf(result.output)
  const quoted = shorten(old_string, LONGEST_QUOTE)
  const { code, candidates, issues } = result.output
  if (code === 'ambiguous_match' && Array.isArray(candidates))
    throw new Refused(
      `No replacement was performed. Multiple occurrences of old_str \`${quoted}\` in lines: ${candidates.join(', ')}. Please ensure it is unique`,
    )
  if (code === 'no_match')
    throw new Refused(
      `No replacement was performed, old_str \`${quoted}\` did not appear verbatim in ${place.shown}.\n${issues?.[0]?.message ?? ''}`.trimEnd(),
    )
  throw refused(result, place)
}

/** Returns the lines around the change, if known. */
export async function insertText(ops: Operations, place: Place, input: Fields): Promise<string | undefined> {
  const at = input.insert_line
  // Older versions of the tool call the parameter `new_str`.
  const added = input.insert_text === undefined ? textOf(input, 'new_str') : textOf(input, 'insert_text')
  const whole = await readWhole(ops, place)
  const bom = whole.startsWith(BOM) ? BOM : ''
  const lines = whole.slice(bom.length).match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > lines.length)
    throw new Refused(
      `Error: Invalid \`insert_line\` parameter: ${JSON.stringify(at)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  const content = bom + withInserted(lines, at, added)
  const result = await ops.attempt('write_file', { path: place.path, content })
  if (!result.ok) throw refused(result, place)
  return snippetOf(result.output)
}

/** Inserts text as separate lines, with the file's line ending. The result ends in a newline only if the file does. */
function withInserted(lines: readonly string[], at: number, added: string): string {
  const eol = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
  const own = added.replace(/\r?\n$/, '').replaceAll(/\r?\n/g, eol)
  const head = lines.slice(0, at).join('')
  const tail = lines.slice(at).join('')
  if (head === '' && tail === '') return added
  if (tail === '' && !head.endsWith('\n')) return `${head}${eol}${own}`
  return `${head}${own}${eol}${tail}`
}

/** Reads a whole file as raw bytes, page by page, because `read_file` shortens long lines if it returns text. */
async function readWhole(ops: Operations, place: Place): Promise<string> {
  const before = await versionAt(ops, place)
  const pieces: Uint8Array[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const result = await ops.attempt('read_file', { path: place.path, byte_offset: offset, max_bytes: READ_BYTES, encoding: 'base64' })
    if (!result.ok) throw refused(result, place)
    const { base64, size, next } = result.output as unknown as Piece
    if (size > INSERT_BYTES) throw new Refused(`Error: Cannot insert into ${place.shown}: it has more than ${INSERT_BYTES} bytes`)
    pieces.push(fromBase64(base64) ?? new Uint8Array())
    offset = next?.byte_offset
  }
  // The runtime remembers only the version at the last page, so compare the versions before and after.
  if ((await versionAt(ops, place)) !== before)
    throw new Refused(`Error: Cannot insert into ${place.shown}: it changed while it was read. View it again.`)
  const text = decodeUtf8(joinBytes(pieces))
  if (text === undefined || text.includes('\0')) throw new Refused(`Error: Cannot insert into ${place.shown}: it is not a text file`)
  return text
}

/** Returns the version of a file. Undefined if the file is missing: the read that follows reports the error. */
async function versionAt({ workspace }: Operations, { path }: Place): Promise<string | undefined> {
  const stat = await workspace.stat(path).catch(() => undefined)
  return stat && versionOf(stat)
}

interface Piece {
  readonly base64: string
  readonly size: number
  readonly next?: { readonly byte_offset: number }
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Returns the new lines of the first hunk, numbered. Undefined if the result has no diff or a truncated diff. */
function snippetOf(output: unknown): string | undefined {
  const { diff } = output as { readonly diff?: string }
  const lines = diff?.split('\n') ?? []
  const start = lines.findIndex((line) => HUNK.test(line))
  const first = HUNK.exec(lines[start] ?? '')?.[1]
  if (first === undefined) return undefined
  const hunk = lines.slice(start + 1)
  const end = hunk.findIndex((line) => !/^[ +\-\\]/.test(line))
  const known = end === -1 ? hunk : hunk.slice(0, end)
  const stop = end === -1 ? '' : hunk[end]
  if (stop !== '' && !HUNK.test(stop ?? '')) return undefined
  const shown = known.filter((line) => line[0] === ' ' || line[0] === '+').map((line) => line.slice(1).replace(/\r$/, ''))
  return shown.length === 0 ? undefined : numberLines(shown, Number(first))
}

/** Converts the failure of a runtime tool. Uses Anthropic's wording for a missing path. */
export function refused(result: ToolError, { shown }: Place): Refused {
  if (result.output.code === 'ENOENT') return new Refused(`Error: The path ${shown} does not exist. Please provide a valid path.`)
  return new Refused(toModelText(result))
}
