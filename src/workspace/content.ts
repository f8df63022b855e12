import { InputError, WorkspaceError } from '../errors/index.js'
import { detectBinary } from '../ops/detect.js'
import { decodeUtf8, encodeUtf8, hasLoneSurrogate } from '../ops/utf8.js'

export interface DecodedText {
  readonly text: string
  readonly bom: boolean
}

/** Longer texts are decoded and encoded in steps (`content-steps.ts`). */
export const LONG_TEXT: number = 512 * 1024

/** @throws {WorkspaceError} `binary_file`, with the type detected from the first bytes */
export const decodeText = (path: string, bytes: Uint8Array): DecodedText => asText(path, bytes, decodeUtf8(bytes))

/** Checks that bytes are text. `text` has the decoded bytes, if they are valid UTF-8. @throws {WorkspaceError} as `decodeText` */
export function asText(path: string, bytes: Uint8Array, text: string | undefined): DecodedText {
  const detected = detectBinary(bytes, text)
  if (detected !== undefined) throw binary(path, detected)
  if (text === undefined) throw binary(path, 'application/octet-stream', 'it is not valid UTF-8')
  return text.charCodeAt(0) === 0xfeff ? { text: text.slice(1), bom: true } : { text, bom: false }
}

/** @throws {InputError} for a lone surrogate, because storages disagree about its replacement */
export function encodeText(path: string, text: string, bom: boolean): Uint8Array {
  if (hasLoneSurrogate(text)) throw loneSurrogate(path)
  return encodeUtf8(bom ? `\ufeff${text}` : text)
}

export function loneSurrogate(path: string): InputError {
  return new InputError('invalid_input', `Cannot write "${path}": the text contains a lone surrogate, which UTF-8 cannot hold`, {
    issues: [{ path: '', message: 'remove the half surrogate pair, or write the whole character' }],
  })
}

function binary(path: string, detected: string, why = `it is binary (${detected})`): WorkspaceError {
  return new WorkspaceError('binary_file', path, `Cannot read "${path}" as text: ${why}`, detected)
}
