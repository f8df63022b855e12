/** Converts terminal output to plain text, piece by piece. The result does not depend on how the output is split. */
export interface AnsiCleaner {
  /** Returns the plain text of this piece. Buffers an incomplete sequence at its end until the next piece. */
  push(piece: string): string
  /** Returns the buffered rest. Call it at the end of the output. */
  end(): string
}

export interface AnsiCleanerOptions {
  /** Called for every control sequence: with `?1` and `h` for `ESC [ ? 1 h`. */
  readonly onSequence?: (parameters: string, final: string) => void
}

type Mode =
  | 'text'
  /** After ESC. */
  | 'escape'
  /** After ESC and a character that requires one more character: `ESC ( B`. */
  | 'intermediate'
  /** After `ESC [`: parameters, then a letter. */
  | 'control'
  /** After `ESC ]` and similar: a string that ends at `ESC \`. */
  | 'string'
  /** After an ESC inside such a string. */
  | 'string-escape'

/** Maximum length of a sequence in code units. Titles, links and colours are far shorter. */
const LONGEST_SEQUENCE = 4096

const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const ESC = 0x1b
const BEL = 0x07
const BACKSLASH = 0x5c
const OSC = 0x5d
/** `ESC P`, `ESC X`, `ESC ]`, `ESC ^`, `ESC _`. */
const STRINGS: ReadonlySet<number> = new Set([0x50, 0x58, OSC, 0x5e, 0x5f])
const CONTROL = 0x5b
const STRING_END = 0x9c
/** CAN and SUB cancel any sequence. */
const BREAKS: ReadonlySet<number> = new Set([0x18, 0x1a])

/**
 * Creates a cleaner that removes escape sequences (CSI, OSC, DCS, APC, PM, SOS, two-character sequences; also in 8-bit form) and control
 * characters except line feed and tab. CR LF becomes LF. A lone CR moves to the start of the line, as progress bars do: the cleaner cannot
 * take back text that it has returned, so the new text starts its own line. A string sequence without an end is not a sequence: after 4096
 * characters, and at the end of the output, its content becomes text.
 */
export function createAnsiCleaner({ onSequence }: AnsiCleanerOptions = {}): AnsiCleaner {
  let mode: Mode = 'text'
  /** The code units of the current sequence. Numbers, because a substring would keep the whole piece in memory. */
  let held: number[] = []
  let bellEnds = false
  let returned = false
  let atLineStart = true
  /** The first half of a surrogate pair whose second half is in the next piece. */
  let half = ''
  let out: string[] = []

  const begin = (next: Mode): void => {
    mode = next
    if (held.length > 0) held = []
  }

  const put = (text: string): void => {
    if (returned && !atLineStart && !text.startsWith('\n')) out.push('\n')
    returned = false
    atLineStart = text.endsWith('\n')
    out.push(text)
  }

  const giveBack = (): void => {
    const units = held
    begin('text')
    for (const unit of units) {
      if (unit === CR) returned = true
      else if (isPrinted(unit)) put(String.fromCharCode(unit))
    }
  }

  const hold = (unit: number): void => {
    held.push(unit)
    if (held.length > LONGEST_SEQUENCE) giveBack()
  }

  const asText = (unit: number): void => {
    begin('text')
    if (unit === CR) returned = true
    else if (unit === ESC) begin('escape')
    else if (isPrinted(unit)) put(String.fromCharCode(unit))
    else if (unit >= 0x80) afterEscape(unit - 0x40)
  }

  const afterEscape = (unit: number): void => {
    if (unit === CONTROL) begin('control')
    else if (STRINGS.has(unit)) {
      begin('string')
      bellEnds = unit === OSC
    } else if (unit >= 0x20 && unit <= 0x2f) begin('intermediate')
    else if (unit >= 0x30 && unit <= 0x7e) begin('text')
    else asText(unit)
  }

  const control = (unit: number): void => {
    if (unit >= 0x20 && unit <= 0x3f) hold(unit)
    else if (unit >= 0x40 && unit <= 0x7e) {
      const parameters = String.fromCharCode(...held)
      begin('text')
      onSequence?.(parameters, String.fromCharCode(unit))
    } else if (unit > 0x1f || unit === LF || unit === CR || unit === TAB || unit === ESC) asText(unit)
  }

  const string = (unit: number): void => {
    if (unit === STRING_END || (unit === BEL && bellEnds)) begin('text')
    else if (unit === ESC) mode = 'string-escape'
    else hold(unit)
  }

  const step = (unit: number): void => {
    if (BREAKS.has(unit)) begin('text')
    else if (mode === 'text') asText(unit)
    else if (mode === 'control') control(unit)
    else if (mode === 'string') string(unit)
    else if (mode === 'escape') afterEscape(unit)
    else if (mode === 'intermediate' && unit >= 0x20 && unit <= 0x2f) hold(unit)
    else if (mode === 'intermediate' && unit >= 0x30 && unit <= 0x7e) begin('text')
    else if (mode === 'string-escape' && unit === BACKSLASH) begin('text')
    else if (mode === 'string-escape') {
      begin('escape')
      afterEscape(unit)
    } else asText(unit)
  }

  const taken = (): string => {
    const text = out.join('')
    out = []
    return text
  }

  return {
    push(piece) {
      const text = half + piece
      half = ''
      let at = 0
      while (at < text.length) {
        const end = mode === 'text' ? endOfPlain(text, at) : at
        if (end > at) put(text.slice(at, end))
        at = end
        if (at === text.length - 1 && mode === 'text' && isHigh(text.charCodeAt(at))) half = text.slice(at++)
        else if (at < text.length) step(text.charCodeAt(at++))
      }
      return taken()
    },
    end() {
      if (mode === 'string' || mode === 'string-escape') giveBack()
      if (half !== '') put(half)
      half = ''
      return taken()
    },
  }
}

/** Returns the end of the plain text that starts at `at`. Excludes a high surrogate at the end of the piece. */
function endOfPlain(text: string, at: number): number {
  let end = at
  while (end < text.length && isPrinted(text.charCodeAt(end))) end++
  return end === text.length && end > at && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
}

const isPrinted = (unit: number): boolean => (unit >= 0x20 && unit < 0x7f) || unit > 0x9f || unit === LF || unit === TAB
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
