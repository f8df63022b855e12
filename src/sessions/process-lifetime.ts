import type { Host } from '../types/host.js'
import type { SessionState } from '../types/session.js'
import type { ShellExit, ShellProcess, ShellSignal } from '../types/shell.js'
import { pause } from './pause.js'

/** The state of a started process, and the ways to end it. */
export interface Life {
  readonly state: SessionState
  readonly running: boolean
  /** Whether the process is running but about to end, because of `stop` or a KILL. */
  readonly stopping: boolean
  /** How the process ended, if known. */
  readonly exit: ShellExit | undefined
  readonly exited: Promise<ShellExit>
  /** Aborts when the process has ended. */
  readonly ended: AbortSignal
  kill(signal: ShellSignal): Promise<void>
  /** Returns whether a KILL was needed that the caller did not request. */
  stop(options?: { readonly force?: boolean; readonly graceMs?: number }): Promise<boolean>
}

const GRACE_MS = 2000
/** If a process does not report its end within this many milliseconds after a KILL, it counts as ended. */
const KILL_MS = 1000

/**
 * Tracks a started process. `abort` ends the process if a KILL does not. `onEnd` is called once at the end, before anyone else is notified.
 */
export function createLife(host: Host, process: ShellProcess, { abort, onEnd }: { abort(): void; onEnd(): void }): Life {
  let state: SessionState = 'running'
  let exit: ShellExit | undefined
  let stopping = false
  let killed = false
  const ended = new AbortController()
  let tellExit: (exit: ShellExit) => void
  const exited = new Promise<ShellExit>((resolve) => {
    tellExit = resolve
  })

  const finish = (how: ShellExit): void => {
    exit = how
    // A process that did not report its end in time already counts as ended.
    if (state !== 'running') return
    state = stopping ? 'stopped' : 'exited'
    onEnd()
    ended.abort()
    tellExit(how)
  }

  const kill = async (signal: ShellSignal): Promise<void> => {
    if (state !== 'running') return
    killed ||= signal === 'SIGKILL'
    await process.kill(signal)
  }

  /** Whether the process ends within `ms` of the signal. A failure to send is ignored: the process then does not end. */
  const endsBy = async (send: () => Promise<void>, ms: number): Promise<boolean> => {
    void send().catch(() => {})
    await pause(host, ms, ended.signal)
    return state !== 'running'
  }

  process.exited.then(finish, () => finish({ exitCode: null }))

  return {
    get state() {
      return state
    },
    get running() {
      return state === 'running'
    },
    get stopping() {
      return state === 'running' && (stopping || killed)
    },
    get exit() {
      return exit
    },
    exited,
    ended: ended.signal,
    kill,
    async stop({ force = false, graceMs = GRACE_MS } = {}) {
      if (state !== 'running') return false
      stopping = true
      if (!force && (await endsBy(() => kill('SIGTERM'), graceMs))) return false
      if (!(await endsBy(() => kill('SIGKILL'), KILL_MS)) && !(await endsBy(async () => abort(), KILL_MS))) finish({ exitCode: null })
      return !force
    },
  }
}
