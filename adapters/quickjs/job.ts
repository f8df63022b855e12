import type { ModuleGraph, Resolution } from '../../src/packages/modules/index.js'
import type { Changes } from '../shared/js/changes.js'
import type { BaseJob, OutsideEvent } from '../shared/js/job.js'
import type { EndReason, ProgramEnd } from '../shared/js/run-program.js'
import type { ServerAnswer, ServerQuestion } from '../shared/js/serving.js'
import type { Snapshot } from '../shared/js/snapshot.js'

export type { EndReason, OutsideEvent }

/** A program with all that it needs to begin. Plain data: it is sent to workers. */
export interface Job extends BaseJob {
  readonly graph: ModuleGraph
  /** Default: what is safe where it runs. */
  readonly stackBytes?: number
  /** How often the engine may ask whether to go on. */
  readonly fuel?: number
  readonly timeoutMs?: number
  readonly grants: {
    readonly fs: 'none' | 'read' | 'write'
    readonly fetch: boolean
    readonly servers: boolean
    readonly invokeTool: boolean
  }
  /** What can be read at once; undefined: the program reaches no file functions. */
  readonly snapshot?: Snapshot
}

/** How a program ended, before its files are written. */
export interface Ended extends ProgramEnd {
  /** The engine broke, or holds much memory, which nobody gives back at once: no other program is to run beside what is left of it. */
  readonly spent?: boolean
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: Uint8Array
  /** From a server of a program: the body is as that has sent it, with its `content-encoding`. */
  readonly packed?: boolean
}

/** What a running program asks of the side that has the workspace. All data is plain. */
export interface Services {
  extend(
    specifier: string,
    from: string,
    graph: ModuleGraph,
  ): Promise<{ readonly resolution: Resolution; readonly added: ModuleGraph['modules'] }>
  /** A question of `shared/js/live-files.ts`. */
  file(question: unknown): Promise<unknown>
  /** Writes what the program has changed; what could not be written, one line each. */
  flush(changes: Changes): Promise<readonly string[]>
  fetch(
    request: { readonly url: string; readonly method: string; readonly headers: readonly (readonly [string, string])[] },
    body: Uint8Array | undefined,
  ): Promise<FetchAnswer>
  /** A question of `guest/builtins/internal/servers.cjs`. */
  server(question: ServerQuestion, bytes: Uint8Array | undefined): Promise<ServerAnswer>
  /** JSON of its name and its input: it is parsed where the tools are, once what that takes is known. */
  invokeTool(call: string): Promise<unknown>
}

/** What a program is controlled with while it runs. */
export interface Controls {
  /** Undefined: go on. Asked at any time. */
  stopped(): EndReason | undefined
  readonly output: (stream: 'stdout' | 'stderr', text: string) => void
  /** Called now and then while the guest runs, and when it gives way or waits. */
  readonly poll?: () => void
  /** Default 128 KiB. */
  readonly stackBytes?: number
  /** Gives way; called every few ms between two steps. */
  yield(): Promise<void>
  readonly events?: Events
}

/** A queue that can be waited for. */
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
