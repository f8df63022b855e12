import { joinPath, parentPath, relativePath } from '../../src/workspace/paths.js'
import { replaceTree } from '../../src/workspace/replacing.js'
import { LINK } from './git-fs.js'
import { pruneParents } from './prune.js'
import type { Repository } from './repository.js'
import type { Side } from './survey.js'

export interface FileWrite {
  readonly path: string
  readonly target: Side
  /** Whether a directory has this path. The directory is removed with its content. */
  readonly workDir: boolean
}

export interface FileChanges {
  readonly writes: readonly FileWrite[]
  /** Existing files and symlinks to remove. */
  readonly removes: readonly string[]
  /** Paths whose parent directories are removed if they are empty after the changes. */
  readonly gone: readonly string[]
}

/** Applies changes to the worktree. After a failure at any step, each path has either its old or its new content. */
export async function changeFiles(repository: Repository, { writes, removes, gone }: FileChanges): Promise<void> {
  const { repo, workspace, dir } = repository
  const going = new Set(removes)
  const inPlace: FileWrite[] = []
  /** Maps an entry that is in the way to the writes that it blocks. */
  const swaps = new Map<string, FileWrite[]>()
  for (const write of writes) {
    const obstacle = write.workDir ? write.path : aboveIn(going, write.path)
    if (obstacle === undefined) inPlace.push(write)
    else swaps.set(obstacle, [...(swaps.get(obstacle) ?? []), write])
  }
  for (const path of removes) {
    if (!swaps.has(path) && aboveIn(swaps, path) === undefined) await repo.fs.promises.unlink(joinPath(dir, path))
  }
  for (const write of inPlace) await writeTarget(repository, write)
  for (const [path, group] of swaps) {
    await replaceTree(workspace, joinPath(dir, path), async () => {
      for (const write of group) await writeTarget(repository, write)
    })
  }
  await pruneParents(workspace, dir, gone)
}

/** Returns the closest parent of `path` that is in `paths`. */
function aboveIn(paths: { has(path: string): boolean }, path: string): string | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end)
    if (paths.has(above)) return above
  }
  return undefined
}

/** Whether a directory holds only files that will be removed. */
export async function goesWhole({ workspace, dir }: Repository, path: string, going: ReadonlySet<string>): Promise<boolean> {
  for await (const run of workspace.walk(joinPath(dir, path), { ignore: false })) {
    if (run.some((entry) => entry.kind !== 'dir' && !going.has(relativePath(entry.path, dir)))) return false
  }
  return true
}

async function writeTarget(repository: Repository, { path, target }: FileWrite): Promise<void> {
  const at = joinPath(repository.dir, path)
  const content = await contentOf(repository, path, target)
  await makeParents(repository, parentPath(at))
  await repository.repo.fs.put(at, target.mode, content)
}

/** Returns the content to write to a file, or the target of a symlink. */
async function contentOf({ git, repo, conversion }: Repository, path: string, { oid, mode }: Side): Promise<Uint8Array> {
  return mode === LINK ? (await git.readBlob({ ...repo, oid })).blob : conversion.file({ path, oid })
}

/** Creates missing directories one by one, because a failed clone removes each directory that it has created. */
async function makeParents(repository: Repository, path: string): Promise<void> {
  const { repo, workspace, dir } = repository
  if (path.length <= dir.length || (await workspace.exists(path))) return
  await makeParents(repository, parentPath(path))
  await repo.fs.promises.mkdir(path)
}
