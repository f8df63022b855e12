import { createWorkspace } from 'toolport'
import { describe, expect, it } from 'vitest'
import { newName, opfs } from './opfs-support.js'

// `npm run bench:storages`. Not a test, because it only prints ratios.

const FILES = 1000
const WALKED = 10_000
const AT_ONCE = 8
const ROUNDS = 3

const content = (i: number): Uint8Array => crypto.getRandomValues(new Uint8Array(1024)).fill(i % 251, 0, 4)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The floor: plain OPFS calls in a worker, without any safety. */
function bare(): Promise<Record<string, number>> {
  const worker = new Worker(new URL('./opfs-bench-floor.ts', import.meta.url), { type: 'module', name: newName() })
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage({ files: FILES, walked: WALKED, atOnce: AT_ONCE })
  })
}

async function all(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

describe('figures', () => {
  it(`OPFS against the browser's bare calls: ${FILES} files of 1 KB, ${WALKED} walked`, { timeout: 1_800_000 }, async () => {
    const contents = Array.from({ length: FILES }, (_, i) => content(i))
    const rounds: Record<string, [ours: number, floor: number]>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const floor = await bare()
      const name = newName()
      let fs = opfs({ name })
      await fs.mkdir('/d')
      const write = (i: number): Promise<void> => fs.write(`/d/f${i}`, contents[i] ?? new Uint8Array(0))
      const ours: Record<string, number> = {}
      ours.write = await timed(() => all(FILES, 1, write))
      ours.overwrite = await timed(() => all(FILES, 1, write))
      ours['overwrite, 8 at once'] = await timed(() => all(FILES, AT_ONCE, write))
      ours.read = await timed(() => all(FILES, 1, (i) => fs.read(`/d/f${i}`)))
      ours['read, 8 at once'] = await timed(() => all(FILES, AT_ONCE, (i) => fs.read(`/d/f${i}`)))
      ours['rename a directory of 1,000'] = await timed(() => fs.rename('/d', '/e'))
      await fs.rmTree('/e')
      for (let d = 0; d < 100; d++) await fs.mkdir(`/d${d}`)
      await all(WALKED, AT_ONCE, (i) => fs.write(`/d${i % 100}/f${i}`, Uint8Array.of(i % 251)))
      await fs.close()
      fs = opfs({ name })
      ours.open = await timed(() => fs.open())
      const workspace = createWorkspace({ fs })
      let walked = 0
      const walk = async (): Promise<void> => {
        for await (const entries of workspace.walk('.')) walked += entries.length
      }
      ours['walk 10,000, names and kinds'] = await timed(walk)
      ours['walk them again'] = await timed(walk)
      expect(walked).toBe(2 * (WALKED + 100))
      ours['stat 10,000'] = await timed(() => all(WALKED, AT_ONCE, (i) => fs.lstat(`/d${i % 100}/f${i}`)))
      await fs.close()
      rounds.push(Object.fromEntries(Object.entries(ours).map(([what, took]) => [what, [took, floor[what] ?? Number.NaN]])))
    }
    for (const what of Object.keys(rounds[0] ?? {})) {
      const figures = rounds.flatMap((round) => (round[what] ? [round[what]] : []))
      const best = (i: 0 | 1): number => Math.min(...figures.map((pair) => pair[i]))
      const ratios = figures.map(([ours, floor]) => (ours / floor).toFixed(2)).join(' ')
      const beside = Number.isNaN(best(1)) ? '' : `, floor ${best(1).toFixed(0)} ms; by round ${ratios}`
      console.log(`${what.padEnd(30)} ${best(0).toFixed(0)} ms${beside}`)
    }
  })
})
