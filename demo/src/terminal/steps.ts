import { listsOf } from './unfinished.js'

/** What a terminal hands to the shell at once. */
export interface Step {
  readonly command: string
  readonly isJob: boolean
}

/**
 * What a command is run in, one step after another: the lists that it ends with, when `&` ends each of them, are jobs of their own; what is
 * before them runs first, in the foreground.
 */
export function stepsOf(source: string): readonly Step[] {
  const lists = listsOf(source)
  const count = lists.findLastIndex(({ isJob }) => !isJob) + 1
  if (count === lists.length) return [{ command: source, isJob: false }]
  const jobs = lists.slice(count).map(({ text, documents }) => ({ command: text + documents, isJob: true }))
  const before = lists.slice(0, count).map(({ text, isJob, documents }) => `${text}${isJob ? ' &' : ''}${documents}`)
  return before.length === 0 ? jobs : [{ command: before.join('\n'), isJob: false }, ...jobs]
}
