import type { ShellSignal } from '../../../src/types/shell.js'
import { noRoomFor, notHandedOver, problemOf } from '../../shared/js/parsed.js'
import type { Answer } from '../answer.js'
import { createEngine, type Engine, type Library, NoRoom } from '../engine/engine.js'
import type { FileCalls } from '../fs/calls.js'
import type { Controls, Ended, EndReason, Job, OutsideEvent, Services } from '../job.js'
import { type MemoryBudget, mayPass } from '../memory-budget.js'
import { createLater, type Later } from './async-calls.js'
import { createGuest, type Guest, TooLong } from './guest.js'
import { createHostCalls } from './host-calls.js'
import { createModules } from './modules.js'

export interface RunOptions {
  readonly library: Library
  readonly module: WebAssembly.Module
  readonly job: Job
  readonly services: Services
  readonly controls: Controls
  readonly files: FileCalls | undefined
  readonly budget: MemoryBudget
}

/** Number of promise jobs to run between two checks whether to yield. */
const JOBS = 64
const SLICE_MS = 8
/** Maximum length of the JSON that `due` returns, because a program may have replaced the code that creates it. */
const LONGEST_DUE = 256
/** Number of jumps and calls in one unit of fuel. */
const FUEL = 10_000
/** Default stack size in bytes. More would overflow the stack of a browser's worker. */
const DEFAULT_STACK = 128 * 1024
/** From this fraction of the memory limit on, the guest may have no memory left to report an error. */
const FULL = 0.75
/** Twice the engine's initial memory. An engine with more memory is freed at once instead of waiting for garbage collection. */
const MUCH_MEMORY = 32 * 2 ** 20

/** Mutable state of how the program ends. */
interface State {
  ended: boolean
  exitCode: number | undefined
  signal: ShellSignal | undefined
  stopped: EndReason | undefined
  wantsInput: boolean
  /** Number of jumps and calls so far. */
  passed: number
  broken: boolean
}

/** Runs a program to its end. Never rejects because of the program. @throws {JsError} unavailable */
export async function runProgram({ library, module, job, services, controls, files, budget }: RunOptions): Promise<Ended> {
  const state: State = {
    ended: false,
    exitCode: undefined,
    signal: undefined,
    stopped: undefined,
    wantsInput: false,
    passed: 0,
    broken: false,
  }
  const began = performance.now()
  const clock = (): number => job.now + (performance.now() - began)
  const interrupt = (passed: number): boolean => {
    state.passed += passed
    controls.poll?.()
    if (state.ended) return true
    const reason = controls.stopped(passed) ?? (job.fuel !== undefined && state.passed > job.fuel * FUEL ? 'timeout' : undefined)
    if (reason) stop(reason)
    return state.ended
  }
  const stop = (reason: EndReason): void => {
    state.stopped ??= reason
    state.ended = true
  }
  const modules = createModules(job.graph)
  const { stackBytes = controls.stackBytes ?? DEFAULT_STACK } = job
  const engine = await createEngine(library, { module, budget, stackBytes, now: clock, interrupt })
  const hostCalls = createHostCalls({ modules, files, budget, now: clock })
  const later = createLater({ modules, services, files, budget })
  const own: Readonly<Record<string, (text: string, bytes: Uint8Array | undefined) => Answer>> = {
    stdout: (text) => void controls.output('stdout', printed(text)),
    stderr: (text) => void controls.output('stderr', printed(text)),
    wants(text) {
      state.wantsInput = text === 'true'
      return undefined
    },
    later: (text, bytes) => void later.ask(text, bytes),
    full() {
      if (!isFull(budget)) return 'false'
      crash(new Error('out of memory'), state, budget, controls)
      return 'true'
    },
    exit(text) {
      // Without a text, the engine had no memory for the exit code.
      if (text === '') crash(new NoRoom(), state, budget, controls)
      state.exitCode ??= exitCodeOf(text)
      state.ended = true
      return undefined
    },
    killed(text) {
      state.signal ??= text === 'SIGINT' || text === 'SIGTERM' ? text : 'SIGKILL'
      state.ended = true
      return undefined
    },
  }
  const answer = (operation: string, text: string, bytes: Uint8Array | undefined): Answer => {
    if (state.ended) return undefined
    return Object.hasOwn(own, operation) ? own[operation]?.(text, bytes) : hostCalls(operation, text, bytes)
  }
  const broken = (error: unknown): void => {
    crash(error, state, budget, controls)
  }
  const end = (result?: string): Ended => ({
    ...endOf(state, result),
    ...((state.broken || budget.engine + budget.files > MUCH_MEMORY) && { spent: true }),
  })
  try {
    const guest = createGuest({ engine, modules, job, budget, answer, broken })
    const result = await turn({ engine, guest, job, later, controls, state, budget, stop })
    return end(result)
  } catch (error) {
    broken(error)
    return end()
  }
}

