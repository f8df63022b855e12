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

/** What `apply_patch` takes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MARK = '\ufeff'
const DONE = { status: 'completed' } as const

/**
 * Adapts the workspace to the `Editor` of `@openai/agents`: `applyPatchTool({ editor: openAiEditor(runtime) })`. Each operation calls
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

/** To the SDK the byte order mark is a character of the first line. */
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

/** @throws the reason of the signal, and nothing else */
async function settled(calls: Calls, work: (calls: Calls) => Promise<OpenAiEditResult>): Promise<OpenAiEditResult> {
  try {
    return await work(calls)
  } catch (error) {
    if (calls.signal?.aborted) throw calls.signal.reason
    return failed(toModelText(error instanceof ToolCallError ? error.result : toFailure(error, { callId: null, tool: 'apply_patch' })))
  }
}

/** A patch for `apply_patch` that makes a file, which must not be there. */
const creation = (path: string, content: string): string => `--- /dev/null\n+++ ${quoted('b', path)}\n${hunks(undefined, content)}`

/** One that removes a file or a link, whatever is in it; undefined for a name that an envelope cannot hold. */
const removal = (path: string): string | undefined =>
  /\n|\s$/.test(path) ? undefined : `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`

/** One that removes a file with this content. */
const removalOf = (path: string, before: string): string => `--- ${quoted('a', path)}\n+++ /dev/null\n${hunks(before, undefined)}`

/** One that changes a file, and with `to` renames it; what is at the new name must not be there. */
function change(path: string, before: string, after: string, to?: string): string {
  const names = `--- ${quoted('a', path)}\n+++ ${quoted('b', to ?? path)}\n`
  const body = before === after ? '' : names + hunks(before, after)
  if (to === undefined) return body
  const rename = `rename from ${JSON.stringify(path)}\nrename to ${JSON.stringify(to)}\n`
  return `diff --git ${quoted('a', path)} ${quoted('b', to)}\n${rename}${body}`
}

/** Quoted always: a name may have any character. */
const quoted = (side: string, path: string): string => JSON.stringify(`${side}/${path}`)

/** Without the two lines that name the file. */
const hunks = (before: string | undefined, after: string | undefined): string =>
  unifiedDiff({ path: '', before, after }).split('\n').slice(2).join('\n')

/** Of the line that is quoted in an error. */
const MAX_QUOTED = 200
/** Any name: the hunks alone are used. */
const NAME = 'file'
const END_PATCH = '*** End Patch'
const END_OF_FILE = '*** End of File'

/** The content of a new file. @throws InputError for a line that does not begin with `+` */
function contentOf(diff: string): string {
  const lines = linesOf(diff)
  const wrong = lines.findIndex((line) => !line.startsWith('+'))
  if (wrong >= 0) throw badLine(wrong, lines[wrong] ?? '', 'every line of a new file begins with "+"')
  return lines.map((line) => line.slice(1)).join('\n')
}

/**
 * In steps, the text with a diff applied that has hunks only. As the SDK's own `applyDiff`, but for what that does in silence: hunks that fit more
 * than one place, `@@` lines that are nowhere, and anything behind a header of another file are errors here.
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
  // A line without anything is an empty one that stays, at the end of a hunk too.
  const patch = ['*** Begin Patch', `*** Update File: ${NAME}`, ...lines.map((line) => line || ' '), END_PATCH].join('\n')
  const sections = yield* parseSteps(patch)
  const hunks = sections.flatMap((section) => (section.kind === 'update' ? section.hunks : []))
  return (yield* hunkSteps(text, hunks, { subject, asSdk: locateAsSdk })).text
}

/** Without a line break behind the last one, and without the end of an envelope that has no beginning. */
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
