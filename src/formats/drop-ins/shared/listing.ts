import type { FileKind } from '../../../types/fs.js'
import type { Calls } from './calls.js'

/** Maximum number of entries in one listing. */
const LIST_LIMIT = 10_000

export interface Listed {
  /** Absolute. */
  readonly path: string
  readonly kind: FileKind
  /** Bytes. Only for files. */
  readonly size?: number
}

interface Page {
  readonly entries: readonly Listed[]
  readonly next?: string
}

/** Lists everything in a directory; with `depth`, also that many levels of subdirectories. @throws as `Calls.run` */
export async function listAll(calls: Calls, path: string, depth = 0): Promise<Listed[]> {
  const entries: Listed[] = []
  const input = { path, ignore: false, limit: LIST_LIMIT, ...(depth > 0 && { recursive: true, max_depth: depth + 1 }) }
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Page = await calls.run<Page>('list_files', { ...input, ...(cursor !== undefined && { cursor }) })
    entries.push(...page.entries)
    cursor = page.next
  }
  return entries
}

/** Whether an entry is a directory or a link to one. False for a broken link, and for a link that leaves the workspace. */
export async function isDirectory({ runtime }: Calls, { path, kind }: Listed): Promise<boolean> {
  if (kind !== 'symlink') return kind === 'dir'
  return runtime.workspace.stat(path).then(
    (target) => target.kind === 'dir',
    () => false,
  )
}
