// @module-tag checkpoints
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp, freshRoot, nodeFs, root } from '../adapters/node-fixture.js'
import { open, signs } from './checkpoint-cases.js'

beforeEach(freshRoot)
afterEach(cleanUp)

const put = (path: string, text: string): void => writeFileSync(join(root, path), text)
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

/** A directory that counts reads and lookups outside the checkpoints' folder. */
function counted() {
  const fs = nodeFs()
  const count = { lstat: 0, read: 0, readdir: 0 }
  const counting =
    <K extends keyof typeof count>(key: K) =>
    (path: string, ...rest: []) => {
      if (!path.startsWith('/.toolport-checkpoints')) count[key]++
      return (fs[key] as (path: string, ...rest: []) => ReturnType<(typeof fs)[K]>)(path, ...rest)
    }
  return { fs: { ...fs, lstat: counting('lstat'), read: counting('read'), readdir: counting('readdir') } as typeof fs, count }
}

const LIGHT = { scan: false } as const

describe('checkpoints of a directory without a scan', () => {
  it('read only what changes', async () => {
    mkdirSync(join(root, 'd'))
    for (let i = 0; i < 200; i++) put(`d/f${i}`, `${i}`)
    const { fs, count } = counted()
    const workspace = open(fs)
    await workspace.checkpoint(LIGHT)
    expect(count).toEqual({ lstat: 0, read: 0, readdir: 0 })
    await workspace.writeText('d/f7', 'changed')
    await workspace.checkpoint({ ...LIGHT, reuse: true })
    await workspace.writeText('d/f8', 'changed')
    await workspace.restore('c1')
    expect(count.readdir).toBe(0)
    expect(count.lstat + count.read).toBeLessThan(60)
    expect([text('d/f7'), text('d/f8')]).toEqual(['7', '8'])
  })

  it('are reused if nothing was kept since, and a scan is created on request', async () => {
    const workspace = open(nodeFs())
    const make = async (scan: boolean): Promise<string> => (await workspace.checkpoint({ scan, reuse: true })).id
    expect([await make(false), await make(false)]).toEqual(['c1', 'c1'])
    expect([await make(true), await make(true)]).toEqual(['c2', 'c2'])
    expect([await make(false), await make(false)]).toEqual(['c3', 'c3'])
    await workspace.writeText('a', '1')
    expect([await make(false), await make(false), await make(true)]).toEqual(['c4', 'c4', 'c5'])
  })

  it('keep changes of a shell as the next scan saw them, and do not revert them', async () => {
    const workspace = open(nodeFs())
    put('tool', '1')
    put('shell', '1')
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('tool', '2')
    put('shell', '2')
    await workspace.checkpoint()
    put('shell', '3')
    put('tool', '3')
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('tool', '4')
    expect(signs((await workspace.diff('c1', 'c2')).changes)).toEqual(['* /workspace/tool'])
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/shell', '* /workspace/tool'])
    expect(signs((await workspace.diff('c3')).changes)).toEqual(['* /workspace/tool'])
    await workspace.restore('c3')
    expect([text('tool'), text('shell')]).toEqual(['3', '3'])
    await workspace.restore('c1')
    expect([text('tool'), text('shell')]).toEqual(['1', '2'])
  })

  it('keep an ignored file that a tool changes, but no ignored directory, .git or outputs', async () => {
    const workspace = open(nodeFs())
    put('.gitignore', '.env\nbuild\n')
    put('.env', 'KEY=1')
    for (const folder of ['build', 'pkg', 'pkg/build', '.git', '.toolport', '.toolport/outputs']) mkdirSync(join(root, folder))
    put('build/out', 'big')
    put('pkg/build/out', 'big')
    put('pkg/main', 'main')
    put('.git/HEAD', 'ref')
    put('.toolport/outputs/1', 'output')
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('.env', 'KEY=2')
    await workspace.writeText('.git/HEAD', 'other')
    await workspace.writeText('.toolport/outputs/1', 'other')
    await workspace.remove('build', { recursive: true })
    await workspace.remove('pkg', { recursive: true })
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/.env', '- /workspace/pkg', '- /workspace/pkg/main'])
    // A scan contains no ignored files, but earlier checkpoints without a scan still have them.
    await workspace.checkpoint()
    put('.env', 'KEY=3')
    expect(signs((await workspace.diff('c1', 'c2')).changes)).toEqual(['- /workspace/pkg', '- /workspace/pkg/main'])
    await workspace.restore('c1')
    expect([text('.env'), text('pkg/main'), text('.git/HEAD'), text('.toolport/outputs/1')]).toEqual(['KEY=1', 'main', 'other', 'other'])
    expect([existsSync(join(root, 'build')), existsSync(join(root, 'pkg/build'))]).toEqual([false, false])
    await workspace.restore('c3')
    expect(text('.env')).toBe('KEY=3')
  })

  it('leave ignored files of a moved directory in place', async () => {
    const workspace = open(nodeFs())
    put('.gitignore', 'cache\n')
    mkdirSync(join(root, 'app'))
    put('app/main', 'main')
    put('app/cache', 'c')
    await workspace.checkpoint(LIGHT)
    await workspace.move('app', 'moved')
    const { left } = await workspace.restore('c1')
    expect(left).toEqual(['/workspace/moved'])
    expect([text('app/main'), text('moved/cache'), existsSync(join(root, 'moved/main'))]).toEqual(['main', 'c', false])
  })

  it('work for a tree that is too large for a scan, which is rejected before reading', async () => {
    put('large', 'x'.repeat(5000))
    put('small', '1')
    const { fs, count } = counted()
    const workspace = open(fs, { checkpoints: { bytes: 4000 } })
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('small', '2')
    count.read = 0
    await expect(workspace.checkpoint()).rejects.toMatchObject({
      code: 'ENOSPC',
      message: expect.stringContaining('the largest so far is "large" with 5000: list files to skip in .gitignore, or raise'),
    })
    expect(count.read).toBe(0)
    await workspace.restore('c1')
    expect(text('small')).toBe('1')
  })

  it('are counted and dropped together with scans, oldest first', async () => {
    const workspace = open(nodeFs(), { checkpoints: { keep: 3 } })
    for (let i = 1; i <= 8; i++) {
      await workspace.writeText('n', `${i}`)
      await workspace.checkpoint({ scan: i % 3 === 0 })
      expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual([`c${i - 2}`, `c${i - 1}`, `c${i}`].slice(Math.max(0, 3 - i)))
    }
    const usage = await open(nodeFs(), { quotas: { files: 2 } }).writeText('other', '')
    expect(usage.created, 'what is kept counts for no quota').toBe(true)
    const small = open(nodeFs(), { checkpoints: { bytes: 3000 } })
    for (const letter of 'abcdef') {
      await small.writeText('n', letter.repeat(1000))
      await small.checkpoint(LIGHT)
    }
    expect((await small.checkpoints()).length).toBeLessThan(5)
    await small.restore((await small.checkpoints())[0]?.id as string)
  })

  it('continue in another opening, which keeps old content without a checkpoint of its own', async () => {
    const first = open(nodeFs())
    await first.writeText('a', '1')
    await first.checkpoint(LIGHT)
    await first.writeText('a', '2')
    await first.close()
    const second = open(nodeFs())
    await second.writeText('b', '1')
    await second.close()
    const third = open(nodeFs())
    expect(signs((await third.diff('c1')).changes)).toEqual(['* /workspace/a', '+ /workspace/b'])
    await third.restore('c1')
    expect(await third.files()).toEqual({ a: '1' })
  })

  it('are stored when they are listed, even without later changes', async () => {
    const first = open(nodeFs())
    const { id } = await first.checkpoint(LIGHT)
    await first.checkpoints()
    await first.close()
    expect(await open(nodeFs()).checkpoints()).toMatchObject([{ id }])
  })

  it('checkpoints of two concurrent programs lose nothing that either keeps', async () => {
    const [first, second] = [open(nodeFs()), open(nodeFs())]
    await first.writeText('a', '1')
    await first.writeText('b', '1')
    await first.checkpoint(LIGHT)
    await first.checkpoints()
    // The second workspace finds the checkpoint too. Both workspaces store the previous content of the files that they change.
    await second.writeText('b', '2')
    await first.writeText('a', '2')
    await first.writeText('b', '3')
    await first.close()
    await second.close()
    const anew = open(nodeFs())
    await anew.restore('c1')
    expect(await anew.files()).toEqual({ a: '1', b: '1' })
  })

  it('are lost together with the scan that they end in', async () => {
    const workspace = open(nodeFs())
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('a', '1')
    await workspace.checkpoint()
    await workspace.checkpoint(LIGHT)
    await workspace.writeText('a', '2')
    rmSync(join(root, '.toolport-checkpoints/scan/c2'))
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c3'])
    expect((await workspace.checkpoint()).lost).toEqual(['c2', 'c1'])
    expect(text('.toolport-checkpoints/.gitignore')).toBe('*\n')
  })
})
