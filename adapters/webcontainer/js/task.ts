/** Describes a program for the script that starts it in the container, as JSON. Contains full paths of the container. */
export interface Task {
  /** The start of every frame that the program sends. */
  readonly start: string
  /** The path in `process.argv[1]`. */
  readonly script: string
  readonly args: readonly string[]
  /** For a program that runs from its own file: the file's path with symlinks resolved. */
  readonly main: string
  readonly kind: 'module' | 'commonjs'
  /** The code of a `commonjs` program that does not run from its own file. */
  readonly code?: string
  /** For a `module` program that does not run from its own file: the specifier of the copy to import. */
  readonly copy?: string
  readonly stdin: string
  /** Whether `stdin` is the whole input, so that no further input follows. */
  readonly closed: boolean
  /** Whether the program may call `invokeTool`. */
  readonly tools: boolean
  /** The TypeScript files that the program imports, directly or indirectly, by full path. */
  readonly typescript: Readonly<Record<string, Stripped>>
}

/** A TypeScript file after type stripping. */
export interface Stripped {
  readonly kind: 'module' | 'commonjs'
  readonly code: string
  /** The message of the syntax error, if the file has one. */
  readonly error?: string
}

/** A message from the program to the host. Sent in frames of kind `m`, the last one of kind `M`. */
export type GuestMessage =
  | { readonly call: number; readonly name: string; readonly input?: unknown }
  /** Reports the program's default export. */
  | { readonly result: unknown }
  /** Reports the number of input posts that the program has read since its last such message. */
  | { readonly taken: number }
  /** Reports the exit code of a program that ends by itself. */
  | { readonly exit: number }

/** A message from the host to the program. Each message is a file: `1.json`, `2.json` and so on, in order. */
export type Post =
  | { readonly call: number; readonly output?: unknown }
  | { readonly call: number; readonly error: { readonly name: string; readonly message: string; readonly code?: string } }
  | { readonly stdin: string }
  | { readonly closed: true }

/** Maximum number of characters of a message. The sender rejects longer messages. */
export const MAX_MESSAGE: number = 16 * 1024 * 1024
