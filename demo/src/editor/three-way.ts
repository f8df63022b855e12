import { type Change, diff } from '@codemirror/merge'
import { ChangeSet, type Text } from '@codemirror/state'

export interface Joined {
  /** Changes to apply to "mine": those that only the other side made. */
  readonly changes: ChangeSet
  /** Number of conflicts: places that both sides changed differently. */
  readonly clashes: number
}

/** Three-way merge: the changes that bring the non-conflicting edits of `theirs` into `mine`. Conflicts keep the text of `mine`. */
export function joinChanges(base: Text, mine: Text, theirs: Text): Joined {
  const spell = speller()
  const ours = lineChanges(base, mine, spell)
  const others = lineChanges(base, theirs, spell)
  const free: LineChange[] = []
  let clashes = 0
  for (const other of others) {
    const met = ours.filter((own) => own.fromA <= other.toA && other.fromA <= own.toA)
    if (met.length === 0) free.push(other)
    else if (!met.some((own) => isSame(own, other, mine, theirs))) clashes += 1
  }
  return { changes: setOf(free, base, theirs).map(setOf(ours, base, mine)), clashes }
}

type LineChange = Pick<Change, 'fromA' | 'toA' | 'fromB' | 'toB'>
type Spell = (doc: Text) => string

/** Maps each distinct line to one character, so that a character diff compares lines. */
function speller(): Spell {
  const letters = new Map<string, string>()
  return (doc) => {
    const spelled = doc.toJSON().map((line) => {
      const letter = letters.get(line) ?? String.fromCodePoint(letterAt(letters.size))
      letters.set(line, letter)
      return letter
    })
    return letters.size > LETTERS ? '' : spelled.join('')
  }
}

/** Number of UTF-16 code units that are not surrogates. */
const LETTERS = 0xf800
const letterAt = (index: number): number => (index < 0xd800 ? index : index + 0x800)

/** The line changes from `base` to `other`, 0-based. If there are more distinct lines than characters, the whole text counts as changed. */
function lineChanges(base: Text, other: Text, spell: Spell): readonly LineChange[] {
  const [before, after] = [spell(base), spell(other)]
  if (before === '' || after === '') return base.eq(other) ? [] : [{ fromA: 0, toA: base.lines, fromB: 0, toB: other.lines }]
  return diff(before, after, { scanLimit: 5000, timeout: 1000 })
}

function setOf(changes: readonly LineChange[], base: Text, other: Text): ChangeSet {
  const lines = other.toJSON()
  const specs = changes.map(({ fromA, toA, fromB, toB }) => {
    const added = lines.slice(fromB, toB)
    if (toA < base.lines) return { from: startOf(base, fromA), to: startOf(base, toA), insert: added.map((line) => `${line}\n`).join('') }
    // At the end of the text, the change includes the preceding line break.
    if (fromA > 0) return { from: base.line(fromA).to, to: base.length, insert: added.map((line) => `\n${line}`).join('') }
    return { from: 0, to: base.length, insert: added.join('\n') }
  })
  return ChangeSet.of(specs, base.length, '\n')
}

const startOf = (doc: Text, line: number): number => doc.line(line + 1).from

function isSame(own: LineChange, other: LineChange, mine: Text, theirs: Text): boolean {
  if (own.fromA !== other.fromA || own.toA !== other.toA) return false
  const [ours, others] = [mine.toJSON().slice(own.fromB, own.toB), theirs.toJSON().slice(other.fromB, other.toB)]
  return ours.join('\n') === others.join('\n') && ours.length === others.length
}
