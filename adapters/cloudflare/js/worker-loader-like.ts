/** The binding of a Worker Loader (`env.LOADER`), as far as it is used. */
export interface WorkerLoaderLike {
  get(name: string, code: () => WorkerCode): WorkerStubLike
  /** Of runtimes that have Workers without a name, which go when nobody uses them. */
  load?(code: WorkerCode): WorkerStubLike
}

export interface WorkerStubLike {
  // Its type is an entrypoint's, of which this side knows only what it has put there itself.
  getEntrypoint(): unknown
}

export interface WorkerCode {
  readonly compatibilityDate: string
  readonly compatibilityFlags: string[]
  readonly limits?: { readonly cpuMs?: number; readonly subRequests?: number }
  readonly mainModule: string
  readonly modules: Record<string, { readonly js: string } | { readonly cjs: string }>
  readonly env: Record<string, never>
  readonly globalOutbound: null
}
