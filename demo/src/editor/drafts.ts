import type { Home } from '../homes/homes.js'

/** A text that was not saved. */
export interface Draft {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  /** What the file held when it was read; undefined: that is not kept, there was no room. */
  readonly base?: string
  /** Milliseconds since the epoch. */
  readonly time: number
  /** The visit in which it was typed: what is typed now leaves what was typed then alone. */
  readonly visit: string
}

type Which = Pick<Draft, 'path' | 'visit'>

/** Texts that are not saved, by workspace. */
export interface DraftStore {
  list(workspace: string): readonly Draft[]
  /** False: there is no room for it, and it lasts as long as the page. */
  put(workspace: string, draft: Draft): boolean
  remove(workspace: string, draft: Which): void
  /** Keeps one for another workspace instead, as left by another visit. False: there is no room, and it stays where it was. */
  move(from: string, to: string, draft: Draft, visit: string): boolean
  /** Of a workspace that is gone. */
  clear(workspace: string): void
}

/** As a workspace is called here. */
export const draftsKey = ({ kind, name }: Home): string => `${kind}:${name}`

/** Characters of all drafts. Browsers keep some five million in all for a page. */
const MAX_CHARACTERS = 2_000_000

type Stored = Readonly<Record<string, readonly Draft[]>>

/** `key`: where the browser keeps them over a reload; without one they are those of this page. */
export function createDraftStore(key?: string): DraftStore {
  let own: Stored = {}
  const read = (): Stored => (key === undefined ? own : kept(key))

  function write(stored: Stored): boolean {
    own = stored
    return key === undefined || keep(key, stored)
  }

  /** Read again each time: another tab of the browser may have its own drafts there. */
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
      // In one step: both at once may be too much.
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

/** What is there may be anything: another page of this address wrote it, or nothing may be read at all. */
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
