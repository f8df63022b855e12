/** Describes a program for the script that starts it in the container, as JSON. Contains full paths of the container. */
export interface Task {
  /** The start of every frame that the program sends. */
  readonly start: string
  /** `process.argv[1]`. */
  readonly script: string
  readonly args: readonly string[]
  /** If the program is a file: its path with symlinks resolved. */
  readonly main: string
  readonly kind: 'module' | 'commonjs'
  /** For `commonjs` that does not run from its file. */
  readonly code?: string
  /** For `module` that does not run from its file: the file that replaces it. */
  readonly copy?: string
  readonly stdin: string
  /** Whether `stdin` is complete. */
  readonly closed: boolean
  /** Whether the program may call `invokeTool`. */
  readonly tools: boolean
  /** TypeScript files that the program reaches, by their paths. */
  readonly typescript: Readonly<Record<string, Stripped>>
}

/** A TypeScript file after type stripping. */
export interface Stripped {
  readonly kind: 'module' | 'commonjs'
  readonly code: string
  /** The syntax error, if there is one. */
  readonly error?: string
}

/** Program to host, in frames of kind `m`, `M` for the last one. */
export type GuestMessage =
  | { readonly call: number; readonly name: string; readonly input?: unknown }
  /** The default export. */
  | { readonly result: unknown }
  /** Number of input posts read since the last message. */
  | { readonly taken: number }
  /** The program ends by itself. */
  | { readonly exit: number }

/** Host to program: one file per message, `1.json` and so on, in order. */
export type Post =
  | { readonly call: number; readonly output?: unknown }
  | { readonly call: number; readonly error: { readonly name: string; readonly message: string; readonly code?: string } }
  | { readonly stdin: string }
  | { readonly closed: true }

/** Maximum characters of one message. The sender rejects longer ones. */
export const MAX_MESSAGE: number = 16 * 1024 * 1024
