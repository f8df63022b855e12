import { packed } from '../shared/bytes.js'
import { formatInteger } from '../shared/c-format.js'
import { Failure } from '../shared/failure.js'
import type { Given } from '../shared/options.js'
import type { Pace } from '../shared/pace.js'
import type { Change } from './compare.js'
import type { Side } from './show.js'

const GROUPS = ['old-group-format', 'new-group-format', 'unchanged-group-format', 'changed-group-format']
const LINES = ['old-line-format', 'new-line-format', 'unchanged-line-format', 'line-format']
export const FORMAT_OPTIONS: readonly string[] = [...GROUPS, ...LINES, 'D']

const MOST_WIDTH = 100

type Kind = 'old' | 'new' | 'unchanged' | 'changed'

export interface Formats {
  readonly groups: Readonly<Record<Kind, string>>
  readonly lines: Readonly<Record<'old' | 'new' | 'unchanged', string>>
}

/** Returns the formats of `--*-format` and `-D`, or undefined if no such option is given. */
export function formatsOf(given: Given): Formats | undefined {
  if (given.last(...FORMAT_OPTIONS) === undefined) return undefined
  if (given.last('u', 'U', 'c', 'C', 'y', 'e', 'n', 'normal') !== undefined) {
    throw new Failure("conflicting output style options\ndiff: Try 'diff --help' for more information.", 2)
  }
  const name = given.value('D')
  if (name !== undefined) {
    const [not, is, end] = [`#ifndef ${name}\n%<`, `#ifdef ${name}\n%>`, `#endif /* ${name} */\n`]
    const groups = {
      unchanged: '%=',
      old: `${not}#endif /* ! ${name} */\n`,
      new: is + end,
      changed: `${not}#else /* ${name} */\n%>${end}`,
    }
    return inBytes({ groups, lines: { old: '%L', new: '%L', unchanged: '%L' } })
  }
  const line = (kind: string): string => given.value(given.last(`${kind}-line-format`, 'line-format') ?? '') ?? '%L'
  const [before, after] = [given.value('old-group-format'), given.value('new-group-format')]
  const changed = given.value('changed-group-format')
  return inBytes({
    groups: {
      old: before ?? changed ?? '%<',
      new: after ?? changed ?? '%>',
      unchanged: given.value('unchanged-group-format') ?? '%=',
      changed: changed ?? `${before ?? '%<'}${after ?? '%>'}`,
    },
    lines: { old: line('old'), new: line('new'), unchanged: line('unchanged') },
  })
}

function inBytes({ groups, lines }: Formats): Formats {
  const all = <T extends object>(texts: T): T => Object.fromEntries(Object.entries(texts).map(([kind, text]) => [kind, packed(text)])) as T
  return { groups: all(groups), lines: all(lines) }
}

/** What every output format needs to know about a comparison. */
export interface FormatWork {
  readonly formats: Formats
  readonly out: { put(text: string): void }
  readonly pace: Pace
}

/** Lines `from` to `to` of a side. The end is exclusive. The span may be empty. */
interface Span {
  readonly side: Side
  readonly from: number
  readonly to: number
}

export async function showFormatted(work: FormatWork, before: Side, after: Side, changes: readonly Change[]): Promise<void> {
  const { formats } = work
  const group = async (kind: Kind, old: Span, fresh: Span): Promise<void> => {
    if (old.from < old.to || fresh.from < fresh.to) await writeGroup(work, formats.groups[kind], old, fresh)
  }
  let [x, y] = [0, 0]
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes) {
    await group('unchanged', { side: before, from: x, to: beforeFrom }, { side: after, from: y, to: afterFrom })
    const kind = beforeFrom === beforeTo ? 'new' : afterFrom === afterTo ? 'old' : 'changed'
    await group(kind, { side: before, from: beforeFrom, to: beforeTo }, { side: after, from: afterFrom, to: afterTo })
    x = beforeTo
    y = afterTo
  }
  await group('unchanged', { side: before, from: x, to: before.lines.length }, { side: after, from: y, to: after.lines.length })
}

