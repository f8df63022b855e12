import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import { detectEol } from '../../ops/lines.js'
import { describeNear } from '../../ops/nearest-difference.js'
import { nearestText } from '../../ops/nearest-text.js'
import { createSearch } from '../../ops/text-search.js'
import { refuseStale } from '../../tools/files/versions.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { encodeEdited } from '../../workspace/content-steps.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { argumentsSchema, stringParam } from './arguments.js'
import type { Guard } from './guard.js'
import { ToolFailed } from './tool-failure.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to the file, relative to the workspace or absolute inside it' },
    old_string: {
      type: 'string',
      minLength: 1,
      description: 'The exact text to replace; it has to be in the file once. Line breaks may be LF where the file has CRLF',
    },
    new_string: { type: 'string', description: 'What comes in its place; empty to delete it' },
  },
  required: ['path', 'old_string', 'new_string'],
}

export function fileEditTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'file_edit',
    description: 'Replace a text in a file by another one. The text has to be in the file exactly once',
    inputSchema: argumentsSchema(schema, (args) => {
      const path = stringParam(args, 'path')
      const oldString = stringParam(args, 'old_string')
      const newString = stringParam(args, 'new_string')
      if (oldString === '') throw new InputError('invalid_input', 'old_string must not be empty')
      return { path, oldString, newString }
    }),
    annotations: { title: 'Edit file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (input, context) => {
      await guard.admitTool({ tool: 'file_edit', input }, context)
      return guard.writing(input.path, context, (locked) => runFileEdit(input, locked))
    },
  })
}

const MAX_FILE_BYTES = 10 * 1024 * 1024

interface FileEditInput {
  readonly path: string
  readonly oldString: string
  readonly newString: string
}

/**
 * Replaces the only match. A text with LF also matches CRLF, and then the new text gets CRLF, too. The caller holds the file's lock through
 * the context's workspace.
 */
async function runFileEdit(input: FileEditInput, { workspace, versions, host, signal }: ToolContext): Promise<string> {
  const { path, oldString, newString } = input
  const file = await workspace.readText(path, { maxBytes: MAX_FILE_BYTES, op: 'edit' })
  await refuseStale(workspace, versions, file, 'edit')
  const { at, old, isCrlf } = placeOf(file.text, oldString)
  const fresh = isCrlf ? toCrlf(newString) : newString
  const text = file.text.slice(0, at) + fresh + file.text.slice(at + old.length)
  const bytes = await inSlices(encodeEdited(file.path, file.text, text, file.bom), new Slicer(host, { signal }))
  signal.throwIfAborted()
  const written = await workspace.writeBytes(path, bytes, { expect: file.version })
  versions.set(written.path, written.version)
  return `Edited ${path}: replaced 1 occurrence (${bytes.length} bytes)`
}

const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n')

interface Place {
  readonly at: number
  /** The matched text as the file contains it. */
  readonly old: string
  readonly isCrlf: boolean
}

function placeOf(text: string, given: string): Place {
  const isCrlf = detectEol(text) === 'crlf'
  const other = toCrlf(given)
  if (given === other || text.includes(given) || !text.includes(other)) return { at: onlyPlace(text, given), old: given, isCrlf }
  return { at: onlyPlace(text, other), old: other, isCrlf: true }
}

/** @throws ToolFailed unless there is exactly one match */
function onlyPlace(text: string, old: string): number {
  const search = createSearch(text, old)
  const at = search(0)
  if (at < 0) throw new ToolFailed(`old_string not found in file${hint(text, old)}`)
  if (search(at + 1) < 0) return at
  throw new ToolFailed(`old_string matches ${count(search, old.length)} times; must match exactly once`)
}

/** Counts matches without overlaps; 2 if all matches overlap. */
function count(search: (from: number) => number, length: number): number {
  let places = 0
  for (let at = search(0); at >= 0; at = search(at + length)) places++
  return Math.max(2, places)
}

function hint(text: string, old: string): string {
  const near = nearestText(text, old)
  return near ? `. ${describeNear(near)}` : ''
}
