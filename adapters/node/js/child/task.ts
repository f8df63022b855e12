/** The task, sent to the child as JSON before the child runs anything. Contains host paths. */
export interface Task {
  /** If the program is a file: its path with symlinks resolved. */
  readonly main: string
  /** Set if the program is not a file. */
  readonly source?: { readonly code: string; readonly format: 'module' | 'commonjs' }
  /** Whether the program may call `invokeTool`. */
  readonly tools: boolean
  /** Whether the child itself must disable workers. Node 20 needs a worker for its hooks, and its flag allows all workers or none. */
  readonly withholdWorkers: boolean
}

/** File descriptors of the child: for calls and the result, and for the task. Same numbers as `REPORT_FD` and `COMMAND_FD` of shells. */
export const CHANNEL_FD = 3
export const TASK_FD = 4

/** Maximum number of characters in one message. The sender rejects longer messages. */
export const MAX_MESSAGE: number = 16 * 1024 * 1024

/** Child to parent: one JSON text per line. */
export type ChildMessage =
  | { readonly call: number; readonly name: string; readonly input?: unknown }
  /** Reports the program's default export. */
  | { readonly result: unknown }

/** Parent to child: the answer to `call`. */
export interface ParentMessage {
  readonly call: number
  readonly output?: unknown
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}
