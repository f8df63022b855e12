export interface AiSdkPathOptions {
  /** Absolute, or from the workspace's cwd on. */
  path: string
  abortSignal?: AbortSignal | undefined
}

export interface AiSdkReadTextOptions extends AiSdkPathOptions {
  /** `utf-8` (default), `utf-16le`, `latin1`, `ascii`, `base64`. */
  encoding?: string | undefined
  /** 1-based; default the first line. */
  startLine?: number | undefined
  /** Inclusive; default the last line, and so where it is past the end. */
  endLine?: number | undefined
}

export interface AiSdkWriteOptions<Content> extends AiSdkPathOptions {
  content: Content
}

export interface AiSdkWriteTextOptions extends AiSdkWriteOptions<string> {
  /** As for reading. */
  encoding?: string | undefined
}

export interface AiSdkFileStat {
  type: 'file' | 'directory'
  /** Bytes; 0 for a directory. */
  size: number
}

export interface AiSdkDirectoryEntry {
  name: string
  type: 'file' | 'directory' | 'symlink'
}

export interface AiSdkRunOptions {
  command: string
  /** Absolute, or from the workspace's cwd on; default that. */
  workingDirectory?: string | undefined
  env?: Record<string, string> | undefined
  abortSignal?: AbortSignal | undefined
}

export interface AiSdkSpawnOptions extends AiSdkRunOptions {
  /** Keeps the standard input open and gives a `stdin`. Default false: it is closed. */
  stdin?: boolean | undefined
}

export interface AiSdkRunResult {
  /** 124 where the deadline of the runtime ended it, as the last line of `stderr` says. */
  exitCode: number
  stdout: string
  stderr: string
}

export interface AiSdkProcess {
  readonly pid?: number
  /** UTF-8. Fails where 16 MiB wait that nobody has read. */
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  /** Rejects with the reason of an abort; and where the shell does not know how the command ended. */
  wait(): Promise<{ exitCode: number }>
  /** TERM, and KILL where that does not end it within two seconds. Resolves when it has ended. */
  kill(): Promise<void>
}

export interface AiSdkWritableProcess extends AiSdkProcess {
  /** Takes UTF-8 text. */
  readonly stdin: WritableStream<Uint8Array>
}

/**
 * The `Experimental_SandboxSession` of AI SDK 7. What is missing is null; other failures reject with a `ToolCallError` or an error of this
 * package, an abort with its reason.
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
