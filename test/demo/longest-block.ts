import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'

/** The longest pause in milliseconds that no user notices. */
export const BLOCKED_MS = 100

/** A task in the browser's trace. Times in microseconds; `tdur` excludes the time in which other processes ran. */
interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly name?: string }
}

/** Duration of the reference work on the two idle cores that `BLOCKED_MS` is meant for. */
const REFERENCE_MS = 4.4

/**
 * Measures the page's longest task during `act`, in ms of the task's own CPU time from the browser's trace. Garbage collection does not
 * count, because the engine does it beside the page unless other processes use the cores. The result is scaled by the time that a
 * reference computation takes meanwhile in the same page, so that a slow processor does not count.
 */
export async function longestBlock(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(startReference)
  await browser.startTracing(page, { categories: ['toplevel', 'v8', 'blink.user_timing'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly Traced[] }
  const pages = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const work = traceEvents.filter(({ pid, tid }) => pages.some((one) => one.pid === pid && one.tid === tid))
  const garbage = work.filter(({ name }) => name === 'MajorGC' || name === 'MinorGC')
  const isWithin = (inner: Traced, { ts, dur = 0 }: Traced): boolean => inner.ts >= ts && inner.ts < ts + dur
  const ownOf = (task: Traced): number =>
    garbage.reduce((left, inner) => left - (isWithin(inner, task) ? (inner.tdur ?? 0) : 0), task.tdur ?? 0) / 1000
  const tasks = work.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
  const marks = work.filter(({ name }) => name === 'reference')
  const references = tasks.filter((task) => marks.some((mark) => isWithin(mark, task))).map(ownOf)
  const longest = tasks.reduce((most, task) => Math.max(most, ownOf(task)), 0)
  // An empty trace would prove nothing.
  expect(longest).toBeGreaterThan(1)
  expect(references.length).toBeGreaterThan(4)
  const slow = references.toSorted((a, b) => a - b)[Math.floor(references.length * 0.9)] ?? 0
  return longest / Math.max(1, slow / REFERENCE_MS)
}

/** Runs in the page: a short computation, ten times a second. */
function startReference(): void {
  let sum = 0
  const compute = (): void => {
    performance.mark('reference')
    performance.clearMarks('reference')
    for (let i = 0; i < 1_000_000; i++) sum = (sum * 31 + i) % 65_521
  }
  // Runs until the code is compiled.
  for (let i = 0; i < 20; i++) compute()
  setInterval(compute, 100)
}
