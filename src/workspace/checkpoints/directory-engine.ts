import { hasCode } from '../../errors/index.js'
import { systemHost } from '../../host.js'
import { sameBytes } from '../../ops/bytes.js'
import { createLimit, forEachLimited } from '../../ops/concurrency.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../types/fs.js'
import type { Host } from '../../types/host.js'
import type { WalkFilter } from '../../types/workspace.js'
import { VirtualFs } from '../virtual-fs.js'
import { walkTree } from '../walk.js'
import {
  type Difference,
  type Engine,
  isBefore,
  type Moment,
  type NewCheckpoint,
  numberOf,
  type Recorder,
  reversed,
  type State,
} from './engine.js'
import { mayBeSame, readState } from './entry-state.js'
import { JournalEngine, type Run } from './journal/journal-engine.js'
import { ScanEngine } from './scan/scan-engine.js'

const AT_ONCE = 8

/**
 * Checkpoints of a directory that other programs change too. There are two kinds. A scan records the whole tree. A journal checkpoint is
 * cheap: it records the old state of each path before the path first changes through a workspace. For a path without such an image, a
 * journal checkpoint has the state that the next scan found.
 */
export class DirectoryEngine implements Engine {
  readonly recorder: Recorder
  readonly #fs: FsAdapter
  readonly #scans: ScanEngine
  readonly #journal: JournalEngine
  /** Numbers of the scans, oldest first; undefined: not known yet. */
  #scanned: readonly number[] | undefined
  /** Space used by scans; undefined: not measured yet. */
  #scanBytes: number | undefined
  readonly #inTurn = createLimit(1)

  constructor(fs: FsAdapter) {
    this.#fs = fs
    this.#scans = new ScanEngine(fs)
    this.#journal = new JournalEngine(fs, { below: unignored, flushes: false, prepare: () => this.#scans.prepare() })
    const { recorder } = this.#journal
    this.recorder = {
      entry: (path) => this.#record(() => (isLeftOut(path) ? undefined : recorder.entry(path))),
      tree: (path) => this.#record(() => recorder.tree(path)),
      rename: (from, to) =>
        this.#record(() => (isLeftOut(to) ? recorder.tree(from) : isLeftOut(from) ? recorder.entry(to) : recorder.rename(from, to))),
    }
  }

  async list(): Promise<readonly Checkpoint[]> {
    const scans = await this.#scans.list()
    const numbers = scans.map(({ id }) => numberOf(id))
    // Another program removed a scan: the journal checkpoints before it have lost their base.
    const gone = this.#scanned?.findLast((number) => !numbers.includes(number))
    if (gone !== undefined) await this.#journal.lose(gone)
    this.#scanned = numbers
    return [...scans, ...(await this.#journal.list())].sort((a, b) => numberOf(a.id) - numberOf(b.id))
  }

  async reusable(scan?: boolean): Promise<Checkpoint | undefined> {
    await this.#open()
    // With `scan: false` this runs before every call. Comparing contents would cost too much, so any recorded change counts as a
    // difference.
    if (scan === false && this.#journal.isRecording) return undefined
    const newest = scan === false ? this.#journal.newest : (await this.list()).at(-1)
    if (!newest || numberOf(newest.id) < this.#newestScan()) return undefined
    return scan === undefined || scan === this.#isScan(newest.id) ? newest : undefined
  }

  make(wanted: NewCheckpoint): Promise<Checkpoint> {
    return this.#inTurn(async () => {
      await this.#open()
      if (!wanted.scan) {
        const made = await this.#journal.make({
          ...wanted,
          above: Math.max(this.#newestScan(), this.#scans.last),
          lost: this.#scans.lost(),
        })
        this.#scans.toldLost()
        return made
      }
      const made = await this.#scans.make({ ...wanted, above: this.#journal.last, lost: this.#journal.lost() })
      this.#journal.toldLost()
      this.#scanned = [...(this.#scanned ?? []), numberOf(made.id)]
      this.#scanBytes = undefined
      return made
    })
  }

  trim({ keep, bytes }: Required<CheckpointLimits>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#open()
      let swept = false
      for (;;) {
        const scanned = this.#scanned ?? []
        const count = scanned.length + this.#journal.count
        const isOver = this.#journal.bytes + (await this.#bytesOfScans()) > bytes
        if (count <= 1 || (count <= keep && !isOver)) break
        if (count <= keep && !swept) {
          // Free leftovers of failed attempts before dropping a checkpoint.
          await this.#dropScans([])
          swept = true
          continue
        }
        const [scan] = scanned
        const { oldest } = this.#journal
        if (scan === undefined || (oldest && numberOf(oldest.id) < scan)) await this.#journal.drop()
        // The journal checkpoints based on this scan have to be removed before it.
        else if (await this.#journal.removed()) await this.#dropScans([scan])
        else break
      }
    })
  }

