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

/** What the reference work takes on the two quiet cores that `BLOCKED_MS` is for. */
const REFERENCE_MS = 4.4

/**
 * The longest task of a page while something is done with it, in ms of its own work by the browser's trace: the time in which other processes ran
 * does not count, nor the collection of garbage, which the engine does beside the page but where other processes keep the processors. A processor
 * that other work slows down counts as slower: the same page does a reference work all the while.
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
  // A trace that says nothing proves nothing.
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
  // The first ones are compiled while they run.
  for (let i = 0; i < 20; i++) compute()
  setInterval(compute, 100)
}
