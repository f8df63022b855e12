import type { InputError } from '../../errors/index.js'

/** One line of a hunk, without its mark and its line break. */
export interface PatchLine {
  /** ` ` stays, `-` goes, `+` comes. */
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  /** It ended in CRLF where the patch itself does not: the CR belongs to the file. */
  readonly cr?: boolean
  /** Followed by `\ No newline at end of file`. */
  readonly noNewline?: boolean
  /** It has no mark: only as a line of the file that stays can it be meant. */
  readonly unmarked?: boolean
}

export interface Hunk {
  /** Line of the patch where it begins, 1-based. */
  readonly line: number
  /** Lines of the file that stand somewhere before it, outermost first: `@@ class A`. */
  readonly contexts: readonly string[]
  /** Line of the file, 1-based, where its old lines begin; where it has none, the line that it comes after (0: before all). */
  readonly start?: number
  readonly lines: readonly PatchLine[]
  /** `*** End of File`: its old lines are the last of the file. */
  readonly atEnd: boolean
  /** Its header counts other lines than it has. */
  readonly miscounted?: boolean
  /** What to say where a line without a mark is none of the file. */
  readonly mistake?: InputError
  /** A diff may say how its lines end; an envelope does not. */
  readonly from: 'envelope' | 'diff'
}

interface Section {
  /** Line of the patch where it begins, 1-based. */
  readonly line: number
  /** As the patch names it. */
  readonly path: string
  /** Which of several diffs, one after another, it is of (mails of a series); default 0. */
  readonly part?: number
  /** The permissions that it gives, as git writes them: nobody applies them. */
  readonly mode?: string
  /** Other names that the diff has for the file. */
  readonly names?: OtherNames
}

/** Both names of a diff whose sides are called differently. */
export interface OtherNames {
  readonly from: string
  readonly to: string
  /** Both without their first directories, where that makes them one. */
  readonly below?: string
}

/** What a patch does to one file. */
export type FilePatch = Section &
  (
    | {
        readonly kind: 'add'
        readonly text: string
        /** Replaces a file that is there; else that is an error. */
        readonly overwrite: boolean
      }
    /** The hunks of a diff have to remove all that is in it, so that without any it has to be empty; an envelope has none. */
    | { readonly kind: 'delete'; readonly hunks?: readonly Hunk[] }
    /** `text`: what it holds where there is no such file (`@@ -0,0 +1,2 @@`). */
    | { readonly kind: 'update'; readonly hunks: readonly Hunk[]; readonly text?: string }
    /** Nothing but the permissions of the file. */
    | { readonly kind: 'mode'; readonly mode: string }
    /** `path` is the new name. */
    | {
        readonly kind: 'move' | 'copy'
        readonly from: string
        readonly hunks: readonly Hunk[]
        readonly overwrite: boolean
        /** `from` means the file as it was before this part of the patch: git's `rename from` and `copy from`. */
        readonly fromBefore?: boolean
      }
  )
