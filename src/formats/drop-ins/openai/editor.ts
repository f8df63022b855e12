import { toFailure, toModelText } from '../../../core/result.js'
import { InputError } from '../../../errors/index.js'
import { unifiedDiff } from '../../../ops/diff.js'
import { hunkSteps } from '../../../ops/patch/apply.js'
import { locateAsSdk } from '../../../ops/patch/locate-as-sdk.js'
import { parseSteps } from '../../../ops/patch/parse.js'
import type { Steps } from '../../../ops/steps.js'
import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { ToolResult } from '../../../types/tool.js'
import { decodeText } from '../../../workspace/content.js'
import { inSlices, Slicer } from '../../../workspace/slicer.js'
import { checkTools } from '../../check-tools.js'
import { Calls } from '../shared/calls.js'
import { changeAnyway } from '../shared/changing.js'
import { readWhole } from '../shared/reading.js'
import type { OpenAiDeleteFile, OpenAiEditor, OpenAiEditResult, OpenAiUpdateFile } from './types.js'

/** Options of `openAiEditor`. */
export interface OpenAiEditorOptions {
  /** Stops running operations. The SDK passes no signal. */
  readonly signal?: AbortSignal
}

/** The file size limit of `apply_patch`. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MARK = '\ufeff'
const DONE = { status: 'completed' } as const

/**
 * Adapts the runtime to the `Editor` of `@openai/agents`: `applyPatchTool({ editor: openAiEditor(runtime) })`. Each operation calls
 * `apply_patch`, and `read_file` before an update, so policy, approval, checkpoints, events and limits apply.
 *
 * @throws TypeError if the runtime lacks one of the two tools
 */
export function openAiEditor(runtime: ToolRuntime, { signal }: OpenAiEditorOptions = {}): OpenAiEditor {
  checkTools(runtime, 'editor', ['read_file', 'apply_patch'])
  const edit = (work: (calls: Calls) => Promise<OpenAiEditResult>): Promise<OpenAiEditResult> => settled(new Calls(runtime, signal), work)
  return {
    createFile: ({ path, diff }) =>
      edit(async (calls) => {
        const result = await calls.attempt('apply_patch', { patch: creation(path, contentOf(diff)) })
        if (result.ok || result.output.code !== 'EEXIST') return answer(calls, result)
        return failed(`Error: ${path} already exists. Change it with update_file, or remove it with delete_file first.`)
      }),
    updateFile: (operation) => edit((calls) => update(calls, operation)),
    deleteFile: (operation) => edit((calls) => remove(calls, operation)),
  }
}

async function update(calls: Calls, { path, diff, moveTo }: OpenAiUpdateFile): Promise<OpenAiEditResult> {
  const { text, bom } = await contentAt(calls, path)
  const before = bom + text
  const whole = await inSlices(patchSteps(before, diff, path), new Slicer(calls.runtime.workspace.host, calls))
  if (whole.startsWith(MARK) !== before.startsWith(MARK)) {
    const problem = 'the change would add or remove the byte order mark (U+FEFF) of the first line: keep the mark'
    return failed(`Error: Cannot patch "${path}": ${problem}`)
  }
  const after = whole.slice(bom.length)
  if (text === after && moveTo === undefined) return { ...DONE, output: `No change: ${path} already matches the diff` }
  return answer(calls, await calls.attempt('apply_patch', { patch: change(path, text, after, moveTo) }))
}

/** Reads a file as text. Returns its byte order mark separately, because the SDK treats the mark as part of the first line. */
async function contentAt(calls: Calls, path: string): Promise<{ readonly text: string; readonly bom: string }> {
  const { text, bom } = decodeText(path, await readWhole(calls, path, MAX_FILE_BYTES))
  return { text, bom: bom ? MARK : '' }
}

async function remove(calls: Calls, { path }: OpenAiDeleteFile): Promise<OpenAiEditResult> {
  const patch = removal(path) ?? removalOf(path, (await contentAt(calls, path)).text)
  return answer(calls, await changeAnyway(calls, path, 'apply_patch', { patch }))
}

function answer(calls: Calls, result: ToolResult): OpenAiEditResult {
  if (!result.ok && calls.signal?.aborted) throw calls.signal.reason
  return result.ok ? { ...DONE, output: toModelText(result) } : failed(toModelText(result))
}

const failed = (output: string): OpenAiEditResult => ({ status: 'failed', output })

/** Returns errors as failed results. Rejects only if the signal aborted. @throws the reason of the signal */
async function settled(calls: Calls, work: (calls: Calls) => Promise<OpenAiEditResult>): Promise<OpenAiEditResult> {
  try {
    return await work(calls)
  } catch (error) {
    if (calls.signal?.aborted) throw calls.signal.reason
    return failed(toModelText(error instanceof ToolCallError ? error.result : toFailure(error, { callId: null, tool: 'apply_patch' })))
  }
}

