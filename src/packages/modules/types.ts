/** How Node runs a file, decided by its extension and `type` of the nearest package.json. */
export type ModuleKind = 'module' | 'commonjs' | 'json'

/** The target of a specifier. */
export type Resolution =
  /** A file of the workspace, with links resolved. */
  | { readonly path: string }
  /** A builtin of the runtime, without `node:`. */
  | { readonly builtin: string }
  /** Unresolved: Node's error, with the importer and the paths tried. The program only sees the error when it reaches the import. */
  | { readonly error: ModuleFault }

/** `ERR_SYNTAX` is a `SyntaxError` (its message has file, line, column and the line itself); every other code stands on the error. */
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
  /** Virtual path; of source text that is no file: what it counts as. */
  readonly path: string
  readonly kind: ModuleKind
  /** JavaScript (TypeScript is stripped, lines stay lines; `#!` is `//`; no byte order mark), or JSON. */
  readonly code: string
  /**
   * Specifier -> where it leads: of `import` (static and dynamic, with a literal) and of `require` with a literal. Ask with
   * `Object.hasOwn`: a program may import `constructor`. `requires` of an ES module is what it loads through `createRequire`.
   */
  readonly imports: Readonly<Record<string, Resolution>>
  readonly requires: Readonly<Record<string, Resolution>>
  /** Of the `import` words of dynamic imports, and of `import.meta`: an engine that has neither puts its own function there. */
  readonly dynamicImports: readonly Span[]
  readonly importMetas: readonly Span[]
  /** commonjs: the names that an ES module can import from it, `default` left out; those of what it re-exports are in it. */
  readonly exportNames: readonly string[]
  /** It does not parse, or its TypeScript does not: thrown when it is reached. */
  readonly error?: ModuleFault
}

/** The statically reachable modules of a program. Plain data: `structuredClone` can copy it. */
export interface ModuleGraph {
  readonly entry: string
  readonly modules: ReadonlyMap<string, LoadedModule>
}

/** A file of the workspace, relative to `cwd`; or source text, and what it counts as (default `[eval].mjs`, by `format`). */
export type ModuleProgram =
  | { readonly entry: string }
  | { readonly code: string; readonly filename?: string; readonly format?: 'module' | 'commonjs' }

export interface ModuleLoaderOptions {
  /** The builtins of the runtime, without `node:` (`fs`, `fs/promises`). */
  readonly builtins: ReadonlySet<string>
  /**
   * Of `exports` and `imports` maps, beside `import` or `require`, and `default`. Default `node`, `module-sync`: what Node has, so that a
   * program does the same here and there. A package whose Node build needs a builtin that is missing is resolved with `browser` in the
   * place of `node`, if it knows that condition (or the `browser` field).
   */
  readonly conditions?: readonly string[]
  /** Converts TypeScript to JavaScript and keeps line numbers. An exception becomes the module's error. Default: TypeScript is an error. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
  readonly limits?: {
    /** Default 5,000. */
    readonly modules?: number
    /** Of source text; default 32 MiB. */
    readonly bytes?: number
  }
}

export interface Extension {
  readonly resolution: Resolution
  /** What it reaches and the graph has not. */
  readonly added: ModuleGraph['modules']
}

export interface ModuleLoader {
  /**
   * Everything that a program reaches. What is wrong inside it is in the graph.
   *
   * @throws {FsError} for an entry or a `cwd` that is none; {WorkspaceError} outside the workspace; {InputError} over a limit; the
   * signal's reason
   */
  load(program: ModuleProgram, options?: { readonly cwd?: string; readonly signal?: AbortSignal }): Promise<ModuleGraph>
  /** What a running program asks for: `specifier` from the module `from`. The files are read as they are now. @throws as `load` */
  extend(
    graph: ModuleGraph,
    specifier: string,
    from: string,
    kind: 'import' | 'require',
    options?: { readonly signal?: AbortSignal },
  ): Promise<Extension>
}
