import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import type { Bench } from './bench.js'
import { type BenchFs, createMapTree } from './map-tree.js'
import { compare, spreadOf, wall } from './measure.js'
import { createWorkerTree } from './worker-tree.js'

const group = 'walk of 100,000 files in 1,000 directories'
const ROUNDS = 5
const MIB = 1024 * 1024

export const FILES = 100_000
export const PER_FOLDER = 100

export const folders: readonly string[] = Array.from({ length: FILES / PER_FOLDER }, (_, i) => `/package-${i}`)
const fileOf = (folder: string, i: number): string => `${folder}/component-${i}.ts`

export async function fill(fs: Pick<BenchFs, 'mkdir' | 'write'>): Promise<void> {
  const content = new Uint8Array(1)
  for (const folder of folders) {
    await fs.mkdir(folder)
    for (let i = 0; i < PER_FOLDER; i++) await fs.write(fileOf(folder, i), content)
  }
}

let directory: string | undefined

/** A directory on disk with the files, created once for all rows and removed when the process exits. */
function fullDirectory(): string {
  if (directory !== undefined) return directory
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-walk-')))
  directory = root
  process.once('exit', () => rmSync(root, { recursive: true }))
  for (const folder of folders) {
    mkdirSync(join(root, folder))
    for (let i = 0; i < PER_FOLDER; i++) writeFileSync(join(root, fileOf(folder, i)), 'x')
  }
  return root
}

async function listAll({ readdir }: Pick<BenchFs, 'readdir'>, path = '/'): Promise<number> {
  let count = 0
  for (const { name, kind } of await readdir(path)) {
    const below = path === '/' ? `/${name}` : `${path}/${name}`
    count += kind === 'dir' ? await listAll({ readdir }, below) : 1
  }
  return count
}

async function listDirectory(path: string): Promise<number> {
  let count = 0
  for (const entry of await readdir(path, { withFileTypes: true }))
    count += entry.isDirectory() ? await listDirectory(join(path, entry.name)) : 1
  return count
}

/** Walks the whole tree as tools do. */
export async function walkAll(workspace: Workspace, look: () => void = () => undefined): Promise<number> {
  let count = 0
  for await (const entries of workspace.walk('.')) {
    count += entries.length
    look()
  }
  if (count !== FILES + folders.length) throw new Error(`The walk found ${count} entries`)
  return count
}

const onMemory: Bench = {
  group,
  name: 'memory, against the readdirs of a bare Map tree',
  async run(plan) {
    const [bare, fs] = [createMapTree(), createMemoryFs()]
    await fill(bare)
    await fill(fs)
    const workspace = createWorkspace({ fs })
    const { ratio, ...times } = await compare(
      () => listAll(bare),
      () => walkAll(workspace),
      { ...plan, rounds: ROUNDS },
    )
    return { ...times, spread: ratio, unit: 'x' }
  },
}

const onNode: Bench = {
  group,
  name: 'Node, against the readdirs of node:fs/promises',
  async run(plan) {
    const root = fullDirectory()
    const workspace = createWorkspace({ fs: createNodeFs({ root }) })
    const floor = (): Promise<number> => listDirectory(root)
    const { ratio, ...times } = await compare(floor, () => walkAll(workspace), { ...plan, rounds: ROUNDS }, wall)
    await workspace.close()
    return { ...times, spread: ratio, unit: 'x' }
  },
}

/** Peak memory of a child process beyond its memory before the walk, uncollected garbage included. */
function peakOf(storage: 'memory' | 'node'): Bench {
  const child = fileURLToPath(new URL('walk-child.js', import.meta.url))
  return {
    group,
    name: `${storage === 'node' ? 'Node' : storage}, heap and buffers at the peak`,
    async run() {
      const peaks: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const { stdout } = await promisify(execFile)(process.execPath, [
          '--expose-gc',
          child,
          ...(storage === 'node' ? [fullDirectory()] : []),
        ])
        peaks.push(Number(stdout) / MIB)
      }
      return { spread: spreadOf(peaks), unit: 'MiB' }
    },
  }
}

const onWorker: Bench = {
  group,
  name: 'Durable Object, against the readdirs of its adapter',
  async run(plan) {
    const { call, end } = await createWorkerTree()
    const { ratio, ...times } = await compare(
      () => call('list'),
      () => call('walk'),
      { ...plan, rounds: ROUNDS },
      wall,
    )
    await end()
    return { ...times, spread: ratio, unit: 'x' }
  },
}

function workerPeak(name: string, which: 'added' | 'inAll'): Bench {
  return {
    group,
    name,
    async run() {
      const tree = await createWorkerTree()
      const peaks: number[] = []
      for (let i = 0; i < ROUNDS; i++) peaks.push((await tree.peakOf('walk'))[which] / MIB)
      await tree.end()
      return { spread: spreadOf(peaks), unit: 'MiB' }
    },
  }
}

export const walks: readonly Bench[] = [
  onMemory,
  peakOf('memory'),
  onNode,
  peakOf('node'),
  onWorker,
  workerPeak('Durable Object, what a walk adds to workerd', 'added'),
  workerPeak('Durable Object, workerd beyond an empty one', 'inAll'),
]
