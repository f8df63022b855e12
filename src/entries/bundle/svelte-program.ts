import { isRecord } from '../../ops/is-record.js'
import { countBreaks } from '../../ops/lines.js'
import type { Mappings } from './source-maps.js'

/** A file for the compiler. */
export interface SvelteSource {
  readonly path: string
  /** A component, or JavaScript with runes. */
  readonly code: string
}

/** A message of the compiler. */
export interface SvelteMessage {
  readonly text: string
  /** Line from 1, column in UTF-16 units from 0. */
  readonly place?: { readonly line: number; readonly column: number }
}

interface Code extends Mappings {
  readonly code: string
}

/** The compiler's result for one file. */
export type Compiled =
  | { readonly error: SvelteMessage }
  | { readonly js: Code; readonly css?: Code; readonly warnings: readonly SvelteMessage[] }

/**
 * The program that compiles files in the sandbox: reads `{ options, files }` as JSON from the input and exports a list. `require` finds the
 * compiler as a single file, which loads several times faster than its ES modules.
 */
export const PROGRAM = `const { compile, compileModule } = require('svelte/compiler')
const { options, files } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const message = (it) => ({ text: it?.message ?? String(it), line: it?.start?.line, column: it?.start?.column })
const code = (it) => it?.code ? { code: it.code, mappings: it.map?.mappings, names: it.map?.names } : undefined
module.exports = files.map(({ path, code: source }) => {
  try {
    const own = { ...options, filename: path }
    const { js, css, warnings } = path.endsWith('.svelte') ? compile(source, { ...own, css: 'external' }) : compileModule(source, own)
    return { js: code(js) ?? { code: '' }, css: code(css), warnings: warnings.map(message) }
  } catch (error) {
    if (/out of memory/.test(error?.message)) throw error
    return { error: message(error) }
  }
})
`

const MOST_WARNINGS = 100
const LONGEST_TEXT = 2000
/** Maximum length of compiled code, and of its mappings. */
const LONGEST_CODE = 4 * 1024 * 1024

/** Checks the program's export, which is untrusted. Undefined unless the export contains one valid result for each file. */
export function readCompiled(value: unknown, files: readonly SvelteSource[]): readonly Compiled[] | undefined {
  if (!Array.isArray(value) || value.length !== files.length) return undefined
  const all = value.map(compiledOf)
  return all.includes(undefined) ? undefined : (all as Compiled[])
}

function compiledOf(value: unknown): Compiled | undefined {
  if (!isRecord(value)) return undefined
  if (value.error !== undefined) return { error: messageOf(value.error) }
  const [js, css] = [codeOf(value.js), codeOf(value.css)]
  if (!js || (value.css !== undefined && !css)) return undefined
  const warnings = Array.isArray(value.warnings) ? value.warnings.slice(0, MOST_WARNINGS).map(messageOf) : []
  return { js, ...(css && { css }), warnings }
}

function codeOf(value: unknown): Code | undefined {
  if (!isRecord(value) || typeof value.code !== 'string' || value.code.length > LONGEST_CODE) return undefined
  const { code, mappings, names } = value
  return {
    code,
    mappings: typeof mappings === 'string' && isInBounds(mappings, code) ? mappings : '',
    names: Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [],
  }
}

/** Whether the host can decode the mappings: each of their lines takes memory, even if it is empty. */
function isInBounds(mappings: string, code: string): boolean {
  return mappings.length <= LONGEST_CODE && mappings.replace(/[^;]+/g, '').length <= countBreaks(code, 0, code.length) + 1
}

function messageOf(value: unknown): SvelteMessage {
  const { text, line, column } = isRecord(value) ? value : {}
  const said = typeof text === 'string' && text !== '' ? text : 'the Svelte compiler gives no reason'
  return {
    text: said.length > LONGEST_TEXT ? `${said.slice(0, LONGEST_TEXT)}…` : said,
    ...(isCount(line) && line > 0 && isCount(column) && { place: { line, column } }),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
