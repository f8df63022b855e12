/** How Node runs a file, decided by its extension and `type` of the nearest package.json. */
export type ModuleKind = 'module' | 'commonjs' | 'json'

/** The target of a specifier. */
export type Resolution =
  /** A file of the workspace, with links resolved. */
  | { readonly path: string }
  /** A builtin of the runtime, without `node:`. */
  | { readonly builtin: string }
  /**
   * The specifier is unresolved: Node's error, with the importer and the paths tried. The program sees the error only when it reaches the
   * import.
   */
  | { readonly error: ModuleFault }

/** `ERR_SYNTAX` means a `SyntaxError`, whose message has file, line, column and the source line. Any other code is a field of the error. */
export interface ModuleFault {
  readonly code:
    | 'ERR_MODULE_NOT_FOUND'
    | 'ERR_PACKAGE_PATH_NOT_EXPORTED'
    | 'ERR_UNSUPPORTED_DIR_IMPORT'
    | 'ERR_INVALID_MODULE_SPECIFIER'
    | string
  readonly message: string
}

/** A place in `code`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface LoadedModule {
  /** Virtual path. For source text that is not in a file: the path that it counts as. */
  readonly path: string
  readonly kind: ModuleKind
  /** JavaScript (without types but with the same lines, `//` for `#!`, no byte order mark), or JSON. */
  readonly code: string
  /**
   * Resolutions by specifier, for `import` (static and dynamic, with a literal) and for `require` with a literal. Look them up with
   * `Object.hasOwn`, because a program may import `constructor`. In an ES module, `requires` contains the specifiers that it loads through
   * `createRequire`.
   */
  readonly imports: Readonly<Record<string, Resolution>>
  readonly requires: Readonly<Record<string, Resolution>>
  /**
   * Positions of the word `import` in dynamic imports (`dynamicImports`), and of `import.meta` (`importMetas`). An engine without support
   * for these inserts its own function there.
   */
  readonly dynamicImports: readonly Span[]
  readonly importMetas: readonly Span[]
  /** For a CommonJS module: the names that an ES module can import, without `default`, but with those of re-exported modules. */
  readonly exportNames: readonly string[]
  /** The error to throw when the program reaches the module, such as a syntax error. */
  readonly error?: ModuleFault
}

/** The statically reachable modules of a program. Plain data: `structuredClone` can copy it. */
export interface ModuleGraph {
  readonly entry: string
  readonly modules: ReadonlyMap<string, LoadedModule>
}

/**
 * The program: a file of the workspace, relative to `cwd`, or source text with a file name (default `[eval].mjs` or `[eval].cjs`, by
 * `format`).
 */
export type ModuleProgram =
  | { readonly entry: string }
  | { readonly code: string; readonly filename?: string; readonly format?: 'module' | 'commonjs' }

export interface ModuleLoaderOptions {
  /** The builtins of the runtime, without `node:` (`fs`, `fs/promises`). */
  readonly builtins: ReadonlySet<string>
  /**
   * Conditions of `exports` and `imports` maps, in addition to `import` or `require`, and `default`. Default `node`, `module-sync`, as in
   * Node. If the Node build of a package needs a missing builtin, the loader uses `browser` instead of `node` for that package, provided
   * it has such a condition (or a `browser` field).
   */
  readonly conditions?: readonly string[]
  /** Converts TypeScript to JavaScript and keeps line numbers. An exception becomes the module's error. Default: TypeScript is an error. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
  readonly limits?: {
    /** Maximum number of modules. Default 5,000. */
    readonly modules?: number
    /** Maximum bytes of source text. Default 32 MiB. */
    readonly bytes?: number
  }
}

export interface Extension {
  readonly resolution: Resolution
  /** Modules that the resolution reaches and the graph lacks. */
  readonly added: ModuleGraph['modules']
}

export interface ModuleLoader {
  /**
   * Loads all modules that a program reaches. The graph contains the errors inside the program.
   *
   * @throws {FsError} for an invalid entry or `cwd`; {WorkspaceError} outside the workspace; {InputError} over a limit; the signal's reason
   */
  load(program: ModuleProgram, options?: { readonly cwd?: string; readonly signal?: AbortSignal }): Promise<ModuleGraph>
  /** Loads the modules that a running program requests with `specifier` in the module `from`. Reads the current files. @throws as `load` */
  extend(
    graph: ModuleGraph,
    specifier: string,
    from: string,
    kind: 'import' | 'require',
    options?: { readonly signal?: AbortSignal },
  ): Promise<Extension>
}
