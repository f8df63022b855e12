import type { Disk } from './disk.js'

export type ImportKind = 'import' | 'require'

/** The context of module resolution for one load of a program. */
export interface Lookup {
  readonly disk: Disk
  readonly builtins: ReadonlySet<string>
  /** Folders of packages that use their browser build. All others use their Node build. */
  readonly browserPackages: ReadonlySet<string>
  readonly conditions: (kind: ImportKind, folder: string) => ReadonlySet<string>
}

export interface Importer {
  /** Virtual path of the importing file, for messages. */
  readonly path: string
  readonly folder: string
  /** Whether the importer is TypeScript, so that `./x.js` may mean `./x.ts`. */
  readonly typescript: boolean
}
