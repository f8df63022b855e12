import { hasCode, ignoreCodes } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { joinPath, parentPath } from '../../../src/workspace/paths.js'
import type { Repository } from '../repository.js'
import { fatal } from './fault.js'

/** One change of a ref. */
export interface LogEntry {
  readonly before: string
  readonly after: string
  readonly message: string
}

/** The null id in a log, which means that the ref was created or deleted. */
export const NO_COMMIT: string = '0'.repeat(40)

type Place = Pick<Repository, 'workspace' | 'dir'>

export const logPath = ({ dir }: Place, ref: string): string => joinPath(dir, `.git/logs/${ref}`)

/** Returns the entries, oldest first. Empty if there is no log. */
export async function readLog(place: Place, ref: string): Promise<readonly LogEntry[]> {
  const text = await textOf(place.workspace, logPath(place, ref))
  return text.split('\n').flatMap((line) => {
    const [, before, after, message = ''] = /^([0-9a-f]{40}) ([0-9a-f]{40}) [^\t]*(?:\t(.*))?$/.exec(line) ?? []
    return before === undefined || after === undefined ? [] : [{ before, after, message }]
  })
}

async function textOf(workspace: Workspace, path: string): Promise<string> {
  try {
    return new TextDecoder().decode((await workspace.readBytes(path)).bytes)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return ''
    throw error
  }
}

/** @param who `Name <email> seconds zone` */
export async function appendLog(place: Place, ref: string, who: string, entries: readonly LogEntry[]): Promise<void> {
  const lines = entries.map(({ before, after, message }) => `${before} ${after} ${who}\t${message.replaceAll(/\s+/g, ' ').trim()}\n`)
  if (lines.length > 0) await place.workspace.writeText(logPath(place, ref), lines.join(''), { mode: 'append' })
}

/** Removes a log and its empty parent directories. */
export async function removeLog(place: Place, ref: string): Promise<void> {
  const { workspace } = place
  await workspace.remove(logPath(place, ref)).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  await removeEmptyFolders(place, `.git/logs/${ref}`)
}

/** Removes the empty parent directories of a removed branch. They would block a branch with one of their names. */
export async function removeEmptyFolders({ workspace, dir }: Place, path: string): Promise<void> {
  try {
    for (let at = parentPath(joinPath(dir, path)); !at.endsWith('/refs/heads'); at = parentPath(at)) await workspace.remove(at)
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY')) throw error
  }
}

export async function renameLog(place: Place, from: string, to: string): Promise<void> {
  const text = await textOf(place.workspace, logPath(place, from))
  await removeLog(place, from)
  if (text !== '') await place.workspace.writeText(logPath(place, to), text)
}

/**
 * Resolves `HEAD@{2}`, `main@{1}`, `@{1}` (of the current branch) and `@{-1}` (the branch or commit before the last checkout). Returns
 * undefined for other text, or if there is no log.
 *
 * @throws {GitFault} if the log has fewer entries
 */
export async function loggedOid(
  repository: Repository,
  text: string,
): Promise<{ readonly oid?: string; readonly name?: string } | undefined> {
  const [, given, digits] = /^(.*)@\{(-?\d+)\}$/.exec(text) ?? []
  if (given === undefined || digits === undefined) return undefined
  const number = Number(digits)
  if (number < 0) {
    const name = given === '' ? await previousName(repository, -number) : undefined
    return name === undefined ? undefined : { name }
  }
  const { git, repo } = repository
  const branch = given === '' ? ((await git.currentBranch(repo)) ?? 'HEAD') : given
  const ref = branch === 'HEAD' || branch.startsWith('refs/') ? branch : `refs/heads/${branch}`
  if (number === 0) return { name: ref }
  const entries = await readLog(repository, ref)
  const first = entries[0]
  if (!first) return undefined
  const entry = entries.at(-1 - number)
  const after = entry?.after === NO_COMMIT ? entry.before : entry?.after
  const found = after ?? (number === entries.length && first.before !== NO_COMMIT ? first.before : undefined)
  if (found === undefined) throw fatal(`log for '${branch}' only has ${entries.length} entries`)
  return { oid: found }
}

/** Returns the branch or commit before the `number`-th last checkout. */
export async function previousName(place: Place, number: number): Promise<string | undefined> {
  const entries = await readLog(place, 'HEAD')
  const left = entries.flatMap(({ message }) => /^checkout: moving from (\S+) to /.exec(message)?.[1] ?? [])
  return left.at(-number)
}
