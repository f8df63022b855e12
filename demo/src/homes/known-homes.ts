import { type Home, homeChoices, isKept } from './homes.js'

export interface KnownHome extends Home {
  /** Milliseconds since the epoch. */
  readonly opened: number
}

const KEY = 'toolport.workspaces'

/** The workspaces that this browser keeps, as far as this page made them; the last opened first. */
export function knownHomes(): readonly KnownHome[] {
  return read().known
}

/** The one to open again. Undefined: the last one was in memory. */
export function lastHome(): Home | undefined {
  const { known, last } = read()
  return known.find((one) => keyOf(one) === last)
}

/** Remembers what is open now. */
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

/** One that was found, and that is not the one to open again. */
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

/** Something is about to be put into it, or removed: should the page end meanwhile, the next visit knows where to look. */
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

/** Where the browser lets nothing be written there: as long as the page is there. */
let own: Stored | undefined

/** What is there may be anything: another page of this address wrote it, or nothing may be read at all. */
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
