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

/** A command of a sandbox session. `shell`, `login`, `tty` and `yieldTimeMs` have no effect. */
export interface OpenAiExecArgs {
  cmd: string
  /** Default: the cwd of the workspace. */
  workdir?: string
  /** Rejected: a workspace has no users. */
  runAs?: string
  /** Longest `output`, in tokens of four bytes. The middle is cut. */
  maxOutputTokens?: number
}

/** The result of a command of a sandbox session. */
export interface OpenAiExecResult {
  /** stdout, then stderr. */
  output: string
  stdout: string
  stderr: string
  wallTimeSeconds: number
  /** 124: the runtime ended the command at its deadline. null: the command did not run or was stopped. */
  exitCode: number | null
}

/** The `SandboxSession` of `@openai/agents`, without manifest entries, snapshots, ports and terminals. */
export interface OpenAiSandboxSession<Manifest> {
  state: { manifest: Manifest }
  /** Always true. */
  running(): Promise<boolean>
  /** Always false. */
  supportsPty(): boolean
  createEditor(runAs?: string): OpenAiEditor
  exec(args: OpenAiExecArgs): Promise<OpenAiExecResult>
  /** Runs a command and returns the result as text for the model. */
  execCommand(args: OpenAiExecArgs): Promise<string>
  /** Reads an image of at most 10 MiB. */
  viewImage(args: { path: string; runAs?: string }): Promise<{ type: 'image'; image: { data: Uint8Array<ArrayBuffer>; mediaType: string } }>
  /** With `maxBytes`, reads only the first bytes. Without it, a file of more than 64 MiB is rejected. */
  readFile(args: { path: string; runAs?: string; maxBytes?: number }): Promise<Uint8Array>
  /** The paths of entries are relative to the cwd of the workspace. Above it, they are absolute. */
  listDir(args: { path: string; runAs?: string }): Promise<{ name: string; path: string; type: 'file' | 'dir' | 'other' }[]>
  pathExists(path: string, runAs?: string): Promise<boolean>
  directoryExists(path: string, runAs?: string): Promise<boolean>
}
