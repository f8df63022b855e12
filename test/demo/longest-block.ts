import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'

/** What nobody feels as a stop. */
export const BLOCKED_MS = 100

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

/**
 * The longest task of a page while something is done with it, in ms of its own work by the browser's trace: the time in which other processes ran
 * does not count, nor the collection of garbage, which the engine does beside the page but where other processes keep the processors.
 */
export async function longestBlock(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'v8'] })
  await act()
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
  return longest
}
