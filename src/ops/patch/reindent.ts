import { type HunkPlace, hunkError, quoted } from './errors.js'
import type { LineTable } from './line-table.js'
import type { Located } from './locate.js'

/** Indentations of the hunk's old lines, and what the file has instead. Undefined: it has more than one. */
type Depths = ReadonlyMap<string, string | undefined>

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length)

/**
 * The hunk with its added lines at the depth of the file, where its old lines were found at another one than they have in the patch.
 *
 * @throws {InputError} `no_match` where the old lines do not say at which depth an added line belongs
 */
export function reindented(table: LineTable, located: Located, place: HunkPlace): Located {
  if (located.level === 'exact' || located.level === 'trailing_space') return located
  const depths = depthsOf(table, located)
  if ([...depths].every(([patch, file]) => patch === file)) return located
  const lines = located.lines.map((line) => {
    if (line.mark !== '+' || line.text.trim() === '') return line
    const indent = indentOf(line.text)
    const depth = depthOf(indent, depths)
    if (depth === undefined) throw unknownDepth(table, located, line.text, place)
    return { ...line, text: depth + line.text.slice(indent.length) }
  })
  return { ...located, lines }
}

function depthsOf(table: LineTable, { at, lines }: Located): Depths {
  const depths = new Map<string, string | undefined>()
  let index = at
  for (const { mark, text } of lines) {
    if (mark === '+') continue
    const line = table.line(index++)
    if (line.trim() === '') continue
    const [patch, file] = [indentOf(text), indentOf(line)]
    depths.set(patch, depths.has(patch) && depths.get(patch) !== file ? undefined : file)
  }
  return depths
}

function depthOf(indent: string, depths: Depths): string | undefined {
  if (depths.has(indent)) return depths.get(indent)
  const pairs: [string, string][] = []
  for (const [patch, file] of depths) {
    if (file === undefined) return undefined
    pairs.push([patch, file])
  }
  return shifted(indent, pairs) ?? scaled(indent, pairs)
}

/** All lines stand deeper, or less deep, by the same characters. */
function shifted(indent: string, pairs: readonly (readonly [string, string])[]): string | undefined {
  const [patch, file] = pairs[0] as readonly [string, string]
  // One depth alone does not tell a shift from another width of each level: then only deeper lines keep their place among the others.
  if (pairs.length === 1 && patch !== '' && file !== '' && indent.length < patch.length) return undefined
  if (file.endsWith(patch)) {
    const more = file.slice(0, file.length - patch.length)
    const isMixed = more !== '' && indent !== '' && new Set(more + indent).size > 1
    return !isMixed && pairs.every(([a, b]) => b === more + a) ? more + indent : undefined
  }
  const less = patch.endsWith(file) ? patch.slice(0, patch.length - file.length) : undefined
  if (less === undefined || !indent.startsWith(less)) return undefined
  return pairs.every(([a, b]) => a === less + b) ? indent.slice(less.length) : undefined
}

/** Each level has another width, or tabs instead of spaces: two depths show it. */
function scaled(indent: string, pairs: readonly (readonly [string, string])[]): string | undefined {
  const [first, second] = pairs
  if (!first || !second) return undefined
  const isPlain = (side: readonly string[]): boolean => new Set(side.join('')).size <= 1
  if (!isPlain([indent, ...pairs.map(([patch]) => patch)]) || !isPlain(pairs.map(([, file]) => file))) return undefined
  const slope = (second[1].length - first[1].length) / (second[0].length - first[0].length)
  const widthOf = (length: number): number => first[1].length + (length - first[0].length) * slope
  if (slope <= 0 || pairs.some(([patch, file]) => widthOf(patch.length) !== file.length)) return undefined
  const width = widthOf(indent.length)
  const unit = pairs.map(([, file]) => file[0]).find((char) => char !== undefined)
  return Number.isInteger(width) && width >= 0 && unit !== undefined ? unit.repeat(width) : undefined
}

function unknownDepth(table: LineTable, { at, lines }: Located, added: string, place: HunkPlace): ReturnType<typeof hunkError> {
  let index = at - 1
  const differs = lines.find(({ mark, text }) => mark !== '+' && indentOf(text) !== indentOf(table.line(++index)) && text.trim() !== '')
  const problem =
    `has another indentation than the file: line ${index + 1} begins with ${named(indentOf(table.line(index)))} in the file and ` +
    `${named(indentOf(differs?.text ?? ''))} in the patch, and its lines do not say how deep ${quoted(added.trim())} belongs. ` +
    'Give all lines of the hunk the indentation of the file'
  return hunkError('no_match', place, problem)
}

function named(indent: string): string {
  if (indent === '') return 'no indentation'
  const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
  if (/^ +$/.test(indent)) return plural(indent.length, 'space')
  return /^\t+$/.test(indent) ? plural(indent.length, 'tab') : JSON.stringify(indent)
}
