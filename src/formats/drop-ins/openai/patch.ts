import { unifiedDiff } from '../../../ops/diff.js'

/** A patch for `apply_patch` that makes a file, which must not be there. */
export const creation = (path: string, content: string): string => `--- /dev/null\n+++ ${quoted('b', path)}\n${hunks(undefined, content)}`

/** One that removes a file or a link, whatever is in it; undefined for a name that an envelope cannot hold. */
export const removal = (path: string): string | undefined =>
  /\n|\s$/.test(path) ? undefined : `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`

/** One that removes a file with this content. */
export const removalOf = (path: string, before: string): string => `--- ${quoted('a', path)}\n+++ /dev/null\n${hunks(before, undefined)}`

/** One that changes a file, and with `to` renames it; what is at the new name must not be there. */
export function change(path: string, before: string, after: string, to?: string): string {
  const names = `--- ${quoted('a', path)}\n+++ ${quoted('b', to ?? path)}\n`
  const body = before === after ? '' : names + hunks(before, after)
  if (to === undefined) return body
  const rename = `rename from ${JSON.stringify(path)}\nrename to ${JSON.stringify(to)}\n`
  return `diff --git ${quoted('a', path)} ${quoted('b', to)}\n${rename}${body}`
}

/** Quoted always: a name may have any character. */
const quoted = (side: string, path: string): string => JSON.stringify(`${side}/${path}`)

/** Without the two lines that name the file. */
const hunks = (before: string | undefined, after: string | undefined): string =>
  unifiedDiff({ path: '', before, after }).split('\n').slice(2).join('\n')
