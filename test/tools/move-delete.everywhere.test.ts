// @module-tag move-delete
import { describe, expect, it } from 'vitest'
import { bench } from './harness.js'

describe('move_file', () => {
  it('moves a file and creates directories', async () => {
    const { ok, files } = bench({ a: 'x' })
    expect(await ok('move_file', { from: 'a', to: 'b/c/d' })).toEqual({
      from: '/workspace/a',
      to: '/workspace/b/c/d',
      kind: 'file',
      replaced: false,
    })
    expect(await files()).toEqual({ 'b/c/d': 'x' })
  })

  it('moves a directory with its content', async () => {
    const { ok, files } = bench({ 'd/a': '1', 'd/e/b': '2' })
    expect(await ok('move_file', { from: 'd', to: 'x' })).toMatchObject({ kind: 'dir' })
    expect(await files()).toEqual({ 'x/a': '1', 'x/e/b': '2' })
  })

  it('replaces a file only with `overwrite`', async () => {
    const { ok, fail, files } = bench({ a: 'new', b: 'old' })
    expect((await fail('move_file', { from: 'a', to: 'b' })).output.code).toBe('EEXIST')
    expect(await files()).toEqual({ a: 'new', b: 'old' })
    expect(await ok('move_file', { from: 'a', to: 'b', overwrite: true })).toMatchObject({ replaced: true })
    expect(await files()).toEqual({ b: 'new' })
  })

  it.each([
    ['a directory into itself', { from: 'd', to: 'd/x/y' }, 'EINVAL'],
    ['a missing file', { from: 'nope', to: 'x' }, 'ENOENT'],
    ['the root', { from: '.', to: 'x' }, 'EINVAL'],
    ['a file onto a directory', { from: 'f', to: 'd' }, 'EEXIST'],
    ['a directory over a non-empty one', { from: 'e', to: 'd', overwrite: true }, 'ENOTEMPTY'],
    ['a directory below a file', { from: 'd', to: 'f/x' }, 'ENOTDIR'],
    ['outside', { from: 'f', to: '../f' }, 'path_outside_workspace'],
    ['a file over its own directory', { from: 'd/a', to: 'd', overwrite: true }, 'EISDIR'],
    ['a directory over a file', { from: 'd', to: 'f', overwrite: true }, 'ENOTDIR'],
    ['a file to a path with a slash', { from: 'f', to: 'new/' }, 'ENOENT'],
  ])('rejects moving %s and changes nothing', async (_, input, code) => {
    const start = { f: 'f', 'd/a': '1', 'e/b': '2' }
    const { fail, files } = bench(start)
    expect((await fail('move_file', input)).output.code).toBe(code)
    expect(await files()).toEqual(start)
  })

  it('keeps the read state of a file, fresh or stale', async () => {
    const { ok, fail, runtime, files } = bench({ a: 'one', 'd/b': 'one' })
    await ok('read_file', { path: 'a' })
    await ok('read_file', { path: 'd/b' })
    await ok('move_file', { from: 'a', to: 'x' })
    await runtime.workspace.writeText('x', 'two')
    expect((await fail('write_file', { path: 'x', content: 'three' })).output.code).toBe('ESTALE')
    await runtime.workspace.writeText('d/b', 'two')
    await ok('move_file', { from: 'd', to: 'e' })
    expect((await fail('write_file', { path: 'e/b', content: 'three' })).output.code).toBe('ESTALE')
    expect(await files()).toEqual({ x: 'two', 'e/b': 'two' })
  })

  it('forgets the read state of the old path', async () => {
    const { ok, files } = bench({ a: 'one' })
    await ok('read_file', { path: 'a' })
    await ok('move_file', { from: 'a', to: 'b' })
    await ok('write_file', { path: 'a', content: 'two' })
    expect(await files()).toEqual({ a: 'two', b: 'one' })
  })

  it('changes nothing when a file is moved onto itself', async () => {
    const { ok, files } = bench({ f: 'x' })
    await ok('move_file', { from: 'f', to: './f', overwrite: true })
    expect(await files()).toEqual({ f: 'x' })
  })

  it('moves a link, not its target', async () => {
    const { ok, runtime, files } = bench({ real: 'x' })
    await runtime.workspace.symlink('real', 'link')
    expect(await ok('move_file', { from: 'link', to: 'other' })).toMatchObject({ kind: 'symlink', to: '/workspace/other' })
    expect(await runtime.workspace.readlink('other')).toBe('real')
    expect(await files()).toEqual({ real: 'x' })
  })
})

describe.each([
  ['move_file', { from: 'b', to: 'a', overwrite: true }],
  ['delete_file', { path: 'a' }],
] as const)('%s of a file that was read', (name, input) => {
  it('is rejected with ESTALE if the file was written since', async () => {
    const { ok, fail, files, runtime } = bench({ a: 'old', b: 'other' })
    const { workspace } = runtime
    await ok('read_file', { path: 'a' })
    await workspace.writeText('a', 'of somebody else')
    expect((await fail(name, input)).output.code).toBe('ESTALE')
    expect(await files()).toEqual({ a: 'of somebody else', b: 'other' })
    await ok('read_file', { path: 'a' })
    await workspace.setMeta('a', { mtimeMs: 1 })
    await ok(name, input)
    expect(await files()).toEqual(name === 'move_file' ? { a: 'other' } : { b: 'other' })
  })
})

describe('delete_file', () => {
  it('removes a file', async () => {
    const { ok, files } = bench({ a: 'x', b: 'y' })
    expect(await ok('delete_file', { path: 'a' })).toEqual({ path: '/workspace/a', kind: 'file' })
    expect(await files()).toEqual({ b: 'y' })
  })

  it('removes a non-empty directory only with `recursive`', async () => {
    const { ok, fail, files } = bench({ 'd/a': 'x', 'd/e/b': 'y', f: '' })
    expect((await fail('delete_file', { path: 'd' })).output.code).toBe('ENOTEMPTY')
    await ok('delete_file', { path: 'd', recursive: true })
    expect(await files()).toEqual({ f: '' })
  })

  it('removes a link and never its target', async () => {
    const { ok, fail, runtime, files } = bench({ 'd/a': 'x' })
    await runtime.workspace.symlink('d', 'link')
    expect((await fail('delete_file', { path: 'link/', recursive: true })).output.code).toBe('ENOTDIR')
    expect(await ok('delete_file', { path: 'link', recursive: true })).toMatchObject({ kind: 'symlink' })
    expect(await files()).toEqual({ 'd/a': 'x' })
  })

  it.each([
    ['the root', { path: '.', recursive: true }, 'EBUSY'],
    ['the root by its path', { path: '/workspace', recursive: true }, 'EBUSY'],
    ['a missing path', { path: 'nope' }, 'ENOENT'],
    ['a path outside the workspace', { path: '/etc', recursive: true }, 'path_outside_workspace'],
  ])('rejects %s', async (_, input, code) => {
    const { fail, files } = bench({ f: '' })
    expect((await fail('delete_file', input)).output.code).toBe(code)
    expect(await files()).toEqual({ f: '' })
  })

  it('gives a hint when the root is to be removed', async () => {
    expect((await bench({ f: '' }).fail('delete_file', { path: '.' })).output.hint).toMatch(
      /or choose another path \(for a directory, a path below it\)\.$/,
    )
  })

  it('forgets the read state of the file', async () => {
    const { ok, files } = bench({ f: 'one' })
    await ok('read_file', { path: 'f' })
    await ok('delete_file', { path: 'f' })
    await ok('write_file', { path: 'f', content: 'two' })
    expect(await files()).toEqual({ f: 'two' })
  })
})
