import type { Requirement } from '../../../types/tool.js'

/** Tools for the sessions of one kind: what is common to them is written once. */
export interface BackgroundFamily {
  /** Of its sessions in the table, and the last part of the names of its tools. */
  readonly kind: 'bash' | 'js'
  /** Whose sessions these are, for the model. */
  readonly whose: string
  /** What the titles call one of them. */
  readonly title: string
  /** The tool that starts one. */
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
