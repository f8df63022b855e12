import type { Disk } from './disk.js'

export type ImportKind = 'import' | 'require'

/** What one load of a program looks things up with. */
export interface Lookup {
  readonly disk: Disk
  readonly builtins: ReadonlySet<string>
  /** Of packages by their folder: the others use what they have for Node. */
  readonly browserPackages: ReadonlySet<string>
  readonly conditions: (kind: ImportKind, folder: string) => ReadonlySet<string>
}

export interface Importer {
  /** Virtual path, for messages. */
  readonly path: string
  readonly folder: string
  /** `./x.js` may be `./x.ts`. */
  readonly typescript: boolean
}
