import { type Home, homeChoices, isKept } from './homes.js'

export interface KnownHome extends Home {
  /** Time of the last opening, milliseconds since the epoch. */
  readonly opened: number
}

const KEY = 'toolport.workspaces'

/** The stored workspaces that this page created, most recently opened first. */
export function knownHomes(): readonly KnownHome[] {
  return read().known
}

/** The workspace to reopen. Undefined: the last one was in memory. */
export function lastHome(): Home | undefined {
  const { known, last } = read()
  return known.find((one) => keyOf(one) === last)
}

/** Remembers the open workspace. */
export function rememberHome(home: Home, now: number): void {
  const { known, begun } = read()
  if (!isKept(home)) write({ known, begun })
  else
    write({
      known: [{ kind: home.kind, name: home.name, opened: now }, ...without(known, home)],
      begun: without(begun, home),
      last: keyOf(home),
    })
}

/** Adds a workspace that was found, without making it the one to reopen. */
export function addHome({ kind, name }: Home): void {
  const stored = read()
  const added = isKnown({ kind, name }) ? [] : [{ kind, name, opened: Date.now() }]
  write({ ...stored, known: [...stored.known, ...added], begun: without(stored.begun, { kind, name }) })
}

export const isKnown = (home: Home): boolean => read().known.some((one) => keyOf(one) === keyOf(home))

export function forgetHome(home: Home): void {
  const { known, begun, last } = read()
  const left = { known: without(known, home), begun: without(begun, home) }
  write(last === undefined || last === keyOf(home) ? left : { ...left, last })
}

/** Records that a workspace is about to be filled or deleted. If the page closes meanwhile, the next visit cleans up. */
export function noteBegun({ kind, name }: Home): void {
  const stored = read()
  write({ ...stored, begun: [...without(stored.begun, { kind, name }), { kind, name }] })
}

export function begunHomes(): readonly Home[] {
  return read().begun
}

interface Stored {
  readonly known: readonly KnownHome[]
  readonly begun: readonly Home[]
  readonly last?: string
}

function without<T extends Home>(homes: readonly T[], home: Home): readonly T[] {
  return homes.filter((one) => keyOf(one) !== keyOf(home))
}

const keyOf = ({ kind, name }: Home): string => `${kind}:${name}`

/** Fallback in memory when the browser blocks its storage. */
let own: Stored | undefined

/** Reads the stored list. Tolerates invalid data and blocked storage. */
function read(): Stored {
  if (own) return own
  try {
    const { known, begun, last }: Partial<Record<keyof Stored, unknown>> = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return {
      known: Array.isArray(known) ? known.filter(isKnownHome) : [],
      begun: Array.isArray(begun) ? begun.filter(isHome) : [],
      ...(typeof last === 'string' && { last }),
    }
  } catch {
    return { known: [], begun: [] }
  }
}

function isHome(value: unknown): value is Home {
  if (typeof value !== 'object' || value === null) return false
  const { kind, name } = value as Record<string, unknown>
  return homeChoices.some((choice) => choice.kind === kind) && typeof name === 'string' && name !== ''
}

function isKnownHome(value: unknown): value is KnownHome {
  return isHome(value) && 'opened' in value && typeof value.opened === 'number'
}

function write(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored))
    own = undefined
  } catch {
    own = stored
  }
}
