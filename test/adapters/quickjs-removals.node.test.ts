// @module-tag quickjs
import { createWorkspace, FsError, type PathRule, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { afterAll, describe, expect, it } from 'vitest'

const opened: Workspace[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
})

interface Given {
  readonly before: (workspace: Workspace) => Promise<unknown>
  readonly program: string
  readonly meanwhile?: (workspace: Workspace) => Promise<unknown>
  readonly snapshot?: { readonly maxFiles?: number }
  readonly rules?: readonly PathRule[]
}

async function run({ before, program, meanwhile, snapshot = {}, rules = [] }: Given): Promise<object> {
  const fs = createMemoryFs()
  const workspace = createWorkspace({ fs })
  opened.push(workspace)
  await before(workspace)
  const ruled = createWorkspace({ fs, policy: { paths: rules } })
  const invokeTool = async (): Promise<void> => void (await meanwhile?.(workspace))
  const { stdout, stderr, exitCode } = await createQuickJs({ worker: false, snapshot })(ruled).run({
    code: `import fs from 'node:fs'\nimport * as p from 'node:fs/promises'\n${program}\nawait invokeTool('x', {})`,
    grants: { fs: 'write', invokeTool },
  })
  const names = (await workspace.list('/workspace')).map(({ name, kind }) => `${name} ${kind}`)
  return { stdout, stderr: stderr.replaceAll(/: .*/g, ''), exitCode, names }
}

const replacing = (path: string, put: (workspace: Workspace) => Promise<unknown>) => async (workspace: Workspace) => {
  await workspace.remove(path)
  await put(workspace)
}

describe('a removal by a program', () => {
  const link = async (workspace: Workspace): Promise<void> => workspace.symlink('target', 'it')
  const dir = (workspace: Workspace): Promise<unknown> => workspace.mkdir('it')
  const file = (workspace: Workspace): Promise<unknown> => workspace.writeText('it', 'theirs')

  for (const [known, before, remove] of [
    ['a link', link, `fs.unlinkSync('it')`],
    ['an empty directory', dir, `fs.rmdirSync('it')`],
    ['a link that is replaced', link, `fs.unlinkSync('it'); fs.mkdirSync('it')`],
  ] as const) {
    it(`fails for a file that somebody put in the place of ${known}`, async () => {
      const found = await run({ before, program: remove, meanwhile: replacing('it', file) })
      expect(found).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^ESTALE\n/), names: ['it file'] })
    })
  }

  it('works for a link whose target may not be read', async () => {
    const storage = createMemoryFs()
    const fs = new Proxy(storage, {
      get(target, name: keyof typeof storage) {
        const own = target[name]
        if (name !== 'lstat') return typeof own === 'function' ? own.bind(target) : own
        return async (path: string) => {
          if (path.includes('/secret/')) throw new FsError({ code: 'EACCES', op: name, path })
          return target[name](path)
        }
      },
    })
    const workspace = createWorkspace({ fs })
    opened.push(workspace)
    await workspace.symlink('secret/x', 'it')
    const program = `import fs from 'node:fs'; fs.unlinkSync('it')`
    const { stderr, exitCode } = await createQuickJs({ worker: false })(workspace).run({ code: program, grants: { fs: 'write' } })
    expect([stderr, exitCode, await workspace.list('/workspace')]).toEqual(['', 0, []])
  })

  it('fails for a directory or a link that replaced a link', async () => {
    const program = `fs.unlinkSync('it')`
    const stale = { exitCode: 1, stderr: 'ESTALE\n' }
    expect(await run({ before: link, program, meanwhile: replacing('it', dir) })).toMatchObject({ ...stale, names: ['it dir'] })
    const other = replacing('it', (workspace) => workspace.symlink('other', 'it'))
    expect(await run({ before: link, program, meanwhile: other })).toMatchObject({ ...stale, names: ['it symlink'] })
  })

  it('fails for a link that replaced a file or directory', async () => {
    const stale = { exitCode: 1, stderr: 'ESTALE\n', names: ['it symlink'] }
    expect(await run({ before: file, program: `fs.rmSync('it')`, meanwhile: replacing('it', link) })).toMatchObject(stale)
    expect(await run({ before: dir, program: `fs.rmdirSync('it')`, meanwhile: replacing('it', link) })).toMatchObject(stale)
  })

  it('works for a link with any target', async () => {
    for (const target of ['none/deep/er', 'it', '../../outside', 'file/x']) {
      const before = async (workspace: Workspace): Promise<void> => {
        await workspace.writeText('file', '')
        await workspace.fs.symlink?.(target, 'it')
      }
      expect(await run({ before, program: `fs.unlinkSync('it')` })).toMatchObject({ exitCode: 0, stderr: '', names: ['file file'] })
    }
  })

  it('fails for a directory that is no longer empty', async () => {
    const meanwhile = (workspace: Workspace): Promise<unknown> => workspace.writeText('it/new', 'theirs')
    const found = await run({ before: dir, program: `fs.rmdirSync('it')`, meanwhile })
    expect(found).toMatchObject({ exitCode: 1, stderr: 'ENOTEMPTY\n', names: ['it dir'] })
  })

  it('works for an unchanged or already removed entry', async () => {
    for (const meanwhile of [undefined, (workspace: Workspace) => workspace.remove('it')]) {
      for (const before of [link, dir, file]) {
        const given = { before, program: `fs.rmSync('it', { recursive: true })`, ...(meanwhile && { meanwhile }) }
        expect(await run(given)).toMatchObject({ exitCode: 0, stderr: '', names: [] })
      }
    }
  })
})

