// @module-tag checkpoints
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRuntime, createWorkspace, FsError, metaTools, toModelText, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp, freshRoot, nodeFs, root } from '../adapters/node-fixture.js'
import { checkpointCases, lastingCases, open, signs, treeOf } from './checkpoint-cases.js'
import { randomCheckpoints } from './checkpoint-random.js'

beforeEach(freshRoot)
afterEach(cleanUp)

const put = (path: string, text: string): void => writeFileSync(join(root, path), text)
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const kept = (folder = ''): string[] => readdirSync(join(root, '.toolport-checkpoints/scan', folder))
const blobs = (): string[] => kept('blobs').flatMap((name) => kept(`blobs/${name}`))

describe('checkpoints of a directory', () => {
  for (const [title, run] of Object.entries(checkpointCases)) it(title, () => run({ fs: nodeFs() }))
  for (const [title, run] of Object.entries(lastingCases)) it(title, () => run({ fs: nodeFs(), reopen: () => nodeFs() }))

  it('random calls, checkpoints and restores with reopening in between', { timeout: 600_000 }, async () => {
    await randomCheckpoints(
      () => {
        for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
        return nodeFs()
      },
      () => nodeFs(),
      12,
    )
  })

  it('restore reverts changes of other programs', async () => {
    const workspace = open(nodeFs())
    put('same-size', 'one')
    put('grown', '1')
    mkdirSync(join(root, 'd'))
    put('d/removed', 'x')
    put('moved', 'm')
    put('script', '#!')
    chmodSync(join(root, 'script'), 0o755)
    const before = await treeOf(workspace)
    await workspace.checkpoint()
    put('same-size', 'two')
    put('grown', '12')
    rmSync(join(root, 'd'), { recursive: true })
    renameSync(join(root, 'moved'), join(root, 'elsewhere'))
    chmodSync(join(root, 'script'), 0o644)
    put('made', 'new')
    expect(signs((await workspace.diff('c1')).changes)).toEqual([
      '- /workspace/d',
      '- /workspace/d/removed',
      '+ /workspace/elsewhere',
      '* /workspace/grown',
      '+ /workspace/made',
      '- /workspace/moved',
      '* /workspace/same-size',
      '* /workspace/script',
    ])
    await workspace.restore('c1')
    expect(await treeOf(workspace)).toEqual(before)
  })

  it('diff detects a change of the same size at the same time', async () => {
    const workspace = open(nodeFs())
    const then = new Date(2001, 1, 1)
    for (let i = 0; i < 20; i++) {
      put('f', `${i % 10}`)
      utimesSync(join(root, 'f'), then, then)
      const { id } = await workspace.checkpoint()
      put('f', 'x')
      utimesSync(join(root, 'f'), then, then)
      expect(signs((await workspace.diff(id)).changes)).toEqual(['* /workspace/f'])
    }
  })

  it('ignored files and .git folders are neither kept nor restored', async () => {
    const workspace = open(nodeFs())
    put('.gitignore', 'build/\n*.log\n')
    put('a.txt', 'one')
    for (const folder of ['build', '.git', 'pkg', 'pkg/node_modules']) mkdirSync(join(root, folder))
    put('build/out', 'big')
    put('.git/HEAD', 'ref')
    put('x.log', 'log')
    put('pkg/.gitignore', 'node_modules\n')
    put('pkg/node_modules/m', 'm')
    await workspace.checkpoint()
    expect(blobs()).toHaveLength(3)
    put('build/out', 'bigger')
    put('.git/HEAD', 'other')
    rmSync(join(root, 'x.log'))
    expect((await workspace.diff('c1')).changes).toEqual([])
    // Removed ignore rules must not turn ignored files into changes that a restore would remove.
    put('.gitignore', '')
    rmSync(join(root, 'pkg/.gitignore'))
    put('a.txt', 'two')
    expect(signs((await workspace.diff('c1')).changes)).toEqual([
      '* /workspace/.gitignore',
      '* /workspace/a.txt',
      '- /workspace/pkg/.gitignore',
    ])
    await workspace.restore('c1')
    expect([text('build/out'), text('pkg/node_modules/m'), text('a.txt'), text('.gitignore')]).toEqual([
      'bigger',
      'm',
      'one',
      'build/\n*.log\n',
    ])
    // New ignore rules must not hide removed or changed files.
    put('.gitignore', '*.txt\n')
    put('a.txt', 'three')
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/.gitignore', '* /workspace/a.txt'])
    rmSync(join(root, 'a.txt'))
    await workspace.restore('c1')
    expect(text('a.txt')).toBe('one')
    // A new directory that contains an ignored file is kept.
    mkdirSync(join(root, 'app'))
    put('app/.gitignore', 'cache\n')
    put('app/main', '')
    put('app/cache', 'c')
    const { changes, left } = await workspace.restore('c1')
    expect(left).toEqual(['/workspace/app'])
    expect(signs(changes)).toEqual(['- /workspace/app/.gitignore', '- /workspace/app/main'])
    expect(readdirSync(join(root, 'app'))).toEqual(['cache'])
    put('app/.gitignore', 'cache\n')
    const runtime = createRuntime({ workspace, tools: metaTools() })
    const restored = await runtime.execute({ name: 'restore_checkpoint', input: { checkpoint: 'c1' } })
    expect(restored).toMatchObject({ ok: true, output: { left: ['/workspace/app'] } })
    expect(toModelText(restored)).toContain('[not removed, because they contain files that no checkpoint has: /workspace/app]')
  })

  it('files that became ignored are restored, and kept for the undo', async () => {
    const workspace = open(nodeFs())
    mkdirSync(join(root, 'out'))
    put('a.txt', 'one')
    put('out/b', 'two')
    await workspace.checkpoint()
    put('.gitignore', '*.txt\nout\n')
    put('a.txt', 'ONE')
    put('out/b', 'TWO')
    put('out/c', 'never kept')
    // The newest checkpoint does not contain the ignored files, which the restore replaces.
    await workspace.checkpoint()
    const { checkpoint } = await workspace.restore('c1')
    expect(checkpoint.id).toBe('c3')
    expect([text('a.txt'), text('out/b'), text('out/c'), existsSync(join(root, '.gitignore'))]).toEqual(['one', 'two', 'never kept', false])
    await workspace.restore('c3')
    expect([text('a.txt'), text('out/b'), text('out/c'), text('.gitignore')]).toEqual(['ONE', 'TWO', 'never kept', '*.txt\nout\n'])
  })

  it('a read-only mount is left out because it cannot be restored', async () => {
    const docs = createMemoryFs({ files: { f: '1' } })
    const mounted = (readOnly: boolean): Workspace => open(nodeFs(), { mounts: { docs: { fs: docs, readOnly } } })
    put('a', 'one')
    // The mount was still writable for this checkpoint.
    await mounted(false).checkpoint()
    const workspace = mounted(true)
    await workspace.checkpoint()
    put('a', 'two')
    await docs.write('/f', new TextEncoder().encode('2'))
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/a'])
    expect((await workspace.diff('c1', 'c2')).changes).toEqual([])
    for (const id of ['c1', 'c2']) {
      await workspace.restore(id)
      expect(await workspace.files()).toEqual({ a: 'one', 'docs/f': '2' })
    }
  })

  it('versions of a remounted storage are not trusted', async () => {
    const mounted = (content: string): Workspace =>
      open(nodeFs(), { mounts: { docs: createMemoryFs({ files: { f: content }, now: () => 0 }) } })
    await mounted('one').checkpoint()
    const workspace = mounted('two')
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/docs/f'])
    await workspace.checkpoint()
    await workspace.restore('c1')
    await workspace.restore('c2')
    expect(await workspace.files()).toEqual({ 'docs/f': 'two' })
  })

  it('a content is stored once, and only if it changed', async () => {
    const fs = nodeFs()
    let reads: string[] = []
    const counted = {
      ...fs,
      read: (...args: Parameters<typeof fs.read>) => {
        reads.push(args[0])
        return fs.read(...args)
      },
    }
    const workspace = open(counted)
    const then = new Date(2001, 1, 1)
    for (let i = 0; i < 30; i++) {
      put(`f${i}`, `content ${i % 10}`)
      utimesSync(join(root, `f${i}`), then, then)
    }
    await workspace.checkpoint()
    expect(blobs()).toHaveLength(10)
    put('f7', 'another')
    reads = []
    await workspace.checkpoint()
    expect(reads.filter((path) => path.startsWith('/f'))).toEqual(['/f7'])
    expect(blobs()).toHaveLength(11)
    expect(readFileSync(join(root, '.toolport-checkpoints/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('contents without a checkpoint and leftovers are removed', async () => {
    const workspace = open(nodeFs(), { checkpoints: { keep: 2 } })
    for (const content of ['1', '2', '3', '1', '2']) {
      put('f', content)
      await workspace.checkpoint()
    }
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c4', 'c5'])
    expect(blobs()).toHaveLength(2)
    mkdirSync(join(root, '.toolport-checkpoints/scan/blobs/00'))
    put(`.toolport-checkpoints/scan/blobs/00/${'0'.repeat(64)}-1`, '?')
    put('f', '9')
    await workspace.checkpoint()
    expect(blobs()).toHaveLength(2)
    const { changes } = await open(nodeFs()).restore('c5')
    expect(signs(changes)).toEqual(['* /workspace/f'])
    expect(text('f')).toBe('2')
  })

  it('the oldest checkpoints are dropped above the limit in bytes, and a too large tree is rejected', async () => {
    const workspace = open(nodeFs(), { checkpoints: { bytes: 3000 } })
    for (let i = 0; i < 5; i++) {
      put('f', `${i}`.repeat(1000))
      await workspace.checkpoint()
    }
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c4', 'c5'])
    put('g', 'g'.repeat(2500))
    await expect(workspace.checkpoint()).rejects.toMatchObject({
      code: 'ENOSPC',
      path: '/workspace',
      message: expect.stringContaining('exceed the limit of 3000 bytes, the largest so far is "g" with 2500: list files to skip'),
    })
    expect(blobs()).toHaveLength(2)
    put('.gitignore', 'g\n')
    await workspace.checkpoint()
    await workspace.restore('c5')
    expect(text('g')).toBe('g'.repeat(2500))
  })

  it('damaged or missing content is reported, and nothing is restored', async () => {
    const workspace = open(nodeFs())
    put('a', 'one')
    put('b', 'uno')
    await workspace.checkpoint()
    put('a', 'two')
    put('b', 'due')
    const blob = blobs().find((name) => name.startsWith('7692c3ad')) as string
    put(`.toolport-checkpoints/scan/blobs/76/${blob}`, 'eno')
    await expect(workspace.restore('c1')).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('damaged') })
    expect([text('a'), text('b')]).toEqual(['two', 'due'])
    rmSync(join(root, '.toolport-checkpoints'), { recursive: true })
    expect(await workspace.checkpoints()).toEqual([])
    expect(await workspace.checkpoint()).toMatchObject({ id: 'c3' })
    put('a', 'three')
    await workspace.restore('c3')
    expect(text('a')).toBe('two')
  })

  it('an unreadable checkpoint keeps its contents when others are dropped', async () => {
    put('a', 'one')
    await open(nodeFs()).checkpoint()
    put('a', 'two')
    await open(nodeFs()).checkpoint()
    const fs = nodeFs()
    const failing = {
      ...fs,
      read: (...args: Parameters<typeof fs.read>) =>
        args[0].endsWith('/c1') ? Promise.reject(new FsError({ code: 'EIO', op: 'read', path: args[0] })) : fs.read(...args),
    }
    const workspace = open(failing, { checkpoints: { keep: 1 } })
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c2'])
    put('a', 'three')
    await workspace.checkpoint()
    put('a', 'four')
    await workspace.checkpoint()
    await open(nodeFs()).restore('c1')
    expect(text('a')).toBe('one')
  })

  it('a checkpoint with an invalid time is not listed', async () => {
    const workspace = open(nodeFs())
    await workspace.checkpoint()
    put('.toolport-checkpoints/scan/c7', '{"format":1,"time":1e300}\n0\n')
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c1'])
    expect(await workspace.checkpoint()).toMatchObject({ id: 'c8' })
  })

  it('the checkpoint folder is hidden from tools', async () => {
    const fs = createNodeFs({ root })
    const workspace = createWorkspace({ fs })
    put('a', '1')
    await workspace.checkpoint()
    expect((await workspace.list('.')).map(({ name }) => name)).toEqual(['a'])
    expect(existsSync(join(root, '.toolport-checkpoints'))).toBe(true)
    await fs.close()
  })

  it('the second checkpoint of 3,000 files reads no file', { timeout: 600_000 }, async () => {
    const fs = nodeFs()
    let reads = 0
    const counted = {
      ...fs,
      read: (...args: Parameters<typeof fs.read>) => {
        if (args[0].startsWith('/d')) reads++
        return fs.read(...args)
      },
    }
    const then = new Date(2001, 1, 1)
    for (let d = 0; d < 30; d++) {
      mkdirSync(join(root, `d${d}`))
      for (let i = 0; i < 100; i++) {
        put(`d${d}/f${i}`, `${i}`)
        utimesSync(join(root, `d${d}/f${i}`), then, then)
      }
    }
    const workspace = open(counted)
    await workspace.checkpoint()
    expect(reads).toBe(3000)
    put('d7/f7', 'changed')
    await workspace.checkpoint()
    expect(reads).toBe(3001)
    expect(signs((await workspace.diff('c1', 'c2')).changes)).toEqual(['* /workspace/d7/f7'])
  })
})
