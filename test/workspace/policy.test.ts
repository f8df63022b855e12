// @module-tag paths
import { createRuntime, fileTools, type PathRule, toBashFs, toNodeFs, type Workspace, type WorkspacePolicy } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const FILES = {
  'a.txt': 'a',
  'secrets/key': 'k',
  'secrets/deep/key2': 'k2',
  'src/.env': 'e',
  'src/a.ts': 'a',
  'readonly/x': 'x',
}

const rules = (...paths: PathRule[]): Workspace => createTestWorkspace({ files: FILES, policy: { paths } }).workspace
const denied = { code: 'EACCES' }

describe('read-only mode', () => {
  const policy: WorkspacePolicy = { readOnly: true, paths: [{ paths: '**', action: 'allow' }] }
  const changes: Record<string, (workspace: Workspace) => Promise<unknown>> = {
    writeText: (workspace) => workspace.writeText('a.txt', 'b'),
    create: (workspace) => workspace.writeText('new', 'b', { mode: 'create' }),
    append: (workspace) => workspace.writeText('a.txt', 'b', { mode: 'append' }),
    writeBytes: (workspace) => workspace.writeBytes('a.txt', new Uint8Array(1)),
    mkdir: (workspace) => workspace.mkdir('new'),
    symlink: (workspace) => workspace.symlink('a.txt', 'new'),
    setMeta: (workspace) => workspace.setMeta('a.txt', { mode: 0o600 }),
    remove: (workspace) => workspace.remove('a.txt'),
    removeTree: (workspace) => workspace.remove('src', { recursive: true }),
    move: (workspace) => workspace.move('a.txt', 'b.txt'),
    copy: (workspace) => workspace.copy('a.txt', 'b.txt'),
    locked: (workspace) => workspace.locked(['a.txt'], (locked) => locked.writeText('a.txt', 'b')),
    scope: (workspace) => workspace.scope({ approve: async () => true }).writeText('a.txt', 'b'),
    'node writeFile': (workspace) => toNodeFs(workspace).promises.writeFile('a.txt', 'b'),
    'bash rm': (workspace) => toBashFs(workspace, { scratch: createMemoryFs() }).rm('/workspace/a.txt', { force: true }),
  }

  for (const [name, change] of Object.entries(changes)) {
    it(`rejects ${name}, whatever the rules say`, async () => {
      const { workspace, files } = createTestWorkspace({ files: FILES, policy })
      await expect(change(workspace)).rejects.toMatchObject({ code: 'EROFS' })
      expect(await files()).toEqual(FILES)
    })
  }

  it('allows reading, and writing to private directories of a shell', async () => {
    const { workspace } = createTestWorkspace({ files: FILES, policy })
    expect(workspace.readOnly).toBe(true)
    expect((await workspace.readText('a.txt')).text).toBe('a')
    expect((await workspace.list('src')).length).toBe(2)
    const bash = toBashFs(workspace, { scratch: createMemoryFs() })
    await bash.writeFile('/tmp/x', 'x')
    expect(await bash.readFile('/tmp/x')).toBe('x')
  })
})

