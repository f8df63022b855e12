/** What the child is told before it runs anything, as JSON. Paths are the machine's. */
export interface Task {
  /** Links resolved, where it is a file. */
  readonly main: string
  /** Where the program is no file. */
  readonly source?: { readonly code: string; readonly format: 'module' | 'commonjs' }
  /** Whether it may call `invokeTool`. */
  readonly tools: boolean
  /** Whether it must be kept from starting workers by hand: Node 20 needs one itself, and cannot tell them apart. */
  readonly withholdWorkers: boolean
}

/** Descriptors of the child: calls and the result, and where the task is read from. As `REPORT_FD` and `COMMAND_FD` of shells. */
export const CHANNEL_FD = 3
export const TASK_FD = 4

/** Characters of one message; a longer one is refused where it is made. */
export const MAX_MESSAGE: number = 16 * 1024 * 1024

/** Child to parent: one JSON text a line. */
export type ChildMessage =
  | { readonly call: number; readonly name: string; readonly input?: unknown }
  /** The default export. */
  | { readonly result: unknown }

/** Parent to child: the answer to `call`. */
export interface ParentMessage {
  readonly call: number
  readonly output?: unknown
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}
