// Run with --expose-gc. Prints the memory that one file of a tree uses.
import { createMemoryFs } from 'toolport/adapters/memory'
import { type BenchFs, createMapTree } from './map-tree.js'

const FILES = 20_000
const FOLDERS = 200

const [kind, size] = process.argv.slice(2)

function used(): number {
  // Twice, because the first collection only marks objects that finalisers have released.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function fill(fs: BenchFs, from: number, to: number): Promise<void> {
  const content = new Uint8Array(Number(size))
  for (let i = from; i < to; i++) await fs.write(`/package-${i % FOLDERS}/component-${i}.ts`, content)
}

const fs: BenchFs = kind === 'map' ? createMapTree() : createMemoryFs()
for (let i = 0; i < FOLDERS; i++) await fs.mkdir(`/package-${i}`)
// Code and one-time costs are not counted.
await fill(fs, FILES, FILES + FOLDERS)
const before = used()
await fill(fs, 0, FILES)
const after = used()
await fs.readdir('/')
process.stdout.write(String((after - before) / FILES))
