import { hasCode, InputError } from '../../errors/index.js'
import type { Host } from '../../types/host.js'
import type { AnyTool, JsonSchema } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import type { ToolPlace } from './custom-registry.js'
import { type CustomToolFacts, checkToolName, describeTool, type Loading } from './describe.js'
import { CustomToolFailed } from './failure.js'
import { messageOf } from './load.js'
import type { CustomToolsSettings } from './options.js'
import { readToolSchema } from './tool-schema.js'

export interface PersistentInput {
  readonly name: string
  readonly description: string
  readonly handler_code: string
  readonly args_schema?: unknown
  readonly filename?: string | undefined
  readonly overwrite: boolean
}

export interface PersistentOutput {
  readonly status: 'ok'
  readonly message: string
  readonly tool_name: string
  /** Virtual path. */
  readonly path: string
  readonly overwritten: boolean
}

interface Making extends Loading {
  readonly host: Host
  readonly place: ToolPlace
  readonly settings: CustomToolsSettings
  /** Virtual path. */
  readonly directory: string
  readonly make: (facts: CustomToolFacts) => AnyTool
  readonly signal: AbortSignal
}

/**
 * Writes a tool file, checks that it loads, and registers the tool. After a failure, files and registry are unchanged. A replaced tool
 * stays registered until the new one takes its place.
 *
 * @throws {InputError} for invalid input; {CustomToolFailed}, {FsError} for failures
 */
export function makeTool(making: Making, input: PersistentInput): Promise<PersistentOutput> {
  return making.place.inTurn(() => makeNext(making, input))
}

async function makeNext(making: Making, input: PersistentInput): Promise<PersistentOutput> {
  const { workspace, directory, place } = making
  const { name, schema, filename } = checkFields(input)
  const path = joinPath(directory, filename)
  const replaced = await checkFree(making, input, path)
  const steps = new Undo()
  try {
    await makeDirectory(workspace, directory, steps)
    const candidate = joinPath(directory, candidateName(making.host, filename))
    steps.add(() => workspace.remove(candidate))
    const text = toolSource({ name, description: input.description.trim(), inputSchema: schema, handler: input.handler_code }, filename)
    await step('failed writing tool file', () => workspace.writeText(candidate, text, { mode: 'create' }))
    const facts = await prove(making, candidate, path, name)
    const had = place.has(name)
    steps.add(place.put(making.make(facts), path))
    const old = replaced !== undefined && replaced !== path ? replaced : undefined
    if (old !== undefined) await removeOld(workspace, old, steps)
    await step('failed writing tool file', () => workspace.move(candidate, path, { overwrite: input.overwrite }))
    const message = `persistent tool ${had ? 'updated and reloaded' : 'created and loaded'}: ${name}`
    return { status: 'ok', message, tool_name: name, path, overwritten: had || replaced !== undefined }
  } catch (error) {
    await steps.run()
    throw error
  }
}

function checkFields({ name: given, description, handler_code, args_schema, filename: asked }: PersistentInput): {
  readonly name: string
  readonly schema: JsonSchema
  readonly filename: string
} {
  const name = given.trim()
  attempt('name', () => checkToolName(name))
  if (description.trim() === '') throw refusal('description', 'must not be empty')
  if (handler_code.trim() === '') throw refusal('handler_code', 'must not be empty: give the body of async run(input, context)')
  const schema = attempt('args_schema', () => readArguments(args_schema))
  const filename = asked?.trim() || filenameFor(name)
  if (!isToolFilename(filename))
    throw refusal('filename', 'must be a file name of letters, numbers and _ . - that ends in .js, .mjs or .cjs')
  return { name, schema, filename }
}

function readArguments(given: unknown): JsonSchema {
  if (given === undefined) return readToolSchema(undefined)
  const fields = typeof given === 'object' && given !== null ? (given as JsonSchema) : {}
  const { type, properties } = fields
  if (type !== 'object' || typeof properties !== 'object' || properties === null)
    throw new TypeError('must be a JSON Schema with "type": "object" and an object "properties"')
  return readToolSchema(given)
}

function attempt<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw refusal(field, messageOf(error))
  }
}

const sayField = (field: string, message: string): string => (message.startsWith('must ') ? `${field} ${message}` : message)

function refusal(field: string, message: string): InputError {
  return new InputError('invalid_input', sayField(field, message), { issues: [{ path: field, message }] })
}

/**
 * Checks that the name and the path can be used. Returns the file that contains the tool of this name, or else an existing file at the new
 * path; undefined if neither exists.
 */
