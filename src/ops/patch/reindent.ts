import type { Steps } from '../steps.js'
import { type HunkPlace, hunkError, quoted } from './errors.js'
import type { LineTable } from './line-table.js'
import type { Located } from './locate.js'
import type { PatchLine } from './types.js'

/** Maps an indentation in the patch to the one in the file; undefined if the lines do not determine it. */
type DepthOf = (indent: string) => string | undefined
type Pair = readonly [patch: string, file: string]

/** Code units of indentation in one step. */
const UNITS_A_STEP = 262_144

/** Maximum length of an indentation in a message. */
const MAX_NAMED = 40

export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length)

/**
 * If the old lines are indented differently in the file, adapts the indentation of the added lines.
 *
 * @throws {InputError} `no_match` if the old lines do not determine the indentation of an added line
 */
export function* reindented(table: LineTable, located: Located, place: HunkPlace): Steps<Located> {
  if (located.level === 'exact' || located.level === 'trailing_space') return located
  const depths = yield* depthsOf(table, located)
  if ([...depths].every(([patch, file]) => patch === file)) return located
  const depthOf = depthIn(depths)
  yield
  const lines: PatchLine[] = []
  let room = UNITS_A_STEP
  for (const line of located.lines) {
    const indent = line.mark === '+' && line.text.trim() !== '' ? indentOf(line.text) : undefined
    const depth = indent === undefined ? '' : depthOf(indent)
    if (depth === undefined) throw unknownDepth(table, located, line.text, place)
    lines.push(indent === undefined ? line : { ...line, text: depth + line.text.slice(indent.length) })
    room -= 16 + depth.length
    if (room > 0) continue
    room = UNITS_A_STEP
    yield
  }
  return { ...located, lines }
}

/** Returns the indentations of the hunk's old lines, each with the one in the file; undefined if the file has several for it. */
function* depthsOf(table: LineTable, { at, lines }: Located): Steps<ReadonlyMap<string, string | undefined>> {
  const depths = new Map<string, string | undefined>()
  let index = at
  let room = UNITS_A_STEP
  for (const { mark, text } of lines) {
    if (mark === '+') continue
    const line = table.line(index++)
    room -= 16 + line.length
    if (room < 0) {
      room = UNITS_A_STEP
      yield
    }
    if (line.trim() === '') continue
    const [patch, file] = [indentOf(text), indentOf(line)]
    depths.set(patch, depths.has(patch) && depths.get(patch) !== file ? undefined : file)
  }
  return depths
}

/** Computes the rules once for all lines of a hunk. */
function depthIn(depths: ReadonlyMap<string, string | undefined>): DepthOf {
  const pairs = [...depths].filter((pair): pair is [string, string] => pair[1] !== undefined)
  const rules = pairs.length === depths.size ? [shifted(pairs), scaled(pairs)] : []
  return (indent) => {
    if (depths.has(indent)) return depths.get(indent)
    for (const rule of rules) {
      const depth = rule(indent)
      if (depth !== undefined) return depth
    }
    return undefined
  }
}

const none: DepthOf = () => undefined

/** Rule: the file indents all lines by the same additional characters, or by the same characters less. */
function shifted(pairs: readonly Pair[]): DepthOf {
  const [patch, file] = pairs[0] as Pair
  // A single pair does not distinguish a shift from another indentation width. Then apply the rule only to deeper lines.
  const least = pairs.length === 1 && file !== '' ? patch.length : 0
  if (file.endsWith(patch)) {
    const more = file.slice(0, file.length - patch.length)
    if (!pairs.every(([a, b]) => b.length === more.length + a.length && b.startsWith(more) && b.endsWith(a))) return none
    return (indent) => (indent.length < least || (more !== '' && indent !== '' && !isPlain([more, indent])) ? undefined : more + indent)
  }
  const less = patch.endsWith(file) ? patch.slice(0, patch.length - file.length) : undefined
  if (less === undefined || !pairs.every(([a, b]) => a.length === less.length + b.length && a.startsWith(less) && a.endsWith(b)))
    return none
  return (indent) => (indent.length < least || !indent.startsWith(less) ? undefined : indent.slice(less.length))
}

/** Rule: each level has another width in the file, or tabs instead of spaces. The rule needs two different depths. */
function scaled(pairs: readonly Pair[]): DepthOf {
  const [first, second] = pairs
  if (!first || !second) return none
  const [char, unit] = [0, 1].map((side) => pairs.map((pair) => pair[side as 0 | 1]).find((indent) => indent !== '')?.[0])
  if (unit === undefined || !isPlain(pairs.map(([patch]) => patch)) || !isPlain(pairs.map(([, file]) => file))) return none
  const slope = (second[1].length - first[1].length) / (second[0].length - first[0].length)
  const widthOf = (length: number): number => first[1].length + (length - first[0].length) * slope
  if (slope <= 0 || pairs.some(([patch, file]) => widthOf(patch.length) !== file.length)) return none
  return (indent) => {
    const width = widthOf(indent.length)
    return isPlain([indent, char ?? '']) && Number.isInteger(width) && width >= 0 ? unit.repeat(width) : undefined
  }
}

/** Whether all indentations consist of the same character. */
function isPlain(indents: readonly string[]): boolean {
  const first = indents.find((indent) => indent !== '')?.[0] ?? ''
  return indents.every((indent) => indent === first.repeat(indent.length))
}

function unknownDepth(table: LineTable, { at, lines }: Located, added: string, place: HunkPlace): ReturnType<typeof hunkError> {
  let index = at - 1
  const differs = lines.find(({ mark, text }) => mark !== '+' && indentOf(text) !== indentOf(table.line(++index)) && text.trim() !== '')
  const problem =
    `has a different indentation than the file: line ${index + 1} begins with ${named(indentOf(table.line(index)))} in the file and ` +
    `${named(indentOf(differs?.text ?? ''))} in the patch, so the indentation of ${quoted(added.trim())} is unclear. ` +
    'Indent all lines of the hunk as in the file'
  return hunkError('no_match', place, problem)
}

const named = (indent: string): string => JSON.stringify(indent.slice(0, MAX_NAMED))
