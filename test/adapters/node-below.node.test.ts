// @module-tag directory
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scanned } from '../../src/types/fs.js'
import { base, bytes, cleanUp, codeOf, freshRoot, nodeFs, root } from './node-fixture.js'

// After a slow disk access, `scanBelow` returns undefined for all entries for a while, so the tests poll.
describe.each(['auto', false] as const)('entries of one directory, raceSafe %s', (raceSafe) => {
  beforeEach(() => {
    freshRoot()
    mkdirSync(join(root, 'd'))
    mkdirSync(join(root, 'd/folder'))
    writeFileSync(join(base, 'outside'), 'a needle outside')
    symlinkSync(join(base, 'outside'), join(root, 'd/link'))
    symlinkSync('d', join(root, 'to-d'))
    const files = { hit: 'a needle', none: 'hay', nul: 'a needle\0', empty: '', most: 'x'.repeat(65_536), more: 'x'.repeat(65_537) }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'd', name), text)
  })
  afterEach(cleanUp)

  const others = ['nul', 'more', 'folder', 'link', 'missing']
  const nothing = others.map(() => undefined)

  it('scanBelow returns content with the needle, "absent" for small text files without it, and undefined for others', async () => {
    const fs = nodeFs({ raceSafe })
    const names = ['hit', 'none', 'empty', 'most', ...others]
    await expect
      .poll(() => fs.scanBelow('/d', names, bytes('needle')))
      .toEqual([bytes('a needle'), 'absent', 'absent', 'absent', ...nothing])
    await expect
      .poll(() => fs.scanBelow('/d', names))
      .toEqual([bytes('a needle'), bytes('hay'), bytes(''), bytes('x'.repeat(65_536)), ...nothing])
    expect(await fs.scanBelow('/d', [])).toEqual([])
  })

  it('contents returned by scanBelow do not change with the next call', async () => {
    const fs = nodeFs({ raceSafe })
    let found: Scanned[] = []
    const scan = async (): Promise<Scanned[]> => {
      found = await fs.scanBelow('/d', ['hit'])
      return found
    }
    await expect.poll(scan).toEqual([bytes('a needle')])
    await fs.scanBelow('/d', ['most'])
    expect(found).toEqual([bytes('a needle')])
  })

  it('skim finds a NUL, the needle or an unterminated line in a range', async () => {
    const fs = nodeFs({ raceSafe })
    writeFileSync(join(root, 'lines'), 'one\ntwo\nthree\n\0')
    const skim = (needle: string, offset: number, length: number): Promise<number | undefined> =>
      fs.skim('/lines', bytes(needle), { offset, length })
    expect(await skim('four', 0, 8)).toBe(8)
    expect(await skim('two', 0, 8)).toBeUndefined()
    expect(await skim('four', 4, 3)).toBeUndefined()
    expect(await skim('four', 8, 100)).toBeUndefined()
    expect(await fs.skim('/d/none', bytes('needle'), { offset: 0, length: 100 })).toBe(3)
    expect(await codeOf(fs.skim('/to-d/none', bytes('x'), { offset: 0, length: 1 }))).toBe('ELOOP')
    expect(await codeOf(fs.skim('/d/folder', bytes('x'), { offset: 0, length: 1 }))).toBe('EISDIR')
  })

  it('timesBelow returns sizes and times of files only', async () => {
    const fs = nodeFs({ raceSafe })
    utimesSync(join(root, 'd/hit'), 1, 2)
    const names = ['hit', 'folder', 'link', 'missing']
    await expect.poll(() => fs.timesBelow('/d', names)).toEqual([{ size: 8, mtimeMs: 2000 }, undefined, undefined, undefined])
  })

  it('scanBelow and timesBelow follow no links and accept only plain names', async () => {
    const fs = nodeFs({ raceSafe })
    for (const call of [fs.scanBelow, fs.timesBelow] as ((directory: string, names: string[]) => Promise<unknown>)[]) {
      expect(await codeOf(call('/to-d', ['hit']))).toBe('ELOOP')
      expect(await codeOf(call('/to-d/folder', ['hit']))).toBe('ELOOP')
      expect(await codeOf(call('/d/hit', ['hit']))).toBe('ENOTDIR')
      expect(await codeOf(call('/missing', ['hit']))).toBe('ENOENT')
      for (const name of ['..', '.', '', 'a/b', '../../outside', 'nul\0']) expect(await codeOf(call('/d', [name]))).toBe('EINVAL')
    }
  })

  it.skipIf(process.platform === 'win32')('scanBelow does not wait for a FIFO', async () => {
    execFileSync('mkfifo', [join(root, 'd/fifo')])
    const fs = nodeFs({ raceSafe })
    await expect.poll(() => fs.scanBelow('/d', ['fifo', 'hit'])).toEqual([undefined, bytes('a needle')])
  })
})
