// @module-tag background
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../src/sessions/index.js'
import { hand } from './sessions-support.js'

describe('a session reader with its own positions', () => {
  it('does not move the cursor of the session', async () => {
    const shell = hand()
    const session = await createSessions(createTestHost()).start(shell.start())
    shell.print('hello world')
    shell.print('oops', 'stderr')
    expect(session.read({ stream: 'stdout', from: { stdout: 0 }, maxChars: 5 })).toEqual({
      stdout: { text: 'hello', cursor: 5, hasMore: true, dropped: 0 },
      stderr: { text: '', cursor: 0, hasMore: false, dropped: 0 },
    })
    expect(session.read({ from: { stdout: 5, stderr: 2 } })).toEqual({
      stdout: { text: ' world', cursor: 11, hasMore: false, dropped: 0 },
      stderr: { text: 'ps', cursor: 4, hasMore: false, dropped: 0 },
    })
    expect(session.info.unread).toEqual({ stdout: 11, stderr: 4 })
    session.read({ maxChars: 2 })
    // A stream for which `from` names no position is read from the session's cursor.
    expect(session.read({ from: { stdout: 0 } })).toMatchObject({ stdout: { text: 'hello world' }, stderr: { text: 'ps' } })
    expect(session.info.unread).toEqual({ stdout: 9, stderr: 2 })
  })

  it('gets the number of lost characters first, and continues at the end from beyond it', async () => {
    const shell = hand()
    const session = await createSessions(createTestHost()).start(shell.start())
    shell.print('x'.repeat(300_010))
    expect(session.read({ from: { stdout: 4 }, maxChars: 1 }).stdout).toEqual({ text: 'x', cursor: 11, hasMore: true, dropped: 6 })
    for (const from of [300_010, 1e9, Infinity]) {
      expect(session.read({ from: { stdout: from } }).stdout).toEqual({ text: '', cursor: 300_010, hasMore: false, dropped: 0 })
    }
    for (const from of [-5, Number.NaN, -Infinity]) {
      expect(session.read({ from: { stdout: from }, maxChars: 1 }).stdout).toMatchObject({ cursor: 11, dropped: 10 })
    }
    expect(session.read({ from: { stdout: 20.7 }, maxChars: 1 }).stdout).toMatchObject({ cursor: 21 })
  })
})

describe('pruning sessions', () => {
  it('removes old ended sessions and all but the newest, but no running one', async () => {
    const host = createTestHost()
    const sessions = createSessions(host)
    expect(sessions.prune({ keep: 0 })).toBe(0)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      const shell = hand()
      const session = await sessions.start(shell.start())
      ids.push(session.id)
      if (i > 0) shell.exit({ exitCode: 0 })
      if (i > 0) await session.exited
      await host.advance(1000)
    }
    let changes = 0
    sessions.onChange(() => changes++)
    expect(sessions.prune({})).toBe(0)
    expect(changes).toBe(0)
    expect(sessions.prune({ endedBefore: host.now() - 3000 })).toBe(1)
    expect(sessions.list().map(({ id }) => id)).toEqual([ids[4], ids[3], ids[2], ids[0]])
    expect(sessions.prune({ keep: 1 })).toBe(2)
    expect(changes).toBe(2)
    expect(sessions.prune({ keep: -1, endedBefore: Infinity })).toBe(1)
    expect(sessions.list().map(({ id }) => id)).toEqual([ids[0]])
  })

  it('follows keepEnded', async () => {
    const sessions = createSessions(createTestHost(), { keepEnded: 2 })
    const run = async (): Promise<string> => {
      const shell = hand()
      const session = await sessions.start(shell.start())
      shell.exit({ exitCode: 0 })
      await session.exited
      return session.id
    }
    await run()
    await run()
    sessions.prune({ keep: 1 })
    const last = [await run(), await run()]
    expect(sessions.list().map(({ id }) => id)).toEqual(last.reverse())
  })
})

describe('a session id', () => {
  it('is known at the start of the process and not reused meanwhile', async () => {
    const host = { ...createTestHost(), random: () => 0.5 }
    const taken = new Set<string>()
    const sessions = createSessions(host, {}, (id) => taken.has(id))
    const seen: string[] = []
    const spawning = (): ReturnType<typeof sessions.start> => {
      const start = hand().start()
      return sessions.start({
        ...start,
        spawn: (io) => {
          seen.push(io.id)
          return start.spawn(io)
        },
      })
    }
    const both = await Promise.all([spawning(), spawning()])
    expect(seen).toEqual(both.map(({ id }) => id))
    expect(new Set(seen).size).toBe(2)
    const [prefix, number] = [seen[1]?.slice(0, -8), Number.parseInt(seen[1]?.slice(-8) ?? '', 16)]
    taken.add(`${prefix}${(number + 1).toString(16).padStart(8, '0')}`)
    const third = await spawning()
    expect(taken.has(third.id)).toBe(false)
    expect(seen).not.toContain(undefined)
    expect(seen[2]).toBe(third.id)
  })
})