describe('path rules', () => {
  it('apply in order: the first match decides', async () => {
    const workspace = rules(
      { paths: 'secrets/key', action: 'allow' },
      { paths: ['secrets/**', '**/.env'], action: 'deny', reason: 'these are secret' },
    )
    expect((await workspace.readText('secrets/key')).text).toBe('k')
    await expect(workspace.readText('secrets/deep/key2')).rejects.toMatchObject({ ...denied, path: '/workspace/secrets/deep/key2' })
    await expect(workspace.readText('src/.env')).rejects.toThrow('EACCES: Cannot read "/workspace/src/.env": these are secret')
    await expect(workspace.writeText('.env', '')).rejects.toMatchObject(denied)
    await expect(workspace.exists('src/.env')).rejects.toMatchObject(denied)
    expect((await workspace.readText('src/a.ts')).text).toBe('a')
  })

  it('can apply only to reading or only to writing', async () => {
    const workspace = rules(
      { paths: 'readonly/**', access: 'write', action: 'deny' },
      { paths: 'secrets/**', access: 'read', action: 'deny' },
    )
    expect((await workspace.readText('readonly/x')).text).toBe('x')
    await expect(workspace.writeText('readonly/x', '')).rejects.toMatchObject(denied)
    await expect(workspace.setMeta('readonly/x', { mode: 0o777 })).rejects.toMatchObject(denied)
    await expect(workspace.readBytes('secrets/key')).rejects.toMatchObject(denied)
    await workspace.writeText('secrets/new', 'dropped in')
  })

  it('apply to the target of a link, not to the link', async () => {
    const workspace = rules({ paths: 'secrets/**', action: 'deny' })
    await workspace.symlink('secrets', 'harmless')
    await workspace.symlink('../secrets/key', 'src/b.ts')
    for (const path of ['harmless/key', 'src/b.ts', 'src/../harmless/deep/key2']) {
      await expect(workspace.readText(path), path).rejects.toMatchObject(denied)
      await expect(workspace.writeText(path, ''), path).rejects.toMatchObject(denied)
    }
    await workspace.remove('src/b.ts')
  })

  it('cannot be bypassed by copying or moving', async () => {
    for (const access of [undefined, 'read'] as const) {
      const workspace = rules({ paths: 'secrets/**', action: 'deny', ...(access && { access }) })
      for (const from of ['secrets/key', 'secrets/deep', 'secrets']) {
        await expect(workspace.copy(from, 'public'), from).rejects.toMatchObject(denied)
        await expect(workspace.move(from, 'public'), from).rejects.toMatchObject(denied)
        expect(await workspace.files(), from).toEqual(FILES)
      }
    }
  })

  it('allow copying a file that may be read but not written', async () => {
    const workspace = rules({ paths: 'readonly/**', access: 'write', action: 'deny' })
    await workspace.copy('readonly/x', 'x')
    await workspace.copy('readonly', 'all')
    await expect(workspace.move('readonly/x', 'y')).rejects.toMatchObject(denied)
    expect(Object.keys(await workspace.files())).toEqual(expect.arrayContaining(['x', 'all/x', 'readonly/x']))
  })

  it('protect files in a directory that is removed, moved or copied', async () => {
    const workspace = rules({ paths: '**/.env', action: 'deny' })
    const protectedPath = { ...denied, path: '/workspace/src/.env' }
    await expect(workspace.remove('src', { recursive: true })).rejects.toMatchObject(protectedPath)
    await expect(workspace.move('src', 'elsewhere')).rejects.toMatchObject(protectedPath)
    await expect(workspace.copy('src', 'elsewhere')).rejects.toMatchObject(protectedPath)
    expect(await workspace.files()).toEqual(FILES)
    expect(await workspace.exists('elsewhere')).toBe(false)
    await workspace.remove('secrets', { recursive: true })
  })

  it('protect the paths that a moved or copied directory would fill', async () => {
    const workspace = rules({ paths: ['target/deep/*', 'other/a.ts'], access: 'write', action: 'deny' })
    await expect(workspace.move('secrets', 'target')).rejects.toMatchObject({ ...denied, path: '/workspace/target/deep/key2' })
    await expect(workspace.copy('secrets', 'target')).rejects.toMatchObject({ ...denied, path: '/workspace/target/deep/key2' })
    await expect(workspace.copy('src', 'other')).rejects.toMatchObject({ ...denied, path: '/workspace/other/a.ts' })
    expect(await workspace.files()).toEqual(FILES)
    expect(await workspace.exists('other')).toBe(false)
  })

  it('are EACCES in toNodeFs and toBashFs', async () => {
    const workspace = rules({ paths: 'secrets/**', action: 'deny' }, { paths: 'src/**', action: 'ask', reason: 'ask me' })
    const node = toNodeFs(workspace).promises
    const bash = toBashFs(workspace, { scratch: createMemoryFs() })
    for (const path of ['/workspace/secrets/key', '/workspace/src/a.ts']) {
      await expect(node.readFile(path)).rejects.toMatchObject(denied)
      await expect(node.writeFile(path, '')).rejects.toMatchObject(denied)
      await expect(bash.readFile(path)).rejects.toThrow(/^EACCES: /)
      await expect(bash.rm(path, { force: true })).rejects.toThrow(/^EACCES: /)
      await expect(bash.cp(path, '/tmp/x')).rejects.toThrow(/^EACCES: /)
    }
    await expect(node.rm('secrets', { recursive: true })).rejects.toMatchObject(denied)
    expect(await workspace.files()).toEqual(FILES)
  })
})

