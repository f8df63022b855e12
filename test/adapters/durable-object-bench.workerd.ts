import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe } from 'vitest'
import type { FsAdapter } from '../../src/types/fs.js'
import { inside } from './durable-object-support.workerd.js'

// `npm run bench:storages`. Not a test, because it only prints ratios.

type Measured = Pick<FsAdapter, 'mkdir' | 'write' | 'read' | 'lstat' | 'rename' | 'unlink'>
/** Phase -> microseconds per call. */
type Times = Map<string, number>

const FILES = 4000
const DIRECTORIES = 40
const ROUNDS = 4

/** The floor: a Map from full path to content. Copies contents and returns promises, like the adapter. */
function createBareMap(): Measured {
  const files = new Map<string, Uint8Array>()
  return {
    mkdir: async () => undefined,
    write: async (path, bytes) => void files.set(path, bytes.slice()),
    read: async (path) => files.get(path)?.slice() ?? new Uint8Array(0),
    lstat: async (path) => ({ kind: 'file', size: files.get(path)?.length ?? 0, mtimeMs: 0 }),
    rename: async (from, to) => {
      const bytes = files.get(from)
      files.delete(from)
      if (bytes) files.set(to, bytes)
    },
    unlink: async (path) => void files.delete(path),
  }
}

/** The current time. Waits first, because the clock of a Durable Object only moves while the object waits. */
async function clock(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  return performance.now()
}

/** The fastest of several slices per phase. Slices take equally long on both sides, so that a busy machine disturbs both alike. */
async function measure(fs: Measured, slice: number, sync: () => Promise<void>, round: number): Promise<Times> {
  const path = (i: number): string => `/r${round}/d${i % DIRECTORIES}/f${i}`
  const content = (i: number): Uint8Array => new Uint8Array(1024).fill(i % 251)
  await fs.mkdir(`/r${round}`)
  for (let d = 0; d < DIRECTORIES; d++) await fs.mkdir(`/r${round}/d${d}`)
  const phases: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
    write: (i) => fs.write(path(i), content(i)),
    read: (i) => fs.read(path(i)),
    lstat: (i) => fs.lstat(path(i)),
    overwrite: (i) => fs.write(path(i), content(i + 1)),
    rename: (i) => fs.rename(path(i), `${path(i)}x`),
    rm: (i) => fs.unlink(`${path(i)}x`),
  }
  const times: Times = new Map()
  for (const [phase, call] of Object.entries(phases)) {
    await sync()
    let best = Number.POSITIVE_INFINITY
    for (let from = 0; from < FILES; from += slice) {
      const start = await clock()
      for (let i = from; i < from + slice; i++) await call(i)
      best = Math.min(best, ((await clock()) - start) * (1000 / slice))
    }
    const start = await clock()
    await sync()
    times.set(phase, best)
    times.set(`sync after ${phase}`, ((await clock()) - start) * (1000 / FILES))
  }
  return times
}

describe('figures', () => {
  inside(
    'Durable Object against a bare Map and the memory adapter, in microseconds for one call',
    async (storage) => {
      const sides: Readonly<Record<string, Measured>> = {
        map: createBareMap(),
        memory: createMemoryFs(),
        sql: createDurableObjectFs({ storage }),
      }
      const best: Record<string, Times> = { map: new Map(), memory: new Map(), sql: new Map() }
      for (let round = 0; round < ROUNDS; round++) {
        for (const [side, fs] of Object.entries(sides)) {
          const times = await measure(
            fs,
            side === 'sql' ? 200 : FILES,
            side === 'sql' ? () => storage.sync() : async () => undefined,
            round,
          )
          for (const [phase, time] of times) best[side]?.set(phase, Math.min(time, best[side].get(phase) ?? time))
        }
      }
      for (const [phase, map] of best.map ?? []) {
        const [memory = 0, sql = 0] = [best.memory?.get(phase), best.sql?.get(phase)]
        const ratios = `${(sql / map).toFixed(1)}x map, ${(sql / memory).toFixed(1)}x memory`
        console.log(
          `${phase.padEnd(10)} map ${map.toFixed(2)} us, memory ${memory.toFixed(2)} us, durable object ${sql.toFixed(2)} us: ${ratios}`,
        )
      }
    },
    600_000,
  )
})
