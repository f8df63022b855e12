/** Maximum cost of JSON to parse, in bytes as counted by `parsedBytes`. Parsing more would block the thread noticeably. */
export const MOST_PARSED: number = 24 * 2 ** 20
/**
 * Maximum cost of a question with a fixed number of properties, in bytes as counted by `parsedBytes`. The largest such question, about a
 * file, has 14 properties.
 */
export const FEW_VALUES: number = 4096
/** Maximum number of characters of one JSON text from or to a program. The limit is the same in every adapter. */
const MOST_TEXT = 16 * 2 ** 20

/** The error that Node throws for a buffer that is too large. */
export const NO_BUFFER: { readonly name: string; readonly message: string } = {
  name: 'RangeError',
  message: 'Array buffer allocation failed',
}

/** Upper bounds, found by measuring, of the bytes that V8 allocates per JSON token, including hidden classes and tables of sparse keys. */
const [OBJECT, ARRAY, PROPERTY, ELEMENT, TEXT] = [128, 64, 48, 24, 24]
const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [...'",:\\[{'].map((mark) => mark.charCodeAt(0))

/**
 * Estimates the memory that the values of a JSON text need once parsed, in bytes, without the characters of strings. Stops counting above
 * `most`.
 */
export function parsedBytes(json: string, most: number = MOST_PARSED): number {
  let bytes = 0
  for (let at = 0; at < json.length && bytes <= most; at++) {
    const code = json.charCodeAt(at)
    if (code === COMMA) bytes += ELEMENT
    else if (code === QUOTE) {
      bytes += TEXT
      at = endOfText(json, at)
    } else if (code === COLON) bytes += PROPERTY
    else if (code === BRACKET) bytes += ARRAY
    else if (code === BRACE) bytes += OBJECT
  }
  return bytes
}

function endOfText(json: string, from: number): number {
  let at = json.indexOf('"', from + 1)
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1)
  return at === -1 ? json.length : at
}

function isEscaped(json: string, at: number): boolean {
  let from = at
  while (json.charCodeAt(from - 1) === BACKSLASH) from--
  return (at - from) % 2 === 1
}

/**
 * Returns the reason why a program's JSON must not be parsed, or undefined if it may be parsed.
 *
 * @param fits returns whether a number of bytes fits into memory
 */
export function problemOf(json: string, fits: (bytes: number) => boolean = () => true): string | undefined {
  if (json.length > MOST_TEXT) return `It has ${json.length} characters as JSON, and ${MOST_TEXT} at the most can be handed over`
  const bytes = parsedBytes(json)
  if (bytes > MOST_PARSED) return `It has more values than can be handed over: they take ${MOST_PARSED / 2 ** 20} MiB at the most`
  if (!fits(2 * json.length + bytes)) return noRoomFor(json.length)
  return undefined
}

export const noRoomFor = (length: number): string => `It has ${length} characters as JSON, and there is not enough memory to hand it over`

/** Returns the line on stderr for a default export that the host must not parse. */
export const notHandedOver = (problem: string): string => `The default export is not handed over: ${problem}\n`

/** Parses a tool call, a JSON array of name and input. @throws {RangeError} if it is too large; {TypeError} if it is invalid */
export function toolCallOf(json: string): readonly [name: string, input: unknown] {
  if (problemOf(json) !== undefined) throw new RangeError(NO_BUFFER.message)
  const call: unknown = JSON.parse(json)
  if (!Array.isArray(call) || typeof call[0] !== 'string') throw new TypeError('The call of a tool has no name')
  return [call[0], call[1]]
}
