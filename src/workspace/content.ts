import { InputError, WorkspaceError } from '../errors/index.js'
import { detectBinary } from '../ops/detect.js'
import { finish, type Steps } from '../ops/steps.js'
import { decodeSteps, encodeSteps, encodeUtf8 } from '../ops/utf8.js'

export interface DecodedText {
  readonly text: string
  readonly bom: boolean
}

/** @throws {WorkspaceError} `binary_file`, with the type that the first bytes show */
export function decodeText(path: string, bytes: Uint8Array): DecodedText {
  return finish(decodeTextSteps(path, bytes))
}

export function* decodeTextSteps(path: string, bytes: Uint8Array): Steps<DecodedText> {
  const text = yield* decodeSteps(bytes)
  yield
  const detected = detectBinary(bytes, text)
  if (detected !== undefined) throw binary(path, detected)
  if (text === undefined) throw binary(path, 'application/octet-stream', 'it is not valid UTF-8')
  return text.charCodeAt(0) === 0xfeff ? { text: text.slice(1), bom: true } : { text, bom: false }
}

/** @throws {InputError} for a lone surrogate: storages disagree about what to put in its place */
export function encodeText(path: string, text: string, bom: boolean): Uint8Array {
  return finish(encodeTextSteps(path, text, bom))
}

export function* encodeTextSteps(path: string, text: string, bom: boolean): Steps<Uint8Array> {
  const bytes = yield* encodeSteps(bom ? `\ufeff${text}` : text)
  if (bytes) return bytes
  throw new InputError('invalid_input', `Cannot write "${path}": the text contains a lone surrogate, which UTF-8 cannot hold`, {
    issues: [{ path: '', message: 'remove the half surrogate pair, or write the whole character' }],
  })
}

/** The bytes of a text that was edited. @throws {InputError} when they would not be read as text any more */
export function* encodeEdited(path: string, before: string, after: string, bom: boolean): Steps<Uint8Array> {
  const bytes = yield* encodeTextSteps(path, after, bom)
  yield
  const hasNul = after.includes('\0') && !before.includes('\0')
  yield
  const type = hasNul ? 'a NUL character' : detectBinary(bytes, after)
  if (type === undefined || (!hasNul && detectBinary(encodeUtf8(before), before) !== undefined)) return bytes
  const message = `Cannot edit "${path}": the result would be binary (${type}) and could not be read as text any more`
  throw new InputError('invalid_input', message, {
    issues: [{ path: '', message: hasNul ? 'leave the NUL character out of the new text' : 'begin the text with something else' }],
  })
}

function binary(path: string, detected: string, why = `it is binary (${detected})`): WorkspaceError {
  return new WorkspaceError('binary_file', path, `Cannot read "${path}" as text: ${why}`, detected)
}
