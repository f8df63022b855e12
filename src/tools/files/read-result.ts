/** Input of `read_file`, with defaults. */
export interface ReadFileInput {
  readonly path: string
  /** First line, one-based. A negative number counts from the end. */
  readonly offset: number
  readonly limit: number
  readonly byte_offset?: number | undefined
  readonly max_bytes: number
  readonly mode: 'slice' | 'indentation'
  readonly indentation?:
    | {
        readonly anchor_line?: number | undefined
        readonly max_levels: number
        readonly include_siblings: boolean
        readonly include_header: boolean
        readonly max_lines?: number | undefined
      }
    | undefined
  readonly numbered: boolean
  readonly encoding: 'utf8' | 'base64'
}

/** Parameters to add to the same call to continue. */
export interface ReadNext {
  readonly offset?: number
  readonly byte_offset?: number
}

export interface ReadLinesOutput {
  readonly path: string
  readonly text: string
  /** First line of the text, one-based. Counted from the end (-1: the last line) if earlier lines were not counted. */
  readonly start_line: number
  readonly end_line: number
  /** Absent for a file over 64 MiB that was not read to its end. */
  readonly total_lines?: number
  readonly size: number
  readonly eol: 'lf' | 'crlf' | 'mixed' | 'none'
  readonly bom: boolean
  readonly truncated: boolean
  readonly next?: ReadNext
}

export interface ReadBytesOutput {
  readonly path: string
  /** `text` or, with encoding base64, `base64`. */
  readonly text?: string
  readonly base64?: string
  readonly byte_offset: number
  readonly bytes: number
  readonly size: number
  readonly truncated: boolean
  readonly next?: ReadNext
}

export interface ReadImageOutput {
  readonly path: string
  readonly media_type: string
  readonly size: number
}

export type ReadOutput = ReadLinesOutput | ReadBytesOutput | ReadImageOutput

/** Renders the content, followed by notes. */
export function renderRead(output: ReadOutput): string {
  if ('media_type' in output) return `[${output.path}: ${output.media_type}, ${output.size} bytes]`
  if ('byte_offset' in output) return withNote(output.text ?? output.base64 ?? '', bytesNote(output))
  if (output.size === 0) return '[The file is empty]'
  return withNote(output.text, linesNote(output))
}

function withNote(text: string, note: string): string {
  if (note === '') return text
  return text === '' || text.endsWith('\n') ? text + note : `${text}\n${note}`
}

function bytesNote({ byte_offset, bytes, size, next }: ReadBytesOutput): string {
  const where = `[Bytes ${byte_offset} to ${byte_offset + bytes} of ${size}`
  return next ? `${where}; continue with byte_offset ${next.byte_offset}]` : `${where}]`
}

const ENDINGS = { lf: '', none: '', crlf: 'CRLF line endings', mixed: 'LF and CRLF line endings' } as const

function linesNote({ start_line, end_line, total_lines, size, eol, bom, next }: ReadLinesOutput): string {
  const isWhole = start_line === 1 && end_line === total_lines
  const facts = [
    isWhole ? '' : `Lines ${start_line} to ${end_line} of ${total_lines ?? `a file of ${size} bytes`}`,
    ENDINGS[eol],
    bom ? 'byte order mark' : '',
    next ? `continue with offset ${next.offset}` : '',
  ].filter((fact) => fact !== '')
  return facts.length === 0 ? '' : `[${facts.join('; ')}]`
}
