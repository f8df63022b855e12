import type { InputError } from '../../errors/index.js'

/** One line of a hunk, without its mark and its separator. */
export interface PatchLine {
  /** ` `: context, `-`: removed, `+`: added. */
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  /** The line ends in CR although lines of the patch end in LF, so the CR belongs to the file. */
  readonly cr?: boolean
  /** The line is followed by `\ No newline at end of file`. */
  readonly noNewline?: boolean
  /** Whether the line has no mark, so that the line can only be a context line. */
  readonly unmarked?: boolean
}

export interface Hunk {
  /** One-based line of the patch at which the hunk begins. */
  readonly line: number
  /** Lines of the file that precede the hunk, outermost first: `@@ class A`. */
  readonly contexts: readonly string[]
  /**
   * One-based line of the file at which the old lines begin. Without old lines, the line after which the new lines go (0: at the start).
   */
  readonly start?: number
  readonly lines: readonly PatchLine[]
  /** `*** End of File`: the old lines are the last lines of the file. */
  readonly atEnd: boolean
  /** The counts in the header differ from the lines. */
  readonly miscounted?: boolean
  /** The error if a line without a mark is not a line of the file. */
  readonly mistake?: InputError
  /** The format of the patch. A diff may specify line separators, an envelope cannot. */
  readonly from: 'envelope' | 'diff'
}

interface Section {
  /** One-based line of the patch at which the section begins. */
  readonly line: number
  /** The path as written in the patch. */
  readonly path: string
  /** The index of the diff in a series (such as mails); default 0. */
  readonly part?: number
  /** The file mode in git's notation, such as `100755`. It is not applied. */
  readonly mode?: string
  /** Other names of the file in the diff. */
  readonly names?: OtherNames
}

/** The two names of a file in a diff that names the old and the new file differently. */
export interface OtherNames {
  readonly from: string
  readonly to: string
  /** The common path without the first directories, if both names agree there. */
  readonly below?: string
}

/** The changes of a patch to one file. */
export type FilePatch = Section &
  (
    | {
        readonly kind: 'add'
        readonly text: string
        /** Whether to replace an existing file; otherwise an existing file is an error. */
        readonly overwrite: boolean
      }
    /** In a diff, the hunks must remove the whole content, and a file without hunks must be empty. An envelope has no hunks here. */
    | { readonly kind: 'delete'; readonly hunks?: readonly Hunk[] }
    /** `text`: the content to create if the file does not exist (`@@ -0,0 +1,2 @@`). */
    | { readonly kind: 'update'; readonly hunks: readonly Hunk[]; readonly text?: string }
    /** A section that names only a new file mode. */
    | { readonly kind: 'mode'; readonly mode: string }
    /** `path` is the new name. */
    | {
        readonly kind: 'move' | 'copy'
        readonly from: string
        readonly hunks: readonly Hunk[]
        readonly overwrite: boolean
        /**
         * Whether `from` means the file as it was when this `part` of the patch began, as in git's `rename from` and `copy from`.
         * Otherwise: as the earlier sections left it.
         */
        readonly fromBefore?: boolean
      }
  )
