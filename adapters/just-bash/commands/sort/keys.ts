import { Failure } from '../shared/failure.js'

/** How to compare the values of a key. */
export interface Ordering {
  readonly blanks: boolean
  readonly dictionary: boolean
  readonly fold: boolean
  readonly printable: boolean
  readonly kind: 'text' | 'numeric' | 'general' | 'human' | 'month' | 'version' | 'random'
  readonly reverse: boolean
}

export interface Key {
  readonly begin: Place
  /** End of the key, or undefined if the key ends with the line. */
  readonly end: Place | undefined
  readonly ordering: Ordering
}

interface Place {
  /** Number of the field, counted from 1. */
  readonly field: number
  /** Number of the character, counted from 1. At the end of a key, 0 means the end of the field. */
  readonly char: number
  readonly skipBlanks: boolean
}

const KINDS: Readonly<Record<string, Ordering['kind']>> = { n: 'numeric', g: 'general', h: 'human', M: 'month', V: 'version', R: 'random' }

export function orderingOf(letters: string): Ordering {
  const kind = [...letters].findLast((letter) => KINDS[letter])
  return {
    blanks: letters.includes('b'),
    dictionary: letters.includes('d'),
    fold: letters.includes('f'),
    printable: letters.includes('i'),
    kind: kind ? (KINDS[kind] as Ordering['kind']) : 'text',
    reverse: letters.includes('r'),
  }
}

/** Parses a key such as `2,3n`. A key without letters of its own inherits the global options. @throws {Failure} */
export function parseKey(text: string, general: string): Key {
  const found = /^(\d+)(?:\.(\d+))?([bdfgiMhnRVr]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRVr]*))?$/.exec(text)
  if (!found) throw new Failure(`invalid number at field start: invalid count at start of '${text}'`, 2)
  const [, field, char, letters = '', endField, endChar, endLetters = ''] = found
  if (Number(field) === 0) throw new Failure(`-: invalid field specification '${text}'`, 2)
  const own = letters + endLetters
  const effective = own === '' ? general : own
  const ordering = orderingOf(effective)
  const skip = own === '' && general.includes('b')
  return {
    begin: { field: Number(field), char: char === undefined ? 1 : Math.max(1, Number(char)), skipBlanks: letters.includes('b') || skip },
    end:
      endField === undefined
        ? undefined
        : { field: Number(endField), char: Number(endChar ?? 0), skipBlanks: endLetters.includes('b') || skip },
    ordering,
  }
}

/** Returns the part of a line that a key selects. */
export function keyText(line: string, { begin, end }: Key, separator: string | undefined): string {
  const from = placeOf(line, begin, separator, false)
  const to = end ? placeOf(line, end, separator, true) : line.length
  return from < to ? line.slice(from, to) : ''
}

function placeOf(line: string, { field, char, skipBlanks }: Place, separator: string | undefined, isEnd: boolean): number {
  let at = 0
  // If the end of a key has no character, the key ends with its field.
  const whole = isEnd && char === 0
  for (let i = 1; i < field || (whole && i === field); i++) {
    if (separator === undefined) {
      while (at < line.length && isBlank(line, at)) at++
      while (at < line.length && !isBlank(line, at)) at++
    } else {
      const next = line.indexOf(separator, at)
      if (next < 0) return line.length
      at = whole && i === field ? next : next + 1
    }
  }
  if (whole) return at
  if (skipBlanks) while (at < line.length && isBlank(line, at)) at++
  return Math.min(line.length, at + char - (isEnd ? 0 : 1))
}

const isBlank = (line: string, at: number): boolean => line[at] === ' ' || line[at] === '\t'
