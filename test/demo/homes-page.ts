import { createWorkspace, type FsAdapter } from 'toolport'
import { afterEach, beforeEach, onTestFinished, vi } from 'vitest'
import { choiceOf, type Home, type HomeKind } from '../../demo/src/homes/homes.js'
import { rememberHome } from '../../demo/src/homes/known-homes.js'
import { writeFiles } from '../../demo/src/homes/open-session.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'

export const KEY = 'toolport.workspaces'
export const KEPT = ['indexeddb', 'opfs', 'lightning-fs'] as const satisfies readonly HomeKind[]
export const FILES = { 'README.md': '# Kept\n', 'src/a.ts': 'export const a = 1\n', 'src/deep/b.ts': 'export const b = 2\n' }
/** A workspace with a unique name, which is deleted after the test. */
export function newHome(kind: HomeKind): Home {
  const home = { kind, name: `test-${crypto.randomUUID()}` }
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await deleteHome(home)
  })
  return home
}

/** Opens the storage as another tab does. At the latest, the storage is closed after the test. */
export async function opened({ kind, name }: Home): Promise<FsAdapter> {
  const fs = await choiceOf(kind).create(name)
  onTestFinished(() => fs.close())
  await fs.open?.()
  return fs
}

export async function within<T>(home: Home, work: (fs: FsAdapter) => Promise<T>): Promise<T> {
  const fs = await opened(home)
  try {
    return await work(fs)
  } finally {
    await fs.close()
  }
}

export const put = (fs: FsAdapter): Promise<void> => writeFiles(createWorkspace({ fs }), FILES)
export const filesIn = (fs: FsAdapter): Promise<unknown> => createWorkspace({ fs }).files()
export const filesOf = (home: Home): Promise<unknown> => within(home, filesIn)
/** Creates a stored workspace, as an earlier visit would have done. */
export async function keep(home: Home): Promise<void> {
  await within(home, put)
  rememberHome(home, 1)
}

/** Registers hooks that clear the list of workspaces before and after each test, and restore mocks after it. */
export function useHomesPage(): void {
  beforeEach(() => localStorage.removeItem(KEY))

  afterEach(() => {
    vi.restoreAllMocks()
    localStorage.removeItem(KEY)
  })
}
