import type { FetchAdapter } from './ports.js'
import type { ShellExit, ShellOutput, ShellProcess } from './shell.js'

/** What a program may do beside computing. What is not granted is not there. */
export interface JsGrants {
  /** The workspace's files, under its rules. `read`: every change of them is EROFS. Default `write`. */
  readonly fs?: 'none' | 'read' | 'write'
  /** What its `fetch` reaches. Default: there is no `fetch`. */
  readonly fetch?: FetchAdapter
  /** Its `invokeTool(name, input)`: the output, as JSON. Default: there is no such function. */
  readonly invokeTool?: (name: string, input: unknown, options: { readonly signal: AbortSignal }) => Promise<unknown>
}

/** A program, and what it is started with. Exactly one of `code` and `entry`. */
export interface JsProgram {
  /** Source text. */
  readonly code?: string
  /** Virtual path of a file, relative to `cwd`. TypeScript by its extension (`.ts .mts .cts`). */
  readonly entry?: string
  /**
   * What `code` counts as: its imports are looked up from there, and stack traces name it. Nothing is written. Relative to `cwd`; default
   * `[eval].mjs`, and by `format`.
   */
  readonly filename?: string
  /** Of `code`, where its file name does not say it; default `module`. */
  readonly format?: 'module' | 'commonjs'
  /** Virtual path; default the workspace's. */
  readonly cwd?: string
  /** `process.argv` from its third element on. */
  readonly args?: readonly string[]
  /** `process.env`, over the adapter's base. */
  readonly env?: Readonly<Record<string, string>>
  readonly grants?: JsGrants
  readonly signal?: AbortSignal
  /** Told of output as it comes, in order within a stream. What it throws is ignored. */
  readonly onOutput?: (output: ShellOutput) => void
  /** What the program may need; default the adapter's (`can.memoryCap`). Bytes. */
  readonly memoryBytes?: number
}

export interface JsRunOptions extends JsProgram {
  /** Given whole, then closed; default empty and closed. */
  readonly stdin?: string
  /** From the start to the stop; default none. The result comes within 250 ms of it where `can.hardKill`. */
  readonly timeoutMs?: number
  /** Kept per stream, head and tail; the rest is counted and dropped. Default 256 KiB. */
  readonly maxBytes?: number
}

export interface JsResult extends Pick<ShellExit, 'signal'> {
  /**
   * null when a timeout or an abort ended it. As Node's: `process.exit(n)` and `process.exitCode`, 1 after an error that nobody caught, 13
   * for a top-level await that never settles, 134 when it needed more memory than it may have.
   */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** The default export of the program, as JSON has it; undefined where there is none. */
  readonly result?: unknown
  readonly timedOut: boolean
  readonly aborted: boolean
  /** Whether any of the two streams was cut. */
  readonly truncated: boolean
}

/** Runs JavaScript over the workspace's tree. */
export interface JsAdapter {
  readonly name: string
  readonly can: {
    /** A program that gives way to nothing is ended all the same. */
    readonly hardKill: boolean
    readonly memoryCap: boolean
    /** All of Node's modules; else those of the guest environment (docs/javascript.md). */
    readonly nodeApi: boolean
    /** The program cannot reach anything but what it is granted. */
    readonly isolated: boolean
  }
  open?(): Promise<void>
  /**
   * @throws {JsError} unavailable, spawn_failed; {InputError}, {FsError} for an `entry` or a `cwd` that is none. Whatever the program does
   * is a result.
   */
  run(options: JsRunOptions): Promise<JsResult>
  /** Starts a program that reads what is written to it. Resolves once it runs; rejects as `run` does. */
  spawn?(options: JsProgram): Promise<ShellProcess>
  close?(): Promise<void>
}
