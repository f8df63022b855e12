/** Makes plain text of what a program prints for a terminal, piece by piece. Any division into pieces gives the same text. */
export interface AnsiCleaner {
  /** The plain text of this piece; what may be the beginning of a sequence waits for the next one. */
  push(piece: string): string
  /** What was still waiting, when nothing more comes. */
  end(): string
}

export interface AnsiCleanerOptions {
  /** Told of every control sequence: `?1` and `h` for `ESC [ ? 1 h`. */
  readonly onSequence?: (parameters: string, final: string) => void
}

type Mode =
  | 'text'
  /** Behind ESC. */
  | 'escape'
  /** Behind ESC and a character that asks for one more: `ESC ( B`. */
  | 'intermediate'
  /** Behind `ESC [`: parameters, then a letter. */
  | 'control'
  /** Behind `ESC ]` and its like: a text up to `ESC \`. */
  | 'string'
  /** Behind an ESC in such a text. */
  | 'string-escape'

/** Titles, links and colours are far shorter than this. */
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
/** CAN and SUB break any sequence off. */
const BREAKS: ReadonlySet<number> = new Set([0x18, 0x1a])

/**
 * Removes escape sequences (CSI, OSC, DCS, APC, PM, SOS, two characters; also in their 8 bit forms) and control characters but line feed
 * and tab. CR LF becomes LF. A CR alone goes back to the beginning of the line, as progress bars do: what was printed cannot be taken
 * back, so what is written over it begins a line of its own. A text sequence without an end is none: after 4096 characters, and at the
 * end, what it held is given as text.
 */
export function createAnsiCleaner({ onSequence }: AnsiCleanerOptions = {}): AnsiCleaner {
  let mode: Mode = 'text'
  /** Of the sequence that is under way. Numbers: a part of the piece would keep all of it alive. */
  let held: number[] = []
  let bellEnds = false
  let returned = false
  let atLineStart = true
  /** The first half of a pair whose second half comes with the next piece. */
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

/** Where the run of plain text from `at` on ends; before a half of a pair that ends the piece. */
function endOfPlain(text: string, at: number): number {
  let end = at
  while (end < text.length && isPrinted(text.charCodeAt(end))) end++
  return end === text.length && end > at && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
}

const isPrinted = (unit: number): boolean => (unit >= 0x20 && unit < 0x7f) || unit > 0x9f || unit === LF || unit === TAB
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
