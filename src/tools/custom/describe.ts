import { shorten } from '../../core/field-path.js'
import type { JsAdapter, JsGrants } from '../../types/js.js'
import type { JsonSchema } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, joinPath, parentPath } from '../../workspace/paths.js'
import { checkKept } from '../js/grants.js'
import { answerOf } from './ended.js'
import { CUSTOM_TOOL_NAME_PATTERN } from './names.js'
import type { CustomToolsSettings } from './options.js'
import { type Looked, lookProgram, PROGRAM_NAME } from './program.js'
import { readToolSchema } from './tool-schema.js'

const LONGEST_NAME = 128
const LONGEST_DESCRIPTION = 16 * 1024
const LONGEST_MESSAGE = 1000
/** To load a file takes milliseconds; the machine may be slow. */
const LOOK_MS = 10_000

/** What a file says of its tool. None of the tool's code runs outside of the sandbox. */
export interface CustomToolFacts {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

export interface Sandbox {
  readonly workspace: Workspace
  readonly js: JsAdapter
}

/**
 * Loads a file in the sandbox to see what tool it exports; undefined for none.
 *
 * @throws Error that says why the file does not load, or what is wrong with its tool
 */
export async function describeTool(
  { workspace, js }: Sandbox,
  path: string,
  settings: CustomToolsSettings,
  signal?: AbortSignal,
): Promise<CustomToolFacts | undefined> {
  const timeoutMs = Math.min(LOOK_MS, settings.timeoutMs)
  const result = await js.run({
    code: lookProgram(path),
    filename: joinPath(parentPath(path), PROGRAM_NAME),
    cwd: workspace.cwd,
    grants: lookGrants(js, workspace, settings),
    timeoutMs,
    maxBytes: 16 * 1024,
    ...(signal && { signal }),
  })
  const { tool, problem } = answerOf(result, 'it', timeoutMs) as Looked
  if (problem !== undefined) throw new Error(shorten(String(problem), LONGEST_MESSAGE))
  if (typeof tool !== 'object' || tool === null) return undefined
  const { name, description, inputSchema } = tool
  if (typeof name !== 'string') return undefined
  checkToolName(name)
  return { path, name, description: described(description, path), inputSchema: readToolSchema(inputSchema) }
}

/** @throws Error `invalid tool name ...` */
export function checkToolName(name: string): void {
  if (!CUSTOM_TOOL_NAME_PATTERN.test(name))
    throw new Error(`invalid tool name ${JSON.stringify(shorten(name, LONGEST_NAME))} (allowed: letters, numbers, _ . : -)`)
  if (name.length > LONGEST_NAME) throw new Error(`invalid tool name: longer than ${LONGEST_NAME} characters`)
}

function described(description: unknown, path: string): string {
  if (typeof description !== 'string' || description.trim() === '') return `custom tool from ${baseName(path)}`
  return shorten(description, LONGEST_DESCRIPTION)
}

/** To say what it is, a file has to change nothing. @throws {PolicyError}, {UnsupportedError} as `grantsOf` */
function lookGrants(js: JsAdapter, workspace: Workspace, { js: { grants } }: CustomToolsSettings): JsGrants {
  const fs = workspace.readOnly && grants.fs === 'write' ? 'read' : grants.fs
  checkKept(js, fs, workspace.readOnly)
  return { fs: js.can.isolated && fs === 'write' ? 'read' : fs }
}
