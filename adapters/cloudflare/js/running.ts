import { natives } from '#worker-guest'
import type { ShellOutput, ShellSignal } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { applyChanges } from '../../shared/js/apply-changes.js'
import type { OutsideEvent } from '../../shared/js/job.js'
import type { EndReason, ProgramEnd, RunningProgram } from '../../shared/js/run-program.js'
import { MAIN_MODULE } from './code.js'
import { createQuestions } from './host-calls.js'
import type { GuestEnd, GuestSide, HostSide } from './job.js'
import type { WorkerLoaderJsOptions } from './options.js'
import { type ChangeList, createChangeList, cutSnapshot } from './pieces.js'
import type { Prepared } from './prepare.js'
import type { WorkerCode, WorkerLoaderLike, WorkerStubLike } from './worker-loader-like.js'

const DEFAULT_DATE = '2026-07-01'
/** Milliseconds that a program has to end by itself after it was told to stop. */
const GRACE_MS = 150

export interface StartOptions {
  readonly workspace: Workspace
  readonly options: WorkerLoaderJsOptions
  readonly prepared: Prepared
  readonly timeoutMs: number | undefined
  output(output: ShellOutput): void
}

/** Starts a program in its own Worker. */
export function start({ workspace, options, prepared, timeoutMs, output }: StartOptions): RunningProgram {
  const { job, modules, snapshot, grants } = prepared
  const over = new AbortController()
  const halted = new AbortController()
  const events = createEvents()
  const changes = createChangeList()
  const pieces = snapshot ? cutSnapshot(snapshot) : []
  let open = true
  let stopped: EndReason | undefined
  let leave = (_: ProgramEnd): void => {}
  const left = new Promise<ProgramEnd>((resolve) => {
    leave = resolve
  })
  const ask = createQuestions({ ...prepared, workspace, signal: over.signal })
  const host: HostSide = {
    files: (at) => pieces[at] ?? [],
    output(given) {
      if (!open) return
      for (const [stream, text] of given) if (stream === 'stdout' || stream === 'stderr') output({ stream, text: `${text}` })
    },
    next: () => events.next(),
    // Refuse calls after a stop, because the guest may not know about the stop yet.
    ask: async (...given) => (stopped ? { error: { name: 'AbortError', message: 'The program was stopped' } } : ask(...given)),
    change: (given) => changes.add(given),
  }
  const cpuMs = options.cpuMs ?? timeoutMs
  const run = async (): Promise<ProgramEnd> => {
    const worker = fresh(options.loader, {
      compatibilityDate: options.compatibilityDate ?? DEFAULT_DATE,
      compatibilityFlags: ['nodejs_compat', 'new_module_registry'],
      ...(cpuMs !== undefined && { limits: { cpuMs: Math.max(1, Math.ceil(cpuMs)) } }),
      mainModule: MAIN_MODULE,
      modules,
      env: {},
      globalOutbound: null,
    })
    const guest = worker.getEntrypoint() as GuestSide
    const files = snapshot && { root: snapshot.root, cut: snapshot.cut, pieces: pieces.length }
    let broken = false
    const end = await guest.run(host, { ...job, directBuiltins: natives, ...(files && { files }) }).catch((error: unknown) => {
      broken = true
      return brokenEnd(error, host)
    })
    if (stopped) return { exitCode: null, stopped }
    const ended = endOf(end)
    // Do not write the changes of a broken or killed program: they may be incomplete, even within a file.
    if (broken || ended.exitCode === null || ended.signal || grants.fs === 'none' || grants.fs === 'read') return ended
    const problems = await written(workspace, changes, halted.signal)
    if (stopped) return { exitCode: null, stopped }
    if (problems.length === 0) return ended
    for (const problem of problems) output({ stream: 'stderr', text: `${problem}\n` })
    const { result: _, ...failed } = ended
    return { ...failed, exitCode: failed.exitCode || 1 }
  }
  const ended = Promise.race([run(), left]).finally(() => {
    open = false
    over.abort()
    events.close()
  })
  return {
    ended,
    push: (event) => events.push(event),
    stop(reason) {
      if (stopped) return
      stopped = reason
      halted.abort()
      events.push({ stop: reason })
      // Stop waiting after a while, because a program that never yields receives no events.
      setTimeout(() => leave({ exitCode: null, stopped: reason }), GRACE_MS)
    },
  }
}

/** Writes a program's changes to the workspace. Returns one line for each change that failed. */
async function written(workspace: Workspace, changes: ChangeList, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await applyChanges(workspace, changes.all(), 'write', signal)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Loads a new Worker. If the loader needs a name, the name is random, because a repeated name would return the earlier Worker. */
function fresh(loader: WorkerLoaderLike, code: WorkerCode): WorkerStubLike {
  return loader.load ? loader.load(code) : loader.get(`toolport-${crypto.randomUUID()}`, () => code)
}

/** Returns the end of a program whose Worker was ended by a limit of the platform, or failed to start. */
function brokenEnd(error: unknown, host: HostSide): GuestEnd {
  const message = error instanceof Error ? error.message : String(error)
  if (/\bCPU\b/i.test(message)) return { stopped: 'timeout' }
  host.output([['stderr', `FATAL ERROR: the Worker of the program failed: ${message}\n`]])
  return { exitCode: /memory/i.test(message) ? 134 : 1 }
}

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 }

/** Converts the reported end, and validates it, because the guest may send anything. */
function endOf({ exitCode, signal, stopped, result }: GuestEnd): ProgramEnd {
  if (stopped) return { exitCode: null, stopped: stopped === 'timeout' ? 'timeout' : 'abort' }
  if (signal !== undefined && Object.hasOwn(NUMBERS, signal)) return { exitCode: NUMBERS[signal], signal }
  return { exitCode: Number.isInteger(exitCode) ? Number(exitCode) & 255 : 0, ...(typeof result === 'string' && { result }) }
}

interface EventQueue {
  push(event: OutsideEvent): void
  next(): Promise<readonly OutsideEvent[] | undefined>
  close(): void
}

function createEvents(): EventQueue {
  let queue: OutsideEvent[] = []
  let closed = false
  let wake: (() => void) | undefined
  return {
    push(event) {
      queue.push(event)
      wake?.()
    },
    async next() {
      if (queue.length === 0 && !closed) await new Promise<void>((resolve) => (wake = resolve))
      const events = queue
      queue = []
      return events.length > 0 ? events : undefined
    },
    close() {
      closed = true
      wake?.()
    },
  }
}