interface Turning {
  readonly engine: Engine
  readonly guest: Guest
  readonly job: Job
  readonly later: Later
  readonly controls: Controls
  readonly state: State
  readonly budget: MemoryBudget
  stop(reason: EndReason): void
}

class EngineFailed extends Error {}

/** Runs the event loop in the order of Node. Resolves to the program's result as JSON. */
async function turn({ engine, guest, job, later, controls, state, budget, stop }: Turning): Promise<string | undefined> {
  const entry = job.graph.modules.get(job.graph.entry)
  let sliceBegan = performance.now()
  let inputClosed = job.stdin.closed
  const call = (...given: Parameters<Guest['call']>): unknown => {
    if (state.ended) return undefined
    const answered = guest.call(...given)
    if (!answered && !state.ended) throw new EngineFailed()
    return answered?.value
  }
  const giveWay = async (): Promise<void> => {
    if (performance.now() - sliceBegan >= SLICE_MS) await pause()
    const reason = controls.stopped(0)
    if (reason && !state.ended) stop(reason)
  }
  const pause = async (): Promise<void> => {
    controls.poll?.()
    await controls.yield()
    sliceBegan = performance.now()
    handle(controls.events?.take() ?? [])
  }
  const handle = (events: readonly OutsideEvent[]): void => {
    for (const event of events) {
      if ('stop' in event) stop(event.stop)
      else if ('signal' in event) call('signal', event.signal)
      else if ('server' in event) call('server', JSON.stringify(event.server))
      else {
        if (event.input === null) inputClosed = true
        call('stdin', JSON.stringify(event.input))
      }
    }
  }
  /** Runs promise jobs. Returns whether there were any. */
  const jobs = async (): Promise<boolean> => {
    let any = false
    while (!state.ended && engine.runtime.hasPendingJob()) {
      any = true
      const done = engine.runtime.executePendingJobs(JOBS)
      if (done.error) {
        done.error.dispose()
        if (!state.ended) throw new EngineFailed()
      }
      await giveWay()
    }
    return any
  }
  const drain = async (jobsFirst = false): Promise<void> => {
    if (jobsFirst) await jobs()
    for (;;) {
      const ticked = call('ticks') === true
      const worked = await jobs()
      if (state.ended) return
      if (ticked || worked) continue
      const rejections = engine.rejections.take()
      if (rejections.length === 0) return
      for (const { promise, reason } of rejections) {
        call('unhandled', undefined, undefined, promise, reason)
      }
    }
  }
  const due = (): { readonly ms: number; readonly immediate: boolean; readonly alive: boolean } => {
    const text = call('due')
    return typeof text === 'string' && text.length <= LONGEST_DUE ? JSON.parse(text) : { ms: -1, immediate: false, alive: false }
  }
  const inputOpen = (): boolean => state.wantsInput && !inputClosed

  call('main', JSON.stringify({ path: job.graph.entry, kind: entry?.kind ?? 'module' }))
  await drain(entry?.kind === 'module')
  for (;;) {
    while (!state.ended && call('timer') === true) {
      await drain()
      await giveWay()
    }
    for (const { text, bytes } of later.settled()) {
      call('settle', text, bytes)
      await drain()
    }
    if (due().immediate) {
      let more = true
      while (more && !state.ended) {
        more = call('immediate') === true
        await drain()
      }
    }
    if (controls.events) {
      const events = controls.events.take()
      handle(events)
      if (events.length > 0) await drain()
    }
    await giveWay()
    // Events that arrived in the meantime have been delivered, but their jobs have not run yet.
    await drain()
    if (state.ended) return undefined
    const next = due()
    const busy = next.alive || later.pending > 0 || inputOpen()
    if (!busy && !later.hasSettled) {
      call('beforeExit')
      await drain()
      if (state.ended) return undefined
      if (!due().alive && later.pending === 0 && !later.hasSettled) break
      continue
    }
    if (next.immediate || later.hasSettled || controls.events?.isEmpty === false) continue
    if (next.ms === 0) {
      await pause()
      continue
    }
    controls.poll?.()
    await waited(next.ms, later, controls)
    sliceBegan = performance.now()
  }
  if (call('unsettled') === '1') {
    // The memory may have been too full to settle the promise.
    if (budget.refused) throw new NoRoom()
    controls.output('stderr', `Warning: Detected unsettled top-level await at ${job.graph.entry}\n`)
    state.exitCode ??= 13
    return undefined
  }
  const result = call('result')
  const code = call('exit')
  if (code === '') throw new NoRoom()
  if (!state.ended) state.exitCode = exitCodeOf(code)
  if (result === '' || state.exitCode !== 0) return undefined
  const problem = problemOfResult(result, budget)
  if (problem !== undefined) controls.output('stderr', notHandedOver(problem))
  return typeof result === 'string' && problem === undefined ? result : undefined
}

