import type { Change } from './compare.js'

export interface Side {
  /** As it stands in a header, with its time. */
  readonly header: string
  readonly lines: readonly string[]
  /** The last line has no end. */
  readonly unended: boolean
}

type Write = (line: string) => void

const NO_END = '\\ No newline at end of file'

function put(write: Write, mark: string, { lines, unended }: Side, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    write(mark + lines[i])
    if (unended && i === lines.length - 1) write(NO_END)
  }
}

/** `2,3c4`, and the lines. */
export function showNormal(write: Write, before: Side, after: Side, changes: readonly Change[]): void {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes) {
    const kind = beforeFrom === beforeTo ? 'a' : afterFrom === afterTo ? 'd' : 'c'
    write(`${span(beforeFrom, beforeTo)}${kind}${span(afterFrom, afterTo)}`)
    put(write, '< ', before, beforeFrom, beforeTo)
    if (kind === 'c') write('---')
    put(write, '> ', after, afterFrom, afterTo)
  }
}

/** From 1, with the last; of nothing, the line before it. */
const span = (from: number, to: number): string =>
  to - from <= 1 ? String(Math.max(from + 1, to) - (from === to ? 1 : 0)) : `${from + 1},${to}`

/** As `-e` has it: for ed, from the end. */
export function showEd(write: Write, after: Side, changes: readonly Change[]): void {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes.toReversed()) {
    const kind = beforeFrom === beforeTo ? 'a' : afterFrom === afterTo ? 'd' : 'c'
    write(`${span(beforeFrom, beforeTo)}${kind}`)
    if (kind === 'd') continue
    let isOpen = true
    for (const line of after.lines.slice(afterFrom, afterTo)) {
      if (!isOpen) write('a')
      isOpen = line !== '.'
      write(isOpen ? line : '..')
      // A dot alone would end the text.
      if (!isOpen) for (const command of ['.', 's/.//']) write(command)
    }
    if (isOpen) write('.')
  }
}

/** As `-n` has it: for RCS. */
export function showRcs(out: string[], after: Side, changes: readonly Change[]): void {
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of changes) {
    if (beforeTo > beforeFrom) out.push(`d${beforeFrom + 1} ${beforeTo - beforeFrom}\n`)
    if (afterTo === afterFrom) continue
    out.push(`a${beforeTo} ${afterTo - afterFrom}\n`)
    for (let at = afterFrom; at < afterTo; at++) out.push(after.lines[at] + (after.unended && at === after.lines.length - 1 ? '' : '\n'))
  }
}

interface Hunk {
  readonly changes: readonly Change[]
  readonly beforeFrom: number
  readonly beforeTo: number
  readonly afterFrom: number
  readonly afterTo: number
}

/** Changes that are near one another, with the lines around them. */
function hunksOf(changes: readonly Change[], context: number, before: number, after: number): Hunk[] {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    if (last && change.beforeFrom - last.beforeTo <= 2 * context) groups.at(-1)?.push(change)
    else groups.push([change])
  }
  return groups.map((group) => {
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

/** As `-u` has it; `section` names what a hunk is in. */
export function showUnified(write: Write, before: Side, after: Side, changes: readonly Change[], context: number, section?: Section): void {
  write(`--- ${before.header}`)
  write(`+++ ${after.header}`)
  for (const hunk of hunksOf(changes, context, before.lines.length, after.lines.length)) {
    const { beforeFrom, beforeTo, afterFrom, afterTo } = hunk
    write(
      `@@ -${counted(beforeFrom, beforeTo)} +${counted(afterFrom, afterTo)} @@${section?.(before, hunk.changes[0]?.beforeFrom ?? 0) ?? ''}`,
    )
    let at = beforeFrom
    for (const change of hunk.changes) {
      put(write, ' ', before, at, change.beforeFrom)
      put(write, '-', before, change.beforeFrom, change.beforeTo)
      put(write, '+', after, change.afterFrom, change.afterTo)
      at = change.beforeTo
    }
    put(write, ' ', before, at, beforeTo)
  }
}

export type Section = (before: Side, line: number) => string

const counted = (from: number, to: number): string => (to - from === 1 ? String(to) : `${to === from ? from : from + 1},${to - from}`)

/** As `-c` has it. */
export function showContext(write: Write, before: Side, after: Side, changes: readonly Change[], context: number): void {
  write(`*** ${before.header}`)
  write(`--- ${after.header}`)
  for (const hunk of hunksOf(changes, context, before.lines.length, after.lines.length)) {
    write('***************')
    write(`*** ${ranged(hunk.beforeFrom, hunk.beforeTo)} ****`)
    side(
      write,
      before,
      hunk.beforeFrom,
      hunk.beforeTo,
      hunk.changes.map(({ beforeFrom, beforeTo, afterFrom, afterTo }) => ({
        from: beforeFrom,
        to: beforeTo,
        mark: afterFrom === afterTo ? '- ' : '! ',
      })),
    )
    write(`--- ${ranged(hunk.afterFrom, hunk.afterTo)} ----`)
    side(
      write,
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

function side(write: Write, file: Side, from: number, to: number, parts: readonly { from: number; to: number; mark: string }[]): void {
  // A side where nothing changed is left out.
  if (parts.every((part) => part.from === part.to)) return
  let at = from
  for (const part of parts) {
    put(write, '  ', file, at, part.from)
    put(write, part.mark, file, part.from, part.to)
    at = part.to
  }
  put(write, '  ', file, at, to)
}

const TAB = 8
const GUTTER = 3

/** As `-y` has it: beside one another, in `width` columns. */
export function showBeside(write: Write, before: Side, after: Side, changes: readonly Change[], width: number, onlyChanges: boolean): void {
  const offset = Math.floor((width + TAB + GUTTER) / (2 * TAB)) * TAB
  const half = Math.max(0, Math.min(offset - GUTTER, width - offset))
  const column = half > 0 ? offset : width
  const row = (left: string | undefined, mark: string, right: string | undefined): void => {
    let [line, at] = fitted(left ?? '', half)
    if (mark !== ' ') {
      const to = (half + column - 1) >> 1
      line += spaces(at, to) + mark
      at = to + 1
    }
    if (right !== undefined && right !== '') line += spaces(at, column) + fitted(right, half)[0]
    write(line)
  }
  let at = 0
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of [
    ...changes,
    { beforeFrom: before.lines.length, beforeTo: 0, afterFrom: 0, afterTo: 0 },
  ]) {
    const skew = afterFrom - beforeFrom
    for (; at < beforeFrom; at++)
      if (!onlyChanges)
        row(
          before.lines[at],
          ' ',
          after.lines[at + (changes.length ? (beforeTo === 0 ? after.lines.length - before.lines.length : skew) : 0)],
        )
    for (let i = 0; i < Math.max(beforeTo - beforeFrom, afterTo - afterFrom); i++) {
      const left = beforeFrom + i < beforeTo ? before.lines[beforeFrom + i] : undefined
      const right = afterFrom + i < afterTo ? after.lines[afterFrom + i] : undefined
      row(left, left === undefined ? '>' : right === undefined ? '<' : '|', right)
    }
    at = Math.max(at, beforeTo)
  }
}

/** A text cut to so many columns, and how many it takes. */
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
