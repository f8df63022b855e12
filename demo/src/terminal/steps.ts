import { listsOf } from './unfinished.js'

/** A part of a command that the shell runs as one unit. */
export interface Step {
  readonly command: string
  readonly isJob: boolean
}

/**
 * Splits a command into steps that run in order. Trailing lists that end with `&` become separate jobs. Everything before them runs first,
 * in the foreground.
 */
export function stepsOf(source: string): readonly Step[] {
  const lists = listsOf(source)
  const count = lists.findLastIndex(({ isJob }) => !isJob) + 1
  if (count === lists.length) return [{ command: source, isJob: false }]
  const jobs = lists.slice(count).map(({ text, documents }) => ({ command: text + documents, isJob: true }))
  const before = lists.slice(0, count).map(({ text, isJob, documents }) => `${text}${isJob ? ' &' : ''}${documents}`)
  return before.length === 0 ? jobs : [{ command: before.join('\n'), isJob: false }, ...jobs]
}
