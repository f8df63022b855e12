import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMemoryFs } from 'toolport/adapters/memory'
import type { Bench } from './bench.js'
import { inTurn } from './jobs.js'
import { type BenchFs, createMapTree } from './map-tree.js'
import { compare, spreadOf } from './measure.js'

const group = 'memory fs against a bare Map tree'
const TIME_TARGET = 2
const SPACE_TARGET = 1.5
const PROCESSES = 3
const FOLDERS = 100
const PER_FOLDER = 100

const bytes = new Uint8Array(1024).fill(120)
const folder = (n: number): string => `/packages/package-${n}`
const paths = Array.from({ length: FOLDERS * PER_FOLDER }, (_, i) => `${folder(i % FOLDERS)}/component-${i}.ts`)

async function fill(fs: BenchFs): Promise<BenchFs> {
  await fs.mkdir('/packages')
  for (let i = 0; i < FOLDERS; i++) await fs.mkdir(folder(i))
  for (const path of paths) await fs.write(path, bytes)
  return fs
}

function timeBench(name: string, job: (fs: BenchFs) => () => Promise<unknown>): Bench {
  return {
    group,
    name,
    async run(plan) {
      const floor = job(await fill(createMapTree()))
      const ours = job(await fill(createMemoryFs()))
      const { ratio, ...times } = await compare(floor, ours, plan)
      return { ...times, spread: ratio, unit: 'x', target: TIME_TARGET }
    },
  }
}

async function walk(fs: BenchFs, path: string): Promise<number> {
  let count = 0
  for (const { name, kind } of await fs.readdir(path)) {
    count += kind === 'dir' ? await walk(fs, `${path}/${name}`) : 1
  }
  return count
}

/** Renames every file, and renames every file back in the next round. */
function renames(fs: BenchFs): () => Promise<void> {
  const next = inTurn([...paths.map((path) => ({ from: path, to: `${path}x` })), ...paths.map((path) => ({ from: `${path}x`, to: path }))])
  return () => {
    const { from, to } = next()
    return fs.rename(from, to)
  }
}

function overPaths(use: (fs: BenchFs, path: string) => Promise<unknown>): (fs: BenchFs) => () => Promise<unknown> {
  return (fs) => {
    const next = inTurn(paths)
    return () => use(fs, next())
  }
}

/** Bytes per file inside and outside the heap, for 20,000 files. Each side has its own process. */
function spaceBench(name: string, size: number): Bench {
  const child = fileURLToPath(new URL('memory-child.js', import.meta.url))
  const bytesOf = async (kind: string): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child, kind, String(size)])
    return Number(stdout)
  }
  return {
    group,
    name,
    async run() {
      const pairs: (readonly [number, number])[] = []
      for (let i = 0; i < PROCESSES; i++) pairs.push(await Promise.all([bytesOf('map'), bytesOf('memory')]))
      const ratio = spreadOf(pairs.map(([floor, ours]) => ours / floor))
      const [floor, ours] = [spreadOf(pairs.map(([bytes]) => bytes)).median, spreadOf(pairs.map(([, bytes]) => bytes)).median]
      return { floor, ours, spread: ratio, unit: 'x', target: SPACE_TARGET }
    },
  }
}

export const memoryFs: readonly Bench[] = [
  timeBench(
    'write 1 KB',
    overPaths((fs, path) => fs.write(path, bytes)),
  ),
  timeBench(
    'read 1 KB',
    overPaths((fs, path) => fs.read(path)),
  ),
  timeBench(
    'lstat',
    overPaths((fs, path) => fs.lstat(path)),
  ),
  timeBench('readdir, 100 entries', (fs) => {
    const next = inTurn(Array.from({ length: FOLDERS }, (_, i) => folder(i)))
    return () => fs.readdir(next())
  }),
  timeBench('rename', renames),
  timeBench('walk, 10,000 files', (fs) => () => walk(fs, '/packages')),
  spaceBench('bytes a file, 20,000 empty files', 0),
  spaceBench('bytes a file, 20,000 files of 1 KB', 1024),
]
