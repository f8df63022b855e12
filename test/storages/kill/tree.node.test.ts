// @module-tag directory
import { describe, expect, it } from 'vitest'
import { type Effect, type Entry, faultsOf } from './tree.js'
import { workOf } from './workload.js'

const file = (text: string): Uint8Array => new TextEncoder().encode(text)
const known = new Map<string, Entry>([
  ['/d', 'dir'],
  ['/d/a', file('a')],
  ['/d/b', file('b')],
])
const found = (changes: Record<string, Entry | undefined>): Map<string, Entry> => {
  const tree = new Map(known)
  for (const [path, entry] of Object.entries(changes)) {
    if (entry === undefined) tree.delete(path)
    else tree.set(path, entry)
  }
  return tree
}
const effect = (changes: Record<string, Entry | undefined>, moves: Effect['moves'] = []): Effect => ({
  changes: new Map(Object.entries(changes)),
  moves,
})

describe('faultsOf a tree after a crash', () => {
  it('finds nothing in the acknowledged tree', () => {
    expect(faultsOf(known, known, [])).toEqual([])
  })

  it.each([
    ['a lost file', { '/d/a': undefined }],
    ['a file with other bytes', { '/d/a': file('b') }],
    ['a truncated file', { '/d/a': file('') }],
    ['an unknown file', { '/d/a.tmp': file('a') }],
    ['a directory in place of a file', { '/d/a': 'dir' as const }],
  ])('%s', (_, changes) => {
    expect(faultsOf(found(changes), known, [])).toHaveLength(1)
    expect(faultsOf(found(changes), known, [effect({ '/d/b': file('new') })])).toHaveLength(1)
  })

  it('accepts an unfinished write completely or not at all', () => {
    const unfinished = [effect({ '/d/a': file('longer') })]
    expect(faultsOf(known, known, unfinished)).toEqual([])
    expect(faultsOf(found({ '/d/a': file('longer') }), known, unfinished)).toEqual([])
    expect(faultsOf(found({ '/d/a': file('long') }), known, unfinished)).toHaveLength(1)
    expect(faultsOf(found({ '/d/a': undefined }), known, unfinished)).toHaveLength(1)
  })

  it('accepts a moved file in one of both places', () => {
    const unfinished = [effect({ '/d/a': undefined, '/d/c': file('a') }, [['/d/a', '/d/c']])]
    expect(faultsOf(known, known, unfinished)).toEqual([])
    expect(faultsOf(found({ '/d/a': undefined, '/d/c': file('a') }), known, unfinished)).toEqual([])
    expect(faultsOf(found({ '/d/a': undefined }), known, unfinished)).toEqual(['/d/a -> /d/c: its content is gone'])
  })
})

describe('workOf a lane', () => {
  it('is the same for the same seed and contains every call', () => {
    const names = (seed: number): string[] => {
      const steps = workOf('/workspace/l', seed, new Map())
      return Array.from({ length: 300 }, () => JSON.stringify([steps.next().value.name, steps.next().value.input]))
    }
    expect(names(1)).toEqual(names(1))
    expect(names(1)).not.toEqual(names(2))
    const all = names(1).map((name) => JSON.parse(name)[0])
    expect(new Set(all)).toEqual(new Set(['write_file', 'edit_file', 'move_file', 'delete_file', 'apply_patch']))
  })
})