  async diff(from: Moment, to: Moment, host: Host, first = false): Promise<readonly Difference[]> {
    if (from === to) return []
    await this.#open()
    if (isBefore(to, from)) return reversed(await this.diff(to, from, host, first))
    const [start, end] = [this.#runOf(from), this.#runOf(to)]
    if (!start && (!end || to === undefined)) return this.#scans.diff(from, to, host, first)
    const isOneRun = start && (start.scan === end?.scan || start.scan === to)
    if (isOneRun && start.scan === undefined) return this.#journal.compare(from as string, to, host, { ...start, first })
    // Paths that may differ: between `from` and its scan, between the two scans, and between `to` and its scan.
    const paths = new Map<string, string>()
    const add = (found: readonly Difference[]): void => {
      for (const { path } of found) paths.set(this.#fs.can.caseSensitive ? path : path.toLowerCase(), path)
    }
    if (start) add(await this.#journal.compare(from as string, isOneRun && to !== start.scan ? to : undefined, host, start))
    if (!isOneRun) {
      add(await this.#scans.diff(start ? start.scan : from, end ? end.scan : to, host))
      if (end && to !== undefined) add(await this.#journal.compare(to, undefined, host, end))
    }
    const found: Difference[] = []
    await forEachLimited([...paths.values()], AT_ONCE, async (path) => {
      const difference = await this.#compareOne(path, from, to, host)
      if (difference) found.push(difference)
    })
    return found
  }

  async stat(at: string, path: string): Promise<EntryImage | undefined> {
    await this.#open()
    const run = this.#runOf(at)
    return run ? this.#journal.stat(at, path, run) : this.#scans.stat(at, path)
  }

  async read(at: string, path: string): Promise<Uint8Array> {
    await this.#open()
    const run = this.#runOf(at)
    return run ? this.#journal.read(at, path, run) : this.#scans.read(at, path)
  }

  async lacks(at: string, paths: readonly string[]): Promise<boolean> {
    return this.#isScan(at) && this.#scans.lacks(at, paths)
  }

  lost(): readonly string[] {
    return [...this.#scans.lost(), ...this.#journal.lost()]
  }

  /** Measures the checkpoint folder. */
  async held(): Promise<FsUsage> {
    await this.#inTurn(async () => undefined)
    await this.#journal.removed()
    return this.#scans.held()
  }

  async #compareOne(path: string, from: Moment, to: Moment, host: Host): Promise<Difference | undefined> {
    const [before, after] = [await this.#stateOf(from, path), await this.#stateOf(to, path)]
    if (!before && (!after || (await this.#isUnknown(from, path, after.kind === 'dir', host)))) return undefined
    if (!after && (await this.#isUnknown(to, path, before?.kind === 'dir', host))) return undefined
    if (mayBeSame(before, after) && (before?.kind !== 'file' || (await this.#isSame(path, from, to)))) return undefined
    return { path, ...(before && { before }), ...(after && { after }) }
  }

  async #isSame(path: string, from: Moment, to: Moment): Promise<boolean> {
    const read = (at: Moment): Promise<Uint8Array> => (at === undefined ? this.#fs.read(path) : this.read(at, path))
    try {
      return sameBytes(await read(from), await read(to))
    } catch (error) {
      // Another program removed the entry meanwhile, or made it unreadable.
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES')) return false
      throw error
    }
  }

  #stateOf(at: Moment, path: string): Promise<State | undefined> {
    return at === undefined ? readState(this.#fs, path) : this.stat(at, path)
  }

  /** Whether ignore rules excluded the path from the scan that would hold the state. */
  async #isUnknown(at: Moment, path: string, isDirectory: boolean, host: Host): Promise<boolean> {
    const run = this.#runOf(at)
    if (at === undefined || (run && (run.scan === undefined || (await this.#journal.knows(at, path, run))))) return false
    return this.#scans.leavesOut(run?.scan ?? at, path, isDirectory, host)
  }

  /**
   * Returns the run of a journal checkpoint, with the scan that is its base. Without `scan`, the base is the current tree. Undefined for a
   * scan.
   */
  #runOf(at: Moment): (Run & { readonly scan?: string }) | undefined {
    if (at === undefined || this.#isScan(at)) return at === undefined ? {} : undefined
    const next = this.#scanned?.find((number) => number > numberOf(at))
    return next === undefined ? {} : { scan: `c${next}`, until: next, base: this.#scans.base(`c${next}`) }
  }

  #isScan(id: string): boolean {
    return this.#scanned?.includes(numberOf(id)) ?? false
  }

  #newestScan(): number {
    return this.#scanned?.at(-1) ?? 0
  }

  async #open(): Promise<void> {
    if (!this.#scanned) await this.list()
  }

  async #dropScans(numbers: readonly number[]): Promise<void> {
    await this.#scans.drop(numbers.map((number) => `c${number}`))
    this.#scanned = this.#scanned?.filter((number) => !numbers.includes(number))
    this.#scanBytes = undefined
  }

  async #bytesOfScans(): Promise<number> {
    this.#scanBytes ??= this.#scanned?.length ? await this.#scans.bytes() : 0
    return this.#scanBytes
  }

  /** Runs `work` only if the newest checkpoint is in the journal. If it is a scan, the scan already has every state. */
  #record(work: () => Promise<void> | undefined): Promise<void> | undefined {
    if (!this.#scanned) return this.#open().then(() => this.#record(work))
    const { newest } = this.#journal
    return newest && numberOf(newest.id) > this.#newestScan() ? work() : undefined
  }
}

const LEFT_OUT = /\/(\.git|\.toolport\/outputs)(\/|$)/

/** Whether walks always skip a path, regardless of `.gitignore`. */
function isLeftOut(path: string): boolean {
  return LEFT_OUT.test(path)
}

/**
 * Lists a path and everything below it that a scan includes, directories before their content. If the path itself is a file, ignore rules
 * do not apply.
 */
async function unignored(fs: FsAdapter, path: string): Promise<string[]> {
  const kind = (await readState(fs, path))?.kind
  if (kind === undefined || isLeftOut(path)) return []
  if (kind !== 'dir') return [path]
  const paths: string[] = path === '/' ? ['/'] : []
  // Walk from the root, because the rules of the directories above apply.
  const walk = walkTree(new VirtualFs(fs, '/'), systemHost, '/', { filter: onlyBelow(path) as WalkFilter })
  for await (const run of walk) for (const entry of run) paths.push(entry.path)
  return paths
}

/** Accepts only a path and its content. The state is the number of path components still to match. */
function onlyBelow(path: string): WalkFilter<number> {
  const names = path === '/' ? [] : path.slice(1).split('/').reverse()
  const isOnTheWay = (left: number, name: string): boolean => left === 0 || names[left - 1] === name
  return {
    start: names.length,
    enter: (left, name) => (isOnTheWay(left, name) ? Math.max(0, left - 1) : undefined),
    accept: (left, name) => left <= 1 && isOnTheWay(left, name),
  }
}
