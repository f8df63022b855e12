import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { readZip, writeZip } from 'toolport/adapters/zip'
import { collectBytes, gzip, type ImportOptions, importArchive, importEntries, writeSnapshot, writeTar } from 'toolport/archive'
import { expect } from 'vitest'
import fc from '../fast-check.js'
import { cut, dir, file, link, print, utf8 } from '../unit/archive-support.js'

// Imports damaged and hostile archives. An import must throw only our errors and write nothing outside its directory. A failed import must
// leave the tree unchanged.

const ENTRIES = [
  dir('d', { mode: 0o755 }),
  file('d/a.txt', 'hello '.repeat(40)),
  file('d/é', 'names'),
  link('d/l', '../b'),
  file(
    'b',
    Uint8Array.from({ length: 600 }, (_, i) => i % 256),
  ),
  file(`${'x'.repeat(110)}`, 'long'),
]
const SENTINELS = { 'outside.txt': 'outside', 'in/old.txt': 'old', 'other/x': 'x' }
const LIMITS = { bytes: 1_000_000, fileBytes: 500_000, entries: 1000 }

export const FORMATS = ['tar', 'repaired tar', 'tar.gz', 'snapshot', 'zip'] as const
export type Format = (typeof FORMATS)[number]

type Change =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'set'; readonly at: number; readonly value: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'drop'; readonly at: number; readonly length: number }
  | { readonly kind: 'put'; readonly at: number; readonly text: string }
  | { readonly kind: 'copy'; readonly at: number; readonly to: number; readonly length: number }

const at = fc.nat({ max: 2 ** 30 })
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat({ max: 7 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('set' as const), at, value: fc.constantFrom(0, 0x2e, 0x2f, 0x30, 0x5c, 0x80, 0xff) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), at, length: fc.constantFrom(1, 30, 512, 1024) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      at,
      text: fc.constantFrom(
        '../',
        '/etc/',
        '..',
        '\0',
        '\\',
        'C:',
        '99999999999',
        '1',
        '2',
        '5',
        'L',
        'x',
        'g',
        'S',
        '\x80\xff',
        '["dir",".."]',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), at, to: at, length: fc.constantFrom(1, 46, 512) }) },
)
const changes = fc.array(change, { minLength: 1, maxLength: 4 })
const lengths = fc.option(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 3 }))
const settings: fc.Arbitrary<ImportOptions> = fc.record({
  links: fc.constantFrom('refuse', 'skip', 'keep'),
  overwrite: fc.constantFrom('refuse', 'replace', 'skip'),
  strip: fc.constantFrom(0, 0, 1),
})

/** Imports `runs` damaged archives of one format. */
export async function importDamaged(format: Format, runs: number): Promise<void> {
  const good = await archiveOf(format)
  await fc.assert(
    fc.asyncProperty(changes, lengths, settings, async (list, parts, options) => {
      let bytes = list.reduce(changed, good)
      if (format === 'repaired tar') bytes = repaired(bytes)
      if (format === 'tar.gz' && list.length > 2) bytes = await collectBytes(gzip(repaired(list.reduce(changed, await archiveOf('tar')))))
      await importOne(format, bytes, parts, options)
    }),
    { numRuns: runs },
  )
}

async function importOne(format: Format, bytes: Uint8Array, parts: number[] | null, options: ImportOptions): Promise<void> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files: SENTINELS }), quotas: { bytes: 4_000_000, files: 2000 } })
  const before = await treeOf(workspace)
  const all = { ...options, path: 'in', limits: LIMITS }
  const source = parts ? cut(bytes, parts) : bytes
  const importing =
    format === 'zip'
      ? readZip(source, all).then((entries) => importEntries(workspace, entries, all))
      : importArchive(workspace, source, all)
  const error = await importing.then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  )
  const after = await treeOf(workspace)
  if (error === undefined) {
    const { 'outside.txt': outside, 'other/x': other } = await workspace.files()
    expect([outside, other]).toEqual(['outside', 'x'])
    expect(after.filter((line) => !line.startsWith('in/'))).toEqual(before.filter((line) => !line.startsWith('in/')))
    return
  }
  expect(['InputError', 'FsError', 'WorkspaceError'], String(error.stack)).toContain(error.name)
  expect(error.message).not.toContain('could not be undone')
  expect(after).toEqual(before)
}

async function archiveOf(format: Format): Promise<Uint8Array> {
  if (format === 'snapshot') return collectBytes(writeSnapshot(ENTRIES, { modes: true }))
  if (format === 'zip') return collectBytes(writeZip(ENTRIES))
  return collectBytes(format === 'tar.gz' ? gzip(writeTar(ENTRIES)) : writeTar(ENTRIES))
}

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if (bytes.length === 0) return bytes
  const at = change.at % bytes.length
  const copy = bytes.slice()
  if (change.kind === 'flip') copy[at] = (copy[at] as number) ^ (1 << change.bit)
  else if (change.kind === 'set') copy[at] = change.value
  else if (change.kind === 'cut') return copy.subarray(0, at)
  else if (change.kind === 'drop') copy.copyWithin(at, at + change.length)
  else if (change.kind === 'put') copy.set(utf8(change.text).subarray(0, bytes.length - at), at)
  else copy.copyWithin(change.to % bytes.length, at, at + change.length)
  return copy
}

/** Fixes the checksum of every block that looks like a header, so that other damage takes effect. */
function repaired(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  for (let block = 0; block + 512 <= copy.length; block += 512) {
    const header = copy.subarray(block, block + 512)
    if (header[257] !== 0x75 || header[258] !== 0x73) continue
    header.fill(0x20, 148, 156)
    const sum = header.reduce((before, byte) => before + byte, 0)
    header.set(utf8(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
  }
  return copy
}

/** All entries, one per line. */
async function treeOf(workspace: Workspace): Promise<string[]> {
  const lines: string[] = []
  for await (const run of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of run) {
      const holds =
        kind === 'file' ? print((await workspace.readBytes(path)).bytes) : kind === 'symlink' ? await workspace.readlink(path) : ''
      lines.push(`${workspace.relative(path)}${kind === 'dir' ? '/' : ''} ${holds}`)
    }
  }
  return lines
}
