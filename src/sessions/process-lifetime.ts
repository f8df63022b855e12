import type { Host } from '../types/host.js'
import type { SessionState } from '../types/session.js'
import type { ShellExit, ShellProcess, ShellSignal } from '../types/shell.js'
import { pause } from './pause.js'

/** A process between its start and its end. */
export interface Life {
  readonly state: SessionState
  readonly running: boolean
  /** It runs, and is about to end: by `stop` or KILL, which nothing ignores. */
  readonly stopping: boolean
  /** How it ended, as far as that is known. */
  readonly exit: ShellExit | undefined
  readonly exited: Promise<ShellExit>
  /** Aborts when it has ended. */
  readonly ended: AbortSignal
  kill(signal: ShellSignal): Promise<void>
  /** Whether it took a KILL that was not asked for. */
  stop(options?: { readonly force?: boolean; readonly graceMs?: number }): Promise<boolean>
}

const GRACE_MS = 2000
/** A process that does not report its end so long after a KILL is taken for ended. */
const KILL_MS = 1000

/** `abort`: what ends it where a KILL does not. `onEnd`: called once, when its end is known and before anybody else is told. */
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
    // One that was given up has ended before.
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

  /** Whether it has ended within `ms` of the signal. That a signal could not be sent is seen by that. */
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
