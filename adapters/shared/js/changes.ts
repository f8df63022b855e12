/** A program's changes, in an order in which they can be written one by one. Plain data. */
export type Changes = readonly Change[]

export type Change =
  /** Removes an entry if it is still the known one: a file of the version `expect`, or a symlink to `target`, where these are given. */
  | {
      readonly do: 'remove'
      readonly path: string
      readonly kind: 'file' | 'dir' | 'symlink'
      readonly expect?: string
      readonly target?: string
    }
  | { readonly do: 'mkdir'; readonly path: string }
  /**
   * Writes a file. `expect`: the version that the file must have. `over`: overwrites any version. With neither, the file must be new.
   * `from`: the earlier path of a moved file.
   */
  | {
      readonly do: 'write'
      readonly path: string
      readonly bytes: Uint8Array
      readonly expect?: string
      readonly over?: boolean
      readonly from?: string
    }
  | { readonly do: 'symlink'; readonly path: string; readonly target: string; readonly from?: string }
  | { readonly do: 'meta'; readonly path: string; readonly mode?: number; readonly mtimeMs?: number }
