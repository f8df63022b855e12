// @module-tag branches
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { plainFs } from './mounts-support.js'

const MOUNTS = ['m', 'n/o', 'm/b/c'] as const

interface Call {
  readonly method: 'write' | 'append' | 'mkdir' | 'move' | 'copy' | 'remove' | 'symlink' | 'read' | 'list' | 'stat'
  readonly path: string
  readonly to: string
  readonly flag: boolean
  readonly text: string
}

const path = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...MOUNTS, 'n', 'm/b') },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'm/', 'n/', 'n/o/', 'm/b/', 'm/b/c/'), fc.constantFrom('a', 'b', 'c', 'a/b', 'b/a'))
      .map((parts) => parts.join('')),
  },
)
const call: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom(
    'write',
    'write',
    'append',
    'mkdir',
    'move',
    'move',
    'move',
    'copy',
    'copy',
    'remove',
    'symlink',
    'read',
    'list',
    'stat',
  ),
  path,
  to: path,
  flag: fc.boolean(),
  text: fc.string({ maxLength: 5, unit: 'grapheme' }),
})

async function outcome(workspace: Workspace, { method, path, to, flag, text }: Call): Promise<unknown> {
  try {
    switch (method) {
      case 'write':
        return { ...(await workspace.writeText(path, text, flag ? { mode: 'create' } : {})), version: '' }
      case 'append':
        return { ...(await workspace.writeText(path, text, { mode: 'append' })), version: '' }
      case 'mkdir':
        return await workspace.mkdir(path, { parents: flag })
      case 'move':
        return await workspace.move(path, to, { overwrite: flag })
      case 'copy':
        return await workspace.copy(path, to, { overwrite: flag })
      case 'remove':
        return await workspace.remove(path, { recursive: flag })
      case 'symlink':
        return await workspace.symlink(`/workspace/${to}`, path)
      case 'read':
        return (await workspace.readText(path)).text
      case 'list':
        return (await workspace.list(path)).map(({ name, kind }) => `${name} ${kind}`)
      case 'stat':
        return (await workspace.stat(path)).kind
    }
  } catch (error) {
    const { code, path: named, dest } = error as Record<string, unknown>
    if (typeof code !== 'string') throw error
    return { code, path: named, dest }
  }
}

async function treeOf(workspace: Workspace): Promise<string[]> {
  const tree: string[] = []
  for await (const run of workspace.walk('.', { ignore: false })) {
    for (const { path, kind } of run) {
      if (kind === 'dir') tree.push(`${path}/`)
      else tree.push(`${path} ${kind === 'file' ? (await workspace.readText(path)).text : `-> ${await workspace.readlink(path)}`}`)
    }
  }
  return tree
}

for (const [what, make] of Object.entries({
  memories: () => createMemoryFs(),
  'storages that can do the least, below a memory': plainFs,
})) {
  it(`random calls over mounted ${what} give the results of one memory storage, including moves and copies`, async () => {
    const agrees = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }), async (calls) => {
      const quotas = { files: 1000, bytes: 100_000 }
      const mounted = createWorkspace({ fs: createMemoryFs(), mounts: Object.fromEntries(MOUNTS.map((at) => [at, make()])), quotas })
      const single = createWorkspace({ fs: createMemoryFs(), quotas })
      for (const at of MOUNTS) await single.mkdir(at)
      for (const each of calls) {
        const ours = (await outcome(mounted, each)) as { code?: string } | undefined
        // Only mounts reject changes of mount points and their parents (EBUSY), and plain storages lack symlinks (ENOTSUP).
        if (ours?.code === 'EBUSY' || ours?.code === 'ENOTSUP') continue
        expect(ours, JSON.stringify(each)).toEqual(await outcome(single, each))
      }
      expect(await treeOf(mounted)).toEqual(await treeOf(single))
    })
    await fc.assert(agrees, { numRuns: 150 })
  })
}
