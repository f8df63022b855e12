// Declares the part of esbuild's API that the bundler uses. The types of esbuild itself would make this package's declarations depend on
// an optional package.

/** The part of `esbuild` and `esbuild-wasm` that the bundler uses: pass either module. */
export interface Esbuild {
  initialize(options: {
    readonly wasmURL?: string | URL
    readonly wasmModule?: WebAssembly.Module
    readonly worker?: boolean
  }): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: both packages have this function, and each has types of its own for the options
  context(options: any): Promise<EsbuildContext>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  transform(code: string, options: any): Promise<{ readonly code: string; readonly map: string }>
}

/** A build that esbuild can repeat incrementally. */
export interface EsbuildContext {
  rebuild(): Promise<EsbuildResult>
  cancel(): Promise<void>
  dispose(): Promise<void>
}

/** The result of `rebuild`. */
export interface EsbuildResult {
  readonly errors: readonly EsbuildMessage[]
  readonly warnings: readonly EsbuildMessage[]
  readonly outputFiles?: readonly { readonly path: string; readonly contents: Uint8Array }[]
  readonly metafile?: {
    readonly inputs: Readonly<
      Record<string, { readonly imports?: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[] }>
    >
    readonly outputs: Readonly<Record<string, { readonly entryPoint?: string; readonly cssBundle?: string }>>
  }
}

/** A message of esbuild. Lines count from 1, columns from 0 in bytes. */
export interface EsbuildMessage {
  readonly text: string
  readonly location: {
    readonly file: string
    readonly namespace?: string
    readonly line: number
    readonly column: number
    readonly lineText: string
  } | null
}

export interface ResolveArgs {
  readonly path: string
  readonly importer: string
  readonly namespace: string
  readonly kind: string
}

/** The part of a callback's result that fails the build. */
export interface Failure {
  readonly errors?: readonly (Pick<EsbuildMessage, 'text'> & Partial<EsbuildMessage>)[]
}

export interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp; readonly namespace?: string },
    callback: (
      args: ResolveArgs,
    ) => Promise<Failure & { readonly path?: string; readonly namespace?: string; readonly external?: boolean }>,
  ): void
  onLoad(
    options: { readonly filter: RegExp; readonly namespace: string },
    callback: (args: { readonly path: string }) => Promise<
      Failure & {
        readonly contents?: Uint8Array | string
        readonly loader?: string
        readonly warnings?: readonly EsbuildMessage[]
      }
    >,
  ): void
}
