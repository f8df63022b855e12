// @module-tag archives
import { readZip, writeZip } from 'toolport/adapters/zip'
import { type ArchiveEntry, collectBytes, gzip, readArchive, readTar, writeSnapshot, writeTar } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { cut, cuts, type Flat, flat, print, trees } from './archive-support.js'

type Format = readonly [
  name: string,
  write: (entries: readonly ArchiveEntry[]) => AsyncIterable<Uint8Array>,
  read: (source: AsyncIterable<Uint8Array>) => Promise<Flat[]>,
]

const FORMATS: readonly Format[] = [
  ['tar', (entries) => writeTar(entries), (source) => flat(readTar(source))],
  ['tar.gz', (entries) => gzip(writeTar(entries)), (source) => flat(readArchive(source))],
  ['a snapshot', (entries) => writeSnapshot(entries, { modes: true }), (source) => flat(readArchive(source))],
  ['zip', (entries) => writeZip(entries), async (source) => flat(await readZip(source))],
]

/** The entries without times, and without modes of symlinks, because not every format stores them. */
const known = (entries: readonly Flat[]): unknown[] =>
  entries.map(({ mtimeMs: _, mode, bytes, ...rest }) => ({ ...rest, ...(rest.kind !== 'symlink' && { mode }), bytes: print(bytes) }))
const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1)

describe.each(FORMATS)('%s', (_, write, read) => {
  it('keeps any tree in a round trip, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(trees, cuts, async (tree, lengths) => {
        const whole = tree.map((entry) => (entry.mode === undefined ? { ...entry, mode: entry.kind === 'dir' ? 0o755 : 0o644 } : entry))
        const bytes = await collectBytes(write(whole))
        const entries = await read(cut(bytes, lengths))
        expect(known(entries.sort(byPath))).toEqual(known(await flat(whole)))
      }),
      { numRuns: 60 },
    )
  })

  it('gives the same bytes for content in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(trees, cuts, async (tree, lengths) => {
        const parts = tree.map((entry) => {
          const { content } = entry
          return content ? { ...entry, content: { [Symbol.asyncIterator]: () => cut(content as Uint8Array, lengths) } } : entry
        })
        expect(print(await collectBytes(write(parts)))).toBe(print(await collectBytes(write(tree))))
      }),
      { numRuns: 30 },
    )
  })
})
