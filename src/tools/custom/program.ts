import { baseName } from '../../workspace/paths.js'

/** The result of the program that detects a tool, as JSON text. */
export interface Looked {
  /** Null: the file exports no tool. */
  readonly tool?: { readonly name?: unknown; readonly description?: unknown; readonly inputSchema?: unknown } | null
  readonly problem?: unknown
}

/** The result of the program that calls a tool, as JSON text. */
export interface Called {
  readonly ok?: unknown
  readonly output?: unknown
  readonly error?: unknown
  /** The tool returned a value that is not JSON: the reason, and the value as text. */
  readonly refused?: unknown
  readonly words?: unknown
  /** The tool threw, or no longer exists. */
  readonly problem?: unknown
}

/** Maximum length of an output, in UTF-16 units of its JSON. Longer outputs are rejected. */
export const LONGEST_OUTPUT: number = 8 * 1024 * 1024

// The code below runs in the sandbox with the tool, which can change it: do not rely on it for security.

/** Source of a function that finds the tool that a module exports, in one of five ways. Tries the module first, then its default export. */
const FIND = `
const record = (value) => typeof value === 'object' && value !== null
const named = (name) => typeof name === 'string' && name.trim() !== ''
const isTool = (it) => record(it) && named(it.name) && typeof it.run === 'function'
const plain = (it) => ({ name: it.name.trim(), description: it.description, inputSchema: it.inputSchema ?? it.args, run: (...given) => it.run(...given) })
const toolOf = (root) => {
  if (isTool(root)) return plain(root)
  if (isTool(root.tool)) return plain(root.tool)
  const { meta } = root
  if (!record(meta)) return null
  const name = meta.name ?? root.name
  const run = typeof root.run === 'function' ? (...given) => root.run(...given) : typeof root.default === 'function' ? (...given) => root.default(...given) : undefined
  if (!named(name) || !run) return null
  const inputSchema = meta.args ?? meta.inputSchema ?? root.args ?? root.inputSchema
  return { name: name.trim(), description: meta.description ?? root.description, inputSchema, run }
}
const findTool = (namespace) => toolOf(namespace) ?? (record(namespace.default) ? toolOf(namespace.default) : null)
const told = (error, where) => {
  const message = record(error) && typeof error.message === 'string' && error.message !== '' ? error.message : String(error)
  const place = record(error) && typeof error.stack === 'string' ? /(?:file:\\/\\/)?(\\/[^\\n()]*:\\d+(?::\\d+)?)/.exec(error.stack)?.[1] : undefined
  return where && place && !message.includes(place) ? message + ' (' + place + ')' : message
}
`

const specifierOf = (path: string): string => JSON.stringify(`./${encodeURIComponent(baseName(path))}`)

/** Creates the source of a program that detects the tool of the file at `path`. The program runs in the same directory. */
export const lookProgram = (path: string): string => `${FIND}
let answer
try {
  const tool = findTool(await import(${specifierOf(path)}))
  answer = JSON.stringify({ tool: tool && { name: tool.name, description: tool.description, inputSchema: tool.inputSchema } })
} catch (error) {
  answer = JSON.stringify({ problem: told(error, true) })
}
export default answer
`

/**
 * Creates the source of a program that calls the tool of the file at `path`. The program runs in the same directory. `now` is in
 * milliseconds since the epoch.
 */
export const callProgram = (path: string, name: string, input: unknown, now: number): string => `${FIND}
const asJson = (value) => {
  if (value === undefined) return 'null'
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('a ' + typeof value + ' is not JSON')
  if (text.length > ${LONGEST_OUTPUT}) throw new RangeError('it is longer than ${LONGEST_OUTPUT} characters of JSON')
  return text
}
const wordsOf = (value) => {
  try {
    return String(value).slice(0, 1000)
  } catch {
    return ''
  }
}
const settled = (value) => {
  const whole = record(value) && typeof value.ok === 'boolean' && 'output' in value
  const ok = whole ? value.ok : true
  const error = whole && typeof value.error === 'string' ? { error: value.error.slice(0, 65536) } : {}
  const output = whole ? value.output : value
  try {
    return { ok, output: asJson(output), ...error }
  } catch (problem) {
    return { ok, refused: told(problem), words: wordsOf(output), ...error }
  }
}
let answer
try {
  const tool = findTool(await import(${specifierOf(path)}))
  const name = ${JSON.stringify(name)}
  if (!tool || tool.name !== name) {
    answer = { problem: 'the file exports ' + (tool ? 'the tool "' + tool.name + '"' : 'no tool') + ' now: load the tools again' }
  } else {
    const input = JSON.parse(${JSON.stringify(JSON.stringify(input) ?? 'null')})
    const log = (...words) => console.log(...words)
    const signal = new AbortController().signal
    answer = settled(await tool.run(input, { now: new Date(${now}), log, signal }))
  }
} catch (error) {
  answer = { problem: told(error) }
}
export default JSON.stringify(answer)
`

/** The file name that these programs have in messages. No file has this name. */
export const PROGRAM_NAME = '[custom tool].mjs'
