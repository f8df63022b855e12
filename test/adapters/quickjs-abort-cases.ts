import type { JsAdapter, JsResult, ShellProcess } from 'toolport'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BUILTIN_LOOP, LOOPS } from './quickjs-loops.js'

type StartWorker = Extract<QuickJsOptions['worker'], () => unknown>

/** Maximum time in milliseconds from the abort to the result. */
const WITHIN_MS = 100
/** A busy machine may exceed the time limit, so one success in this many attempts is enough. */
const ATTEMPTS = 30
/** A loop ends by this timeout at the latest, which fails the test. */
const LONG_MS = 60_000

/** Makes enough steps for the engine to ask for an abort, to check that the abort of the last program has no effect on the next. */
const NEXT = 'let sum = 0; for (let i = 0; i < 1e5; i++) sum += i; console.log("next", sum)'
const NEXT_PRINTS = 'next 4999950000\n'

/** The loop that yields, so that it receives messages in any worker. */
const GIVES_WAY = 'promises'
/** Loops that may not ask the engine within the time limit, so their worker may be terminated. */
const SLOW_CALLS: readonly string[] = ['sorting', 'string search']

async function happens(attempt: () => Promise<boolean>): Promise<boolean> {
  for (let n = 0; n < ATTEMPTS; n++) if (await attempt()) return true
  return false
}

/** Aborts a program as soon as it prints, after which it is busy. */
async function abortBusy(js: JsAdapter, code: string): Promise<{ readonly result: JsResult; readonly ms: number }> {
  const stop = new AbortController()
  let from = 0
  const onOutput = (): void => {
    from ||= performance.now()
    stop.abort()
  }
  const result = await js.run({ code, onOutput, signal: stop.signal, timeoutMs: LONG_MS })
  return { result, ms: performance.now() - from }
}

/** Starts a program, and resolves when it prints. */
async function spawnBusy(js: JsAdapter, code: string): Promise<ShellProcess> {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const process = await js.spawn?.({ code, onOutput: () => begin() })
  if (!process) throw new Error('the adapter has no spawn')
  await begun
  return process
}

/** Aborts of busy programs. The engine notices the abort if memory is shared; otherwise the worker is terminated. */
export function abortCases(name: string, options: QuickJsOptions, startWorker: StartWorker, whole = false): void {
  let close: (() => unknown) | undefined
  afterEach(async () => {
    await close?.()
    close = undefined
    vi.unstubAllGlobals()
  })
  const setUp = async () => {
    let started = 0
    const worker: StartWorker = () => {
      started++
      return startWorker()
    }
    const js = createQuickJs({ ...options, worker })(createTestWorkspace().workspace)
    close = () => js.close?.()
    const next = async (): Promise<void> => {
      expect(await js.run({ code: NEXT })).toMatchObject({ exitCode: 0, stdout: NEXT_PRINTS })
    }
    await next()
    /** Whether the next program runs in the same worker. */
    const keeps = async (ends: () => Promise<unknown>): Promise<boolean> => {
      const before = started
      await ends()
      await next()
      return started === before
    }
    const aborts = async (code: string): Promise<void> => {
      const { result } = await abortBusy(js, code)
      expect(result).toMatchObject({ exitCode: null, stdout: 'begun\n', aborted: true, timedOut: false })
    }
    return { js, keeps, aborts }
  }

  // Without `whole`, one loop that yields and one that does not.
  const loops = Object.entries(LOOPS).filter(([kind]) => whole || kind === 'pattern' || kind === GIVES_WAY)

  describe(`${name}: an abort, with shared memory`, () => {
    for (const [kind, code] of loops) {
      it(`ends a loop in time: ${kind}`, async () => {
        const { js, keeps, aborts } = await setUp()
        expect(await happens(async () => (await abortBusy(js, code)).ms < WITHIN_MS)).toBe(true)
        if (SLOW_CALLS.includes(kind)) await keeps(() => aborts(code))
        else expect(await happens(() => keeps(() => aborts(code)))).toBe(true)
      })
    }

    it('ends a long builtin call together with its worker, in time', async () => {
      const { js, keeps, aborts } = await setUp()
      expect(await keeps(() => aborts(BUILTIN_LOOP))).toBe(false)
      expect(await happens(async () => (await abortBusy(js, BUILTIN_LOOP)).ms < WITHIN_MS)).toBe(true)
    })

    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGKILL', 137],
    ] as const) {
      it(`ends a loop by ${signal} and keeps the worker`, async () => {
        const { js, keeps } = await setUp()
        const kills = async (): Promise<void> => {
          const process = await spawnBusy(js, 'console.log("begun"); for (;;);')
          await process.kill(signal)
          expect(await process.exited).toEqual({ exitCode, signal })
        }
        expect(await happens(() => keeps(kills))).toBe(true)
      })
    }

    it('delivers a signal to a loop that yields', async () => {
      const { js } = await setUp()
      const code = `process.on('SIGTERM', () => process.exit(9)); ${LOOPS[GIVES_WAY]}`
      const handled = async (): Promise<boolean> => {
        const process = await spawnBusy(js, code)
        await process.kill('SIGTERM')
        return (await process.exited).exitCode === 9
      }
      expect(await happens(handled)).toBe(true)
    })
  })

  describe(`${name}: an abort, without shared memory`, () => {
    for (const [kind, code] of [...loops, ['one call of a builtin', BUILTIN_LOOP] as const]) {
      it(`ends a loop: ${kind}`, async () => {
        // Simulates a page that is not cross-origin isolated.
        vi.stubGlobal('SharedArrayBuffer', undefined)
        const { js, keeps, aborts } = await setUp()
        if (kind === GIVES_WAY) expect(await happens(() => keeps(() => aborts(code)))).toBe(true)
        else expect(await keeps(() => aborts(code))).toBe(false)
        expect(await happens(async () => (await abortBusy(js, code)).ms < WITHIN_MS)).toBe(true)
      })
    }

    it('ends a loop on a page that may not share memory', async () => {
      vi.stubGlobal('crossOriginIsolated', false)
      const { keeps, aborts } = await setUp()
      expect(await keeps(() => aborts('console.log("begun"); for (;;);'))).toBe(false)
    })
  })
}
