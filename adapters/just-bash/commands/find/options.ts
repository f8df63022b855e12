import { Failure } from '../shared/failure.js'
import { zoneOf } from '../shared/time/zone.js'
import { quoted } from './messages.js'
import { DAY_MS } from './numbers.js'
import type { Arguments, Reading } from './reading.js'
import { checkRegexType } from './regex.js'

/** An option such as `-maxdepth`. As part of the expression it evaluates to true. */
interface Option {
  /** Whether the option applies to the whole walk, regardless of its position. */
  readonly isGlobal?: boolean
  read(reading: Reading, next: Arguments, word: string): void
}

const nothing: Option = { read: () => undefined }

const depthFirst = (word: string): Option => ({
  isGlobal: true,
  read(reading) {
    reading.options.depthFirst = true
    reading.asksDepth = true
    if (word === '-d' && reading.warns)
      reading.output.warn('the -d option is deprecated; please use -depth instead, because the latter is a POSIX-compliant feature.')
  },
})

const levels = (which: 'minDepth' | 'maxDepth'): Option => ({
  isGlobal: true,
  read(reading, next, word) {
    const value = next.value(word)
    if (!/^\d+$/.test(value)) throw new Failure(`Expected a positive decimal integer argument to ${word}, but got ${quoted(value)}`)
    reading.options[which] = Number(value)
  },
})

const warnings = (warns: boolean): Option => ({
  read(reading) {
    reading.warns = warns
  },
})

export const OPTIONS: Readonly<Record<string, Option>> = {
  '-d': depthFirst('-d'),
  '-daystart': {
    read(reading) {
      const offset = zoneOf(reading.context.env).offsetAt(reading.now) * 60_000
      reading.dayEnd = Math.floor((reading.now + offset) / DAY_MS) * DAY_MS - offset + DAY_MS
    },
  },
  '-depth': depthFirst('-depth'),
  '-follow': {
    read(reading) {
      reading.options.following = 'always'
    },
  },
  '-ignore_readdir_race': nothing,
  '-maxdepth': levels('maxDepth'),
  '-mindepth': levels('minDepth'),
  // No effect: like for `stat`, all files are on one file system.
  '-mount': nothing,
  '-noignore_readdir_race': nothing,
  '-noleaf': nothing,
  '-nowarn': warnings(false),
  '-regextype': {
    read(reading, next, word) {
      const type = next.value(word)
      checkRegexType(type)
      reading.regexType = type
    },
  },
  '-warn': warnings(true),
  '-xdev': nothing,
}
