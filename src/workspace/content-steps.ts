import { InputError } from '../errors/index.js'
import { detectBinary } from '../ops/detect.js'
import type { Steps } from '../ops/steps.js'
import { encodeUtf8 } from '../ops/utf8.js'
import { decodeSteps, encodeSteps } from '../ops/utf8-steps.js'
import { asText, type DecodedText, loneSurrogate } from './content.js'

/** `decodeText` in steps. @throws {WorkspaceError} as `decodeText` */
export function* decodeTextSteps(path: string, bytes: Uint8Array): Steps<DecodedText> {
  const text = yield* decodeSteps(bytes)
  yield
  return asText(path, bytes, text)
}

/** `encodeText` in steps. @throws {InputError} as `encodeText` */
export function* encodeTextSteps(path: string, text: string, bom: boolean): Steps<Uint8Array> {
  const bytes = yield* encodeSteps(bom ? `\ufeff${text}` : text)
  if (!bytes) throw loneSurrogate(path)
  return bytes
}

/** Encodes an edited text. @throws {InputError} if a later read would not accept the bytes as text */
export function* encodeEdited(path: string, before: string, after: string, bom: boolean): Steps<Uint8Array> {
  const bytes = yield* encodeTextSteps(path, after, bom)
  yield
  const hasNul = after.includes('\0') && !before.includes('\0')
  yield
  const type = hasNul ? 'a NUL character' : detectBinary(bytes, after)
  if (type === undefined || (!hasNul && detectBinary(encodeUtf8(before), before) !== undefined)) return bytes
  const message = `Cannot edit "${path}": the result would be binary (${type}) and no longer readable as text`
  throw new InputError('invalid_input', message, {
    issues: [{ path: '', message: hasNul ? 'remove the NUL character from the new text' : 'begin the text with something else' }],
  })
}
