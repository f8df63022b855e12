import type { Home } from '../homes/homes.js'

/** The unsaved text of a file. */
export interface Draft {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  /** Content of the file when it was read. Undefined: not stored for lack of room. */
  readonly base?: string
  /** Time of the draft, milliseconds since the epoch. */
  readonly time: number
  /** Id of the visit in which the text was typed. Drafts of other visits are not overwritten. */
  readonly visit: string
}

type Which = Pick<Draft, 'path' | 'visit'>

/** Stores drafts by workspace. */
export interface DraftStore {
  list(workspace: string): readonly Draft[]
  /** False: the storage is full, and the draft only lasts as long as the page. */
  put(workspace: string, draft: Draft): boolean
  remove(workspace: string, draft: Which): void
  /** Moves a draft to another workspace and visit. False: the storage is full, and the draft stays where it was. */
  move(from: string, to: string, draft: Draft, visit: string): boolean
  /** Deletes all drafts of a deleted workspace. */
  clear(workspace: string): void
}

/** The storage key of a workspace. */
export const draftsKey = ({ kind, name }: Home): string => `${kind}:${name}`

/** Limit for all drafts together, characters. Browsers store about five million per origin. */
const MAX_CHARACTERS = 2_000_000

type Stored = Readonly<Record<string, readonly Draft[]>>

/** `key`: key in the browser's storage, which survives a reload. Without a key, drafts stay in memory. */
export function createDraftStore(key?: string): DraftStore {
  let own: Stored = {}
  const read = (): Stored => (key === undefined ? own : kept(key))

  function write(stored: Stored): boolean {
    own = stored
    return key === undefined || keep(key, stored)
  }

  /** Reads the storage each time, because another browser tab may have changed it. */
  function change(workspace: string, which: Which, draft?: Draft): boolean {
    const { [workspace]: known = [], ...others } = read()
    const left = known.filter((one) => !isSame(one, which))
    const mine = draft ? [...left, draft] : left
    return write(mine.length ? { ...others, [workspace]: mine } : others)
  }

  return {
    list: (workspace) => read()[workspace] ?? [],
    remove: (workspace, draft) => void change(workspace, draft),
    move(from, to, draft, visit) {
      const moved = { ...draft, visit }
      const { [from]: left = [], [to]: there = [], ...others } = read()
      // Writes both workspaces atomically, because storing two copies of the draft may exceed the quota.
      const stay = left.filter((one) => !isSame(one, draft))
      return write({ ...others, ...(stay.length > 0 && { [from]: stay }), [to]: [...there.filter((one) => !isSame(one, moved)), moved] })
    },
    clear(workspace) {
      const { [workspace]: _, ...others } = read()
      write(others)
    },
    put(workspace, draft) {
      const { base: _, ...small } = draft
      return [draft, small].some((one) => fits(read(), workspace, one) && change(workspace, draft, one))
    },
  }
}

export const isSame = (a: Which, b: Which): boolean => a.path === b.path && a.visit === b.visit
const sizeOf = ({ text, base = '' }: Draft): number => text.length + base.length

function fits(stored: Stored, workspace: string, draft: Draft): boolean {
  const others = Object.entries(stored).flatMap(([name, drafts]) => drafts.filter((one) => !(name === workspace && isSame(one, draft))))
  return others.reduce((sum, one) => sum + sizeOf(one), sizeOf(draft)) <= MAX_CHARACTERS
}

/** Reads the stored drafts. Tolerates invalid data and blocked storage. */
function kept(key: string): Stored {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof read !== 'object' || read === null) return {}
    return Object.fromEntries(
      Object.entries(read).map(([workspace, drafts]) => [workspace, Array.isArray(drafts) ? drafts.filter(isDraft) : []]),
    )
  } catch {
    return {}
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { path, text, base, time, visit } = value as Record<string, unknown>
  const isBase = base === undefined || typeof base === 'string'
  return typeof path === 'string' && typeof text === 'string' && isBase && typeof time === 'number' && typeof visit === 'string'
}

function keep(key: string, stored: Stored): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}
