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
  const { known } = read()
  const others = known.filter((one) => keyOf(one) !== keyOf(home))
  if (isKept(home)) write({ known: [{ kind: home.kind, name: home.name, opened: now }, ...others], last: keyOf(home) })
  else write({ known })
}

export function forgetHome(home: Home): void {
  const { known, last } = read()
  const left = known.filter((one) => keyOf(one) !== keyOf(home))
  write(last === undefined || last === keyOf(home) ? { known: left } : { known: left, last })
}

interface Stored {
  readonly known: readonly KnownHome[]
  readonly last?: string
}

const keyOf = ({ kind, name }: Home): string => `${kind}:${name}`

/** What is there may be anything: another page of this address wrote it, or nothing may be read at all. */
function read(): Stored {
  try {
    const { known, last } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { readonly known?: unknown; readonly last?: unknown }
    return {
      known: Array.isArray(known) ? known.filter(isKnownHome) : [],
      ...(typeof last === 'string' && { last }),
    }
  } catch {
    return { known: [] }
  }
}

function isKnownHome(value: unknown): value is KnownHome {
  if (typeof value !== 'object' || value === null) return false
  const { kind, name, opened } = value as Record<string, unknown>
  return homeChoices.some((choice) => choice.kind === kind) && typeof name === 'string' && name !== '' && typeof opened === 'number'
}

function write(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored))
  } catch {
    // A page that may keep nothing is used like one that has kept nothing.
  }
}
