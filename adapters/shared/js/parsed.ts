/** Maximum cost of parsed JSON: parsing more would block the thread noticeably. In bytes as counted by `parsedBytes`. */
export const MOST_PARSED: number = 24 * 2 ** 20
/** Maximum cost of a question with a fixed shape: the largest, about a file, has 14 properties. In bytes as counted by `parsedBytes`. */
export const FEW_VALUES: number = 4096
/** Maximum characters of one JSON text from or to a program, as in every adapter. */
const MOST_TEXT = 16 * 2 ** 20

/** Same error as in Node. */
export const NO_BUFFER: { readonly name: string; readonly message: string } = {
  name: 'RangeError',
  message: 'Array buffer allocation failed',
}

/** Measured maximum bytes that V8 allocates per JSON token, including hidden classes and tables of sparse keys. */
const [OBJECT, ARRAY, PROPERTY, ELEMENT, TEXT] = [128, 64, 48, 24, 24]
const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [...'",:\\[{'].map((mark) => mark.charCodeAt(0))

/** The memory of a JSON text's values once parsed, in bytes, without their characters. Stops counting above `most`. */
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
 * Returns why a program's JSON must not be parsed, or undefined.
 *
 * @param fits whether that many bytes fit into memory
 */
export function problemOf(json: string, fits: (bytes: number) => boolean = () => true): string | undefined {
  if (json.length > MOST_TEXT) return `It has ${json.length} characters as JSON, and ${MOST_TEXT} at the most can be handed over`
  const bytes = parsedBytes(json)
  if (bytes > MOST_PARSED) return `It has more values than can be handed over: they take ${MOST_PARSED / 2 ** 20} MiB at the most`
  if (!fits(2 * json.length + bytes)) return noRoomFor(json.length)
  return undefined
}

export const noRoomFor = (length: number): string => `It has ${length} characters as JSON, and there is not enough memory to hand it over`

/** The line on stderr for a default export that the host must not parse. */
export const notHandedOver = (problem: string): string => `The default export is not handed over: ${problem}\n`

/** Parses a tool call: JSON of name and input. @throws {RangeError} if it is too large; {TypeError} if it is invalid */
export function toolCallOf(json: string): readonly [name: string, input: unknown] {
  if (problemOf(json) !== undefined) throw new RangeError(NO_BUFFER.message)
  const call: unknown = JSON.parse(json)
  if (!Array.isArray(call) || typeof call[0] !== 'string') throw new TypeError('The call of a tool has no name')
  return [call[0], call[1]]
}
