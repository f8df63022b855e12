import { shorten } from '../../core/field-path.js'
import { visibleText } from '../../ops/visible-text.js'
import type { JsAdapter, JsGrants } from '../../types/js.js'
import type { JsonSchema } from '../../types/tool.js'
import type { TrustedToolLoader } from '../../types/trusted-tools.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, joinPath, parentPath } from '../../workspace/paths.js'
import { checkKept } from '../js/grants.js'
import { CUSTOM_TOOL_NAME_PATTERN } from './names.js'
import type { CustomToolsSettings } from './options.js'
import { type Looked, lookProgram, PROGRAM_NAME } from './program.js'
import { answerOf } from './program-outcome.js'
import { readToolSchema } from './tool-schema.js'
import { lookTrusted, type TrustedLook, type TrustedRun } from './trusted.js'
import { virtualNames } from './virtual-names.js'

const LONGEST_NAME = 128
const LONGEST_DESCRIPTION = 16 * 1024
const LONGEST_MESSAGE = 1000
/** Time limit for loading a file, in milliseconds. Loading takes a few milliseconds, but the machine may be slow. */
const LOOK_MS = 10_000

/** The tool that a file describes. */
export interface CustomToolFacts {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** The function to call, if the file was loaded in this process. If absent, the code runs only in the sandbox. */
  readonly run?: TrustedRun
}

/** How to load files: `trusted` takes precedence over `js`. */
export interface Loading {
  readonly workspace: Workspace
  readonly js: JsAdapter | undefined
  readonly trusted?: TrustedToolLoader | undefined
}

/**
 * Loads a file to detect its tool. Undefined if the file exports no tool.
 *
 * @throws Error with the reason why the file does not load, or with the problem of its tool
 */
export async function describeTool(
  { workspace, js, trusted }: Loading,
  path: string,
  settings: CustomToolsSettings,
  signal?: AbortSignal,
): Promise<CustomToolFacts | undefined> {
  const bounds = { timeoutMs: Math.min(LOOK_MS, settings.timeoutMs), signal }
  const { tool, problem, run } = trusted
    ? await lookTrusted(trusted, workspace, path, bounds)
    : await lookInSandbox(workspace, js, path, settings, bounds)
  if (problem !== undefined) throw new Error(shorten(virtualNames(String(problem), workspace), LONGEST_MESSAGE))
  if (typeof tool !== 'object' || tool === null) return undefined
  const { name, description, inputSchema } = tool
  if (typeof name !== 'string') return undefined
  checkToolName(name)
  return { path, name, description: described(description, path), inputSchema: readToolSchema(inputSchema), ...(run && { run }) }
}

async function lookInSandbox(
  workspace: Workspace,
  js: JsAdapter | undefined,
  path: string,
  settings: CustomToolsSettings,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<TrustedLook> {
  if (!js) throw new Error('this runtime has no JavaScript adapter that loads tools')
  const result = await js.run({
    code: lookProgram(path),
    filename: joinPath(parentPath(path), PROGRAM_NAME),
    cwd: workspace.cwd,
    grants: lookGrants(js, workspace, settings),
    timeoutMs,
    maxBytes: 16 * 1024,
    ...(signal && { signal }),
  })
  const { tool, problem } = answerOf(result, 'it', timeoutMs, workspace) as Looked
  return { tool: tool ?? null, problem }
}

/** @throws Error `invalid tool name ...` */
export function checkToolName(name: string): void {
  if (!CUSTOM_TOOL_NAME_PATTERN.test(name))
    throw new Error(`invalid tool name ${JSON.stringify(shorten(name, LONGEST_NAME))} (allowed: letters, numbers, _ . : -)`)
  if (name.length > LONGEST_NAME) throw new Error(`invalid tool name: longer than ${LONGEST_NAME} characters`)
}

function described(description: unknown, path: string): string {
  if (typeof description !== 'string' || description.trim() === '') return `custom tool from ${baseName(path)}`
  return shorten(visibleText(description), LONGEST_DESCRIPTION)
}

/**
 * Returns the grants for loading a file. Loading must not change anything, so it gets only read access. @throws {PolicyError},
 * {UnsupportedError} as `grantsOf`
 */
function lookGrants(js: JsAdapter, workspace: Workspace, { js: { grants } }: CustomToolsSettings): JsGrants {
  const fs = workspace.readOnly && grants.fs === 'write' ? 'read' : grants.fs
  checkKept(js, fs, workspace.readOnly)
  return { fs: js.can.isolated && fs === 'write' ? 'read' : fs }
}
