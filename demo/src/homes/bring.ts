import type { EntryImage, TreeDiff } from 'toolport'
import { ignoreMissing } from '../missing.js'
import { createPace } from '../pace.js'
import type { Workspace } from '../session.js'

/** Number of files per batch. All files at once would block the page; some storages write a batch in one go. */
const AT_ONCE = 100

/** The target state of a path. */
interface Wanted {
  /** Relative to the root. */
  readonly place: string
  /** Undefined: the path must not exist. */
  readonly image: EntryImage | undefined
  read(): Promise<Uint8Array>
}

export interface BringOptions {
  /** Virtual paths to leave unchanged. Default: none. */
  readonly except?: ReadonlySet<string>
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes `to` match one side of a difference in `from`. Skips what the target's storage cannot store (links, permission bits). @throws the
 * signal's reason
 */
export async function bring(
  to: Workspace,
  from: Workspace,
  diff: TreeDiff,
  side: 'before' | 'after',
  { except, signal }: BringOptions = {},
): Promise<void> {
  const changes = except ? diff.changes.filter(({ path }) => !except.has(path)) : diff.changes
  const wanted = changes.map(
    ({ path, [side]: image }): Wanted => ({ place: from.relative(path), image, read: () => diff.read(path, side) }),
  )
  const gone = new Set(wanted.filter(({ image }) => !image).map(({ place }) => place))
  // Removing a directory removes its content too.
  const roots = [...gone].filter((place) => !gone.has(place.slice(0, Math.max(0, place.lastIndexOf('/')))))
  await inRuns(roots, (place) => remove(to, place), { signal })
  // Sorted and sequential, so that a parent directory exists before its content.
  await inRuns(
    wanted.filter(({ image }) => image?.kind === 'dir'),
    (one) => put(to, one),
    { signal, atOnce: 1 },
  )
  await inRuns(
    wanted.filter(({ image }) => image && image.kind !== 'dir'),
    (one) => put(to, one),
    { signal },
  )
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of items finished since the last call. */
  readonly onRun?: (count: number) => void
  /** Number of concurrent items. Default: 100. */
  readonly atOnce?: number
}

/** Processes items in batches and yields to the page in between. @throws the signal's reason */
export async function inRuns<T>(
  all: readonly T[],
  body: (one: T) => Promise<void>,
  { signal, onRun, atOnce = AT_ONCE }: RunOptions = {},
): Promise<void> {
  const pace = createPace()
  for (let at = 0; at < all.length; at += atOnce) {
    const run = all.slice(at, at + atOnce)
    await Promise.all(run.map(body))
    onRun?.(run.length)
    await pace()
    signal?.throwIfAborted()
  }
}

async function put(to: Workspace, { place, image, read }: Wanted): Promise<void> {
  if (!image) return
  await makeRoom(to, place, image)
  if (image.kind === 'dir') await to.mkdir(place)
  else if (image.kind === 'file') {
    await to.writeBytes(place, await read())
    await keepExecutable(to, place, image.mode)
  } else if (to.fs.symlink) await to.symlink(image.target ?? '', place)
}

/** Removes an entry of another kind, and links, because a write cannot replace them. */
async function makeRoom(to: Workspace, place: string, { kind }: EntryImage): Promise<void> {
  const there = await to.lstat(place).catch(ignoreMissing)
  if (there && (there.kind !== kind || kind === 'symlink')) await remove(to, place)
}

async function remove(to: Workspace, place: string): Promise<void> {
  await to.remove(place, { recursive: true }).catch(ignoreMissing)
}

/** Copies only the executable bit of a file's permissions. */
export async function keepExecutable(to: Workspace, place: string, mode: number | undefined): Promise<void> {
  if (mode === undefined || !to.fs.can.mode) return
  const { mode: before = 0 } = await to.lstat(place)
  if (isExecutable(mode) !== isExecutable(before)) await to.setMeta(place, { mode })
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
