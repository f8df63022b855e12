import { hasCode } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import { Slicer } from '../../workspace/slicer.js'
import { namesOf } from './lockfile.js'
import type { Unpacked } from './unpack.js'

const PREFIX = '.toolport-'
const ARRIVALS = 'arriving.json'
/** Number of files to write concurrently, because storages respond slowly. */
const WRITERS = 8
/** Cost of writing one file, in units of the slicer. */
const STEPS = 32

/** Removes the leftovers of an interrupted install. */
export async function removeLeftovers(workspace: Workspace, modules: string): Promise<void> {
  for (const { name } of await workspace.list(modules)) {
    if (name.startsWith(PREFIX)) await workspace.remove(joinPath(modules, name), { recursive: true })
  }
}

/** Records the paths about to be put in place, in case the install is interrupted. */
export async function noteArrivals(workspace: Workspace, staging: string, paths: Iterable<string>): Promise<void> {
  await workspace.writeText(joinPath(staging, ARRIVALS), JSON.stringify([...paths]), { mode: 'create', parents: false })
}

/** Returns the paths of packages that interrupted installs may have put in place. */
export async function readArrivals(workspace: Workspace, modules: string): Promise<readonly string[]> {
  const arrivals: string[] = []
  for (const { name } of (await workspace.exists(modules)) ? await workspace.list(modules) : []) {
    if (!name.startsWith(PREFIX)) continue
    const found = await workspace.readText(joinPath(modules, `${name}/${ARRIVALS}`)).then(
      ({ text }) => text,
      () => '',
    )
    arrivals.push(...pathsOf(found))
  }
  return arrivals
}

/** Parses the recorded paths. A damaged record has no paths. */
function pathsOf(text: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(text)
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string' && namesOf(path) !== undefined) : []
  } catch {
    return []
  }
}

/** Creates an empty directory with a unique name, on the same storage as the final location. */
export async function makeStaging(workspace: Workspace, modules: string): Promise<string> {
  const drawn = Math.floor(workspace.host.random() * 2 ** 32).toString(16)
  for (let attempt = 0; ; attempt++) {
    const path = joinPath(modules, `${PREFIX}${drawn}${attempt === 0 ? '' : `-${attempt}`}`)
    try {
      await workspace.mkdir(path, { parents: false })
      return path
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

/** Writes the files of a package into a new directory. */
export async function writePackage(
  workspace: Workspace,
  folder: string,
  { files }: Unpacked,
  bins: ReadonlySet<string>,
  signal: AbortSignal,
  onFile: () => void,
): Promise<void> {
  for (const path of foldersOf(folder, files.keys())) {
    signal.throwIfAborted()
    await workspace.mkdir(path, { parents: false })
  }
  const modes = workspace.fs.can.mode && workspace.fs.setMeta !== undefined
  const slicer = new Slicer(workspace.host, { signal })
  const left = files.entries()
  const write = async (): Promise<void> => {
    for (const [path, { bytes, executable }] of left) {
      signal.throwIfAborted()
      const to = joinPath(folder, path)
      await workspace.writeBytes(to, bytes, { mode: 'create', parents: false })
      if (modes && (executable || bins.has(path))) await workspace.setMeta(to, { mode: 0o755 })
      onFile()
      if (slicer.due(STEPS + bytes.length / 1024)) await slicer.pause()
    }
  }
  await allSettled(Array.from({ length: WRITERS }, write))
}

/** Waits for all tasks before it rejects, so that nothing is written afterwards. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** Returns all directories that contain files, parents first. */
function foldersOf(top: string, paths: Iterable<string>): string[] {
  const folders = new Set([top])
  for (const path of paths) {
    for (let at = parentPath(joinPath(top, path)); !folders.has(at); at = parentPath(at)) folders.add(at)
  }
  return [...folders].sort((a, b) => a.length - b.length)
}
