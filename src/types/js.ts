import type { ShellOutput, ShellProcess } from './shell.js'

export interface JsRunOptions {
  /** Source text, or `entry`: a virtual path. Exactly one. */
  readonly code?: string
  readonly entry?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly format?: 'module' | 'commonjs'
  readonly limits?: { readonly timeoutMs?: number; readonly memoryBytes?: number; readonly outputBytes?: number }
  readonly signal?: AbortSignal
  readonly onOutput?: (output: ShellOutput) => void
}

export interface JsResult {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly result?: unknown
  readonly timedOut: boolean
}

export interface JsAdapter {
  readonly name: string
  readonly can: { readonly hardKill: boolean; readonly memoryCap: boolean; readonly nodeApi: boolean }
  open?(): Promise<void>
  run(options: JsRunOptions): Promise<JsResult>
  spawn?(options: JsRunOptions): Promise<ShellProcess>
  close?(): Promise<void>
}
