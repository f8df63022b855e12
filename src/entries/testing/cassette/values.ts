import { fromBase64, toBase64 } from '../../../ops/base64.js'

/** Tags for values without a JSON form: each is recorded as an object with one of these fields. */
export const TAG = { bytes: 'toolport:bytes', url: 'toolport:url', date: 'toolport:date', error: 'toolport:error' } as const

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts a value for the cassette, one level deep.
 *
 * @throws TypeError for an object whose content is not in its fields: a `Blob`, a `FormData`, a `Map`, a stream
 */
export function recordable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (ArrayBuffer.isView(value)) return { [TAG.bytes]: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
  // Check the tag, because `instanceof` fails for objects of another realm.
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') return { [TAG.bytes]: toBase64(new Uint8Array(value as ArrayBuffer)) }
  if (kind === 'URL') return { [TAG.url]: String(value) }
  if (kind === 'Date') return { [TAG.date]: JSON.parse(JSON.stringify(value)) as unknown }
  if (value instanceof Error || kind === 'Error') return { [TAG.error]: failureOf(value) }
  if ('toJSON' in value && typeof value.toJSON === 'function') return recordable(value.toJSON())
  if (isPlain(value) || Object.keys(value).length > 0) return value
  const name = value.constructor?.name || kind
  throw new TypeError(`a ${name} has no fields to record. Pass its content as text or bytes`)
}

/** Restores recorded values. */
export function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if (!isPlain(value)) return value
  const [[tag, content] = [], ...others] = Object.entries(value)
  if (others.length === 0 && typeof content === 'string') {
    if (tag === TAG.bytes) return fromBase64(content) ?? new Uint8Array()
    if (tag === TAG.url) return new URL(content)
    if (tag === TAG.date) return new Date(content)
  }
  if (others.length === 0 && tag === TAG.error) return thrown(revive(content))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revive(field)]))
}

/** The parts of an error that tools read: name, code, message and details. */
export function failureOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String((error as Error | null)?.message ?? error) }
  const { name, message } = error
  const details = Object.entries(error).filter(([key, value]) => key !== 'cause' && key !== 'stack' && isRecordable(value))
  return { name, message, ...Object.fromEntries(details) }
}

export function thrown(failed: unknown): Error {
  const { message, name = 'Error', ...details } = failed as { message: string; name?: string }
  const error = Object.assign(new Error(message), details)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}

/** Whether an error detail can be recorded. Others, such as the `Headers` of a response, are dropped. */
function isRecordable(value: unknown): boolean {
  if (typeof value === 'function') return false
  try {
    const fields = recordable(value)
    return typeof fields !== 'object' || fields === null || Object.values(fields as Fields).every(isRecordable)
  } catch {
    return false
  }
}

export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
