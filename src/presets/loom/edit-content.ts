import { FsError, InputError } from '../../errors/index.js'
import type { Steps } from '../../ops/steps.js'
import { searchSteps } from '../../ops/text-search.js'
import { formHint } from '../../ops/unicode-form.js'

export interface ContentEdit {
  /** The text to replace. If empty, `new_str` is appended. */
  readonly old_str: string
  readonly new_str: string
  readonly replace_all: boolean
}

/** Maximum UTF-16 units of the content. Without a limit, a few edits that each double the content would fill the memory. */
const LONGEST = 16 * 1024 * 1024
/** Number of matches between two pauses. */
const FINDS = 2000
/** The engine's own search is fast for patterns up to this length. */
const SHORT = 32

/**
 * Applies the edits in order, each to the result of the previous edit. Texts are literal. Runs in steps, so that other work can run in
 * between.
 *
 * @throws {InputError} `old_str not found: ...`, `old_str found N times, use replace_all`; {FsError} EFBIG
 */
export function* editSteps(content: string, edits: readonly ContentEdit[], path: string): Steps<string> {
  let current = content
  for (const { old_str, new_str, replace_all } of edits) {
    yield
    if (old_str === '') {
      checkLength(current.length + new_str.length, path)
      current += new_str
      continue
    }
    const { count, cuts } = yield* findSteps(current, old_str)
    if (!replace_all && count !== 1) throw notOnce(current, old_str, count)
    checkLength(current.length + count * (new_str.length - old_str.length), path)
    if (count > 0) current = yield* replaceSteps(current, cuts, { old: old_str, replacement: new_str })
  }
  return current
}

interface Found {
  readonly count: number
  /** Offsets at which the content can be split into parts with a fixed number of matches. */
  readonly cuts: readonly number[]
}

/** Finds matches from left to right, without overlaps. */
function* findSteps(content: string, old: string): Steps<Found> {
  const search = yield* searchSteps(content, old)
  const cuts: number[] = []
  let count = 0
  let end = 0
  for (let at = search(0); at >= 0; at = search(end)) {
    end = at + old.length
    if (++count % FINDS > 0) continue
    cuts.push(end)
    yield
  }
  return { count, cuts }
}

interface Replacement {
  readonly old: string
  readonly replacement: string
}

function* replaceSteps(content: string, cuts: readonly number[], { old, replacement }: Replacement): Steps<string> {
  if (old.length > SHORT) return yield* replaceLongSteps(content, { old, replacement })
  // Escape `$`, which `replaceAll` would interpret.
  const literal = replacement.replaceAll('$', '$$$$')
  const pieces: string[] = []
  let start = 0
  for (const cut of [...cuts, content.length]) {
    pieces.push(content.slice(start, cut).replaceAll(old, literal))
    start = cut
    yield
  }
  return pieces.join('')
}

function* replaceLongSteps(content: string, { old, replacement }: Replacement): Steps<string> {
  const search = yield* searchSteps(content, old)
  const pieces: string[] = []
  let end = 0
  for (let at = search(0); at >= 0; at = search(end)) {
    pieces.push(content.slice(end, at))
    end = at + old.length
    if (pieces.length % FINDS === 0) yield
  }
  pieces.push(content.slice(end))
  return pieces.join(replacement)
}

function notOnce(text: string, old: string, count: number): InputError {
  if (count === 0) return new InputError('invalid_input', `old_str not found: ${old}${formHint(text, old)}`)
  return new InputError('invalid_input', `old_str found ${count} times, use replace_all`)
}

function checkLength(length: number, path: string): void {
  if (length > LONGEST) throw new FsError({ code: 'EFBIG', op: 'edit', path, detail: `it would have more than ${LONGEST} characters` })
}
