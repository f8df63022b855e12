import { InputError, WorkspaceError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { detectEol, type Eol } from '../../ops/lines.js'
import { encodeTextSteps } from '../../workspace/content-steps.js'
import { inSlices, type Slicer } from '../../workspace/slicer.js'

/** Bytes to inspect in one step. */
const PIECE = 256 * 1024
/** Estimated cost of a step in microseconds. */
const STEP_COST = 2000

type EolChoice = 'keep' | 'lf' | 'crlf' | 'as_is'

/** Input of `write_file`, with defaults. */
export interface WriteInput {
  readonly path: string
  readonly content: string
  readonly encoding: 'utf8' | 'base64'
  readonly mode: 'overwrite' | 'create' | 'append'
  readonly eol: EolChoice
}

export interface TextStyle {
  readonly eol: Eol
  readonly bom: boolean
}

/** Detects the style of a file of this size; undefined if the file is not UTF-8 text. */
export async function textStyle(
  size: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
  slicer: Slicer,
): Promise<TextStyle | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const found = new Set<Eol>()
  let bom = false
  let carry = ''
  try {
    for (let offset = 0; offset < size; offset += PIECE) {
      const bytes = await read(offset, PIECE)
      const text = carry + decoder.decode(bytes, { stream: offset + PIECE < size })
      if (offset === 0 && detectBinary(bytes, text) !== undefined) return undefined
      if (offset === 0) bom = text.startsWith('\ufeff')
      found.add(detectEol(text))
      carry = text.endsWith('\r') ? '\r' : ''
      if (slicer.due(STEP_COST)) await slicer.pause()
    }
  } catch (error) {
    // The decoder's error for invalid bytes.
    if (error instanceof TypeError) return undefined
    throw error
  }
  found.delete('none')
  const [eol = 'none'] = found
  return { eol: found.size > 1 ? 'mixed' : eol, bom }
}

export interface StyledText {
  readonly bytes: Uint8Array
  /** The style that the content takes over from the file. */
  readonly kept: readonly ('crlf' | 'bom')[]
  /** The file was not UTF-8 text. */
  readonly converted?: true
  /** The file had both LF and CRLF. The new content does not keep this mixture. */
  readonly mixed?: true
}

/** Encodes the content in the style of the file that it replaces or extends. */
export async function styled(
  { path, content, mode, eol }: Pick<WriteInput, 'path' | 'content' | 'mode' | 'eol'>,
  style: TextStyle | undefined,
  slicer: Slicer,
): Promise<StyledText> {
  const bom = eol !== 'as_is' && style?.bom === true && mode !== 'append' && !content.startsWith('\ufeff')
  const given = await inSlices(encodeTextSteps(path, content, bom), slicer)
  // Content with CRLF keeps CRLF even if the file has LF, because the caller wrote CR on purpose.
  const wanted = eol === 'keep' && style?.eol === 'crlf' ? 'crlf' : eol
  const bytes = wanted === 'crlf' || wanted === 'lf' ? await toEol(given, wanted, slicer) : given
  return { bytes, kept: [...(eol === 'keep' && bytes !== given ? ['crlf' as const] : []), ...(bom ? ['bom' as const] : [])] }
}

const [LF, CR] = [10, 13]

/** Converts line endings. Returns the same bytes if nothing has to change. */
async function toEol(bytes: Uint8Array, eol: 'lf' | 'crlf', slicer: Slicer): Promise<Uint8Array> {
  const out = new Uint8Array(bytes.length * (eol === 'crlf' ? 2 : 1))
  let to = 0
  for (let from = 0; from < bytes.length; from += PIECE) {
    const end = Math.min(from + PIECE, bytes.length)
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number
      if (eol === 'lf' && byte === CR && bytes[at + 1] === LF) continue
      if (eol === 'crlf' && byte === LF && bytes[at - 1] !== CR) out[to++] = CR
      out[to++] = byte
    }
    if (slicer.due(STEP_COST)) await slicer.pause()
  }
  return to === bytes.length ? bytes : out.slice(0, to)
}

/** Rejects text with a NUL character, which would make the file binary: such content has to be written as bytes. @throws {InputError} */
export function checkText({ path, content, mode }: WriteInput): void {
  if (!content.includes('\0')) return
  const problem = 'content has a NUL character, which would make it a binary file'
  throw new InputError('invalid_input', `Cannot ${mode === 'append' ? 'append to' : 'write'} "${path}": ${problem}`, {
    issues: [{ path: 'content', message: 'leave out the NUL character, or give the bytes with encoding "base64"' }],
  })
}

/** Rejects an append of text to a file that is not UTF-8 text. @throws {WorkspaceError} `binary_file` */
export function checkAppend(path: string, size: number, style: TextStyle | undefined): void {
  if (size === 0 || style) return
  const message = `Cannot append text to "${path}": it is not UTF-8 text. Append bytes in its own encoding with encoding "base64", or write the whole file`
  throw new WorkspaceError('binary_file', path, message, 'application/octet-stream')
}
