import type { FsAdapter } from 'toolport'

export type HomeKind = 'memory' | 'indexeddb' | 'opfs' | 'lightning-fs'

/** Where a workspace lives. */
export interface Home {
  readonly kind: HomeKind
  readonly name: string
}

export interface HomeChoice {
  readonly kind: HomeKind
  readonly label: string
  /** What that means for whoever chooses it. */
  readonly about: string
  /** For the header: `in memory`. */
  readonly place: string
  /** Why this browser does not have it. */
  missing(): string | undefined
  /** Its storage, loaded when it is first wanted. */
  create(name: string): Promise<FsAdapter>
  /** Databases to delete with a workspace. */
  databases(name: string): readonly string[]
}

const NO_LOCKS = 'This browser has no Web Locks on this page: it has to come from HTTPS or localhost.'
const lightningName = (name: string): string => `toolport-playground-${name}`

function missingDatabase(): string | undefined {
  if (!('indexedDB' in globalThis)) return 'This browser has no IndexedDB here.'
  return 'locks' in navigator ? undefined : NO_LOCKS
}

function missingDirectory(): string | undefined {
  if (!('storage' in navigator) || !('getDirectory' in navigator.storage)) return 'This browser has no such file system here.'
  return 'locks' in navigator ? undefined : NO_LOCKS
}

export const homeChoices: readonly HomeChoice[] = [
  {
    kind: 'memory',
    label: 'In memory',
    about: 'Gone when this tab is closed or loaded again.',
    place: 'in memory',
    missing: () => undefined,
    create: async () => (await import('toolport/adapters/memory')).createMemoryFs(),
    databases: () => [],
  },
  {
    kind: 'indexeddb',
    label: 'IndexedDB',
    about: 'Kept in this browser. Quick with many small files.',
    place: 'in IndexedDB',
    missing: missingDatabase,
    create: async (name) => (await import('toolport/adapters/indexeddb')).createIndexedDbFs({ name }),
    databases: (name) => [`toolport:${name}`],
  },
  {
    kind: 'opfs',
    label: 'Private file system (OPFS)',
    about: 'Kept in this browser, each file as a file of its own. Good for large ones.',
    place: 'in the private file system',
    missing: missingDirectory,
    create: async (name) => (await import('toolport/adapters/opfs')).createOpfs({ name }),
    databases: () => [],
  },
  {
    kind: 'lightning-fs',
    label: 'lightning-fs',
    about: 'Kept in this browser, as isomorphic-git’s file system. For up to 5,000 files.',
    place: 'in lightning-fs',
    missing: missingDatabase,
    create: async (name) => (await import('toolport/adapters/lightning-fs')).createLightningFs({ name: lightningName(name) }),
    databases: (name) => [lightningName(name), `${lightningName(name)}_lock`],
  },
]

export const MEMORY: Home = { kind: 'memory', name: 'workspace' }

export const isKept = ({ kind }: Home): boolean => kind !== 'memory'

export function choiceOf(kind: HomeKind): HomeChoice {
  const found = homeChoices.find((choice) => choice.kind === kind)
  if (!found) throw new Error(`There is no storage "${kind}"`)
  return found
}

/** Removes all that is in a kept workspace. Rejects while another tab has it open. */
export async function deleteHome({ kind, name }: Home): Promise<void> {
  const choice = choiceOf(kind)
  const fs = await choice.create(name)
  try {
    await empty(fs, '')
    await fs.flush()
  } finally {
    await fs.close()
  }
  for (const database of choice.databases(name)) indexedDB.deleteDatabase(database)
}

async function empty(fs: FsAdapter, path: string): Promise<void> {
  for (const { name, kind } of await fs.readdir(path || '/')) {
    const below = `${path}/${name}`
    if (kind !== 'dir') await fs.unlink(below)
    else {
      await empty(fs, below)
      await fs.rmdir(below)
    }
  }
}
