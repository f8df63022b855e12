import type { Context, Scope } from '../library-types.js'
import type { Input } from '../stdin/input.js'
import type { Stop } from '../stop.js'
import { isHarmless, isStopping, type SignalName, statusOf } from './signals.js'

/** A shell that has not begun to end, and is to, or that is to run a trap. */
export type Pending = ({ readonly trap: SignalName } | { readonly exit: SignalName }) & { readonly shell: Context | undefined }

/** The script of a call, or a job of it. */
export class Process {
  readonly pid: number
  readonly stop: Stop
  /** Undefined: nothing to read. */
  input: Input | undefined
  /** Its own shell; not those of its subshells. */
  context: Context | undefined
  scope: Scope | undefined
  /** `set -e` came with the state of an earlier command: an end by it is told, once. */
  errexitGiven = false
  readonly pending: Pending[] = []
  /** Shells of it in which a command runs, the innermost last. */
  readonly callers: Context[] = []
  #endedBy: SignalName | undefined

  constructor(pid: number, stop: Stop, input?: Input) {
    this.pid = pid
    this.stop = stop
    this.input = input
  }

  /**
   * Sends a signal to it, or to the shell of a script that it runs: the trap is run before the next command there, without one the shell ends.
   * Where it has something to do at its exit, and in a script, it ends by itself, at its next command. False for signals that would have to stop it.
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

  /** It ends by itself because of the signal. The status that it ends with. */
  endBy(name: SignalName): number {
    this.#endedBy = name
    return statusOf(name)
  }

  /** The status that it ends with, where its own would be `own`. */
  endedStatus(own: number): number {
    return this.endedBy ? statusOf(this.endedBy) : own
  }

  /** The status of what a signal interrupts. */
  numberOf(pending: Pending): number {
    return statusOf('trap' in pending ? pending.trap : pending.exit)
  }

  /** The one that ended it. */
  get endedBy(): SignalName | undefined {
    return this.stop.signal ?? this.#endedBy
  }

  #interrupt(pending: Pending): void {
    this.pending.push(pending)
    this.stop.interrupt()
  }
}
