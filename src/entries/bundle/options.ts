import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsAdapter } from '../../types/js.js'
import type { Workspace } from '../../types/workspace.js'
import type { EsbuildOptions } from './load-esbuild.js'
import type { TsConfig } from './tsconfig.js'

/** Options of `createBundler`. Only `workspace` is required. */
export interface BundlerOptions {
  readonly workspace: Workspace
  /** The folder of the app. Default the root of the workspace. */
  readonly root?: string
  /**
   * Files to build, relative to `root`. For a page (`.html`) the bundler builds its module scripts and stylesheets, and replaces them by
   * their outputs. Default `index.html`, if it exists: a workspace without it builds nothing, with a warning.
   */
  readonly entryPoints?: readonly string[]
  /** `production` minifies and adds hashes to output names. Sets `process.env.NODE_ENV` and `import.meta.env`. Default `development`. */
  readonly mode?: 'development' | 'production'
  /** Writes source maps beside the outputs. Default true. */
  readonly sourcemap?: boolean
  /** Minifies the outputs. Default: only in `production`. */
  readonly minify?: boolean
  /** Expressions to replace with JSON or a name, such as `{ __VERSION__: '"1.0"' }`. Default none. */
  readonly define?: Readonly<Record<string, string>>
  /** Specifiers that stay unresolved; a trailing `*` matches anything. Default none. */
  readonly external?: readonly string[]
  /**
   * Conditions for `exports` maps, in addition to `default` and to `import` or `require`. Default `browser`, `module` and the mode; with
   * `js`, also `svelte`.
   */
  readonly conditions?: readonly string[]
  /** The `target` option of esbuild. Default `es2022`. */
  readonly target?: string
  readonly esbuild?: EsbuildOptions
  /**
   * The sandbox for the Svelte compiler of the workspace, such as `createQuickJs()`. A function creates an adapter that the bundler closes.
   * Default none: Svelte files fail the build.
   */
  readonly js?: PortOption<JsAdapter>
  /** Limits of one build. */
  readonly limits?: {
    /** Number of files; default 20,000. */
    readonly modules?: number
    /** Bytes of all files; default 128 MiB. */
    readonly bytes?: number
    /** Time limit of one run of the Svelte compiler, in milliseconds; default 30,000. A run compiles up to 50 files. */
    readonly compileMs?: number
  }
}

/** @throws {TypeError} for a limit that is not a number, or negative */
export function checkLimits(limits: BundlerOptions['limits']): void {
  for (const name of ['modules', 'bytes', 'compileMs'] as const) {
    const value = limits?.[name]
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0)))
      throw new TypeError(`createBundler: the limit "${name}" must be a number of 0 or more`)
  }
}

export const MODULES = 20_000
export const BYTES: number = 128 * 1024 * 1024
export const COMPILE_MS = 30_000
/** Namespace of workspace files. Because of the namespace, esbuild asks the plugin for a file instead of reading the disk. */
export const FILES = 'workspace'
/** Virtual output directory. esbuild writes no files. */
export const OUT = 'toolport-out'

/** esbuild's options for every build of an app. */
export function esbuildOptions(options: BundlerOptions, { compilerOptions: given }: TsConfig): object {
  const { mode = 'development', define, sourcemap = true, target = 'es2022', minify = mode === 'production' } = options
  const hash = mode === 'production' ? '-[hash]' : ''
  const { jsx, jsxFactory, jsxFragmentFactory, jsxImportSource, experimentalDecorators, useDefineForClassFields, verbatimModuleSyntax } =
    given
  const compilerOptions = {
    // Decides how class fields behave if useDefineForClassFields is not set.
    target: given.target,
    jsx,
    jsxFactory,
    jsxFragmentFactory,
    jsxImportSource,
    experimentalDecorators,
    useDefineForClassFields,
    verbatimModuleSyntax,
  }
  const isPreserved = jsx === undefined || jsx === 'preserve' || jsx === 'react-native'
  const dev = mode === 'development'
  const env = { MODE: mode, DEV: dev, PROD: !dev, SSR: false, BASE_URL: '/' }
  return {
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    outdir: OUT,
    entryNames: `[dir]/[name]${hash}`,
    chunkNames: 'assets/chunks/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    sourcemap: sourcemap ? 'linked' : false,
    minify,
    target,
    logLevel: 'silent',
    charset: 'utf8',
    ...(isPreserved && { jsx: 'automatic' }),
    tsconfigRaw: { compilerOptions: isPreserved ? { ...compilerOptions, jsx: undefined } : compilerOptions },
    define: {
      'process.env.NODE_ENV': JSON.stringify(mode),
      'import.meta.env': JSON.stringify(env),
      ...define,
    },
  }
}