describe('path rules with "ask"', () => {
  const ask: PathRule = { paths: 'src/**', action: 'ask', reason: 'mind the sources' }

  it('deny if no approver is configured', async () => {
    const error = { name: 'PolicyError', code: 'approval_required', rule: 'src/**', reason: 'mind the sources' }
    await expect(rules(ask).readText('src/a.ts')).rejects.toMatchObject(error)
    await expect(rules(ask).scope({}).writeText('src/a.ts', '')).rejects.toMatchObject(error)
  })

  it('pass the resolved path to the approver', async () => {
    const workspace = rules(ask)
    await workspace.symlink('src', 'link')
    const asked: unknown[] = []
    const scoped = workspace.scope({ approve: async (request) => asked.push(request) === 1 })
    expect((await scoped.readText('link/a.ts')).text).toBe('a')
    expect(asked).toEqual([{ path: '/workspace/src/a.ts', access: 'read', reason: 'mind the sources' }])
    await expect(scoped.writeText('link/a.ts', '')).rejects.toMatchObject({ code: 'approval_required' })
    expect(asked[1]).toMatchObject({ path: '/workspace/src/a.ts', access: 'write' })
    await scoped.locked(['a.txt'], (locked) => expect(locked.readText('src/.env')).rejects.toMatchObject({ code: 'approval_required' }))
  })

  it('ask once per path and access in one call, and again in the next', async () => {
    const asked: string[] = []
    const { workspace } = createTestWorkspace({ files: FILES, policy: { paths: [ask] } })
    await workspace.symlink('src', 'link')
    const approve = async (request: { path?: string; access?: string }): Promise<boolean> =>
      asked.push(`${request.access} ${request.path}`) > 0
    const runtime = createRuntime({ workspace, tools: fileTools(), policy: { approve } })
    await runtime.call('read_file', { path: 'src/a.ts' })
    expect(asked.splice(0)).toEqual(['read /workspace/src/a.ts'])
    await runtime.call('edit_file', { path: 'link/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] })
    expect(asked.splice(0)).toEqual(['read /workspace/src/a.ts', 'write /workspace/src/a.ts'])
    await runtime.call('move_file', { from: 'src/a.ts', to: 'b.ts' })
    expect(asked.splice(0).sort()).toEqual(['read /workspace/src/a.ts', 'write /workspace/src/a.ts'])
  })

  it('deny the whole call after a rejection, and nothing changes', async () => {
    const { workspace } = createTestWorkspace({ files: FILES, policy: { paths: [ask] } })
    const runtime = createRuntime({ workspace, tools: fileTools(), policy: { approve: async () => false } })
    for (const [name, input] of [
      ['write_file', { path: 'src/new.ts', content: 'x' }],
      ['edit_file', { path: 'src/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }],
      ['move_file', { from: 'src/a.ts', to: 'x' }],
      ['move_file', { from: 'a.txt', to: 'src/x' }],
      ['delete_file', { path: 'src', recursive: true }],
    ] as const) {
      expect((await runtime.execute({ name, input })).output, name).toMatchObject({ code: 'approval_required', status: 'denied' })
    }
    const { fs } = workspace
    expect((await fs.readdir('/src')).map(({ name }) => name).sort()).toEqual(['.env', 'a.ts'])
  })
})
