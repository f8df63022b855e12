// @module-tag worker-loader
import { expect, it } from 'vitest'
import { createChangeList, cutSnapshot, MAX_CHANGES } from '../../adapters/cloudflare/js/pieces.js'

const MIB = 2 ** 20

it('cutSnapshot cuts a snapshot into pieces that fit into one call each', () => {
  const big = new Uint8Array(20 * MIB).map((_, at) => at % 251)
  const entries = [
    { path: '/w/d', kind: 'dir' as const },
    ...Array.from({ length: 4500 }, (_, n) => ({ path: `/w/d/${n}`, kind: 'file' as const, bytes: big.subarray(n, n + 1) })),
    { path: '/w/big', kind: 'file' as const, bytes: big, version: 'v' },
    { path: '/w/empty', kind: 'file' as const, bytes: new Uint8Array() },
  ]
  const pieces = cutSnapshot({ root: '/w', cut: false, entries })
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(2000)
    // Views must not have larger buffers, because the whole buffer would be transferred.
    for (const { bytes } of piece) if (bytes) expect(bytes.buffer.byteLength).toBeLessThanOrEqual(8 * MIB)
  }
  const flat = pieces.flat()
  expect(flat.filter(({ goesOn }) => !goesOn).map(({ path }) => path)).toEqual(entries.map(({ path }) => path))
  const parts = flat.filter(({ path }) => path === '/w/big').map(({ bytes }) => bytes ?? new Uint8Array())
  expect(parts.map(({ length }) => length)).toEqual([8 * MIB, 8 * MIB, 4 * MIB])
  expect(parts.at(-1)?.at(-1)).toBe(big.at(-1))
})

it('cutSnapshot returns no piece for an empty snapshot', () => {
  expect(cutSnapshot({ root: '/w', cut: false, entries: [] })).toEqual([])
})

it('a change list joins the pieces of a change', () => {
  const list = createChangeList()
  const change = (byte: number) => ({ do: 'write' as const, path: '/w/a', bytes: Uint8Array.of(byte), expect: 'v' })
  list.add([{ do: 'mkdir', path: '/w' }, change(1)])
  list.add([{ ...change(2), goesOn: true }])
  list.add([{ do: 'remove', path: '/w/b', kind: 'file' }])
  expect(list.all()).toEqual([
    { do: 'mkdir', path: '/w' },
    { do: 'write', path: '/w/a', bytes: Uint8Array.of(1, 2), expect: 'v' },
    { do: 'remove', path: '/w/b', kind: 'file' },
  ])
})

it('a change list fails with ENOSPC above its maximum size', () => {
  const list = createChangeList()
  const bytes = new Uint8Array(8 * MIB)
  for (let sent = 0; sent <= MAX_CHANGES; sent += bytes.length)
    list.add([{ do: 'write', path: '/w/a', bytes, ...(sent > 0 && { goesOn: true }) }])
  expect(() => list.all()).toThrow(/^ENOSPC: the program has changed more than 64 MiB/)
})

it('a change list counts paths and rejects changes that are not plain data', () => {
  const long = createChangeList()
  for (let n = 0; n < 40; n++) long.add([{ do: 'mkdir', path: `/w/${n}${'x'.repeat(MIB)}` }])
  expect(() => long.all()).toThrow(/^ENOSPC/)
  const list = createChangeList()
  for (const wrong of [
    { do: 'write', path: '/w/a', bytes: { length: -1e12 } },
    { do: 'write', path: '/w/a', bytes: { length: Number.NaN } },
    { do: 'write', path: '/w/a' },
    { do: 'mkdir', path: '/w/a', bytes: [] },
    { do: 'mkdir', path: { length: 1 } },
    { do: 'mkdir', path: '/w/a', more: new ArrayBuffer(8) },
  ]) {
    expect(() => list.add([wrong as never])).toThrow(TypeError)
  }
  list.add([{ do: 'write', path: '/w/a', bytes: new Uint8Array(new ArrayBuffer(1000), 10, 1) }])
  expect(list.all()).toEqual([{ do: 'write', path: '/w/a', bytes: Uint8Array.of(0) }])
  const [kept] = list.all()
  expect(kept?.do === 'write' && kept.bytes.buffer.byteLength).toBe(1)
})
