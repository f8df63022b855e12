import type { Requirement } from '../../../types/tool.js'

/** The differences between the tools of `bash` sessions and those of `js` sessions. */
export interface BackgroundFamily {
  /** The kind of the sessions, and the last part of the tool names. */
  readonly kind: 'bash' | 'js'
  /** Whose sessions these are, for the model. */
  readonly whose: string
  /** The word for a session in tool titles. */
  readonly title: string
  /** The tool that starts a session. */
  readonly starter: string
  readonly requires: readonly Requirement[]
}

export const BASH: BackgroundFamily = {
  kind: 'bash',
  whose: 'bash',
  title: 'background session',
  starter: 'bash',
  requires: ['shell.spawn'],
}
