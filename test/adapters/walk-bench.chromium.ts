import { memfs } from 'memfs'
import { createWorkspace, type Workspace } from 'toolport'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { cdp } from 'vitest/browser'
import type { FsAdapter } from '../../src/types/fs.js'
import { compare, spread } from '../storages/figures.js'
import { DURABLE_IN_CHROMIUM } from '../storages/in-chromium.js'

// `npm run bench:storages`. Not a test, because it only prints figures.

const PER_FOLDER = 100
const ROUNDS = 5
const MIB = 1024 * 1024
const FILES: Readonly<Record<string, number>> = { memory: 100_000, memfs: 100_000, indexeddb: 10_000, opfs: 10_000, 'lightning-fs': 2000 }

function create(storage: string): FsAdapter {
  if (storage === 'memory') return createMemoryFs()
  if (storage === 'memfs') return createMemfsFs({ fs: memfs().fs })
  const open = DURABLE_IN_CHROMIUM[storage]
  if (!open) throw new Error(`There is no storage ${storage}`)
  return open(`walk-${crypto.randomUUID()}`)
}

async function fill(fs: FsAdapter, files: number): Promise<void> {
  const content = new Uint8Array(1)
  for (let folder = 0; folder < files / PER_FOLDER; folder++) {
    await fs.mkdir(`/package-${folder}`)
    await Promise.all(Array.from({ length: PER_FOLDER }, (_, i) => fs.write(`/package-${folder}/component-${i}.ts`, content)))
  }
  await fs.flush()
}

/** Lists every directory through the adapter, one after another. */
async function listAll(fs: FsAdapter, path = '/'): Promise<number> {
  let count = 0
  for (const { name, kind } of await fs.readdir(path))
    count += 1 + (kind === 'dir' ? await listAll(fs, `${path === '/' ? '' : path}/${name}`) : 0)
  return count
}

async function walkAll(workspace: Workspace, look: () => Promise<void> = async () => undefined): Promise<number> {
  let count = 0
  for await (const entries of workspace.walk('.')) {
    count += entries.length
    await look()
  }
  return count
}

/** Memory of the whole page without workers: JavaScript, browser objects and buffers, including uncollected garbage. */
async function used(): Promise<number> {
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await cdp().send('Runtime.getHeapUsage')
  return usedSize + embedderHeapUsedSize + backingStorageSize
}

async function peakOf(workspace: Workspace): Promise<number> {
  await cdp().send('HeapProfiler.collectGarbage')
  const before = await used()
  let peak = before
  await walkAll(workspace, async () => {
    peak = Math.max(peak, await used())
  })
  return (peak - before) / MIB
}

describe('walks in Chromium, against the readdirs of the adapter', () => {
  it.each(Object.entries(FILES))('%s, %i files', { timeout: 1_800_000 }, async (storage, files) => {
    const fs = create(storage)
    await fill(fs, files)
    const workspace = createWorkspace({ fs })
    const expected = files + files / PER_FOLDER
    const counted = async (count: Promise<number>): Promise<void> => {
      const found = await count
      if (found !== expected) throw new Error(`Found ${found} entries, not ${expected}`)
    }
    await compare(
      `${storage}, walk of ${files} files`,
      { floor: () => counted(listAll(fs)), ours: () => counted(walkAll(workspace)) },
      ROUNDS,
    )
    const peaks: number[] = []
    for (let round = 0; round < ROUNDS; round++) peaks.push(await peakOf(workspace))
    console.log(`${storage}, heap and buffers of the page at the peak of the walk, MiB: ${spread(peaks)}`)
    for (let folder = 0; folder < files / PER_FOLDER; folder++) await fs.rmTree?.(`/package-${folder}`)
    await workspace.close()
  })
})
