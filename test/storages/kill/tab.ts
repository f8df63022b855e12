import type { Page as Tab } from 'playwright'
import type { KillableBrowser } from './browser.js'
import type { Outcome, Shown } from './page.js'
import { applied, type Effect, type Entry, type Tree } from './tree.js'
import { workOf } from './workload.js'

export type Death = 'closed' | 'crashed' | 'killed with its browser'

/** The test's view of a working tab: its acknowledged calls, and the calls that may have begun since. */
export interface Work {
  /** Resolves when this many calls have been acknowledged; rejects if a call fails. */
  reached(acknowledged: number): Promise<void>
  /** Resolves when the work has ended: `ok`, the code of a failed call, or `dead` for a killed tab. */
  outcome(): Promise<Outcome>
  /** `known`: the tree after all acknowledged calls. `unfinished`: per lane, the call that may have begun without being acknowledged. */
  result(): { readonly known: Tree; readonly unfinished: readonly Effect[]; readonly acknowledged: number }
}

export async function openTab(browser: KillableBrowser, address: string): Promise<Tab> {
  return browser.newPage(address)
}

export const openStorage = (tab: Tab, storage: string, name: string, patient = true): Promise<Outcome> =>
  tab.evaluate(([storage, name, patient]) => window.killed.open(storage, name, { patient }), [storage, name, patient] as const)

/** The storage's content. @throws if the size of a file does not equal its content's length */
export async function treeIn(tab: Tab): Promise<Tree> {
  return treeOf(await tab.evaluate(() => window.killed.show()))
}

function treeOf(shown: readonly Shown[]): Tree {
  return new Map(
    shown.map(({ path, kind, size, base64 }): [string, Entry] => {
      if (kind === 'dir') return [path, 'dir']
      const bytes = new Uint8Array(Buffer.from(base64 ?? '', 'base64'))
      if (bytes.length !== size) throw new Error(`${path} is said to have ${size} bytes, and has ${bytes.length}`)
      return [path, bytes]
    }),
  )
}

/** Starts work in the tab. `start` is the current content of the storage. */
export async function startWork(tab: Tab, lanes: readonly string[], seed: number, start: Tree): Promise<Work> {
  const counts = new Map(lanes.map((lane) => [lane, 0]))
  const waiting = new Set<() => void>()
  const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
  await tab.exposeFunction('acknowledged', (lane: string) => {
    counts.set(lane, (counts.get(lane) ?? 0) + 1)
    for (const look of waiting) look()
  })
  const done = tab.evaluate(([lanes, seed]) => window.killed.work(lanes, seed), [lanes, seed] as const)
  // The test kills the tab on purpose.
  const outcome = done.catch(() => 'dead')
  return {
    outcome: () => outcome,
    reached: (acknowledged) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (total() >= acknowledged) resolve()
        }
        waiting.add(look)
        look()
        void outcome.then((ended) => reject(new Error(`The work ended after ${total()} calls: ${ended}`)))
      }),
    result() {
      let known = start
      const unfinished: Effect[] = []
      lanes.forEach((lane, i) => {
        const steps = workOf(lane, seed + i, start)
        for (let n = counts.get(lane) ?? 0; n > 0; n--) known = applied(known, steps.next().value)
        unfinished.push(steps.next().value)
      })
      return { known, unfinished, acknowledged: total() }
    },
  }
}

export async function end(tab: Tab, browser: KillableBrowser, death: Death): Promise<void> {
  if (death === 'killed with its browser') return browser.kill()
  if (death === 'crashed') {
    const session = await tab.context().newCDPSession(tab)
    const crashed = tab.waitForEvent('crash', { timeout: 0 })
    // This command never gets a response.
    void session.send('Page.crash').catch(() => undefined)
    await crashed
  }
  await tab.close({ runBeforeUnload: false })
}
