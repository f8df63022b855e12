import type { Changes } from '../../shared/js/changes.js'
import type { Answer } from '../answer.js'

/** The file functions of a program. */
export interface FileCalls {
  /** Answers synchronously from the snapshot and the program's changes. */
  now(question: unknown, bytes: Uint8Array | undefined): Answer
  /**
   * Like `now`, but first reads the necessary entries from the workspace. Allow only one call at a time. `release` is called before the
   * bytes become file content.
   */
  later(question: unknown, bytes: Uint8Array | undefined, release?: () => void): Promise<Answer>
  /** The program's changes so far. */
  changes(): Changes
}
