import type { Change } from './compare.js'

export interface Side {
  /** The file's header line: name and time, or a label. */
  readonly header: string
  readonly lines: readonly string[]
  /** Whether the last line has no line break. */
  readonly unended: boolean
}

type Shown = Generator<string, void>

const NO_END = '\\ No newline at end of file'

function* put(mark: string, { lines, unended }: Side, from: number, to: number): Shown {
  for (let i = from; i < to; i++) {
    yield mark + lines[i]
    if (unended && i === lines.length - 1) yield NO_END
  }
}

/** The normal format: `2,3c4` and the lines. */
export function* showNormal(before: Side, after: Side, changes: readonly Change[]): Shown {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes) {
    const kind = beforeFrom === beforeTo ? 'a' : afterFrom === afterTo ? 'd' : 'c'
    yield `${span(beforeFrom, beforeTo)}${kind}${span(afterFrom, afterTo)}`
    yield* put('< ', before, beforeFrom, beforeTo)
    if (kind === 'c') yield '---'
    yield* put('> ', after, afterFrom, afterTo)
  }
}

/** Formats a range of lines for headers, counted from 1 with an inclusive end. An empty range becomes the number of the line before it. */
const span = (from: number, to: number): string =>
  to - from <= 1 ? String(Math.max(from + 1, to) - (from === to ? 1 : 0)) : `${from + 1},${to}`

/** The `-e` format: an ed script, from the last change to the first. */
export function* showEd(after: Side, changes: readonly Change[]): Shown {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes.toReversed()) {
    const kind = beforeFrom === beforeTo ? 'a' : afterFrom === afterTo ? 'd' : 'c'
    yield `${span(beforeFrom, beforeTo)}${kind}`
    if (kind === 'd') continue
    let isOpen = true
    for (const line of after.lines.slice(afterFrom, afterTo)) {
      if (!isOpen) yield 'a'
      isOpen = line !== '.'
      yield isOpen ? line : '..'
      // In ed, a line with a single dot ends the text. So write two dots and remove one.
      if (!isOpen) for (const command of ['.', 's/.//']) yield command
    }
    if (isOpen) yield '.'
  }
}

/** The `-n` format for RCS. Its lines include their line breaks. */
export function* showRcs(after: Side, changes: readonly Change[]): Shown {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes) {
    if (beforeTo > beforeFrom) yield `d${beforeFrom + 1} ${beforeTo - beforeFrom}\n`
    if (afterTo === afterFrom) continue
    yield `a${beforeTo} ${afterTo - afterFrom}\n`
    for (let at = afterFrom; at < afterTo; at++) yield after.lines[at] + (after.unended && at === after.lines.length - 1 ? '' : '\n')
  }
}

interface Hunk {
  readonly changes: readonly Change[]
  readonly beforeFrom: number
  readonly beforeTo: number
  readonly afterFrom: number
  readonly afterTo: number
}

/** Groups nearby changes with their context lines. Drops groups whose changes are all ignored. */
function hunksOf(changes: readonly Change[], context: number, before: number, after: number): Hunk[] {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    const near = last?.ignored || change.ignored ? context - 1 : 2 * context
    if (last && change.beforeFrom - last.beforeTo <= near) groups.at(-1)?.push(change)
    else groups.push([change])
  }
  const shown = groups.filter((group) => group.some(({ ignored }) => !ignored))
  return shown.map((group) => {
    const [first, last] = [group[0] as Change, group.at(-1) as Change]
    return {
      changes: group,
      beforeFrom: Math.max(0, first.beforeFrom - context),
      afterFrom: Math.max(0, first.afterFrom - context),
      beforeTo: Math.min(before, last.beforeTo + context),
      afterTo: Math.min(after, last.afterTo + context),
    }
  })
}

/** The `-u` format. `section` finds the section heading of a hunk. */
export function* showUnified(before: Side, after: Side, changes: readonly Change[], context: number, section?: Section): Shown {
  yield `--- ${before.header}`
  yield `+++ ${after.header}`
  for (const hunk of hunksOf(changes, context, before.lines.length, after.lines.length)) {
    const { beforeFrom, beforeTo, afterFrom, afterTo } = hunk
    yield `@@ -${counted(beforeFrom, beforeTo)} +${counted(afterFrom, afterTo)} @@${section?.(before, beforeFrom) ?? ''}`
    let at = beforeFrom
    for (const change of hunk.changes) {
      yield* put(' ', before, at, change.beforeFrom)
      yield* put('-', before, change.beforeFrom, change.beforeTo)
      yield* put('+', after, change.afterFrom, change.afterTo)
      at = change.beforeTo
    }
    yield* put(' ', before, at, beforeTo)
  }
}

