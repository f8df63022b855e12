/** A program's changes, in a safe write order. Plain data. */
export type Changes = readonly Change[]

export type Change =
  /** Removes only the known entry: a file of the version `expect`, a symlink to `target`, if these are known. */
  | {
      readonly do: 'remove'
      readonly path: string
      readonly kind: 'file' | 'dir' | 'symlink'
      readonly expect?: string
      readonly target?: string
    }
  | { readonly do: 'mkdir'; readonly path: string }
  /** `expect`: the version to replace. `over`: replaces any file. Neither: the file is new. `from`: the original path of a moved file. */
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
