import { joinPath, parentPath, relativePath } from '../../src/workspace/paths.js'
import { replaceTree } from '../../src/workspace/replacing.js'
import { LINK } from './git-fs.js'
import { pruneParents } from './prune.js'
import type { Repository } from './repository.js'
import type { Side } from './survey.js'

export interface FileWrite {
  readonly path: string
  readonly target: Side
  /** A directory is in its place, and goes with all that is in it. */
  readonly workDir: boolean
}

export interface FileChanges {
  readonly writes: readonly FileWrite[]
  /** Files and links that are there. */
  readonly removes: readonly string[]
  /** Of these the directories go that are empty then. */
  readonly gone: readonly string[]
}

/** Makes files of the worktree what they are to be: after a failure at any step each path has what it had, or what it was to have. */
export async function changeFiles(repository: Repository, { writes, removes, gone }: FileChanges): Promise<void> {
  const { repo, workspace, dir } = repository
  const going = new Set(removes)
  const inPlace: FileWrite[] = []
  /** By what is in their way. */
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

/** What of these is a directory above the path. */
function aboveIn(paths: { has(path: string): boolean }, path: string): string | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end)
    if (paths.has(above)) return above
  }
  return undefined
}

/** Whether a directory holds only files that are removed. */
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

/** What a file is written with, or where a link leads. */
async function contentOf({ git, repo, conversion }: Repository, path: string, { oid, mode }: Side): Promise<Uint8Array> {
  return mode === LINK ? (await git.readBlob({ ...repo, oid })).blob : conversion.file({ path, oid })
}

/** One by one: a clone that fails removes each directory that it made. */
async function makeParents(repository: Repository, path: string): Promise<void> {
  const { repo, workspace, dir } = repository
  if (path.length <= dir.length || (await workspace.exists(path))) return
  await makeParents(repository, parentPath(path))
  await repo.fs.promises.mkdir(path)
}
