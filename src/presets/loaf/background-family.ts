import type { Requirement } from '../../types/tool.js'

/** The tools for one kind of sessions: what is common to them is written once. */
export interface LoafFamily {
  /** Of its sessions in the table, which holds others too, and the last part of the names of its tools. */
  readonly kind: 'bash' | 'js'
  /** What one of them is called. */
  readonly noun: string
  readonly nouns: string
  /** The same in the titles of the tools. */
  readonly title: string
  readonly titles: string
  /** Where an id comes from. */
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
