import type { Changes } from '../../shared/js/changes.js'
import type { Answer } from '../answer.js'

/** The file functions of a program. */
export interface FileCalls {
  /** Answers at once, from the snapshot and what the program has changed. */
  now(question: unknown, bytes: Uint8Array | undefined): Answer
  /** As `now`, after what it needs was read from the workspace; one at a time. `release` is called before the bytes become a file's. */
  later(question: unknown, bytes: Uint8Array | undefined, release?: () => void): Promise<Answer>
  /** Whether anything was changed, and what. */
  changes(): Changes
}