/** Checks the result. Call before parsing it. */
function problemOfResult(result: unknown, budget: MemoryBudget): string | undefined {
  if (result instanceof TooLong) return noRoomFor(result.length)
  return typeof result === 'string' ? problemOf(result, (bytes) => mayPass(budget, bytes)) : undefined
}

/** Decodes printed text. Rejects JSON that is not a string, because it could need more memory than its text. */
const printed = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : '')

/** Waits until a timer is due, an answer has settled or an event arrives. */
async function waited(ms: number, later: Later, controls: Controls): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = ms >= 0 ? setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1)) : undefined
    const wake = (): void => {
      clearTimeout(timer)
      resolve()
    }
    later.onSettled(wake)
    controls.events?.onPush(wake)
  })
  later.onSettled(undefined)
  controls.events?.onPush(undefined)
}

function endOf({ exitCode, signal, stopped }: State, result: string | undefined): Ended {
  if (stopped) return { exitCode: null, stopped }
  if (signal) return { exitCode: { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 }[signal], signal }
  return { exitCode: exitCode ?? 0, ...(result !== undefined && exitCode === 0 && { result }) }
}

/** Checks the exit code, because a program may have replaced the code that returns it. */
function exitCodeOf(text: unknown): number {
  const code = Number(text)
  return Number.isInteger(code) && code >= 0 && code < 256 ? code : 1
}

const isFull = ({ engine, maxBytes, refused }: MemoryBudget): boolean => refused || engine >= maxBytes * FULL

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20)

/** Ends a program whose engine ran out of memory, overflowed the host's stack or failed otherwise. */
function crash(error: unknown, state: State, budget: MemoryBudget, controls: Controls): void {
  state.broken = true
  if (state.ended) return
  const stack = error instanceof RangeError
  const text = stack
    ? 'RangeError: Maximum call stack size exceeded'
    : error instanceof NoRoom || isFull(budget)
      ? `FATAL ERROR: out of memory: the program may use ${mib(budget.maxBytes)} MiB${mib(budget.files) > 0 ? `, and its files take ${mib(budget.files)} of them` : ''}`
      : `FATAL ERROR: the engine failed: ${error instanceof Error ? error.message || 'out of memory' : String(error)}`
  controls.output('stderr', `${text}\n`)
  state.exitCode = stack ? 1 : 134
  state.ended = true
}
