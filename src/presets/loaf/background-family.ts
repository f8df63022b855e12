import type { Requirement } from '../../types/tool.js'

/** The texts and names for sessions of one kind, so that the tools of both kinds share their code. */
export interface LoafFamily {
  /** The `kind` of the sessions. The names of the tools for these sessions end with this kind. */
  readonly kind: 'bash' | 'js'
  /** The noun for one session in messages. */
  readonly noun: string
  readonly nouns: string
  /** The same noun in the titles of the tools. */
  readonly title: string
  readonly titles: string
  /** Where a session id comes from, for the description of `session_id`. */
  readonly source: string
  readonly requires: readonly Requirement[]
}

export const BASH: LoafFamily = {
  kind: 'bash',
  noun: 'bash session',
  nouns: 'bash sessions',
  title: 'background session',
  titles: 'background sessions',
  source: 'bash gave for run_in_background',
  requires: ['shell', 'shell.spawn'],
}

export const JS: LoafFamily = {
  kind: 'js',
  noun: 'JavaScript process',
  nouns: 'JavaScript sessions',
  title: 'background JavaScript process',
  titles: 'background JavaScript sessions',
  source: 'start_background_js gave',
  requires: ['js', 'js.spawn'],
}
