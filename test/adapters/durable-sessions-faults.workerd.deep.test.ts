// @module-tag background
import { FsError } from 'toolport'
import type { DurableStorageLike } from 'toolport/adapters/cloudflare'
import { describe, expect } from 'vitest'
import { hand } from '../unit/sessions-support.js'
import { count, inside, watched } from './durable-object-support.workerd.js'
import { DELAY_MS, ended, found, settle, tableOver } from './durable-sessions-support.workerd.js'

const RETRY_MS = 5000
const SESSIONS = 'toolport_sessions'

/** A storage that rejects new rows while `full`. Rows can still be deleted, and updated in place if `narrow`. */
function fillable(storage: DurableObjectStorage): { readonly storage: DurableStorageLike; full: boolean; narrow: boolean } {
  const state = {
    full: false,
    narrow: false,
    storage: watched(storage, (query) => {
      const grows = query.startsWith('INSERT') || query.startsWith('CREATE') || (query.startsWith('UPDATE') && !state.narrow)
      if (state.full && grows) throw new Error('database or disk is full: SQLITE_FULL')
    }),
  }
  return state
}

const noSpace = expect.objectContaining({
  name: 'FsError',
  code: 'ENOSPC',
  message: `ENOSPC: Cannot start a background session in "/workspace": the Durable Object's storage is full`,
})

