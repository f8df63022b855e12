// @module-tag paths
import { createWorkspace, type FsAdapter, type PathRule, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'

const open = (rules: readonly PathRule[], can: Partial<FsAdapter['can']> = {}): Workspace => {
  const memory = createMemoryFs({ files: { 'secrets/key': 'k', 'secrets/deep/er': 'k', 'a/.env/x': 'k', 'a/b': 'open' } })
  return createWorkspace({ fs: { ...memory, can: { ...memory.can, ...can } }, policy: { paths: rules } })
}
const denied = (workspace: Workspace, path: string): Promise<boolean> =>
  workspace.readBytes(path).then(
    () => false,
    (error: { readonly code?: string }) => error.code === 'EACCES',
  )

describe('a path rule', () => {
  it.each(['secrets', 'secrets/', 'secrets/**', 'sec*', '{secrets,other}'])('%j covers everything below a match', async (paths) => {
    const workspace = open([{ paths, action: 'deny' }])
    expect(await denied(workspace, 'secrets/key')).toBe(true)
    expect(await denied(workspace, 'secrets/deep/er')).toBe(true)
    expect(await denied(workspace, 'a/b')).toBe(false)
  })

  it('excludes matches of a "!" glob and everything below', async () => {
    const workspace = open([{ paths: ['secrets', '!secrets/deep'], action: 'deny' }])
    expect(await denied(workspace, 'secrets/key')).toBe(true)
    expect(await denied(workspace, 'secrets/deep/er')).toBe(false)
  })

  it('matches names at any depth', async () => {
    expect(await denied(open([{ paths: '**/.env', action: 'deny' }]), 'a/.env/x')).toBe(true)
  })

  it('ignores case if the storage does', async () => {
    const rules: PathRule[] = [{ paths: 'SECRETS', action: 'deny' }]
    expect(await denied(open(rules), 'secrets/key')).toBe(false)
    expect(await denied(open(rules, { caseSensitive: false }), 'secrets/key')).toBe(true)
  })

  it.each([
    [{ paths: '/secrets', action: 'deny' }, 'begins with a slash'],
    [{ paths: ['a', '!/secrets'], action: 'deny' }, 'begins with a slash'],
    [{ paths: 'secrets', action: 'delete' }, 'action "delete"'],
    [{ paths: 'secrets', action: 'deny', access: 'delete' }, 'access "delete"'],
    [{ path: 'secrets', action: 'deny' }, 'needs "paths"'],
    [{ paths: [], action: 'deny' }, 'needs "paths"'],
    [{ paths: '', action: 'deny' }, 'matches nothing'],
    [{ paths: ['a', '!'], action: 'deny' }, 'matches nothing'],
    [{ paths: 'a/../b', action: 'deny' }, 'matches nothing'],
    [{ paths: '..', action: 'deny' }, 'matches nothing'],
    [{ paths: 'a\0b', action: 'deny' }, 'matches nothing'],
  ])('%j is rejected at once', (rule, words) => {
    expect(() => open([rule as unknown as PathRule])).toThrow(words)
  })

  it('a path rule with an invalid glob denies everything', async () => {
    const workspace = open([{ paths: '{1..2000}', action: 'deny' }])
    for (let i = 0; i < 2; i++) await expect(workspace.readText('a/b')).rejects.toThrow('expands to more than')
  })
})
