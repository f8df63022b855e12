/** The error classes of `@mastra/core/workspace`. Mastra's tools check errors with `instanceof`. */
export interface MastraErrors
  extends Readonly<
    Record<
      | 'FileNotFoundError'
      | 'DirectoryNotFoundError'
      | 'FileExistsError'
      | 'IsDirectoryError'
      | 'NotDirectoryError'
      | 'DirectoryNotEmptyError',
      new (
        path: string,
      ) => Error
    >
  > {
  readonly FilesystemError: new (message: string, code: string, path: string) => Error
  readonly StaleFileError: new (path: string, expectedMtime: Date, actualMtime: Date) => Error
}

/** An entry of `MastraFilesystem.readdir`. */
export interface MastraFileEntry {
  /** Relative to the directory. */
  name: string
  /** A link has the type of its target. */
  type: 'file' | 'directory'
  /** Bytes. Only for files. */
  size?: number
  isSymlink?: true
}

/** The result of `MastraFilesystem.stat`. */
export interface MastraFileStat {
  name: string
  /** The path that the filesystem accepts. */
  path: string
  type: 'file' | 'directory'
  /** Bytes; 0 for a directory. */
  size: number
  /** The time of the last change: a workspace stores no other time. */
  createdAt: Date
  modifiedAt: Date
  /** Only for images and PDF, by the extension. */
  mimeType?: string
}

/** The `WorkspaceFilesystem` of `@mastra/core`. Methods reject with an error of Mastra, or with the reason of the signal. */
export interface MastraFilesystem<Bytes> {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly readOnly: boolean
  status: 'ready'
  getInstructions(): string
  /** The encoding `utf-8` rejects a file that is not UTF-8 text, except for `.gitignore`, with the code `binary_file`. */
  readFile(path: string, options?: { encoding?: string }): Promise<string | Bytes>
  /** `recursive: false` rejects a missing parent directory, `overwrite: false` an existing file, `expectedMtime` a changed file. */
  writeFile(
    path: string,
    content: string | Uint8Array,
    options?: { recursive?: boolean; overwrite?: boolean; expectedMtime?: Date },
  ): Promise<void>
  appendFile(path: string, content: string | Uint8Array): Promise<void>
  deleteFile(path: string, options?: { force?: boolean }): Promise<void>
  /**
   * With `recursive`, copies a directory file by file. `overwrite: false` then skips existing files. Does not copy modes. Rejects a directory
   * that contains a link to a directory.
   */
  copyFile(src: string, dest: string, options?: { overwrite?: boolean; recursive?: boolean }): Promise<void>
  moveFile(src: string, dest: string, options?: { overwrite?: boolean }): Promise<void>
  /** `recursive: false` rejects a missing parent directory. */
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>
  rmdir(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>
  /** `extension` selects files, not directories. `maxDepth`, with `recursive`: levels below the directory, default 100. */
  readdir(path: string, options?: { recursive?: boolean; extension?: string | string[]; maxDepth?: number }): Promise<MastraFileEntry[]>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<MastraFileStat>
}

/** Options of `MastraSandbox.executeCommand`. */
export interface MastraCommandOptions {
  /** Milliseconds; 0 for none. The runtime's deadline also applies. */
  timeout?: number
  env?: { readonly [name: string]: string | undefined }
  /** Default: the cwd of the workspace. */
  cwd?: string
  /** Receives the beginning of the output while the command runs: at most `limits.shellStreamBytes` of the runtime. */
  onStdout?: (data: string) => void
  onStderr?: (data: string) => void
  abortSignal?: AbortSignal
}

/** The result of a command. */
export interface MastraCommandResult {
  success: boolean
  /** 124: the command reached its timeout or the runtime's deadline. 128: it was stopped. */
  exitCode: number
  stdout: string
  stderr: string
  executionTimeMs: number
  timedOut: boolean
  killed: boolean
}

/** The `WorkspaceSandbox` of `@mastra/core`, without background processes, mounts, ports and checkpoints. */
export interface MastraSandbox {
  readonly id: string
  readonly name: string
  readonly provider: string
  status: 'running'
  getInstructions(): string
  /** Does nothing, as in every sandbox without checkpoints. */
  snapshot(): Promise<void>
  /** Runs in a fresh shell. Quotes `args` and adds them to the command. @throws ToolCallError for a denied command */
  executeCommand(command: string, args?: string[], options?: MastraCommandOptions): Promise<MastraCommandResult>
}
