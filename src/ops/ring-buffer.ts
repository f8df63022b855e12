/** The result of `read`. `text` begins at the requested position, or at the first kept position after it. */
export interface RingText {
  readonly text: string
  /** Position after `text`, for the next read. */
  readonly next: number
  /** Number of lost units between the requested position and the text. */
  readonly lost: number
}

/** The most recent part of a text stream. Positions count UTF-16 units from the start of the stream, including dropped units. */
export interface RingBuffer {
  /** Position of the first kept unit: the number of dropped units. */
  readonly start: number
  /** Position after the last unit. */
  readonly end: number
  push(text: string): void
  /** Returns at most `max` units and never splits a surrogate pair: with `max` 1, a pair is returned whole. */
  read(from: number, max: number): RingText
}

const CAPACITY = 300_000
const SMALLEST = 1024
/** Number of units to convert to text at once: few enough to pass as arguments. */
const UNITS_AT_ONCE = 8192

/**
 * Keeps the last `capacity` units (default 300,000) in an array of 16-bit numbers. Strings are unsuitable: a substring keeps the whole
 * string in memory, and many small strings need more memory than their text.
 *
 * @throws RangeError for a capacity below 2
 */
export function createRingBuffer(capacity: number = CAPACITY): RingBuffer {
  if (!Number.isInteger(capacity) || capacity < 2)
    throw new RangeError(`Cannot keep ${capacity} units: expected a whole number of 2 or more`)
  let units = new Uint16Array(Math.min(capacity, SMALLEST))
  let start = 0
  let end = 0

  const unitAt = (position: number): number => units[position % units.length] ?? 0
  const splitsPair = (position: number): boolean =>
    position > start && position < end && isHigh(unitAt(position - 1)) && isLow(unitAt(position))

  /** Enlarges the array. The buffer drops nothing before the array has its full size, so every unit keeps its index. */
  const grow = (needed: number): void => {
    let { length } = units
    while (length < needed && length < capacity) length = Math.min(capacity, length * 2)
    if (length === units.length) return
    const larger = new Uint16Array(length)
    larger.set(units)
    units = larger
  }

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    push(text) {
      grow(end + text.length)
      const skipped = Math.max(0, text.length - units.length)
      const slot = (end + skipped) % units.length
      const whole = Math.min(text.length, skipped + units.length - slot)
      copy(text, skipped, whole, units, slot)
      copy(text, whole, text.length, units, 0)
      end += text.length
      if (end - start <= units.length) return
      start = end - units.length
      if (isLow(unitAt(start))) start++
    },
    read(from, max) {
      const asked = Math.min(Math.max(0, from), end)
      const first = Math.max(start, splitsPair(asked) ? asked - 1 : asked)
      let next = Math.min(end, first + Math.max(0, Math.floor(max) || 0))
      if (splitsPair(next)) next += next - first > 1 ? -1 : 1
      return { text: textOf(units, first, next), next, lost: Math.max(0, start - asked) }
    },
  }
}

function copy(text: string, from: number, to: number, units: Uint16Array, slot: number): void {
  const shift = slot - from
  for (let i = from; i < to; i++) units[i + shift] = text.charCodeAt(i)
}

function textOf(units: Uint16Array, first: number, end: number): string {
  let text = ''
  for (let position = first; position < end; ) {
    const slot = position % units.length
    const length = Math.min(UNITS_AT_ONCE, end - position, units.length - slot)
    text += String.fromCharCode(...units.subarray(slot, slot + length))
    position += length
  }
  return text
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
