import { InputError, WorkspaceError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { detectEol, type Eol } from '../../ops/lines.js'

/** Bytes looked at in one step. */
const PIECE = 1024 * 1024

export type EolChoice = 'keep' | 'lf' | 'crlf' | 'as_is'

export interface TextStyle {
  readonly eol: Eol
  readonly bom: boolean
}

/** How a file of this many bytes is written; undefined for one that is not UTF-8 text. */
export async function textStyle(
  size: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
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
    }
  } catch (error) {
    // The decoder's word for invalid bytes.
    if (error instanceof TypeError) return undefined
    throw error
  }
  found.delete('none')
  const [eol = 'none'] = found
  return { eol: found.size > 1 ? 'mixed' : eol, bom }
}

export interface StyledText {
  readonly text: string
  /** What was taken over from the file, because the content does not have it. */
  readonly kept: readonly ('crlf' | 'bom')[]
}

/** The content in the style of the file that it replaces or goes on. */
export function styled(content: string, choice: EolChoice, style: TextStyle | undefined, append: boolean): StyledText {
  if (choice === 'as_is') return { text: content, kept: [] }
  const bom = style?.bom === true && !append && !content.startsWith('\ufeff')
  const wanted = choice === 'keep' ? style?.eol : choice
  const text = wanted === 'crlf' || wanted === 'lf' ? toEol(content, wanted, choice === 'keep') : content
  const kept = [...(choice === 'keep' && wanted === 'crlf' && text !== content ? ['crlf' as const] : []), ...(bom ? ['bom' as const] : [])]
  return { text: bom ? `\ufeff${text}` : text, kept }
}

/** A file with LF says nothing about a content that has CRLF: whoever writes CR means it. */
function toEol(content: string, eol: 'lf' | 'crlf', isKept: boolean): string {
  if (eol === 'crlf') return content.replace(/\r?\n/g, '\r\n')
  return isKept ? content : content.replaceAll('\r\n', '\n')
}

/** Text after other bytes would be neither. @throws {WorkspaceError} `binary_file`; {InputError} */
export function checkAppend(path: string, content: string, size: number, style: TextStyle | undefined): void {
  if (size === 0) return
  if (!style) {
    const message = `Cannot append text to "${path}": it is not UTF-8 text. Append bytes in its own encoding with encoding "base64", or write the whole file`
    throw new WorkspaceError('binary_file', path, message, 'application/octet-stream')
  }
  if (!content.includes('\0')) return
  throw new InputError('invalid_input', `Cannot append to "${path}": content has a NUL character, which would make the text file binary`, {
    issues: [{ path: 'content', message: 'leave out the NUL character, or append bytes with encoding "base64"' }],
  })
}
