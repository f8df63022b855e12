import { hasCode, ignoreCodes } from '../../errors/index.js'
import type { FsAdapter, FsCapabilities, FsEntry, FsOther, FsStat } from '../../types/fs.js'
import { isReserved } from '../checkpoints/engine.js'
import { Calls, refuse } from './calls.js'
import type { Mount, MountTable } from './mount-table.js'
import { otherParts } from './optional-operations.js'
import { treeParts } from './tree-operations.js'

/** All asynchronous methods except optional optimisations, which are present or absent depending on the storages. */
export type CombinedFs = Required<Omit<FsAdapter, 'name' | 'can' | 'suggestedRoot' | 'hostPath' | 'timesBelow' | 'scanBelow' | 'skim'>>

/** The entry of a directory above a mount point that its storage lacks. */
const LEAD: FsStat = { kind: 'dir', size: 0, mtimeMs: 0 }
const LEAD_MODE = 0o755

/** Creates the operations of a combination. This module loads with the first call; the combination's capabilities are available before. */
export function combinedFs(table: MountTable, { mode }: FsCapabilities): CombinedFs {
  const calls = new Calls(table)
  const lstat = (path: string): Promise<FsStat> => statAt(calls, path, mode ? { ...LEAD, mode: LEAD_MODE } : LEAD)
  return {
    open: () => each(calls, 'open', (storage) => storage.open?.()),
    flush: () => each(calls, 'flush', (storage) => storage.flush()),
    close: () => each(calls, 'close', (storage) => storage.close()),
    lstat,
    readdir: (path) => list(calls, path),
    read: async (path, options) => {
      const asked = { op: 'read', path }
      if (table.isLead(path)) throw refuse('EISDIR', asked)
      return calls.look(asked, (at) => at.mount.fs.read(at.inner, options))
    },
    write: async (path, bytes, options) => {
      const asked = { op: 'write', path }
      if (table.isFixed(path)) throw refuse(options?.create === 'exclusive' ? 'EEXIST' : 'EISDIR', asked)
      // Copy the bytes: a second write may follow after a directory was created, and the caller may have reused the array by then.
      const own = table.leadsAbove(path).length > 0 ? new Uint8Array(bytes) : bytes
      return calls.create(asked, (at) => at.mount.fs.write(at.inner, own, options))
    },
    mkdir: async (path) => {
      const asked = { op: 'make directory', path }
      if (table.isFixed(path)) throw refuse('EEXIST', asked)
      return calls.create(asked, (at) => at.mount.fs.mkdir(at.inner))
    },
    unlink: async (path) => {
      const asked = { op: 'remove', path }
      if (table.isFixed(path)) throw refuse('EISDIR', asked)
      return calls.change(asked, (at) => at.mount.fs.unlink(at.inner))
    },
    rmdir: async (path) => {
      const asked = { op: 'remove', path }
      calls.refuseFixed(asked)
      return calls.change(asked, (at) => at.mount.fs.rmdir(at.inner))
    },
    rename: (from, to) => rename(calls, from, to),
    ...treeParts(calls),
    ...otherParts(calls, lstat),
  }
}

/** Runs a call on all storages, even if some fail. @throws the first error, in the order of the storages */
async function each(calls: Calls, op: string, call: (storage: FsAdapter) => Promise<void> | undefined): Promise<void> {
  const run = (mount: Mount): Promise<void> => calls.run({ mount, inner: '/' }, { op, path: mount.at }, async () => call(mount.fs))
  const results = await Promise.allSettled(calls.table.all.map(run))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

async function statAt(calls: Calls, path: string, lead: FsStat): Promise<FsStat> {
  const asked = { op: 'stat', path }
  if (!calls.table.isLead(path)) return calls.look(asked, (at) => at.mount.fs.lstat(at.inner))
  const own = await calls.look(asked, (at) => at.mount.fs.lstat(at.inner)).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP'))
  return own?.kind === 'dir' ? own : lead
}

async function list(calls: Calls, path: string): Promise<(FsEntry | FsOther)[]> {
  const { table } = calls
  const asked = { op: 'list', path }
  const { mount, inner } = calls.at(path, asked)
  let own = await calls
    .run({ mount, inner }, asked, () => mount.fs.readdir(inner))
    .catch((error: unknown): FsEntry[] => {
      if (table.isLead(path) && hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return []
      throw error
    })
  if (table.isPoint(path)) own = own.filter(({ name }) => !isReserved(`/${name}`, mount.fs.can.caseSensitive))
  const names = table.namesIn(path)
  if (!names) return own
  const merged = [...own.filter(({ name }) => !names.has(name)), ...Array.from(names, (name): FsEntry => ({ name, kind: 'dir' }))]
  return merged.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function rename(calls: Calls, from: string, to: string): Promise<void> {
  const asked = { op: 'move', path: from, dest: to }
  if (from === '/' || to === '/') throw refuse('EBUSY', asked)
  if (from === to && calls.table.isFixed(from)) return
  calls.refuseFixed(asked)
  calls.refuseFixed(asked, to)
  const [source, dest] = [calls.changing(asked), calls.changing(asked, to)]
  if (source.mount !== dest.mount) throw refuse('EXDEV', asked)
  return calls.createAt(source, asked, () => source.mount.fs.rename(source.inner, dest.inner))
}
