/** The part of a Worker Loader binding (`env.LOADER`) that Toolport uses. */
export interface WorkerLoaderLike {
  get(name: string, code: () => WorkerCode): WorkerStubLike
  /** Loads a Worker without a name. The Worker ends when it is no longer used. Only newer runtimes have this method. */
  load?(code: WorkerCode): WorkerStubLike
}

/** A loaded Worker. */
export interface WorkerStubLike {
  // The result is `unknown`, because the type of the entrypoint depends on the loaded code.
  getEntrypoint(): unknown
}

/** The code and limits of a Worker to load. */
export interface WorkerCode {
  readonly compatibilityDate: string
  readonly compatibilityFlags: string[]
  readonly limits?: { readonly cpuMs?: number; readonly subRequests?: number }
  readonly mainModule: string
  readonly modules: Record<string, { readonly js: string } | { readonly cjs: string }>
  readonly env: Record<string, never>
  readonly globalOutbound: null
}