async function checkFree({ workspace, place }: Making, input: PersistentInput, path: string): Promise<string | undefined> {
  const { overwrite } = input
  const name = input.name.trim()
  const exists = await workspace.exists(path)
  if (exists && !overwrite) throw refusal('filename', `tool file already exists: ${path}. set overwrite=true to replace.`)
  if (place.isBuiltin(name)) throw refusal('name', `cannot overwrite built-in tool: ${name}`)
  if (place.has(name) && !overwrite) throw refusal('name', `tool already registered: ${name}. set overwrite=true to replace.`)
  const owner = place.toolOf(path)
  if (exists && owner !== undefined && owner !== name) throw refusal('filename', `${path} holds the tool ${owner}: choose another filename`)
  return place.fileOf(name) ?? (exists ? path : undefined)
}

/** Returns a name for a temporary file in the same directory, where the file's imports resolve. `load.ts` ignores such files. */
function candidateName(host: Host, filename: string): string {
  const id = Math.floor(host.random() * 2 ** 32).toString(16)
  return `.${filename.replace(/\.([cm]?js)$/, `-${id}.new.$1`)}`
}

async function prove(making: Making, candidate: string, path: string, name: string): Promise<CustomToolFacts> {
  let facts: CustomToolFacts | undefined
  try {
    facts = await describeTool(making, candidate, making.settings, making.signal)
  } catch (error) {
    const why = messageOf(error).replaceAll(candidate, path)
    throw new CustomToolFailed(`the tool does not load, so nothing was saved: ${why}`)
  }
  if (!facts) throw new CustomToolFailed('written file does not export a valid tool object.')
  if (facts.name !== name) throw new CustomToolFailed(`tool export name mismatch: expected ${name}, got ${facts.name}`)
  return { ...facts, path }
}

async function makeDirectory(workspace: Workspace, directory: string, steps: Undo): Promise<void> {
  const missing: string[] = []
  for (let path = directory; path !== workspace.root && !(await workspace.exists(path)); path = parentPath(path)) missing.unshift(path)
  for (const path of missing) steps.add(() => workspace.remove(path))
  if (missing.length > 0) await step('failed to create tools directory', () => workspace.mkdir(directory, { parents: true }))
}

/** Removes the file of the replaced tool if it has another name, because the next start would find two tools of this name. */
async function removeOld(workspace: Workspace, path: string, steps: Undo): Promise<void> {
  if (!(await workspace.exists(path))) return
  const { bytes } = await workspace.readBytes(path)
  await step('failed removing the former tool file', () => workspace.remove(path))
  steps.add(() => workspace.writeBytes(path, bytes))
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Error && hasCode(error, 'EROFS', 'EACCES', 'ENOSPC', 'EFBIG', 'EEXIST', 'ENOTDIR', 'EIO'))
      throw worded(error, what)
    throw error
  }
}

/** Puts the operation in front of the error's message. */
function worded(error: Error, what: string): Error {
  Object.defineProperty(error, 'message', { value: `${what}: ${error.message}`, configurable: true, writable: true })
  return error
}

/** Undoes steps in reverse order. If a step cannot be undone, it continues with the others. */
class Undo {
  readonly #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.reverse()) {
      try {
        await step()
      } catch {
        // The step was not done, or cannot be undone.
      }
    }
  }
}

interface ToolText {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** The body of `async run(input, context)`. */
  readonly handler: string
}

const FILENAME = /^[a-zA-Z0-9._-]+\.[cm]?js$/
const LONGEST = 200

const isToolFilename = (filename: string): boolean => FILENAME.test(filename) && filename.length <= LONGEST

const filenameFor = (name: string): string => `${name.replace(/[^a-zA-Z0-9._-]/g, '_')}.mjs`

/** Creates the text of a tool file: CommonJS for `.cjs`, otherwise an ES module. */
function toolSource({ name, description, inputSchema, handler }: ToolText, filename: string): string {
  const [called, what, schema] = [JSON.stringify(name), JSON.stringify(description), JSON.stringify(inputSchema, null, 2)]
  if (filename.endsWith('.cjs'))
    return `exports.name = ${called}\nexports.description = ${what}\nexports.inputSchema = ${schema}\n\nexports.run = async function run(input, context) {\n${handler}\n}\n`
  return `export const name = ${called}\nexport const description = ${what}\nexport const inputSchema = ${schema}\n\nexport async function run(input, context) {\n${handler}\n}\n`
}
