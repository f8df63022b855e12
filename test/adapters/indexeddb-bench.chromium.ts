import { describe, expect, it } from 'vitest'
import { indexedDbFs, newName, settled } from './indexeddb-support.js'

// `npm run bench:storages`. Not a test, because it only prints ratios.

const WRITES = 10_000
const AT_ONCE = 100
const ROUNDS = 3

const path = (i: number): string => `/d${i % 100}/f${i}`
const content = (i: number): Uint8Array => crypto.getRandomValues(new Uint8Array(1024)).fill(i % 251, 0, 4)

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface Floor {
  readonly write: number
  readonly overwrite: number
  readonly oneByOne: number
}

/** The floor: writes the same bytes with plain IndexedDB, 100 per transaction. */
async function bare(contents: readonly Uint8Array[], keyOf: (i: number) => string): Promise<Floor> {
  const name = newName()
  const opening = indexedDB.open(name)
  opening.onupgradeneeded = () => void opening.result.createObjectStore('files')
  const db = await settled(opening)
  const write = async (count: number, atOnce: number): Promise<void> => {
    for (let from = 0; from < count; from += atOnce) {
      const transaction = db.transaction('files', 'readwrite', { durability: 'relaxed' })
      const store = transaction.objectStore('files')
      for (let i = from; i < from + atOnce; i++) store.put(contents[i], keyOf(i))
      transaction.commit()
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
    }
  }
  const floor = {
    write: await timed(() => write(WRITES, AT_ONCE)),
    overwrite: await timed(() => write(WRITES, AT_ONCE)),
    oneByOne: await timed(() => write(500, 1)),
  }
  db.close()
  await settled(indexedDB.deleteDatabase(name))
  return floor
}

describe('figures', () => {
  it(`IndexedDB against bare transactions, ${WRITES} writes of 1 KB, ${AT_ONCE} at a time`, { timeout: 900_000 }, async () => {
    const best: Record<string, number> = {}
    const note = (what: string, took: number): void => {
      best[what] = Math.min(took, best[what] ?? took)
    }
    const contents = Array.from({ length: WRITES }, (_, i) => content(i))
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const scattered = await bare(contents, path)
      const floor = await bare(contents, (i) => `floor-${i.toString(36).padStart(5, '0')}`)
      const name = newName()
      let fs = indexedDbFs({ name })
      for (let d = 0; d < 100; d++) await fs.mkdir(`/d${d}`)
      const write = async (): Promise<void> => {
        for (let from = 0; from < WRITES; from += AT_ONCE) {
          await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => fs.write(path(from + i), contents[from + i] ?? new Uint8Array(0))))
        }
      }
      const ours = await timed(write)
      note('floor', floor.write)
      note('floor, keys are paths', scattered.write)
      note('floor, overwrite', floor.overwrite)
      note('floor, 500 one by one', floor.oneByOne)
      note('adapter', ours)
      ratios.push(ours / floor.write)
      note('overwrite', await timed(write))
      await fs.close()
      fs = indexedDbFs({ name })
      note('open 10,000', await timed(() => fs.open()))
      note('read one by one', await timed(async () => void (await readAll(1, (i) => fs.read(path(i))))))
      note('read 100 at once', await timed(async () => void (await readAll(100, (i) => fs.read(path(i))))))
      note('lstat', await timed(async () => void (await readAll(1, (i) => fs.lstat(path(i))))))
      note(
        'write 500 one by one',
        await timed(async () => {
          for (let i = 0; i < 500; i++) await fs.write(path(i), contents[i] ?? new Uint8Array(0))
        }),
      )
      expect((await fs.usage()).files).toBe(WRITES + 100)
      note('rmTree x 100', await timed(async () => void (await Promise.all(Array.from({ length: 100 }, (_, d) => fs.rmTree(`/d${d}`))))))
      await fs.close()
    }
    for (const [what, took] of Object.entries(best)) console.log(`${what.padEnd(22)} ${took.toFixed(1)} ms`)
    console.log(
      `adapter / floor by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}; of the best: ${((best.adapter ?? 0) / (best.floor ?? 1)).toFixed(2)}`,
    )
  })
})

async function readAll(atOnce: number, read: (i: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < WRITES; from += atOnce) await Promise.all(Array.from({ length: atOnce }, (_, i) => read(from + i)))
}
