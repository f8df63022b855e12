/** What the model asks the editor to do with one file. Diffs are V4A without headers: hunks only. */
export interface OpenAiCreateFile {
  type: 'create_file'
  path: string
  /** Every line begins with `+`. */
  diff: string
}

export interface OpenAiUpdateFile {
  type: 'update_file'
  path: string
  diff: string
  /** The new name. */
  moveTo?: string | undefined
}

export interface OpenAiDeleteFile {
  type: 'delete_file'
  path: string
}

export interface OpenAiEditResult {
  status: 'completed' | 'failed'
  /** For the model. */
  output: string
}

/** The `Editor` of `@openai/agents`, for its `applyPatchTool({ editor })`. Never rejects but for an abort, with its reason. */
export interface OpenAiEditor {
  createFile(operation: OpenAiCreateFile): Promise<OpenAiEditResult>
  updateFile(operation: OpenAiUpdateFile): Promise<OpenAiEditResult>
  deleteFile(operation: OpenAiDeleteFile): Promise<OpenAiEditResult>
}

/** What the model asks the shell to run. */
export interface OpenAiShellAction {
  /** One after another, each in a shell of its own. */
  commands: string[]
  /** For all of them together. Default: the deadline of the runtime for each. */
  timeoutMs?: number | undefined
  /** Characters of all output together, at the most. Default: the runtime's `limits.outputBytes`, in bytes. */
  maxOutputLength?: number | undefined
}

/** A type alias: the SDK's own type has an index signature, which an interface does not fit. */
export type OpenAiShellOutput = {
  stdout: string
  stderr: string
  /** `exitCode` null: it was refused, or stopped. */
  outcome: { type: 'exit'; exitCode: number | null } | { type: 'timeout' }
}

export interface OpenAiShellResult {
  /** One for each command, in their order. */
  output: OpenAiShellOutput[]
  /** As it was asked for. */
  maxOutputLength?: number
}

/** The `Shell` of `@openai/agents`, for its `shellTool({ shell })`. Never rejects but for an abort, with its reason. */
export interface OpenAiShell {
  run(action: OpenAiShellAction): Promise<OpenAiShellResult>
}
