// @module-tag background
import { createTestHost } from 'toolport/testing'
import { describe, expect } from 'vitest'
import { hand } from '../unit/sessions-support.js'
import { count, inside, watched } from './durable-object-support.workerd.js'
import { DELAY_MS, ended, found, KEPT, readAll, settle, tableOver } from './durable-sessions-support.workerd.js'

const SESSIONS = 'toolport_sessions'
const OUTPUT = 'toolport_session_output'

describe('a session whose object is gone', () => {
  inside('is lost, and each stream continues from its cursor', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start({ name: 'build', command: 'make all', cwd: '/workspace/a' }))
    process.print('one two')
    process.print('oops', 'stderr')
    expect(session.read({ stream: 'stdout', maxChars: 4 }).stdout.text).toBe('one ')
    await host.advance(DELAY_MS)
    const before = session.info
    await host.advance(60_000)
    const next = tableOver(storage, { host })
    const lost = found(next.sessions, session.id)
    expect(lost.info).toEqual({ ...before, state: 'lost', exitCode: null })
    expect(lost.info.unread).toEqual({ stdout: 3, stderr: 4 })
    expect(next.sessions.list()).toEqual([lost])
    expect(lost.read({ peek: true }).stdout).toEqual({ text: 'two', cursor: 7, hasMore: false, dropped: 0 })
    expect(lost.read({ from: { stdout: 1 }, maxChars: 3 })).toEqual({
      stdout: { text: 'ne ', cursor: 4, hasMore: true, dropped: 0 },
      stderr: { text: 'oop', cursor: 3, hasMore: true, dropped: 0 },
    })
    expect(lost.read({ stream: 'stdout' })).toEqual({
      stdout: { text: 'two', cursor: 7, hasMore: false, dropped: 0 },
      stderr: { text: '', cursor: 0, hasMore: false, dropped: 0 },
    })
    expect(lost.read().stderr.text).toBe('oops')
    // Reading the lost session moved its cursor for the next object too.
    const third = found(tableOver(storage).sessions, session.id)
    expect(third.info).toMatchObject({ state: 'lost', unread: { stdout: 0, stderr: 0 } })
    expect(third.read().stdout).toEqual({ text: '', cursor: 7, hasMore: false, dropped: 0 })
  })

  inside('rejects input with the reason and can be stopped at once', async (storage) => {
    const { sessions } = tableOver(storage)
    const { id } = await sessions.start(hand({ transport: 'pty' }).start())
    const lost = found(tableOver(storage).sessions, id)
    const refusal = expect.objectContaining({
      name: 'ShellError',
      code: 'not_running',
      message: expect.stringContaining('was lost when the object that ran it was evicted'),
    })
    await expect(lost.write('x')).rejects.toEqual(refusal)
    await expect(lost.press('enter')).rejects.toEqual(refusal)
    await expect(lost.resize({ cols: 80, rows: 24 })).rejects.toEqual(refusal)
    expect(await lost.stop()).toMatchObject({ state: 'lost', exitCode: null, escalated: false })
    expect(await lost.stop({ force: true })).toMatchObject({ state: 'lost' })
    await lost.kill('SIGTERM')
    await lost.wait(60_000)
    expect(await lost.exited).toEqual({ exitCode: null })
    const seen: unknown[] = []
    lost.onOutput((output) => seen.push(output))()
    expect(seen).toEqual([])
  })

  inside('loses only the output of the last 250 ms', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const { id } = await sessions.start(process.start())
    await host.advance(DELAY_MS)
    process.print('recorded')
    await host.advance(DELAY_MS - 1)
    process.print(' as well')
    await host.advance(1)
    await settle()
    process.print(', but not this')
    await host.advance(DELAY_MS - 1)
    const lost = found(tableOver(storage).sessions, id)
    expect(lost.read().stdout).toEqual({ text: 'recorded as well', cursor: 16, hasMore: false, dropped: 0 })
  })

  inside('keeps all output that was read, even the latest', async (storage) => {
    const { sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('just now')
    expect(session.read({ peek: true }).stdout.text).toBe('just now')
    expect(found(tableOver(storage).sessions, session.id).info.unread.stdout).toBe(0)
    process.print(', again')
    expect(session.read({ maxChars: 4 }).stdout.text).toBe('just')
    expect(found(tableOver(storage).sessions, session.id).read().stdout).toMatchObject({ text: ' now, again', cursor: 15, dropped: 0 })
  })

  inside('sends output listeners its output without escape sequences', async (storage) => {
    const { sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('\u001b[31mred\u001b[0m')
    session.read()
    const seen: unknown[] = []
    found(tableOver(storage).sessions, session.id).onOutput((output) => seen.push(output))
    expect(seen).toEqual([{ stream: 'stdout', text: 'red' }])
  })

  inside('is lost too if it was still starting', async (storage) => {
    const { sessions } = tableOver(storage)
    void sessions.start(hand().start({ spawn: () => new Promise(() => {}) })).catch(() => {})
    await settle()
    const next = tableOver(storage).sessions
    expect(next.list().map(({ info }) => info)).toMatchObject([
      { state: 'lost', name: 'test', transport: 'pipe', unread: { stdout: 0, stderr: 0 } },
    ])
  })

  inside('may have any name and any command', async (storage) => {
    const { sessions } = tableOver(storage)
    const odd = { name: "'; DROP TABLE x --", command: 'a\0b\ud800 \u2028"\\ ü 😀', cwd: '/workspace/ü' }
    const { id } = await sessions.start(hand().start(odd))
    const long = await sessions.start(hand().start({ command: 'x'.repeat(3_000_000) }))
    const next = tableOver(storage).sessions
    expect(JSON.stringify(found(next, id).info)).toContain(JSON.stringify(odd).slice(1, -1))
    expect(found(next, long.id).info.command).toBe(`${'x'.repeat(65_536)}...`)
  })
})

