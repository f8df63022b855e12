import { readFile } from 'node:fs/promises'
import { branchesOf, propertiesOf, typesOf } from '../../formats/schema-walk.js'
import type { JsonSchema } from '../../types/tool.js'
import { parseJson } from './json-syntax.js'
import { UsageError } from './options.js'
import { readStdin } from './stdin.js'

const PAIR = /^([A-Za-z_$][\w$-]*)(:?=)([\s\S]*)$/

/**
 * Reads the input of a call from the words after the tool's name: `key=value` pairs, one word of JSON, `-` or `@file`. Undefined if the
 * signal aborts first.
 *
 * @throws {UsageError}
 */
export async function readInput(words: readonly string[], schema: JsonSchema, signal: AbortSignal): Promise<unknown> {
  const [first, extra] = words
  if (first === undefined) return {}
  const pairs = words.map((word) => PAIR.exec(word))
  if (pairs[0]) return fieldsOf(words, pairs, schema, signal)
  // The input of a tool is an object, so other JSON, such as a number or a string, is rejected too.
  if (!/^\s*[{[@]|^-$/.test(first)) throw new UsageError(unreadable(first))
  if (extra !== undefined)
    throw new UsageError(`"call" takes a tool and one JSON object, not "${extra}" too: quote the JSON, or write key=value`)
  const text = first === '-' || first.startsWith('@') ? await contentsOf(first === '-' ? '@-' : first, signal) : first
  return signal.aborted ? undefined : jsonOf(text, 'The input')
}

const unreadable = (word: string): string => `Cannot read "${word}": expected key=value, key:=json or key=@file`

async function fieldsOf(
  words: readonly string[],
  pairs: readonly (RegExpExecArray | null)[],
  schema: JsonSchema,
  signal: AbortSignal,
): Promise<unknown> {
  const fields = new Map<string, unknown>()
  if (words.filter((word) => word.endsWith('=@-')).length > 1) throw new UsageError('Cannot read stdin twice: use "@-" for one field only')
  for (const [at, pair] of pairs.entries()) {
    const [, key = '', sign, given = ''] = pair ?? []
    if (!pair) throw new UsageError(unreadable(words[at] ?? ''))
    if (fields.has(key)) throw new UsageError(`The field "${key}" is given twice`)
    const isFile = given.startsWith('@') && !given.startsWith('@@')
    const asText = `; a text that begins with "@" is ${key}=@${given}`
    const text = isFile ? await contentsOf(given, signal, sign === '=' ? asText : '') : given.replace(/^@@/, '@')
    if (signal.aborted) return undefined
    const types = sign === ':=' ? ['object'] : typesOfField(propertiesOf(schema)[key])
    fields.set(key, fieldValue(text, types, `The field "${key}"`))
  }
  return Object.fromEntries(fields)
}

function typesOfField(property: JsonSchema | undefined): readonly unknown[] {
  return property ? [...typesOf(property), ...branchesOf(property).flatMap(typesOf)] : []
}

/**
 * Parses a value: as text if the schema accepts text, else as JSON. Invalid JSON stays text, so that the runtime reports the expected type.
 */
function fieldValue(text: string, types: readonly unknown[], what: string): unknown {
  if (types.length === 0 || types.includes('string')) return text
  if (types.every((type) => type === 'array' || type === 'object')) return jsonOf(text, what)
  const parsed = parseJson(text)
  return 'value' in parsed ? parsed.value : text
}

function jsonOf(text: string, what: string): unknown {
  const parsed = parseJson(text.replace(/^\ufeff/, ''))
  if ('problem' in parsed) throw new UsageError(`${what} is not JSON: ${parsed.problem}`)
  return parsed.value
}

/** Returns the text of `@file`, or of stdin for `@-`. Error messages append `next` to the reason why a file cannot be read. */
async function contentsOf(word: string, signal: AbortSignal, next = ''): Promise<string> {
  const file = word.slice(1)
  if (file === '-') return readStdin(signal)
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read "${file}": ${error.code}${next}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError(`Cannot read "${file}": it is not UTF-8 text`)
  }
}
