import { createWorkspace, type Workspace, type WorkspaceOptions } from 'toolport'
import { createGit, type Git, type GitOptions } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect } from 'vitest'
import type { FsAdapter } from '../../src/types/fs.js'

export const author = { name: 'Ada', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: -60 }

export interface Made {
  readonly workspace: Workspace
  readonly git: Git
}

/** A repository in memory in which these files are committed. */
export async function repository(
  files: Readonly<Record<string, string>> = {},
  options: Partial<GitOptions> = {},
  workspaceOptions: Partial<WorkspaceOptions> = {},
): Promise<Made> {
  const workspace = createWorkspace({ fs: createMemoryFs(), ...workspaceOptions })
  const git = createGit({ workspace, author, ...options })
  await git.init()
  for (const [path, text] of Object.entries(files)) await workspace.writeText(path, text)
  if (Object.keys(files).length > 0) {
    await git.add({ paths: ['.'] })
    await git.commit({ message: 'first' })
  }
  return { workspace, git }
}

/** A host whose clock stands still, so that all writes have the same time. */
export const stopped = { now: () => 1_700_000_000_000, random: () => 0.5, sleep: async () => undefined, yield: async () => undefined }

export async function read(workspace: Workspace, path: string): Promise<string> {
  return (await workspace.readText(path)).text
}

/** All files except those of `.git`. */
export async function files(workspace: Workspace): Promise<Record<string, string | Uint8Array>> {
  return Object.fromEntries(Object.entries(await workspace.files()).filter(([path]) => !/(^|\/)\.git\//.test(path)))
}

/** The memory adapter without the optional parts that some storages lack. */
export function bareFs(): FsAdapter {
  const { readlink: _, symlink: __, setMeta: ___, ...rest } = bound(createMemoryFs())
  return { ...rest, can: { ...rest.can, mode: false } }
}

/** The memory adapter with hooks that run before a path is looked up or written. */
export function hooked(): FsAdapter & { beforeLstat?: (path: string) => void; beforeWrite?: (path: string) => void } {
  const fs = bound(createMemoryFs())
  const hooks: ReturnType<typeof hooked> = {
    ...fs,
    lstat: async (path) => {
      hooks.beforeLstat?.(path)
      return fs.lstat(path)
    },
    write: async (path, bytes, options) => {
      hooks.beforeWrite?.(path)
      return fs.write(path, bytes, options)
    },
  }
  return hooks
}

const METHODS = ['lstat', 'readdir', 'read', 'write', 'mkdir', 'unlink', 'rmdir', 'rename', 'flush', 'close'] as const
const OPTIONAL = ['append', 'copy', 'rmTree', 'readlink', 'symlink', 'setMeta'] as const

function bound(fs: FsAdapter): FsAdapter {
  const methods = [...METHODS, ...OPTIONAL].map((name) => [name, fs[name]?.bind(fs)])
  return { name: fs.name, can: fs.can, ...Object.fromEntries(methods) } as FsAdapter
}

export const refusal = (name: string, code: string, text: string | RegExp): Error =>
  expect.objectContaining({
    name,
    code,
    message: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
  })

export const inputError = (text: string | RegExp): Error => refusal('InputError', 'invalid_input', text)
