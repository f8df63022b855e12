import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createFiles } from '../../adapters/quickjs/fs/files.js'
import type { Job, Services } from '../../adapters/quickjs/job.js'
import { createRoom } from '../../adapters/quickjs/room.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const ROOT = '/workspace'
const SIZE = 100_000
const FILES = 20
/** Of what no content takes: names and the like. */
const SMALL = 50_000

/** What a program asks of one file by promise; `other` is a file too, and was not read either. */
const OPERATIONS: Readonly<Record<string, (path: string, other: string) => object>> = {
  reading: (path) => ({ op: 'read', path }),
  'a mode': (path) => ({ op: 'meta', path, mode: 0o600 }),
  'a time': (path) => ({ op: 'meta', path, mtimeMs: 1 }),
  removing: (path) => ({ op: 'unlink', path }),
  writing: (path) => ({ op: 'write', path }),
  appending: (path) => ({ op: 'write', path, flag: 'a' }),
  'cutting off': (path) => ({ op: 'truncate', path, length: 10 }),
  renaming: (path) => ({ op: 'rename', path, to: `${path}-new` }),
  'renaming over another': (path, other) => ({ op: 'rename', path, to: other }),
  copying: (path) => ({ op: 'copy', path, to: `${path}-new` }),
  'copying over another': (path, other) => ({ op: 'copy', path, to: other }),
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the content of files that a program reads by promise', () => {
  for (const given of [true, false]) {
    for (const [kind, question] of Object.entries(OPERATIONS)) {
      it(`is held only where it is counted: ${kind}, ${given ? 'of files that the program found' : 'of files that were too many to find'}`, async () => {
        const read: WeakRef<Uint8Array>[] = []
        let version = 0
        // Somebody else changes the files meanwhile: each time it is another content.
        const file = async (asked: unknown): Promise<unknown> => {
          const { path } = asked as { path: string }
          const bytes = new Uint8Array(SIZE)
          read.push(new WeakRef(bytes))
          return path.endsWith('-new') ? undefined : [{ path, kind: 'file', size: SIZE, bytes, version: `v${++version}` }]
        }
        const names = Array.from({ length: FILES * 2 }, (_, n) => `${ROOT}/f${n}`)
        const entries = names.map((path) => ({
          path,
          kind: 'file' as const,
          size: SIZE,
          ...(given && { bytes: new Uint8Array(SIZE), version: 'v0' }),
        }))
        const job = { snapshot: { root: ROOT, entries, cut: !given }, grants: { fs: 'write' }, now: 0 } as unknown as Job
        const room = createRoom(100 * SIZE)
        const files = createFiles(job, { file } as unknown as Services, room)
        for (let n = 0; n < FILES; n++) {
          const answer = await files.later({ ...question(`${ROOT}/f${n}`, `${ROOT}/f${FILES + n}`), syscall: 'open' }, undefined)
          expect(typeof answer === 'string' && answer.startsWith('!') && answer).toBe(false)
        }
        await settled()
        collect()
        const held = read.filter((ref) => ref.deref()).length * SIZE
        expect(read.length).toBeGreaterThanOrEqual(FILES)
        expect(held).toBeLessThanOrEqual(room.files)
        expect(room.files).toBeLessThan(room.maxBytes)
        files.changes()
        // What the program has changed afterwards is not counted any more, and not held either.
        for (const path of names) files.now({ op: 'write', path, syscall: 'open' }, new Uint8Array())
        for (const path of names) files.now({ op: 'rm', path: `${path}-new`, force: true, syscall: 'rm' }, undefined)
        await settled()
        collect()
        expect(read.filter((ref) => ref.deref())).toHaveLength(0)
        expect(room.files).toBeLessThan(SMALL)
        expect(files.changes().length).toBeGreaterThan(0)
      })
    }
  }

  it('is held once while its version is the one that was found', async () => {
    const bytes = new Uint8Array(SIZE)
    const path = `${ROOT}/a`
    const entry = { path, kind: 'file' as const, size: SIZE, bytes, version: 'v1' }
    const job = { snapshot: { root: ROOT, entries: [entry], cut: false }, grants: { fs: 'write' }, now: 0 } as unknown as Job
    const room = createRoom(SIZE / 2)
    const file = async (): Promise<unknown> => [{ ...entry, bytes: new Uint8Array(SIZE) }]
    const files = createFiles(job, { file } as unknown as Services, room)
    await files.later({ op: 'read', path, syscall: 'open' }, undefined)
    expect(files.now({ op: 'read', path, syscall: 'open' }, undefined)).toHaveLength(SIZE)
    expect(room.files).toBe(0)
    expect(files.now({ op: 'rename', path, to: `${ROOT}/b`, syscall: 'rename' }, undefined)).toBe('null')
    expect(room.files).toBeLessThan(2000)
    expect(files.now({ op: 'read', path: `${ROOT}/b`, syscall: 'open' }, undefined)).toHaveLength(SIZE)
  })
})
