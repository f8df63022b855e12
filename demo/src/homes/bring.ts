import type { EntryImage, TreeDiff } from 'toolport'
import { ignoreMissing } from '../missing.js'
import { createPace } from '../pace.js'
import type { Workspace } from '../session.js'

/** Files at a time: what is written at once, some storages store at once, and all at once would block the page. */
const AT_ONCE = 100

/** What a path has to become. */
interface Wanted {
  /** Relative to the root. */
  readonly place: string
  /** Undefined: nothing is there. */
  readonly image: EntryImage | undefined
  read(): Promise<Uint8Array>
}

export interface BringOptions {
  /** Virtual paths of the difference that stay as they are. Default none. */
  readonly except?: ReadonlySet<string>
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes a workspace what another one was on one side of a difference, as far as that goes: what its storage cannot keep (links, permission
 * bits) is left out. @throws the signal's reason
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
  // What is below one of them goes with that.
  const roots = [...gone].filter((place) => !gone.has(place.slice(0, Math.max(0, place.lastIndexOf('/')))))
  await inRuns(roots, (place) => remove(to, place), { signal })
  // Sorted, one after the other: a directory is there before its content.
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
  /** Told how many have been done since it was told last. */
  readonly onRun?: (count: number) => void
  /** Default 100. */
  readonly atOnce?: number
}

/** Does something with each of them, some at once, and lets the page live meanwhile. @throws the signal's reason */
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

/** Of another kind, nothing can be replaced; nor can a link. */
async function makeRoom(to: Workspace, place: string, { kind }: EntryImage): Promise<void> {
  const there = await to.lstat(place).catch(ignoreMissing)
  if (there && (there.kind !== kind || kind === 'symlink')) await remove(to, place)
}

async function remove(to: Workspace, place: string): Promise<void> {
  await to.remove(place, { recursive: true }).catch(ignoreMissing)
}

/** Whether a file can be run is all that is kept of its permission bits. */
export async function keepExecutable(to: Workspace, place: string, mode: number | undefined): Promise<void> {
  if (mode === undefined || !to.fs.can.mode) return
  const { mode: before = 0 } = await to.lstat(place)
  if (isExecutable(mode) !== isExecutable(before)) await to.setMeta(place, { mode })
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
