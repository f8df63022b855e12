/** An entry of a listing. Of one that is neither a file nor a directory nothing more is known: the client tells of links so. */
export interface WebContainerDirentLike {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** What is used of the published file system. Paths are relative to the container's working directory. */
export interface WebContainerFsLike {
  readdir(path: string, options: { withFileTypes: true }): Promise<WebContainerDirentLike[]>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, data: Uint8Array): Promise<void>
  mkdir(path: string): Promise<void>
  rm(path: string, options?: { force?: boolean; recursive?: boolean }): Promise<void>
  rename(from: string, to: string): Promise<void>
}

export interface WebContainerTree {
  [name: string]: { directory: WebContainerTree } | { file: { contents: string | Uint8Array } }
}

/** The part of a `WebContainer` of `@webcontainer/api` that the storage needs. An instance fits as it is. */
export interface WebContainerLike {
  readonly fs: WebContainerFsLike
  mount(tree: WebContainerTree, options?: { mountPoint?: string }): Promise<void>
}

/** A process of the container: it has a terminal, on which what it and its children print comes as one. */
export interface WebContainerProcessLike {
  readonly exit: Promise<number>
  /** What is typed on the terminal. Closing it tells the process nothing. */
  readonly input: WritableStream<string>
  readonly output: ReadableStream<string>
  kill(): void
  resize(dimensions: { cols: number; rows: number }): void
}

export interface WebContainerSpawnOptions {
  /** Relative to the container's working directory. */
  cwd?: string
  env?: Record<string, string>
  terminal?: { cols: number; rows: number }
}

/** The part of a `WebContainer` of `@webcontainer/api` that the shell needs beside it. An instance fits as it is. */
export interface WebContainerProcessesLike extends WebContainerLike {
  /** The default of PATH. */
  readonly path: string
  /** Full path of the working directory. */
  readonly workdir: string
  spawn(command: string, args: string[], options?: WebContainerSpawnOptions): Promise<WebContainerProcessLike>
}
