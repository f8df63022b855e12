/** More values take a noticeable while to parse, in which nothing else runs. Bytes, as `parsedBytes` counts. */
export const MOST_PARSED: number = 24 * 2 ** 20
/** What a question of a fixed shape takes at the most: the largest, about a file, has 14 properties. Bytes, as `parsedBytes` counts. */
export const FEW_VALUES: number = 4096
/** Characters of JSON that go to or from a program at once, as with every adapter. */
const MOST_TEXT = 16 * 2 ** 20

/** As Node has it. */
export const NO_BUFFER: { readonly name: string; readonly message: string } = {
  name: 'RangeError',
  message: 'Array buffer allocation failed',
}

/** What V8 takes at the most, as measured, for what begins with a mark: maps of objects of their own and tables of sparse keys included. */
const [OBJECT, ARRAY, PROPERTY, ELEMENT, TEXT] = [128, 64, 48, 24, 24]
const [QUOTE, COMMA, COLON, BACKSLASH, BRACKET, BRACE] = [...'",:\\[{'].map((mark) => mark.charCodeAt(0))

/** What the values of a JSON text take once it is parsed, beside their characters: bytes, counted until they are more than `most`. */
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
 * Why a program's JSON is not parsed; undefined: it is.
 *
 * @param fits whether there is room for so many bytes
 */
export function problemOf(json: string, fits: (bytes: number) => boolean = () => true): string | undefined {
  if (json.length > MOST_TEXT) return `It has ${json.length} characters as JSON, and ${MOST_TEXT} at the most can be handed over`
  const bytes = parsedBytes(json)
  if (bytes > MOST_PARSED) return `It has more values than can be handed over: they take ${MOST_PARSED / 2 ** 20} MiB at the most`
  if (!fits(2 * json.length + bytes)) return noRoomFor(json.length)
  return undefined
}

export const noRoomFor = (length: number): string => `It has ${length} characters as JSON, and there is not enough memory to hand it over`

/** A line for stderr. */
export const notHandedOver = (problem: string): string => `The default export is not handed over: ${problem}\n`

/** A call of a tool: JSON of its name and its input. @throws {RangeError} too much, {TypeError} none */
export function toolCallOf(json: string): readonly [name: string, input: unknown] {
  if (problemOf(json) !== undefined) throw new RangeError(NO_BUFFER.message)
  const call: unknown = JSON.parse(json)
  if (!Array.isArray(call) || typeof call[0] !== 'string') throw new TypeError('The call of a tool has no name')
  return [call[0], call[1]]
}
