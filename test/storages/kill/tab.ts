import type { Page as Tab } from 'playwright'
import type { KillableBrowser } from './browser.js'
import type { Outcome, Shown } from './page.js'
import { applied, type Effect, type Entry, type Tree } from './tree.js'
import { workOf } from './workload.js'

export type Death = 'closed' | 'crashed' | 'killed with its browser'

/** A tab at work, as the test sees it: what it has acknowledged, and what it may have been doing since. */
export interface Work {
  /** Resolves when so many calls have been acknowledged; rejects when one of them fails. */
  reached(acknowledged: number): Promise<void>
  /** Whether no call has been refused so far. */
  outcome(): Promise<Outcome>
  /** Everything that was acknowledged, on top of what was there; and the one call of each lane that was not, but may have begun. */
  result(): { readonly known: Tree; readonly unfinished: readonly Effect[]; readonly acknowledged: number }
}

export async function openTab(browser: KillableBrowser, address: string): Promise<Tab> {
  return browser.newPage(address)
}

export const openStorage = (tab: Tab, storage: string, name: string, patient = true): Promise<Outcome> =>
  tab.evaluate(([storage, name, patient]) => window.killed.open(storage, name, { patient }), [storage, name, patient] as const)

/** What the storage holds. @throws where a file has another size than its content */
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

/** Sets the tab to work. `start` is what the storage holds now. */
export async function startWork(tab: Tab, lanes: readonly string[], seed: number, start: Tree): Promise<Work> {
  const counts = new Map(lanes.map((lane) => [lane, 0]))
  const waiting = new Set<() => void>()
  const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
  await tab.exposeFunction('acknowledged', (lane: string) => {
    counts.set(lane, (counts.get(lane) ?? 0) + 1)
    for (const look of waiting) look()
  })
  const done = tab.evaluate(([lanes, seed]) => window.killed.work(lanes, seed), [lanes, seed] as const)
  // That the tab dies is what the test is about.
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
    // It never answers.
    void session.send('Page.crash').catch(() => undefined)
    await crashed
  }
  await tab.close({ runBeforeUnload: false })
}
