/** The options of a sandbox method that takes a path. */
export interface AiSdkPathOptions {
  /** Absolute, or relative to the workspace's cwd. */
  path: string
  abortSignal?: AbortSignal | undefined
}

/** Options of `AiSdkSandbox.readTextFile`. */
export interface AiSdkReadTextOptions extends AiSdkPathOptions {
  /** `utf-8` (default), `utf-16le`, `latin1`, `ascii`, `base64`. */
  encoding?: string | undefined
  /** First line, one-based; default the first line of the file. */
  startLine?: number | undefined
  /** Last line, inclusive; default the last line of the file. A number past the end means the last line. */
  endLine?: number | undefined
}

/** A file to write. `Content` is a stream, bytes or text, depending on the method. */
export interface AiSdkWriteOptions<Content> extends AiSdkPathOptions {
  content: Content
}

/** Options of `AiSdkSandbox.writeTextFile`. */
export interface AiSdkWriteTextOptions extends AiSdkWriteOptions<string> {
  /** The encoding, one of those of `readTextFile`. */
  encoding?: string | undefined
}

/** The type and size of a path, as `AiSdkSandbox.stat` returns it. */
export interface AiSdkFileStat {
  type: 'file' | 'directory'
  /** Bytes; 0 for a directory. */
  size: number
}

/** One entry of `AiSdkSandbox.listDirectory`. */
export interface AiSdkDirectoryEntry {
  name: string
  type: 'file' | 'directory' | 'symlink'
}

/** A command for `AiSdkSandbox.run`. */
export interface AiSdkRunOptions {
  command: string
  /** Absolute, or relative to the workspace's cwd; default the cwd. */
  workingDirectory?: string | undefined
  env?: Record<string, string> | undefined
  abortSignal?: AbortSignal | undefined
}

/** A command for `AiSdkSandbox.spawn`. */
export interface AiSdkSpawnOptions extends AiSdkRunOptions {
  /** Keeps the standard input open and returns a process with `stdin`. Default false: closes the input. */
  stdin?: boolean | undefined
}

/** The result of a command. */
export interface AiSdkRunResult {
  /** 124 if the runtime's deadline ended the command. The last line of `stderr` then reports the timeout. */
  exitCode: number
  stdout: string
  stderr: string
}

/** A running command. */
export interface AiSdkProcess {
  readonly pid?: number
  /** Output in UTF-8. Reading fails if more than 16 MiB of output are unread. */
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  /** Resolves when the command ends. Rejects with the reason of an abort, or with a ShellError if the exit code is not known. */
  wait(): Promise<{ exitCode: number }>
  /** Sends TERM, then KILL after two seconds. Resolves when the command has ended. */
  kill(): Promise<void>
}

/** A running command with an open standard input. */
export interface AiSdkWritableProcess extends AiSdkProcess {
  /** Accepts UTF-8 text. */
  readonly stdin: WritableStream<Uint8Array>
}

/**
 * The `Experimental_SandboxSession` of AI SDK 7. Methods return null for a missing path. Other failures reject with a `ToolCallError` or an
 * error of this package. An abort rejects with its reason.
 */
export interface AiSdkSandbox {
  readonly description: string
  readonly readFile: (options: AiSdkPathOptions) => Promise<ReadableStream<Uint8Array> | null>
  readonly readBinaryFile: (options: AiSdkPathOptions) => Promise<Uint8Array | null>
  readonly readTextFile: (options: AiSdkReadTextOptions) => Promise<string | null>
  readonly writeFile: (options: AiSdkWriteOptions<ReadableStream<Uint8Array>>) => Promise<void>
  readonly writeBinaryFile: (options: AiSdkWriteOptions<Uint8Array>) => Promise<void>
  readonly writeTextFile: (options: AiSdkWriteTextOptions) => Promise<void>
  readonly stat: (options: AiSdkPathOptions) => Promise<AiSdkFileStat | null>
  readonly listDirectory: (options: AiSdkPathOptions) => Promise<AiSdkDirectoryEntry[] | null>
  readonly deleteFile: (options: AiSdkPathOptions) => Promise<boolean>
  readonly spawn: {
    (options: AiSdkSpawnOptions & { stdin: true }): Promise<AiSdkWritableProcess>
    (options: AiSdkSpawnOptions & { stdin?: false }): Promise<AiSdkProcess>
    (options: AiSdkSpawnOptions): Promise<AiSdkProcess | AiSdkWritableProcess>
  }
  readonly run: (options: AiSdkRunOptions) => Promise<AiSdkRunResult>
}
