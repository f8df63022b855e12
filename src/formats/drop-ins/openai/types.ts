/** The editor operation that creates a file. Its diff is in the V4A format, with hunks but without headers. */
export interface OpenAiCreateFile {
  type: 'create_file'
  path: string
  /** Every line begins with `+`. */
  diff: string
}

/**
 * The editor operation that changes a file, and with `moveTo` renames it. Its diff is in the V4A format, with hunks but without headers.
 */
export interface OpenAiUpdateFile {
  type: 'update_file'
  path: string
  diff: string
  /** The new path. */
  moveTo?: string | undefined
}

/** The editor operation that deletes a file. */
export interface OpenAiDeleteFile {
  type: 'delete_file'
  path: string
}

/** The result of an editor operation. */
export interface OpenAiEditResult {
  status: 'completed' | 'failed'
  /** The model reads this text. */
  output: string
}

/** The `Editor` of `@openai/agents`, for its `applyPatchTool({ editor })`. Rejects only on an abort, with its reason. */
export interface OpenAiEditor {
  createFile(operation: OpenAiCreateFile): Promise<OpenAiEditResult>
  updateFile(operation: OpenAiUpdateFile): Promise<OpenAiEditResult>
  deleteFile(operation: OpenAiDeleteFile): Promise<OpenAiEditResult>
}

/** The commands that the model wants to run. */
export interface OpenAiShellAction {
  /** The commands. They run one after another, each in its own shell. */
  commands: string[]
  /** Timeout of all commands together, in milliseconds. Default: each command has the runtime's deadline. */
  timeoutMs?: number | undefined
  /** Maximum characters of all output together. Default: the runtime's `limits.outputBytes`, in bytes. */
  maxOutputLength?: number | undefined
}

/**
 * The output of one command. This is a type alias, because the SDK's own type has an index signature, which an interface does not satisfy.
 */
export type OpenAiShellOutput = {
  stdout: string
  stderr: string
  /** `exitCode` is null if the command was denied or stopped. */
  outcome: { type: 'exit'; exitCode: number | null } | { type: 'timeout' }
}

/** The result of a shell action. */
export interface OpenAiShellResult {
  /** One entry per command, in order. */
  output: OpenAiShellOutput[]
  /** The requested `maxOutputLength`. */
  maxOutputLength?: number
}

/** The `Shell` of `@openai/agents`, for its `shellTool({ shell })`. Rejects only on an abort, with its reason. */
export interface OpenAiShell {
  run(action: OpenAiShellAction): Promise<OpenAiShellResult>
}