describe('a new directory of a program', () => {
  it('does not replace a file that somebody created', async () => {
    const program = `fs.mkdirSync('it'); fs.writeFileSync('it/x', 'mine')`
    const meanwhile = (workspace: Workspace): Promise<unknown> => workspace.writeText('it', 'theirs')
    const found = await run({ before: async () => undefined, program, meanwhile })
    expect(found).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^EEXIST\n/), names: ['it file'] })
  })

  it('may already exist', async () => {
    const program = `fs.mkdirSync('it'); fs.writeFileSync('it/x', 'mine')`
    const meanwhile = (workspace: Workspace): Promise<unknown> => workspace.mkdir('it')
    expect(await run({ before: async () => undefined, program, meanwhile })).toMatchObject({ exitCode: 0, stderr: '', names: ['it dir'] })
  })
})

describe('a file that may not be read', () => {
  const rules: readonly PathRule[] = [{ paths: 'secret', access: 'read', action: 'deny' }]
  const before = (workspace: Workspace): Promise<unknown> => workspace.writeText('secret', 'S')
  const removals = [
    `fs.unlinkSync('secret')`,
    `await p.unlink('secret')`,
    `await p.rm('secret')`,
    `await p.rm('secret', { recursive: true, force: true })`,
  ]

  for (const snapshot of [{}, { maxFiles: 0 }]) {
    for (const program of removals) {
      if (program.includes('Sync') && 'maxFiles' in snapshot) continue
      it(`can be removed: ${program}, ${JSON.stringify(snapshot)}`, async () => {
        expect(await run({ before, program, snapshot, rules })).toMatchObject({ exitCode: 0, stderr: '', names: [] })
      })
    }

    it(`is neither read nor visible when it is removed: ${JSON.stringify(snapshot)}`, async () => {
      const program = `const told = (work) => work.then(() => console.log('done'), ({ code }) => console.log(code))
        await told(p.readFile('secret')); await told(p.stat('secret')); await told(p.copyFile('secret', 'copy')); await told(p.rename('secret', 'other'))
        await told(p.rmdir('secret')); await told(p.unlink('none'))`
      expect(await run({ before, program, snapshot, rules })).toMatchObject({
        stdout: 'EACCES\nEACCES\nEACCES\nEACCES\nENOTDIR\nENOENT\n',
        exitCode: 0,
        names: ['secret file'],
      })
    })
  }

  it('cannot be removed without write access', async () => {
    const none: readonly PathRule[] = [{ paths: 'secret', action: 'deny' }]
    const found = await run({ before, program: `await p.unlink('secret')`, rules: none })
    expect(found).toMatchObject({ exitCode: 1, names: ['secret file'] })
  })

  it('can be stat’ed and removed if only its content is unreadable', async () => {
    const fs = createMemoryFs()
    const workspace = createWorkspace({ fs })
    opened.push(workspace)
    await before(workspace)
    fs.read = (path) => Promise.reject(new FsError({ code: 'EACCES', op: 'read', path }))
    const code = `import * as p from 'node:fs/promises'; console.log((await p.stat('secret')).size)
      await p.readFile('secret').catch(({ code }) => console.log(code)); await p.unlink('secret')`
    const { stdout, stderr, exitCode } = await createQuickJs({ worker: false })(workspace).run({ code })
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '1\nEACCES\n', stderr: '', exitCode: 0 })
    expect(await workspace.list('/workspace')).toEqual([])
  })
})
