/** What a program is, for the script that starts it in the container; as JSON. Paths are full ones of the container. */
export interface Task {
  /** What every frame begins with that the program sends. */
  readonly start: string
  /** `process.argv[1]`. */
  readonly script: string
  readonly args: readonly string[]
  /** Links resolved, where it is a file. */
  readonly main: string
  readonly kind: 'module' | 'commonjs'
  /** Of kind `commonjs`, where it is not run from its file. */
  readonly code?: string
  /** Of kind `module`, where it is not run from its file: the file that stands for it. */
  readonly copy?: string
  readonly stdin: string
  /** Nothing is added to `stdin` later. */
  readonly closed: boolean
  /** Whether it may call `invokeTool`. */
  readonly tools: boolean
  /** Files in TypeScript that it reaches, by their paths. */
  readonly typescript: Readonly<Record<string, Stripped>>
}

/** A file without its types. */
export interface Stripped {
  readonly kind: 'module' | 'commonjs'
  readonly code: string
  /** It cannot be read. */
  readonly error?: string
}

/** Program to host, in frames of kind `m`, `M` for the last one. */
export type GuestMessage =
  | { readonly call: number; readonly name: string; readonly input?: unknown }
  /** The default export. */
  | { readonly result: unknown }
  /** How many of the posts with input have been read. */
  | { readonly taken: number }
  /** It is ending, by itself. */
  | { readonly exit: number }

/** Host to program: one file each, `1.json` and so on, in their order. */
export type Post =
  | { readonly call: number; readonly output?: unknown }
  | { readonly call: number; readonly error: { readonly name: string; readonly message: string; readonly code?: string } }
  | { readonly stdin: string }
  | { readonly closed: true }

/** Characters of one message; a longer one is refused where it is made. */
export const MAX_MESSAGE: number = 16 * 1024 * 1024
