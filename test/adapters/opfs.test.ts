// @module-tag opfs
import { createOpfs, isPersisted, requestPersistence } from 'toolport/adapters/opfs'
import { describe, expect, it } from 'vitest'
import { encodeStoreName, Names } from '../../adapters/opfs/names.js'
import fc from '../fast-check.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

const isBrowser = typeof document !== 'undefined'

describe('createOpfs', () => {
  it('can be called in every runtime, and rejects an empty name and invalid files', () => {
    const { can } = createOpfs({ name: 'x' })
    expect(can).toEqual({
      mode: false,
      atomicReplace: true,
      dirRename: false,
      durableOnAck: isBrowser,
      caseSensitive: true,
      raceSafe: true,
      persistence: 'best-effort',
    })
    expect(() => createOpfs({ name: '' })).toThrow(TypeError)
    expect(() => createOpfs({ name: 7 as unknown as string })).toThrow('"name" is empty')
    expect(() => createOpfs({ name: 'x', files: { 'a//b': '' } })).toThrow('"a//b"')
    expect(() => createOpfs({ name: 'x', files: { '../b': '' } })).toThrow('".."')
    expect(() => createOpfs({ name: 'x', files: { a: '', '/a': '' } })).toThrow('it is there twice')
    expect(() => createOpfs({ name: 'x', files: { a: '', 'a/b': '' } })).toThrow('it is a directory too')
  })

  it.skipIf(isBrowser)('fails with ENOTSUP on open without an origin private file system', async () => {
    const fs = createOpfs({ name: 'x' })
    for (const call of [() => fs.open(), () => fs.write('/a', new Uint8Array(1)), () => fs.readdir('/'), () => fs.open()]) {
      await expect(call()).rejects.toMatchObject({
        name: 'FsError',
        code: 'ENOTSUP',
        message: expect.stringContaining('no origin private file system'),
      })
    }
    await fs.close()
    await expect(fs.open()).rejects.toMatchObject({ code: 'EIO' })
  })

  it.skipIf(isBrowser)('persisted() is false where storage cannot be persisted', async () => {
    expect([await createOpfs({ name: 'x' }).persisted(), await isPersisted(), await requestPersistence()]).toEqual([false, false, false])
  })
})

describe('encoded names', () => {
  const anyName = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc
      .array(fc.constantFrom('%', 'a', 'A', '\\', 'u', '5', 'c', '\ud800', '\udc00', '.', 'é', ' '), { minLength: 1 })
      .map((parts) => parts.join('')),
  )

  for (const folds of [false, true]) {
    const names = new Names(folds)
    it(`decode to the original, and never collide${folds ? ', not even on a disk that folds' : ''}`, () => {
      fc.assert(
        fc.property(anyName, anyName, (a, b) => {
          const [x, y] = [names.encode(a), names.encode(b)]
          expect(names.decode(x)).toBe(a)
          expect(x).not.toMatch(/[\\/]|\p{Surrogate}/u)
          if (folds) {
            expect(x).toMatch(/^[a-z0-9._ %-]+$/)
            expect(x.normalize('NFD').toLowerCase()).toBe(x)
          }
          expect(x === y).toBe(a === b)
        }),
      )
    })
  }

  it('stay readable where possible, and foreign names do not decode', () => {
    const names = new Names(false)
    for (const name of ['README.md', 'grün 🙂', 'a:b', 'CON', '...']) expect(names.encode(name)).toBe(name)
    expect(names.encode('100%')).toBe('100%25')
    expect(names.encode('a\\b')).toBe('a%5cb')
    for (const stored of ['100%', '%41', '%5C', '%u0041', '%ud83d%ude42']) expect(names.decode(stored)).toBeUndefined()
    expect(new Names(true).encode('Éa🙂')).toBe('%u00c9a%ud83d%ude42')
  })

  it('encoded names of workspaces are directory names', () => {
    expect([encodeStoreName('.'), encodeStoreName('..'), encodeStoreName('a/b'), encodeStoreName('A')]).toEqual([
      '%2e',
      '%2e%2e',
      'a%2fb',
      '%41',
    ])
  })
})
