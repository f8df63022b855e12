import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { BOMBS, LOOPS } from './quickjs-loops.js'
import { kindsOf } from './some-cases.js'

const TICK_MS = 10
const TICKS = 5
/** A loop ends by this timeout at the latest, which fails the test, because this thread was blocked until then. */
const LONG_MS = 20_000

/** Cases that hold only where programs run in another thread. */
export function hostedCases(options: QuickJsOptions, whole = false): void {
  describe('the thread that calls quickjs in workers', () => {
    const js = createQuickJs(options)(createTestWorkspace().workspace)
    afterAll(() => js.close?.())

    for (const [kind, code] of kindsOf(LOOPS, whole)) {
      it(`runs its timers while a program loops: ${kind}`, async () => {
        const stop = new AbortController()
        let ticks = 0
        let ticking: ReturnType<typeof setInterval> | undefined
        const onOutput = (): void => {
          ticking ??= setInterval(() => {
            if (++ticks === TICKS) stop.abort()
          }, TICK_MS)
        }
        const looped = await js.run({ code, onOutput, signal: stop.signal, timeoutMs: LONG_MS })
        clearInterval(ticking)
        expect(looped).toMatchObject({ exitCode: null, stdout: 'begun\n', aborted: true, timedOut: false })
        expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
      })
    }

    it('runs its timers while several programs exhaust their memory', async () => {
      const bombs = kindsOf(BOMBS, whole).map(([, code]) => code)
      let ticks = 0
      const ticking = setInterval(() => ticks++, 1)
      const ended = bombs.map((code) => js.run({ code }))
      const beside = js.run({ code: 'console.log(1 + 1)' })
      expect(await beside).toMatchObject({ exitCode: 0, stdout: '2\n' })
      expect((await Promise.all(ended)).map(({ exitCode }) => exitCode)).toEqual(bombs.map(() => 134))
      clearInterval(ticking)
      expect(ticks).toBeGreaterThanOrEqual(TICKS)
    })
  })
}
