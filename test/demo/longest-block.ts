import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'

/** What nobody feels as a stop. */
export const BLOCKED_MS = 100
/** Other work on the machine holds a page up as well: by the clock, the quietest of these counts. */
const ATTEMPTS = 4

/** In the page. */
interface Observed {
  /** What its own observer of long tasks was told since the last time, in ms. */
  readonly takeLongTasks: () => number[]
}

/** A task of the browser, as its trace has it. Times in microseconds; `tdur` without those in which other processes ran. */
interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly name?: string }
}

/** Before the page is opened. */
export const observeTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const longTasks: number[] = []
    const take = (entries: PerformanceEntryList): unknown => longTasks.push(...entries.map(({ duration }) => duration))
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    observer.observe({ type: 'longtask' })
    Object.assign(window, {
      takeLongTasks() {
        take(observer.takeRecords())
        return longTasks.splice(0)
      },
    })
  })

export interface LongestBlock {
  /** Of its own work, by the browser's trace, in ms. Without collecting garbage: the engine does that beside the page, but where other processes keep the processors. */
  readonly own: number
  /** By the clock, as its observer of long tasks has it: the time in which other processes ran counts too. 0: none over 50 ms. */
  readonly observed: number
}

/** No task is longer than that: of the page's own work in any attempt, and by the clock in the quietest one. */
export async function expectUnblocked(attempt: () => Promise<LongestBlock>): Promise<void> {
  const observed: number[] = []
  do {
    const block = await attempt()
    expect(block.own).toBeLessThanOrEqual(BLOCKED_MS)
    observed.push(block.observed)
  } while (observed.length < ATTEMPTS && Math.min(...observed) > BLOCKED_MS)
  expect(Math.min(...observed)).toBeLessThanOrEqual(BLOCKED_MS)
}

/** The longest task of a page while something is done with it. */
export async function longestBlock(browser: Browser, page: Page, act: () => Promise<void>): Promise<LongestBlock> {
  // What loads with the page is not what is looked at.
  await page.evaluate(() => (window as unknown as Observed).takeLongTasks())
  await browser.startTracing(page, { categories: ['toplevel', 'v8'] })
  await act()
  const observed = await page.evaluate(() => (window as unknown as Observed).takeLongTasks())
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly Traced[] }
  const pages = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const work = traceEvents.filter(({ pid, tid }) => pages.some((one) => one.pid === pid && one.tid === tid))
  const garbage = work.filter(({ name }) => name === 'MajorGC' || name === 'MinorGC')
  const ownOf = ({ ts, dur = 0, tdur = 0 }: Traced): number =>
    garbage.reduce((left, inner) => left - (inner.ts >= ts && inner.ts < ts + dur ? (inner.tdur ?? 0) : 0), tdur)
  const tasks = work.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
  const longest = tasks.reduce((most, task) => Math.max(most, ownOf(task)), 0) / 1000
  // A trace that says nothing proves nothing.
  expect(longest).toBeGreaterThan(1)
  console.log(
    `longest task: ${longest} ms of its own work; longer than 50 ms by the clock: ${observed.map(Math.round).join(', ') || 'none'}`,
  )
  return { own: longest, observed: Math.max(0, ...observed) }
}
