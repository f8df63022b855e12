import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'

export type HomeKind = 'memory' | 'memfs' | 'indexeddb' | 'opfs' | 'lightning-fs' | 'webcontainer'

/** Storage and name of a workspace. */
export interface Home {
  readonly kind: HomeKind
  readonly name: string
}

export interface HomeChoice {
  readonly kind: HomeKind
  readonly label: string
  /** Description of the storage for the user. */
  readonly about: string
  /** Short form for the header: `in memory`. */
  readonly place: string
  /** Whether the workspace survives a reload. */
  readonly kept: boolean
  /** A page with more information or options. */
  readonly page?: { readonly label: string; readonly address: string }
  /** Why this browser does not support the storage. Undefined: supported. */
  missing(): string | undefined
  /** Creates the storage adapter, loaded on first use. */
  create(name: string): Promise<FsAdapter>
  /** Names of the databases to delete with a workspace. */
  databases(name: string): readonly string[]
}

const MIB = 1024 * 1024
/** Limits of storages in the page's memory. */
export const MEMORY_LIMITS = { maxBytes: 256 * MIB, maxFiles: 100_000 }
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

function missingContainer(): string | undefined {
  if (!globalThis.crossOriginIsolated || !navigator.onLine) return 'Needs a page that is online and cross-origin isolated.'
  return allowsFrames() ? undefined : 'Its vendor’s site runs in a frame, which this page forbids. There is a page for it.'
}

/** Whether the page's CSP allows frames from the vendor's site. Without a CSP everything is allowed. */
function allowsFrames(): boolean {
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')
  return typeof policy !== 'string' || /frame-src [^;]*stackblitz\.com/.test(policy)
}

export const homeChoices: readonly HomeChoice[] = [
  {
    kind: 'memory',
    label: 'In memory',
    about: 'Gone when this tab is closed or loaded again.',
    place: 'in memory',
    kept: false,
    missing: () => undefined,
    create: async () => createMemoryFs(MEMORY_LIMITS),
    databases: () => [],
  },
  {
    kind: 'memfs',
    label: 'memfs',
    about: 'A volume of the library that tests of Node programs use. Gone with the tab.',
    place: 'in memfs',
    kept: false,
    missing: () => undefined,
    create: async () => (await import('./memfs.js')).createMemfs(),
    databases: () => [],
  },
  {
    kind: 'indexeddb',
    label: 'IndexedDB',
    about: 'Kept in this browser. Quick with many small files.',
    place: 'in IndexedDB',
    kept: true,
    missing: missingDatabase,
    create: async (name) => (await import('toolport/adapters/indexeddb')).createIndexedDbFs({ name }),
    databases: (name) => [`toolport:${name}`],
  },
  {
    kind: 'opfs',
    label: 'Private file system (OPFS)',
    about: 'Kept in this browser, each file as a file of its own. Good for large ones.',
    place: 'in the private file system',
    kept: true,
    missing: missingDirectory,
    create: async (name) => (await import('toolport/adapters/opfs')).createOpfs({ name }),
    databases: () => [],
  },
  {
    kind: 'lightning-fs',
    label: 'lightning-fs',
    about: 'Kept in this browser, as isomorphic-git’s file system. For up to 5,000 files.',
    place: 'in lightning-fs',
    kept: true,
    missing: missingDatabase,
    create: async (name) => (await import('toolport/adapters/lightning-fs')).createLightningFs({ name: lightningName(name) }),
    databases: (name) => [lightningName(name), `${lightningName(name)}_lock`],
  },
  {
    kind: 'webcontainer',
    label: 'WebContainer',
    about: 'Files of a container that its vendor’s site runs in this tab, under its terms. Our tests run a stand-in. Gone with the tab.',
    place: 'in a WebContainer',
    kept: false,
    page: { label: 'Playground with WebContainer', address: 'webcontainer.html' },
    missing: missingContainer,
    create: async (name) => (await import('./container.js')).createContainerFs(name),
    databases: () => [],
  },
]

export const isKept = ({ kind }: Home): boolean => choiceOf(kind).kept

export function choiceOf(kind: HomeKind): HomeChoice {
  const found = homeChoices.find((choice) => choice.kind === kind)
  if (!found) throw new Error(`There is no storage "${kind}"`)
  return found
}
