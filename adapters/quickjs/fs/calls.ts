import type { Changes } from '../../shared/js/changes.js'
import type { Answer } from '../answer.js'

/** The file functions of a program. */
export interface FileCalls {
  /** Answers at once, from the snapshot and what the program has changed. */
  now(question: unknown, bytes: Uint8Array | undefined): Answer
  /** As `now`, after what it needs was read from the workspace. */
  later(question: unknown, bytes: Uint8Array | undefined): Promise<Answer>
  /** Whether anything was changed, and what. */
  changes(): Changes
}
