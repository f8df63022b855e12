/** What a program has changed, in an order that can be written. Plain data. */
export type Changes = readonly Change[]

export type Change =
  /** Nothing but what was known: a file of the version `expect`, a link to `target`, as far as they are known. */
  | {
      readonly do: 'remove'
      readonly path: string
      readonly kind: 'file' | 'dir' | 'symlink'
      readonly expect?: string
      readonly target?: string
    }
  | { readonly do: 'mkdir'; readonly path: string }
  /** `expect`: the version that it is made from; `over`: whatever is there is replaced; neither: it was not there. `from`: where it was moved from. */
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
