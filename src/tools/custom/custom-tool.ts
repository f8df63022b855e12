import { shorten } from '../../core/field-path.js'
import { InputError } from '../../errors/index.js'
import type { ShellOutput } from '../../types/shell.js'
import type { AnyTool, InputIssue, JsonSchema, JsonValue, StandardSchemaLike, ToolContext } from '../../types/tool.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import { grantsOf, jsOf } from '../js/grants.js'
import { stopwatch } from '../js/time-limit.js'
import type { CustomToolFacts } from './describe.js'
import { CustomToolFailed } from './failure.js'
import { createInputCheck } from './input-check.js'
import type { CustomToolsSettings } from './options.js'
import { type Called, callProgram, PROGRAM_NAME } from './program.js'
import { answerOf } from './program-outcome.js'
import { callTrusted, type TrustedRun } from './trusted.js'
import { virtualNames } from './virtual-names.js'

const LONGEST_MESSAGE = 4096

/** Settings that differ between presets. */
export interface CustomToolManners {
  /** Whether input that does not match the schema is rejected before the tool runs. */
  readonly check: boolean
  /** Whether an output that is not JSON becomes text; otherwise it is a failure. */
  readonly lossy: boolean
  /** The caller's own context for a call. */
  readonly caller?: (callId: string) => { readonly now?: Date; readonly log?: (message: string) => void } | undefined
}

export const STRICT: CustomToolManners = { check: true, lossy: false }

/** Creates a tool. Each call runs as a separate program in the sandbox, or in this process if the file was loaded here. */
export function customTool(facts: CustomToolFacts, settings: CustomToolsSettings, manners: CustomToolManners = STRICT): AnyTool {
  const { name, description, inputSchema } = facts
  const check = manners.check ? createInputCheck(inputSchema) : async () => []
  return {
    name,
    description,
    inputSchema: shownSchema(inputSchema),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    requires: facts.run ? [] : ['js'],
    run: async (input: unknown, context) => {
      const given = asJson(name, input)
      refuse(name, await check(given))
      return callTool(facts, given, context, settings, manners)
    },
  }
}

/**
 * The schema for the model. It accepts every value: `createInputCheck` checks the input, because a schema from a sandbox could keep a
 * validator busy.
 */
const shownSchema = (schema: JsonSchema): StandardSchemaLike => ({
  '~standard': { version: 1, vendor: 'toolport', jsonSchema: { input: () => schema }, validate: (value) => ({ value }) },
})

function asJson(tool: string, input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input ?? {}))
  } catch {
    throw refusal(tool, [{ path: '', message: 'is not JSON' }])
  }
}

function refuse(tool: string, issues: readonly InputIssue[]): void {
  if (issues.length > 0) throw refusal(tool, issues)
}

function refusal(tool: string, issues: readonly InputIssue[]): InputError {
  const [first = { path: '', message: '' }] = issues
  const at = `${first.path === '' ? 'the input' : first.path}${first.message.startsWith('is ') ? '' : ':'} ${first.message}`
  const what = issues.length === 1 ? at : `the input has ${issues.length} problems`
  return new InputError('invalid_input', `Cannot call "${tool}": ${what}`, { issues })
}

async function callTool(
  facts: CustomToolFacts,
  input: unknown,
  context: ToolContext,
  settings: CustomToolsSettings,
  { lossy, caller }: CustomToolManners,
): Promise<JsonValue> {
  const given = caller?.(context.callId)
  const lines = toldLines((line) => {
    context.log(line)
    tell(given?.log, line)
  }, context.limits.shellStreamBytes)
  const { timeoutMs } = stopwatch(context, settings.timeoutMs)
  const now = (given?.now ?? context.now).getTime()
  const call: Call = { facts, input, now, timeoutMs, onOutput: lines.push }
  const called = facts.run ? await callHere(call, facts.run, context) : await callInSandbox(call, context, settings)
  lines.end()
  const { problem } = called
  if (problem !== undefined) throw new CustomToolFailed(shorten(virtualNames(String(problem), context.workspace), LONGEST_MESSAGE))
  return outputOf(called, facts.name, lossy)
}

interface Call {
  readonly facts: CustomToolFacts
  readonly input: unknown
  readonly now: number
  readonly timeoutMs: number
  readonly onOutput: (output: ShellOutput) => void
}

async function callInSandbox(
  { facts: { path, name }, input, now, timeoutMs, onOutput }: Call,
  context: ToolContext,
  settings: CustomToolsSettings,
): Promise<Called> {
  const result = await jsOf(context).run({
    code: callProgram(path, name, input, now),
    filename: joinPath(parentPath(path), PROGRAM_NAME),
    cwd: context.workspace.cwd,
    grants: grantsOf(context, settings.js),
    signal: context.signal,
    timeoutMs,
    maxBytes: context.limits.shellStreamBytes,
    onOutput,
  })
  return answerOf(result, `Cannot finish "${name}": it`, timeoutMs, context.workspace)
}

async function callHere(
  { facts: { name }, input, now, timeoutMs, onOutput }: Call,
  run: TrustedRun,
  { workspace, host, signal }: ToolContext,
): Promise<Called> {
  const log = (line: string): void => onOutput({ stream: 'stdout', text: `${line}\n` })
  return callTrusted({ name, run, input, now, log }, workspace, { host, timeoutMs, signal })
}

function tell(log: ((message: string) => void) | undefined, line: string): void {
  try {
    log?.(line)
  } catch {
    // An exception of a listener is not an error of the tool.
  }
}

/** @throws {CustomToolFailed} */
function outputOf({ ok, output, error, refused, words }: Called, name: string, lossy: boolean): JsonValue {
  if (refused !== undefined && !lossy)
    throw new CustomToolFailed(`Cannot use the result of "${name}": ${shorten(String(refused), LONGEST_MESSAGE)}`)
  const value = refused === undefined ? parsed(output, name) : String(words)
  if (ok === true) return value
  const message = typeof error === 'string' ? error : typeof value === 'string' ? value : JSON.stringify(value)
  throw new CustomToolFailed(shorten(message, LONGEST_MESSAGE), 'tool_threw', {
    output: value,
    ...(typeof error === 'string' && { error }),
  })
}

function parsed(output: unknown, name: string): JsonValue {
  try {
    return JSON.parse(output as string) as JsonValue
  } catch {
    throw new CustomToolFailed(`Cannot use the result of "${name}": it is not JSON`)
  }
}

/** Logs a program's output line by line. After `maxUnits` UTF-16 units, logs a note instead of the rest. */
function toldLines(log: (line: string) => void, maxUnits: number): { push(output: ShellOutput): void; end(): void } {
  const rest = { stdout: '', stderr: '' }
  let left = maxUnits
  const take = (text: string): string => {
    if (left <= 0) return ''
    const taken = text.slice(0, left)
    left -= taken.length
    return left > 0 ? taken : `${taken}\n[more output was left out]\n`
  }
  return {
    push({ stream, text }) {
      const lines = (rest[stream] + take(text)).split('\n')
      rest[stream] = lines.pop() ?? ''
      for (const line of lines) log(line)
    },
    end() {
      for (const line of [rest.stdout, rest.stderr]) if (line !== '') log(line)
      rest.stdout = ''
      rest.stderr = ''
    },
  }
}
