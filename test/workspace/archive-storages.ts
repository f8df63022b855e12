import { createWorkspace, type FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type ArchiveEntry, collectBytes, exportWorkspace, importArchive, importEntries } from 'toolport/archive'
import { expect } from 'vitest'
import { dir, file, link } from '../unit/archive-support.js'

/** Digest of a snapshot of the tree below, the same for every storage and runtime. */
const PINNED = 'd453b0d046255aaaaebf89e039e6aebdbd66099f5d254206ce326d1906cf751b'

const TREE: readonly ArchiveEntry[] = [
  file('.hidden', 'h'),
  file('README.md', '# hi\n'),
  dir('bin'),
  file('bin/run', '#!/bin/sh\n', { mode: 0o755 }),
  file('blob', new Uint8Array(1_300_000).fill(9)),
  file('deep/er/é 日本', 'names'),
  dir('empty'),
  file('nothing'),
]

/** Imports, makes a snapshot, and imports the snapshot. The bytes must be the same for all storages. */
export async function sameSnapshot(create: () => FsAdapter | Promise<FsAdapter>): Promise<void> {
  const workspace = createWorkspace({ fs: await create(), root: '/workspace' })
  await importEntries(workspace, TREE)
  const bytes = await collectBytes(exportWorkspace(workspace, { format: 'snapshot' }))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  expect([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(PINNED)
  const copy = createWorkspace({ fs: createMemoryFs() })
  await importArchive(copy, exportWorkspace(workspace, { format: 'tar.gz' }))
  expect(await collectBytes(exportWorkspace(copy, { format: 'snapshot' }))).toHaveLength(bytes.length)
}

/** A failed import must leave nothing on this storage. */
export async function takenBack(create: () => FsAdapter | Promise<FsAdapter>): Promise<void> {
  const fs = await create()
  const workspace = createWorkspace({ fs, root: '/workspace' })
  await workspace.writeText('README.md', 'old')
  const stream = async function* (): AsyncGenerator<ArchiveEntry> {
    yield* TREE
    yield link('l', '/etc/passwd')
  }
  await expect(importEntries(workspace, stream(), { overwrite: 'replace', links: 'keep' })).rejects.toThrow('undone')
  expect(await workspace.files()).toEqual({ 'README.md': 'old' })
  expect(await workspace.list('.')).toHaveLength(1)
}