export type Section = (before: Side, line: number) => string

const counted = (from: number, to: number): string => (to - from === 1 ? String(to) : `${to === from ? from : from + 1},${to - from}`)

/** The `-c` format. `section` finds the section heading of a hunk. */
export function* showContext(before: Side, after: Side, changes: readonly Change[], context: number, section?: Section): Shown {
  yield `*** ${before.header}`
  yield `--- ${after.header}`
  for (const hunk of hunksOf(changes, context, before.lines.length, after.lines.length)) {
    yield `***************${section?.(before, hunk.beforeFrom) ?? ''}`
    yield `*** ${ranged(hunk.beforeFrom, hunk.beforeTo)} ****`
    yield* side(
      before,
      hunk.beforeFrom,
      hunk.beforeTo,
      hunk.changes.map(({ beforeFrom, beforeTo, afterFrom, afterTo }) => ({
        from: beforeFrom,
        to: beforeTo,
        mark: afterFrom === afterTo ? '- ' : '! ',
      })),
    )
    yield `--- ${ranged(hunk.afterFrom, hunk.afterTo)} ----`
    yield* side(
      after,
      hunk.afterFrom,
      hunk.afterTo,
      hunk.changes.map(({ beforeFrom, beforeTo, afterFrom, afterTo }) => ({
        from: afterFrom,
        to: afterTo,
        mark: beforeFrom === beforeTo ? '+ ' : '! ',
      })),
    )
  }
}

const ranged = (from: number, to: number): string => (to - from <= 1 ? String(to) : `${from + 1},${to}`)

function* side(file: Side, from: number, to: number, parts: readonly { from: number; to: number; mark: string }[]): Shown {
  // GNU omits the lines of a side without changes.
  if (parts.every((part) => part.from === part.to)) return
  let at = from
  for (const part of parts) {
    yield* put('  ', file, at, part.from)
    yield* put(part.mark, file, part.from, part.to)
    at = part.to
  }
  yield* put('  ', file, at, to)
}

const TAB = 8
const GUTTER = 3

/** The `-y` format: both files side by side in `width` columns. */
export function* showBeside(before: Side, after: Side, changes: readonly Change[], width: number, onlyChanges: boolean): Shown {
  const offset = Math.floor((width + TAB + GUTTER) / (2 * TAB)) * TAB
  const half = Math.max(0, Math.min(offset - GUTTER, width - offset))
  const column = half > 0 ? offset : width
  const row = (left: string | undefined, mark: string, right: string | undefined): string => {
    let [line, at] = fitted(left ?? '', half)
    if (mark !== ' ') {
      const to = (half + column - 1) >> 1
      line += spaces(at, to) + mark
      at = to + 1
    }
    if (right !== undefined && right !== '') line += spaces(at, column) + fitted(right, half)[0]
    return line
  }
  let at = 0
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of [
    ...changes,
    { beforeFrom: before.lines.length, beforeTo: 0, afterFrom: 0, afterTo: 0 },
  ]) {
    const skew = afterFrom - beforeFrom
    for (; at < beforeFrom; at++)
      if (!onlyChanges)
        yield row(
          before.lines[at],
          ' ',
          after.lines[at + (changes.length ? (beforeTo === 0 ? after.lines.length - before.lines.length : skew) : 0)],
        )
    for (let i = 0; i < Math.max(beforeTo - beforeFrom, afterTo - afterFrom); i++) {
      const left = beforeFrom + i < beforeTo ? before.lines[beforeFrom + i] : undefined
      const right = afterFrom + i < afterTo ? after.lines[afterFrom + i] : undefined
      yield row(left, left === undefined ? '>' : right === undefined ? '<' : '|', right)
    }
    at = Math.max(at, beforeTo)
  }
}

/** Cuts a text to a number of columns. Returns the text and its width. */
function fitted(text: string, width: number): [string, number] {
  let [out, column] = ['', 0]
  for (const char of text) {
    const next = char === '\t' ? column + TAB - (column % TAB) : column + 1
    if (next > width) break
    out += char === '\t' ? ' '.repeat(next - column) : char
    column = next
  }
  return [out, column]
}

function spaces(from: number, to: number): string {
  let [out, at] = ['', from]
  for (let tab = at + TAB - (at % TAB); tab <= to; tab += TAB) {
    out += '\t'
    at = tab
  }
  return out + ' '.repeat(Math.max(0, to - at))
}
