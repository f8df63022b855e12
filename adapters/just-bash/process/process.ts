import type { Context, Scope } from '../library-types.js'
import type { Input } from '../stdin/input.js'
import type { Stop } from '../stop.js'
import { isHarmless, isStopping, type SignalName, statusOf } from './signals.js'

/** A pending signal: the shell must end or run a trap. */
export type Pending = ({ readonly trap: SignalName } | { readonly exit: SignalName }) & { readonly shell: Context | undefined }

/** A process of the virtual shell: the script of a call, or one of its jobs. */
export class Process {
  readonly pid: number
  readonly stop: Stop
  /** The script's input, or undefined if the call has none. */
  input: Input | undefined
  /** The main shell of the process, not a subshell. */
  context: Context | undefined
  scope: Scope | undefined
  /** Whether `set -e` came from the state of an earlier command. In this case, a note is printed if `set -e` ends the script. */
  errexitGiven = false
  readonly pending: Pending[] = []
  /** Shells of the process in which a command runs, innermost last. */
  readonly callers: Context[] = []
  #endedBy: SignalName | undefined

  constructor(pid: number, stop: Stop, input?: Input) {
    this.pid = pid
    this.stop = stop
    this.input = input
  }

  /**
   * Sends a signal to the process, or to the shell of a script that the process runs. If the shell has a trap, the trap runs before the
   * next command. Without a trap, the signal ends the shell: before the next command if the shell has an EXIT trap or belongs to a script,
   * otherwise at once. Returns false for stopping signals, which are not supported.
   */
  signal(name: SignalName, shell: Context | undefined = this.context): boolean {
    if (isStopping(name)) return false
    const traps = shell?.place.ownTraps
    const trap = name === 'SIGKILL' ? undefined : traps?.get(name)
    if (trap === '' || (trap === undefined && isHarmless(name))) return true
    if (name === 'SIGKILL') traps?.delete('EXIT')
    if (trap !== undefined) this.#interrupt({ trap: name, shell })
    else if (shell !== this.context || traps?.get('EXIT')) this.#interrupt({ exit: name, shell })
    else this.stop.begin('signal', name)
    return true
  }

  /** Records that the process ends itself because of the signal. Returns the exit status. */
  endBy(name: SignalName): number {
    this.#endedBy = name
    return statusOf(name)
  }

  /** Returns the exit status for the signal that ended the process, or `own` without such a signal. */
  endedStatus(own: number): number {
    return this.endedBy ? statusOf(this.endedBy) : own
  }

  /** Returns the exit status of a command that the pending signal interrupted. */
  numberOf(pending: Pending): number {
    return statusOf('trap' in pending ? pending.trap : pending.exit)
  }

  /** The signal that ended the process, or undefined if no signal did. */
  get endedBy(): SignalName | undefined {
    return this.stop.signal ?? this.#endedBy
  }

  #interrupt(pending: Pending): void {
    this.pending.push(pending)
    this.stop.interrupt()
  }
}