describe('a session that ended before its object was gone', () => {
  inside('keeps its state and its output to the last character', async (storage) => {
    const { sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('first ')
    session.read()
    process.print('the last')
    process.exit({ exitCode: 143, signal: 'SIGTERM' })
    await session.exited
    const after = session.info
    expect(after).toMatchObject({ state: 'exited', exitCode: 143, signal: 'SIGTERM', unread: { stdout: 8 } })
    const next = found(tableOver(storage).sessions, session.id)
    expect(next.info).toEqual(after)
    expect(await next.exited).toEqual({ exitCode: 143, signal: 'SIGTERM' })
    await expect(next.write('x')).rejects.toThrow('it has ended')
    expect(next.read().stdout).toEqual({ text: 'the last', cursor: 14, hasMore: false, dropped: 0 })
    expect(next.read().stdout.text).toBe('')
  })

  inside('is recorded before its end is reported', async (storage) => {
    const { sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    const seen: unknown[] = []
    const look = (): void => void seen.push(storage.sql.exec(`SELECT state, stdout_end FROM ${SESSIONS}`).one())
    sessions.onChange(look)
    const waiting = session.wait(60_000, { stream: 'stderr' }).then(look)
    process.print('abc')
    process.exit({ exitCode: 0 })
    await Promise.all([waiting, session.exited.then(look)])
    expect(seen).toEqual(Array(3).fill({ state: 'exited', stdout_end: 3 }))
  })

  inside('is listed as stopped if it was stopped alone or with the table', async (storage) => {
    const { sessions } = tableOver(storage)
    const [one, two, three] = [hand(), hand(), hand()]
    const first = await sessions.start(one.start())
    const second = await sessions.start(two.start())
    const third = await sessions.start(three.start())
    expect(await first.stop()).toMatchObject({ state: 'stopped', exitCode: 143 })
    two.print('not yet recorded')
    await ended(three, third, 7)
    await sessions.dispose()
    const next = tableOver(storage).sessions
    expect(next.list().map(({ info }) => [info.id, info.state, info.exitCode])).toEqual([
      [third.id, 'exited', 7],
      [second.id, 'stopped', 143],
      [first.id, 'stopped', 143],
    ])
    expect(found(next, second.id).read().stdout.text).toBe('not yet recorded')
  })

  inside('releases its buffers and can still be read', async (storage) => {
    const { sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    process.print('x'.repeat(350_000))
    process.print('y'.repeat(10))
    expect(session.read({ maxChars: 5 }).stdout).toEqual({ text: 'xxxxx', cursor: 50_015, hasMore: true, dropped: 50_010 })
    await ended(process, session)
    expect(sessions.get(session.id)).toBe(session)
    expect(session.info.unread.stdout).toBe(KEPT - 5)
    const rest = readAll(session, 'stdout', 100_000)
    expect(rest).toBe(`${'x'.repeat(KEPT - 15)}${'y'.repeat(10)}`)
    expect(session.read({ from: { stdout: 10 }, maxChars: 1 }).stdout).toEqual({
      text: 'x',
      cursor: 50_011,
      hasMore: true,
      dropped: 50_000,
    })
  })

  inside('a session that failed to start is not recorded', async (storage) => {
    const { sessions } = tableOver(storage)
    const spawn = () => Promise.reject(new Error('no such shell'))
    await expect(sessions.start(hand().start({ spawn }))).rejects.toThrow('no such shell')
    expect(sessions.list()).toEqual([])
    expect(count(storage, SESSIONS)).toBe(0)
    const late = sessions.start(
      hand().start({ spawn: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) }),
    )
    const refused = expect(late).rejects.toThrow('the runtime and its sessions have been disposed')
    await settle()
    await sessions.dispose()
    await refused
    await settle()
    expect(count(storage, SESSIONS)).toBe(0)
  })
})

describe('recorded session data', () => {
  inside('is written in batches, not for each piece of output', async (storage) => {
    let statements = 0
    const { host, sessions } = tableOver(watched(storage, () => statements++))
    const process = hand()
    const session = await sessions.start(process.start())
    await host.advance(DELAY_MS)
    await settle()
    statements = 0
    for (let i = 0; i < 100_000; i++) process.print('x')
    expect(statements).toBe(0)
    await host.advance(DELAY_MS)
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThan(20)
    statements = 0
    await host.advance(60_000)
    expect(statements).toBe(0)
    expect(session.info.unread.stdout).toBe(100_000)
  })

  inside('is limited to the retained part of 50 MB', flood)

  inside('keeps split surrogate pairs unchanged', async (storage) => {
    const { host, sessions } = tableOver(storage)
    const process = hand()
    const session = await sessions.start(process.start())
    // A surrogate pair across two rows, and a lone surrogate at the end.
    const head = 'x'.repeat(16_383)
    for (const piece of [head, '\ud83d', '\ude00', 'y', '\ude00']) {
      process.print(piece)
      await host.advance(DELAY_MS)
    }
    const lost = found(tableOver(storage).sessions, session.id)
    expect(lost.read({ maxChars: 16_384, peek: true }).stdout).toEqual({ text: head, cursor: 16_383, hasMore: true, dropped: 0 })
    expect(lost.read({ from: { stdout: 16_384 }, maxChars: 1 }).stdout).toEqual({ text: '😀', cursor: 16_385, hasMore: true, dropped: 0 })
    // As JSON, which escapes lone surrogates, because the test reporter cannot print them.
    const rest = JSON.stringify(lost.read({ maxChars: 20_000 }).stdout)
    expect(rest).toBe(JSON.stringify({ text: `${head}😀y\ude00`, cursor: 16_387, hasMore: false, dropped: 0 }))
  })

  inside('has unique ids even if the clock and random numbers repeat', async (storage) => {
    const still = () => ({ ...createTestHost(), now: () => 1000, random: () => 0.5 }) as ReturnType<typeof createTestHost>
    const ids = []
    for (let object = 0; object < 4; object++) {
      const { sessions } = tableOver(storage, { host: still() })
      for (let i = 0; i < 3; i++) ids.push((await sessions.start(hand().start())).id)
    }
    expect(new Set(ids).size).toBe(12)
    expect(
      tableOver(storage)
        .sessions.list()
        .map(({ id }) => id),
    ).toEqual(ids.reverse())
  })
})

describe('removal of session records', () => {
  inside('keeps the sessions that ended last, across all objects', async (storage) => {
    const host = createTestHost()
    const ids: string[] = []
    for (let object = 0; object < 2; object++) {
      const { sessions } = tableOver(storage, { host, options: { keepEnded: 3 } })
      for (let i = 0; i < 2; i++) {
        const process = hand()
        const session = await sessions.start(process.start())
        ids.push(session.id)
        process.print('x'.repeat(40_000))
        await host.advance(1000)
        await ended(process, session)
      }
    }
    const { sessions } = tableOver(storage, { host, options: { keepEnded: 3 } })
    expect(sessions.list().map(({ id }) => id)).toEqual(ids.slice(1).reverse())
    expect([count(storage, SESSIONS), count(storage, OUTPUT)]).toEqual([3, 9])
    expect(tableOver(storage, { host, options: { keepEnded: 0 } }).sessions.list()).toEqual([])
    expect([count(storage, SESSIONS), count(storage, OUTPUT)]).toEqual([0, 0])
  })

  inside('keeps a hundred sessions by default', async (storage) => {
    const { sessions, host } = tableOver(storage)
    for (let i = 0; i < 103; i++) {
      const process = hand()
      const session = await sessions.start(process.start({ name: `${i}` }))
      await host.advance(1)
      await ended(process, session)
    }
    expect(sessions.list().map(({ info }) => info.name)).toEqual(Array.from({ length: 100 }, (_, i) => `${102 - i}`))
  })

  inside('removes sessions that ended before a given time, but no running ones', async (storage) => {
    const host = createTestHost()
    const first = tableOver(storage, { host }).sessions
    const process = hand()
    const exited = await first.start(process.start({ name: 'exited' }))
    await first.start(hand().start({ name: 'lost' }))
    await ended(process, exited)
    const found1 = host.now() + 1000
    await host.advance(1000)
    const { sessions } = tableOver(storage, { host })
    let changes = 0
    sessions.onChange(() => changes++)
    // A lost session counts as ended since the loss was noticed.
    expect(sessions.list()).toHaveLength(2)
    await sessions.start(hand().start({ name: 'running' }))
    await host.advance(1000)
    changes = 0
    expect(sessions.prune({})).toBe(0)
    expect(changes).toBe(0)
    expect(sessions.prune({ endedBefore: found1 })).toBe(1)
    expect(changes).toBe(1)
    expect(sessions.list().map(({ info }) => info.name)).toEqual(['running', 'lost'])
    expect(sessions.get(exited.id)).toBeUndefined()
    expect(sessions.prune({ endedBefore: found1 + 1 })).toBe(1)
    expect(sessions.prune({ endedBefore: Infinity, keep: -1 })).toBe(0)
    expect(sessions.list().map(({ info }) => info.name)).toEqual(['running'])
    expect(count(storage, SESSIONS)).toBe(1)
  })
})

async function flood(storage: DurableObjectStorage): Promise<void> {
  const { host, sessions } = tableOver(storage)
  const process = hand()
  const session = await sessions.start(process.start())
  const PIECE = 64 * 1024
  const PIECES = 800
  const sizes: number[] = []
  let last = ''
  for (let i = 0; i < PIECES; i++) {
    const piece = `${i}:`.padEnd(PIECE, String.fromCharCode(97 + (i % 26)))
    last = (last + piece).slice(-KEPT)
    process.print(piece)
    if (i % 10 === 9) {
      await host.advance(DELAY_MS)
      sizes.push(storage.sql.databaseSize)
    }
  }
  expect(Number(count(storage, OUTPUT))).toBeLessThanOrEqual(20)
  // The database does not grow with the output, because dropped output is deleted.
  expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024)
  const lost = found(tableOver(storage, { host }).sessions, session.id)
  const first = lost.read({ maxChars: 1 }).stdout
  expect(first).toMatchObject({ dropped: PIECE * PIECES - KEPT, cursor: PIECE * PIECES - KEPT + 1 })
  expect(first.text + readAll(lost, 'stdout', 120_000) === last).toBe(true)
}
