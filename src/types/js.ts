import type { FetchAdapter } from './ports.js'
import type { LocalServers } from './servers.js'
import type { ShellExit, ShellOutput, ShellProcess } from './shell.js'

/** The abilities of a program besides computing. A program cannot see anything that it is not granted. */
export interface JsGrants {
  /** Access to the workspace's files, under the workspace's rules. `read`: every write fails with EROFS. Default `write`. */
  readonly fs?: 'none' | 'read' | 'write'
  /** The network for the program's `fetch`. Default: no `fetch`. */
  readonly fetch?: FetchAdapter
  /**
   * HTTP servers of the program: `http.createServer().listen(port)`, a default export with `fetch(request)`, and requests of the program to
   * `localhost`. Default: `listen` fails.
   */
  readonly servers?: LocalServers
  /** The program's `invokeTool(name, input)`, which resolves to the output as JSON. Default: no such function. */
  readonly invokeTool?: (name: string, input: unknown, options: { readonly signal: AbortSignal }) => Promise<unknown>
}

/** A program and its start parameters. Pass exactly one of `code` and `entry`. */
export interface JsProgram {
  /** Source text. */
  readonly code?: string
  /** Virtual path of a file, relative to `cwd`. The extensions `.ts`, `.mts` and `.cts` mean TypeScript. */
  readonly entry?: string
  /**
   * The assumed path of `code`: imports resolve relative to it, and stack traces show it. No file is written. Relative to `cwd`; default
   * `[eval].mjs`, or as `format` requires.
   */
  readonly filename?: string
  /** The module format of `code`, if its file name does not imply one; default `module`. */
  readonly format?: 'module' | 'commonjs'
  /** Working directory, a virtual path; default the workspace's. */
  readonly cwd?: string
  /** `process.argv` from its third element on. */
  readonly args?: readonly string[]
  /** `process.env`: overrides variables of the adapter's base environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly grants?: JsGrants
  readonly signal?: AbortSignal
  /** Receives output as it arrives, in order within a stream. The adapter ignores its exceptions. */
  readonly onOutput?: (output: ShellOutput) => void
  /** Memory limit in bytes; default the adapter's (`can.memoryCap`). */
  readonly memoryBytes?: number
}

/** Options of `JsAdapter.run`. */
export interface JsRunOptions extends JsProgram {
  /** The complete input; default empty. The adapter closes the input after this text. */
  readonly stdin?: string
  /** Timeout from the start, in milliseconds; default unlimited. With `can.hardKill` the result arrives within 250 ms after the timeout. */
  readonly timeoutMs?: number
  /** Maximum bytes to keep per stream, from its beginning and its end. The adapter counts and drops the rest. Default 256 KiB. */
  readonly maxBytes?: number
}

/** The result of a JavaScript program. */
export interface JsResult extends Pick<ShellExit, 'signal'> {
  /**
   * null after a timeout or an abort. Otherwise as in Node: `process.exit(n)` and `process.exitCode`, 1 after an uncaught error, 13 if a
   * top-level await never settles, 134 if the program exceeds its memory limit.
   */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** The default export of the program as JSON; undefined without one. */
  readonly result?: unknown
  readonly timedOut: boolean
  readonly aborted: boolean
  /** Whether either stream was truncated. */
  readonly truncated: boolean
}

/** The JavaScript port: runs programs on the workspace's tree. */
export interface JsAdapter {
  readonly name: string
  readonly can: {
    /** The adapter can end a program that never yields. */
    readonly hardKill: boolean
    readonly memoryCap: boolean
    /** Whether programs can use all modules of Node. If false, they have those of the guest environment (docs/javascript.md). */
    readonly nodeApi: boolean
    /** Whether a program reaches only what its grants allow. */
    readonly isolated: boolean
  }
  open?(): Promise<void>
  /**
   * Runs a program to its end. A failing program is a result, not an exception. @throws {JsError} unavailable, spawn_failed; {InputError},
   * {FsError} for an invalid `entry` or `cwd`
   */
  run(options: JsRunOptions): Promise<JsResult>
  /** Starts an interactive program. Resolves when the program runs; rejects as `run` does. */
  spawn?(options: JsProgram): Promise<ShellProcess>
  close?(): Promise<void>
}