const SPEC =
  /%(?:([<>=%])|c'(\\[0-7]{1,3}|.)'|([-' 0]*)(\d*)(?:\.(\d+))?([doxX])([eflmnEFLMN])|\(([eflmnEFLMN]|\d+)=([eflmnEFLMN]|\d+)\?)/gs

async function writeGroup(work: FormatWork, format: string, old: Span, fresh: Span): Promise<void> {
  const { formats, out } = work
  let rest = format
  for (let found = search(SPEC, rest); found; found = search(SPEC, rest)) {
    out.put(rest.slice(0, found.index))
    rest = rest.slice(found.index + found[0].length)
    const [, mark, char, flags = '', width, precision, letter = 'd', name, left, right] = found
    if (mark === '<') await writeLines(work, formats.lines.old, old)
    else if (mark === '>') await writeLines(work, formats.lines.new, fresh)
    else if (mark === '=') await writeLines(work, formats.lines.unchanged, old)
    else if (mark === '%') out.put('%')
    else if (char !== undefined) out.put(charOf(char))
    else if (name !== undefined) out.put(numberText(numberOf(name, old, fresh), { flags, width, precision, letter }))
    else {
      const then = branch(rest, ':')
      const otherwise = branch(rest.slice(then.length + 1), ')')
      rest = rest.slice(then.length + otherwise.length + 2)
      const holds = numberOf(left as string, old, fresh) === numberOf(right as string, old, fresh)
      await writeGroup(work, holds ? then : otherwise, old, fresh)
    }
  }
  out.put(rest)
}

function search(pattern: RegExp, text: string): RegExpExecArray | null {
  pattern.lastIndex = 0
  return pattern.exec(text)
}

/** Returns the text before the end mark. Skips nested parentheses, which contain marks of their own. */
function branch(text: string, end: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith('%(', at)) depth++
    else if (depth === 0 && text[at] === end) return text.slice(0, at)
    else if (depth > 0 && text[at] === ')') depth--
  }
  throw new Failure(`a condition in a group format has no '${end}': write %(A=B?THEN:ELSE)`, 2)
}

/** Returns a line number or count. Lower-case letters refer to the old file, upper-case letters to the new file. */
function numberOf(name: string, old: Span, fresh: Span): number {
  if (/^\d+$/.test(name)) return Number(name)
  const { from, to } = name === name.toLowerCase() ? old : fresh
  return { e: from, f: from + 1, l: to, m: to + 1, n: to - from }[name.toLowerCase()] as number
}

interface NumberFormat {
  readonly flags: string
  readonly width: string | undefined
  readonly precision: string | undefined
  readonly letter: string
}

function numberText(value: number, { flags, width, precision, letter }: NumberFormat): string {
  const directive = { flags, width: Number(width ?? 0), precision: precision === undefined ? undefined : Number(precision), letter }
  if (directive.width > MOST_WIDTH || (directive.precision ?? 0) > MOST_WIDTH)
    throw new Failure(`a width of more than ${MOST_WIDTH} columns is not supported here`, 2)
  return formatInteger(BigInt(value), directive)
}

const charOf = (text: string): string => (text.length > 1 ? String.fromCharCode(Number.parseInt(text.slice(1), 8)) : text)

const LINE_SPEC = /%(?:([lL%])|c'(\\[0-7]{1,3}|.)'|([-' 0]*)(\d*)(?:\.(\d+))?([doxX])n)/gs

async function writeLines({ out, pace }: FormatWork, format: string, { side, from, to }: Span): Promise<void> {
  if (format === '') return
  for (let at = from; at < to; at++) {
    const line = side.lines[at] as string
    const text = format.replace(LINE_SPEC, (_, mark, char, flags, width, precision, letter) => {
      if (mark === '%') return '%'
      if (mark !== undefined) return mark === 'L' ? `${line}\n` : line
      return char !== undefined ? charOf(char) : numberText(at + 1, { flags, width, precision, letter })
    })
    out.put(text)
    await pace.turn(2)
  }
}
