import type { JustBashShellOptions } from 'toolport/adapters/just-bash'
import { BOMBS, DEADLINE_MS } from './just-bash-bombs-cases.js'
import { setup } from './just-bash-support.js'

/** Gaps of this length or longer are printed with their bomb. */
const LONG_MS = 50

/**
 * Measures the longest time that each bomb blocked this thread.
 *
 * @param busyMs CPU time of this thread, which is more precise than the clock on a busy machine. Default: the clock
 */
export async function bombFigures(
  name: string,
  worker: JustBashShellOptions['worker'],
  busyMs: () => number = () => performance.now(),
): Promise<string> {
  const gaps: { readonly ms: number; readonly what: string }[] = []
  for (const { kind, script } of BOMBS) {
    const { shell } = setup({ shell: { worker: worker ?? false } })
    await shell.exec(':')
    let longest = 0
    let last = busyMs()
    const tick = (): void => {
      longest = Math.max(longest, busyMs() - last)
      last = busyMs()
    }
    const ticking = setInterval(tick, 1)
    await shell.exec(script, { timeoutMs: DEADLINE_MS })
    tick()
    clearInterval(ticking)
    await shell.close?.()
    gaps.push({ ms: longest, what: `${kind}: ${script.slice(0, 70)}` })
  }
  const sorted = gaps.toSorted((a, b) => b.ms - a.ms)
  const lines = sorted.filter(({ ms }) => ms >= LONG_MS).map(({ ms, what }) => `  ${ms.toFixed(0).padStart(6)} ms  ${what}`)
  const middle = sorted[sorted.length >> 1]?.ms ?? Number.NaN
  return [`\nbombs ${name}: ${gaps.length}, longest gap of each: median ${middle.toFixed(0)} ms`, ...lines].join('\n')
}