describe('background sessions on a full storage', () => {
  inside('rejects a session that cannot be recorded, without starting it', async (storage) => {
    const disk = fillable(storage)
    const { sessions } = tableOver(disk.storage)
    expect(sessions.list()).toEqual([])
    disk.full = true
    let spawned = 0
    const spawn = () => {
      spawned++
      return Promise.reject(new Error('never'))
    }
    await expect(sessions.start(hand().start({ spawn }))).rejects.toEqual(noSpace)
    expect(spawned).toBe(0)
    expect(sessions.list()).toEqual([])
    disk.full = false
    expect((await sessions.start(hand().start())).info.state).toBe('running')
  })

  inside('running sessions continue and are recorded completely once there is space', async (storage) => {
    const disk = fillable(storage)
    const { host, sessions } = tableOver(disk.storage)
    const process = hand()
    const session = await sessions.start(process.start())
    await host.advance(DELAY_MS)
    disk.full = true
    process.print('abc')
    expect(session.read().stdout.text).toBe('abc')
    process.print('def')
    await host.advance(20_000)
    expect(session.info).toMatchObject({ state: 'running', unread: { stdout: 3 } })
    disk.full = false
    await host.advance(RETRY_MS)
    await settle()
    expect(found(tableOver(storage).sessions, session.id).read().stdout).toEqual({ text: 'def', cursor: 6, hasMore: false, dropped: 0 })
  })

  inside('output of ended sessions stays in memory, and their state is recorded where it fits', async (storage) => {
    const disk = fillable(storage)
    const { host, sessions } = tableOver(disk.storage)
    const process = hand()
    const session = await sessions.start(process.start())
    await host.advance(DELAY_MS)
    disk.full = true
    disk.narrow = true
    process.print('abc')
    await ended(process, session, 3)
    expect(session.info).toMatchObject({ state: 'exited', exitCode: 3, unread: { stdout: 3 } })
    expect(session.read({ peek: true }).stdout.text).toBe('abc')
    expect(storage.sql.exec(`SELECT state, stdout_end FROM ${SESSIONS}`).one()).toEqual({ state: 'exited', stdout_end: 0 })
    disk.full = false
    await host.advance(RETRY_MS)
    await settle()
    const next = found(tableOver(storage).sessions, session.id)
    expect(next.info).toMatchObject({ state: 'exited', exitCode: 3 })
    expect(next.read().stdout.text).toBe('abc')
  })

  inside('dispose ends all sessions and then reports the full storage', async (storage) => {
    const disk = fillable(storage)
    const { sessions } = tableOver(disk.storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('abc')
    disk.full = true
    await expect(sessions.dispose()).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(session.info.state).toBe('stopped')
    expect(session.read().stdout.text).toBe('abc')
  })

  inside('a session whose record cannot be removed stays listed', async (storage) => {
    let failing = false
    const broken = watched(storage, (query) => {
      if (failing && query.startsWith('DELETE')) throw new Error('the machine is gone')
    })
    const { sessions } = tableOver(broken)
    const process = hand()
    const session = await sessions.start(process.start())
    await ended(process, session)
    failing = true
    expect(() => sessions.prune({ keep: 0 })).toThrow(FsError)
    expect(sessions.get(session.id)).toBe(session)
    failing = false
    expect(sessions.prune({ keep: 0 })).toBe(1)
    expect(count(storage, 'toolport_session_output')).toBe(0)
  })

  inside('a failure in the middle of a record leaves the previous record unchanged', async (storage) => {
    let left = Infinity
    const faulty = watched(storage, (query) => {
      if (!query.startsWith('SELECT') && --left < 0) throw new Error('database or disk is full: SQLITE_FULL')
    })
    const { host, sessions } = tableOver(faulty)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('x'.repeat(20_000))
    process.print('oops', 'stderr')
    await host.advance(DELAY_MS)
    const dump = (): unknown => [
      storage.sql.exec(`SELECT * FROM ${SESSIONS}`).toArray(),
      storage.sql.exec('SELECT id, at, length(units) AS n FROM toolport_session_output ORDER BY id').toArray(),
    ]
    const before = dump()
    let refused = 0
    for (; refused < 20; refused++) {
      left = refused
      process.print('y'.repeat(1000))
      process.print('!', 'stderr')
      await host.advance(RETRY_MS)
      await settle()
      if (left >= 0) break
      expect(dump()).toEqual(before)
    }
    expect(refused).toBeGreaterThan(2)
    expect(refused).toBeLessThan(20)
    left = Infinity
    expect(session.read({ from: { stdout: 0 }, maxChars: Infinity }).stdout.cursor).toBe(20_000 + 1000 * (refused + 1))
    const lost = found(tableOver(storage).sessions, session.id)
    expect(lost.read({ from: { stdout: 0 }, maxChars: Infinity }).stdout.text).toBe('x'.repeat(20_000) + 'y'.repeat(1000 * (refused + 1)))
  })
})

describe('background sessions on a storage that is changed from outside', () => {
  inside('deleteAll() removes ended sessions, and running ones are recorded again', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const [one, two] = [hand(), hand()]
    const over = await sessions.start(one.start())
    const runs = await sessions.start(two.start())
    one.print('gone')
    await ended(one, over)
    two.print('before ')
    await host.advance(DELAY_MS)
    await storage.deleteAll()
    two.print('after')
    await host.advance(DELAY_MS)
    await settle()
    expect(sessions.list()).toEqual([runs])
    expect(over.read().stdout).toEqual({ text: '', cursor: 4, hasMore: false, dropped: 4 })
    const next = tableOver(storage).sessions
    expect(next.list().map(({ id }) => id)).toEqual([runs.id])
    expect(found(next, runs.id).read().stdout.text).toBe('before after')
  })

  inside('deleteAll() after dispose: no tables are created again', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('gone')
    const disposing = sessions.dispose()
    process.exit({ exitCode: 0 })
    await disposing
    expect(session.read({ peek: true }).stdout.text).toBe('gone')
    await storage.deleteAll()
    expect(() => session.read({ peek: true })).toThrow('Cannot read "background sessions"')
    expect(sessions.list()).toHaveLength(1)
    await host.advance(RETRY_MS)
    await settle()
    const unused = tableOver(storage).sessions
    await unused.dispose()
    expect(unused.list()).toEqual([])
    expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'toolport%'").toArray()).toEqual([])
  })

  inside('output recorded in a rolled back outer transaction is recorded again', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('a'.repeat(20_000))
    await host.advance(DELAY_MS)
    await storage
      .transaction(async () => {
        process.print('b'.repeat(40_000))
        expect(session.read({ maxChars: 1 }).stdout.text).toBe('a')
        throw new Error('roll back')
      })
      .catch(() => undefined)
    process.print('c')
    await host.advance(DELAY_MS)
    await settle()
    const lost = found(tableOver(storage).sessions, session.id)
    expect(lost.read({ maxChars: Infinity }).stdout.text).toBe(`${'a'.repeat(19_999)}${'b'.repeat(40_000)}c`)
  })

  inside('with missing rows, the remaining output and the number of lost characters are reported', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('a'.repeat(40_000))
    await host.advance(DELAY_MS)
    storage.sql.exec('DELETE FROM toolport_session_output WHERE at = 16384')
    const lost = found(tableOver(storage).sessions, session.id)
    expect(lost.read({ maxChars: 100 }).stdout).toMatchObject({ text: 'a'.repeat(100), hasMore: true, dropped: 0 })
    expect(lost.read({ maxChars: 39_900 }).stdout).toEqual({ text: '', cursor: 40_000, hasMore: false, dropped: 39_900 })
  })

  inside('two tables at the same time break nothing, and each reports its own running sessions', async (storage) => {
    const first = tableOver(storage)
    const process = hand()
    const session = await first.sessions.start(process.start())
    process.print('one ')
    await first.host.advance(DELAY_MS)
    const second = tableOver(storage)
    expect(found(second.sessions, session.id).info.state).toBe('lost')
    process.print('two ')
    await first.host.advance(DELAY_MS)
    expect(second.sessions.prune({ keep: 0 })).toBe(1)
    process.print('three')
    await ended(process, session)
    expect(session.info.state).toBe('exited')
    expect(session.read().stdout.text).toBe('one two three')
    expect(found(tableOver(storage).sessions, session.id).info).toMatchObject({ state: 'exited', exitCode: 0 })
  })

  inside('tables of a newer version stay unchanged', async (storage) => {
    const { sessions } = tableOver(storage)
    await sessions.start(hand().start())
    storage.sql.exec('UPDATE toolport_session_schema SET version = 2')
    const next = tableOver(storage).sessions
    const refusal = expect.objectContaining({ name: 'FsError', code: 'ENOTSUP', message: expect.stringContaining('update it') })
    expect(() => next.list()).toThrow(refusal)
    await expect(next.start(hand().start())).rejects.toEqual(refusal)
    await next.dispose()
    expect(storage.sql.exec(`SELECT state FROM ${SESSIONS}`).one()).toEqual({ state: 'running' })
  })

  inside('different prefixes use different tables', async (storage) => {
    const one = tableOver(storage, { prefix: 'one' }).sessions
    const { id } = await one.start(hand().start())
    expect(tableOver(storage, { prefix: 'two' }).sessions.list()).toEqual([])
    expect(found(tableOver(storage, { prefix: 'one' }).sessions, id).info.state).toBe('lost')
  })
})