/** Creates a patch that creates a file and fails if the path exists. */
const creation = (path: string, content: string): string => `--- /dev/null\n+++ ${quoted('b', path)}\n${hunks(undefined, content)}`

/** Creates a patch that removes a file or link regardless of its content. Undefined for a name that this format cannot express. */
const removal = (path: string): string | undefined =>
  /\n|\s$/.test(path) ? undefined : `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`

/** Creates a patch that removes a file with this content. */
const removalOf = (path: string, before: string): string => `--- ${quoted('a', path)}\n+++ /dev/null\n${hunks(before, undefined)}`

/** Creates a patch that changes a file. With `to`, the patch also renames the file, and fails if the new path exists. */
function change(path: string, before: string, after: string, to?: string): string {
  const names = `--- ${quoted('a', path)}\n+++ ${quoted('b', to ?? path)}\n`
  const body = before === after ? '' : names + hunks(before, after)
  if (to === undefined) return body
  const rename = `rename from ${JSON.stringify(path)}\nrename to ${JSON.stringify(to)}\n`
  return `diff --git ${quoted('a', path)} ${quoted('b', to)}\n${rename}${body}`
}

/** Quotes a name for a patch, because a name may contain any character. */
const quoted = (side: string, path: string): string => JSON.stringify(`${side}/${path}`)

/** The hunks of the diff, without its two header lines. */
const hunks = (before: string | undefined, after: string | undefined): string =>
  unifiedDiff({ path: '', before, after }).split('\n').slice(2).join('\n')

/** Maximum length of a line quoted in an error. */
const MAX_QUOTED = 200
/** File name in a temporary patch. Only the hunks of that patch are used, so any name works. */
const NAME = 'file'
const END_PATCH = '*** End Patch'
const END_OF_FILE = '*** End of File'

/** Returns the content of a new file. @throws InputError for a line that does not begin with `+` */
function contentOf(diff: string): string {
  const lines = linesOf(diff)
  const wrong = lines.findIndex((line) => !line.startsWith('+'))
  if (wrong >= 0) throw badLine(wrong, lines[wrong] ?? '', 'every line of a new file begins with "+"')
  return lines.map((line) => line.slice(1)).join('\n')
}

/**
 * Applies a diff that contains only hunks, in steps. The result is that of the SDK's own `applyDiff`, but some diffs that the SDK accepts
 * silently are errors: hunks that match several places, `@@` lines that match nothing, and headers of other files.
 *
 * @throws InputError `invalid_input`, `no_match`, `ambiguous_match`
 */
function* patchSteps(text: string, diff: string, subject: string): Steps<string> {
  const lines = linesOf(diff)
  const header = lines.findIndex((line) => line.startsWith('***') && line.trimEnd() !== END_OF_FILE)
  if (header >= 0)
    throw badLine(header, lines[header] ?? '', 'the diff has hunks only: @@ lines, and lines that begin with " ", "-" or "+"')
  const isAnchor = (line: string | undefined): boolean => line?.startsWith('@@') === true
  const numbers = lines.findIndex((line, i) => /^@@ -\d/.test(line) && (isAnchor(lines[i - 1]) || isAnchor(lines[i + 1])))
  if (numbers >= 0) throw badLine(numbers, lines[numbers] ?? '', 'a hunk with several @@ lines has no line numbers: leave them out')
  if (lines.every((line) => line.trim() === '')) throw new InputError('invalid_input', 'Cannot apply the diff: it is empty')
  // An empty line is a context line, even at the end of a hunk.
  const patch = ['*** Begin Patch', `*** Update File: ${NAME}`, ...lines.map((line) => line || ' '), END_PATCH].join('\n')
  const sections = yield* parseSteps(patch)
  const hunks = sections.flatMap((section) => (section.kind === 'update' ? section.hunks : []))
  return (yield* hunkSteps(text, hunks, { subject, asSdk: locateAsSdk })).text
}

/** Splits a diff into lines, without a trailing empty line. Drops an end marker, because the diff has no begin marker. */
function linesOf(diff: string): string[] {
  const lines = diff.split(/\r?\n/).map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines[last]?.trim() === END_PATCH ? lines.slice(0, last) : lines
}

function badLine(index: number, line: string, problem: string): InputError {
  const quoted = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}...` : line
  const message = `line ${index + 1} is "${quoted}", but ${problem}`
  return new InputError('invalid_input', `Cannot apply the diff: ${message}`, { issues: [{ path: 'diff', message }] })
}
