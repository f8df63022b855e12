import { quotedName } from '../../../src/ops/diff.js'
import type { SizedDiff } from '../diff.js'

interface FileStat {
  readonly name: string
  readonly added: number
  readonly removed: number
  readonly binary: boolean
  readonly sizes: readonly [number, number]
}

const WIDTH = 80
const MAX_NAME = 50

/** Counts the added and removed lines of each file in the text of a diff. */
function countsOf({ files, text }: SizedDiff): FileStat[] {
  const sections = text.split(/^(?=diff --git )/m).filter((section) => section !== '')
  const counts = new Map<string, { added: number; removed: number }>()
  let at = -1
  for (const section of sections) {
    // A file that has become a symlink has two sections, so the second section belongs to the same file.
    const path = files[Math.min(at + 1, files.length - 1)]?.path ?? ''
    const isSame = at >= 0 && section.startsWith(`diff --git ${quotedName(`a/${files[at]?.path}`)} `)
    if (!isSame) at++
    const name = isSame ? (files[at]?.path ?? '') : path
    const before = counts.get(name) ?? { added: 0, removed: 0 }
    const body = section.slice(Math.max(0, section.search(/^@@ /m)))
    const hunks = /^@@ /m.test(section) ? body.split('\n') : []
    counts.set(name, {
      added: before.added + hunks.filter((line) => line.startsWith('+')).length,
      removed: before.removed + hunks.filter((line) => line.startsWith('-')).length,
    })
  }
  return files.map(({ path, binary, sizes = [0, 0] }) => ({ name: path, binary, sizes, ...(counts.get(path) ?? { added: 0, removed: 0 }) }))
}

/** Formats the output of `--stat`, without renames. */
export function statOf(diff: SizedDiff): string {
  const files = countsOf(diff)
  if (files.length === 0) return ''
  const name = Math.min(MAX_NAME, Math.max(...files.map((file) => quotedName(file.name).length)))
  const most = Math.max(...files.map(({ added, removed }) => added + removed))
  const digits = Math.max(String(most).length, files.some(({ binary }) => binary) ? 3 : 0)
  const room = Math.max(6, WIDTH - name - digits - 6)
  const lines = files.map((file) => ` ${fitted(quotedName(file.name), name)} | ${amount(file, digits, most, room)}`.trimEnd())
  return `${lines.join('\n')}\n${summaryOf(files)}`
}

function amount({ binary, added, removed, sizes }: FileStat, digits: number, most: number, room: number): string {
  if (binary) return `Bin ${sizes[0]} -> ${sizes[1]} bytes`
  const total = added + removed
  const scale = (value: number): number => (most <= room || value === 0 ? value : 1 + Math.floor((value * (room - 1)) / most))
  const bar = most <= room ? added + removed : scale(total)
  const plus = most <= room ? added : added < removed ? scale(added) : bar - scale(removed)
  return `${String(total).padStart(digits)} ${'+'.repeat(plus)}${'-'.repeat(bar - plus)}`
}

const fitted = (name: string, width: number): string => (name.length <= width ? name.padEnd(width) : `...${name.slice(3 - width)}`)

/** Formats the summary line: changed files, added and removed lines. */
export const shortStatOf = (diff: SizedDiff): string => summaryOf(countsOf(diff))

function summaryOf(files: readonly FileStat[]): string {
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  if (files.length === 0) return ''
  const none = added + removed === 0
  const parts = [`${files.length} file${files.length === 1 ? '' : 's'} changed`]
  if (added > 0 || none) parts.push(`${added} insertion${added === 1 ? '' : 's'}(+)`)
  if (removed > 0 || none) parts.push(`${removed} deletion${removed === 1 ? '' : 's'}(-)`)
  return ` ${parts.join(', ')}\n`
}

export const numStatOf = (diff: SizedDiff): string =>
  countsOf(diff)
    .map(({ name, added, removed, binary }) => `${binary ? '-\t-' : `${added}\t${removed}`}\t${quotedName(name)}\n`)
    .join('')

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', type_changed: 'T' } as const

export const namesOf = ({ files }: SizedDiff, withStatus: boolean): string =>
  files.map(({ path, change }) => `${withStatus ? `${LETTERS[change]}\t` : ''}${quotedName(path)}\n`).join('')
