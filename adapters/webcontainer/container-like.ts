/**
 * An entry of a directory listing. An entry that is neither a file nor a directory is usually a symlink: the client reports nothing more
 * about such an entry.
 */
export interface WebContainerDirentLike {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** The part of the container's file system that Toolport uses. Paths are relative to the container's working directory. */
export interface WebContainerFsLike {
  readdir(path: string, options: { withFileTypes: true }): Promise<WebContainerDirentLike[]>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, data: Uint8Array): Promise<void>
  mkdir(path: string): Promise<void>
  rm(path: string, options?: { force?: boolean; recursive?: boolean }): Promise<void>
  rename(from: string, to: string): Promise<void>
}

/** Files and directories for `mount`, nested by name. */
export interface WebContainerTree {
  [name: string]: { directory: WebContainerTree } | { file: { contents: string | Uint8Array } }
}

/** The part of a `WebContainer` of `@webcontainer/api` that the storage needs. An instance fits without changes. */
export interface WebContainerLike {
  readonly fs: WebContainerFsLike
  mount(tree: WebContainerTree, options?: { mountPoint?: string }): Promise<void>
}

/** A process of the container. Every process has a terminal, which merges the output of the process and its children. */
export interface WebContainerProcessLike {
  readonly exit: Promise<number>
  /** Input of the terminal. Closing it has no effect on the process. */
  readonly input: WritableStream<string>
  readonly output: ReadableStream<string>
  kill(): void
  resize(dimensions: { cols: number; rows: number }): void
}

/** Options of `WebContainerProcessesLike.spawn`. */
export interface WebContainerSpawnOptions {
  /** Working directory of the process, relative to the container's working directory. */
  cwd?: string
  env?: Record<string, string>
  terminal?: { cols: number; rows: number }
}

/** The part of a `WebContainer` of `@webcontainer/api` that the shell also needs. An instance fits without changes. */
export interface WebContainerProcessesLike extends WebContainerLike {
  /** Default value of PATH. */
  readonly path: string
  /** Full path of the working directory. */
  readonly workdir: string
  spawn(command: string, args: string[], options?: WebContainerSpawnOptions): Promise<WebContainerProcessLike>
}
