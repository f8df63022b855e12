import type { ModuleGraph, Resolution } from '../../src/packages/modules/index.js'
import type { Changes } from '../shared/js/changes.js'
import type { BaseJob, OutsideEvent } from '../shared/js/job.js'
import type { EndReason, ProgramEnd } from '../shared/js/run-program.js'
import type { ServerAnswer, ServerQuestion } from '../shared/js/serving.js'
import type { Snapshot } from '../shared/js/snapshot.js'

export type { EndReason, OutsideEvent }

/** A program and everything that it needs to start. Plain data, because it is sent to workers. */
export interface Job extends BaseJob {
  readonly graph: ModuleGraph
  /** Default: a size that is safe for the thread. */
  readonly stackBytes?: number
  /** Computation limit, in units of 10,000 jumps or calls. */
  readonly fuel?: number
  readonly timeoutMs?: number
  readonly grants: {
    readonly fs: 'none' | 'read' | 'write'
    readonly fetch: boolean
    readonly servers: boolean
    readonly invokeTool: boolean
  }
  /** Files for synchronous reads, or undefined if the program uses no file functions. */
  readonly snapshot?: Snapshot
}

/** How a program ended, before its files are written. */
export interface Ended extends ProgramEnd {
  /** Whether the engine crashed, or holds much memory that is not freed at once. Its worker must not run another program. */
  readonly spent?: boolean
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: Uint8Array
  /** Whether the body is still encoded as `content-encoding` says. This is so for responses from a program's server. */
  readonly packed?: boolean
}

/** Services that the host provides to a running program. All data is plain. */
export interface Services {
  extend(
    specifier: string,
    from: string,
    graph: ModuleGraph,
  ): Promise<{ readonly resolution: Resolution; readonly added: ModuleGraph['modules'] }>
  /** Answers a question of `shared/js/live-files.ts`. */
  file(question: unknown): Promise<unknown>
  /** Writes the program's changes. Returns one line for each change that failed. */
  flush(changes: Changes): Promise<readonly string[]>
  fetch(
    request: { readonly url: string; readonly method: string; readonly headers: readonly (readonly [string, string])[] },
    body: Uint8Array | undefined,
  ): Promise<FetchAnswer>
  /** Answers a question of `guest/builtins/internal/servers.cjs`. */
  server(question: ServerQuestion, bytes: Uint8Array | undefined): Promise<ServerAnswer>
  /** `call`: JSON of the tool's name and input. The host checks its cost before parsing it. */
  invokeTool(call: string): Promise<unknown>
}

/** Controls of a running program. */
export interface Controls {
  /** Returns undefined if the program may continue. Called at any time, with the number of jumps and calls since the previous call. */
  stopped(passed: number): EndReason | undefined
  readonly output: (stream: 'stdout' | 'stderr', text: string) => void
  /** Called regularly while the guest runs, and when it yields or waits. */
  readonly poll?: () => void
  /** Maximum stack size of the program in bytes. Default: 128 KiB. */
  readonly stackBytes?: number
  /** Yields to other work. Called every few milliseconds between two steps. */
  yield(): Promise<void>
  readonly events?: Events
}

/** A queue of events that can wake a waiting consumer. */
export class Events {
  #queue: OutsideEvent[] = []
  #wake: (() => void) | undefined

  push(event: OutsideEvent): void {
    this.#queue.push(event)
    this.#wake?.()
  }

  take(): OutsideEvent[] {
    return this.#queue.splice(0)
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  onPush(wake: (() => void) | undefined): void {
    this.#wake = wake
  }
}
