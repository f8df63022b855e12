// @module-tag background
import { type Session, ShellError, type ShellOutput, type ShellProcess, systemHost } from 'toolport'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../src/sessions/index.js'
import { findRunning, startOrReuse } from '../../src/sessions/reuse.js'
import { hand } from './sessions-support.js'

const table = (options: Parameters<typeof createSessions>[1] = {}) => {
  const host = createTestHost()
  return { host, sessions: createSessions(host, options) }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await systemHost.yield()
}

const textOf = (session: Session, options: Parameters<Session['read']>[0] = {}): string => session.read(options).stdout.text

describe('a session', () => {
  it('is listed by id, newest first', async () => {
    const { sessions, host } = table()
    const first = await sessions.start(hand().start())
    const second = await sessions.start(hand().start({ kind: 'js', name: 'other' }))
    expect(first.id).toMatch(new RegExp(`^bg-bash-${host.now()}-[0-9a-f]{8}$`))
    expect(second.id).toMatch(/^bg-js-/)
    expect(sessions.get(first.id)).toBe(first)
    expect(sessions.get('nope')).toBeUndefined()
    expect(sessions.list()).toEqual([second, first])
  })

  it('has a unique id even if random numbers repeat', async () => {
    const sessions = createSessions({ ...createTestHost(), random: () => 0.999_999_999_9 })
    const ids = []
    for (let i = 0; i < 5; i++) ids.push((await sessions.start(hand().start())).id)
    expect(new Set(ids).size).toBe(5)
    for (const id of ids) expect(id).toMatch(/^bg-bash-\d+-[0-9a-f]{8}$/)
  })

  it('describes itself in `info`', async () => {
    const { sessions, host } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    const createdMs = host.now()
    expect(session.info).toEqual({
      id: session.id,
      kind: 'bash',
      name: 'test',
      command: 'serve',
      cwd: '/workspace',
      transport: 'pipe',
      terminalAsked: false,
      pid: 4711,
      createdMs,
      updatedMs: createdMs,
      state: 'running',
      exitCode: null,
      stopping: false,
      unread: { stdout: 0, stderr: 0 },
    })
    await host.advance(1000)
    shell.print('abc')
    expect(session.info).toMatchObject({ updatedMs: createdMs + 1000, unread: { stdout: 3, stderr: 0 } })
    await host.advance(1000)
    shell.exit({ exitCode: 143, signal: 'SIGTERM' })
    expect(await session.exited).toEqual({ exitCode: 143, signal: 'SIGTERM' })
    expect(session.info).toMatchObject({ state: 'exited', exitCode: 143, signal: 'SIGTERM', updatedMs: createdMs + 2000 })
  })

  it('does not exist if the adapter returns no process', async () => {
    const { sessions } = table({ max: 1 })
    const broken = hand().start({ spawn: async () => undefined as unknown as ShellProcess })
    await expect(sessions.start(broken)).rejects.toBeInstanceOf(TypeError)
    expect(sessions.list()).toEqual([])
    expect((await sessions.start(hand().start())).info.state).toBe('running')
  })

  it('has its actual terminal, not the requested one', async () => {
    const { sessions } = table()
    const terminal = { cols: 80, rows: 24 }
    const pty = await sessions.start(hand({ transport: 'pty' }).start({ terminal }))
    expect(pty.info).toMatchObject({ transport: 'pty', terminalAsked: true, terminal })
    const pipe = await sessions.start(hand().start({ terminal }))
    expect(pipe.info).toMatchObject({ transport: 'pipe', terminalAsked: true })
    expect(pipe.info).not.toHaveProperty('terminal')
  })
})

describe('reading a session', () => {
  it('continues after the last read, oldest first, separately per stream', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('hello world')
    shell.print('oops', 'stderr')
    expect(session.read({ maxChars: 5 })).toEqual({
      stdout: { text: 'hello', cursor: 5, hasMore: true, dropped: 0 },
      stderr: { text: 'oops', cursor: 4, hasMore: false, dropped: 0 },
    })
    shell.print('more', 'stderr')
    expect(session.read({ stream: 'stdout' })).toEqual({
      stdout: { text: ' world', cursor: 11, hasMore: false, dropped: 0 },
      stderr: { text: '', cursor: 4, hasMore: false, dropped: 0 },
    })
    expect(session.info.unread).toEqual({ stdout: 0, stderr: 4 })
    expect(session.read().stderr).toEqual({ text: 'more', cursor: 8, hasMore: false, dropped: 0 })
  })

  it('reading with peek does not move the cursors', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('abc')
    expect(session.read({ peek: true }).stdout).toEqual({ text: 'abc', cursor: 3, hasMore: false, dropped: 0 })
    expect(textOf(session)).toBe('abc')
    expect(textOf(session)).toBe('')
  })

  it('returns 8000 characters per stream by default', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('x'.repeat(9000))
    expect(textOf(session)).toHaveLength(8000)
    expect(textOf(session)).toHaveLength(1000)
  })

  it('reports what was lost between two reads', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('a'.repeat(100))
    session.read({ maxChars: 40 })
    shell.print('b'.repeat(300_000))
    expect(session.info.unread.stdout).toBe(300_000)
    expect(session.read({ maxChars: 3, peek: true }).stdout).toEqual({ text: 'bbb', cursor: 103, hasMore: true, dropped: 60 })
    expect(session.read({ maxChars: 3 }).stdout.dropped).toBe(60)
    expect(session.read({ maxChars: 3 }).stdout).toEqual({ text: 'bbb', cursor: 106, hasMore: true, dropped: 0 })
  })

  it('returns plain text, however the output is split', async () => {
    const { sessions } = table()
    const shell = hand({ transport: 'pty' })
    const session = await sessions.start(shell.start())
    for (const piece of ['\x1b', '[3', '1mred\x1b]0;ti', 'tle\x07\r', '\n\x1b[0m\ud83d', '\ude00']) shell.print(piece)
    expect(textOf(session)).toBe('red\n😀')
  })

  it('works after the end, and returns the text of an unfinished control sequence', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('last words\x1b]0;unfinished')
    shell.exit({ exitCode: 0 })
    await session.exited
    shell.print('too late')
    expect(textOf(session)).toBe('last words0;unfinished')
    expect(textOf(session)).toBe('')
  })

  it('returns output printed before the start was complete', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(
      shell.start({
        spawn: async ({ onOutput }) => {
          onOutput({ stream: 'stdout', text: 'early' })
          return shell.process
        },
      }),
    )
    expect(textOf(session)).toBe('early')
  })
})

describe('waiting for a session', () => {
  const over = async (wait: Promise<void>): Promise<boolean> => {
    let done = false
    void wait.then(() => {
      done = true
    })
    await settle()
    return done
  }

  it('ends at once if there is unread output', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('x')
    expect(await over(session.wait(1000))).toBe(true)
    expect(await over(session.wait(1000, { stream: 'stderr' }))).toBe(false)
  })

  it('ends on output of the given stream, but not on control sequences', async () => {
    const { sessions, host } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    const wait = session.wait(1000, { stream: 'stderr' })
    shell.print('x')
    shell.print('\x1b[31m', 'stderr')
    expect(await over(wait)).toBe(false)
    shell.print('y', 'stderr')
    expect(await over(wait)).toBe(true)
    expect(host.sleeping).toBe(0)
  })

  it('ends on exit, timeout and abort', async () => {
    const { sessions, host } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    const timed = session.wait(1000)
    expect(await over(timed)).toBe(false)
    await host.advance(1000)
    expect(await over(timed)).toBe(true)
    const controller = new AbortController()
    const aborted = session.wait(1000, { signal: controller.signal })
    expect(await over(aborted)).toBe(false)
    controller.abort()
    expect(await over(aborted)).toBe(true)
    expect(await over(session.wait(1000, { signal: controller.signal }))).toBe(true)
    const ended = session.wait(1000)
    shell.exit({ exitCode: 0 })
    expect(await over(ended)).toBe(true)
    expect(await over(session.wait(1000))).toBe(true)
    expect(host.sleeping).toBe(0)
  })

  it('ends at once with a timeout of 0', async () => {
    const { sessions } = table()
    const session = await sessions.start(hand().start())
    expect(await over(session.wait(0))).toBe(true)
  })
})

describe('input of a session', () => {
  it('is passed on in order and counted in bytes', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    expect(await Promise.all([session.write('a\n'), session.write('é😀'), session.write(''), session.write('z')])).toEqual([2, 6, 0, 1])
    expect(shell.told).toEqual(['a\n', 'é😀', 'z'])
  })

  it('keeps its order if a write is slow or fails', async () => {
    const { sessions } = table()
    const shell = hand()
    const told: string[] = []
    let release = (): void => {}
    const write = async (text: string): Promise<void> => {
      if (text === 'slow')
        await new Promise<void>((resolve) => {
          release = resolve
        })
      if (text === 'bad') throw new ShellError('spawn_failed', 'the input broke')
      told.push(text)
    }
    const session = await sessions.start(shell.start({ spawn: async () => ({ ...shell.process, write }) }))
    const writes = [session.write('slow'), session.write('bad'), session.write('after')]
    await settle()
    expect(told).toEqual([])
    release()
    expect(await Promise.allSettled(writes)).toMatchObject([{ value: 4 }, { reason: { message: 'the input broke' } }, { value: 5 }])
    expect(told).toEqual(['slow', 'after'])
  })

  it('ends with the process, and later input is rejected', async () => {
    const { sessions } = table()
    const shell = hand({ deaf: true })
    const session = await sessions.start(shell.start())
    const writes = Promise.allSettled([session.write('first'), session.write('second')])
    await settle()
    shell.exit({ exitCode: 0 })
    expect(await writes).toMatchObject([{ value: 5 }, { reason: { name: 'ShellError', code: 'not_running' } }])
    await expect(session.write('third')).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
    await expect(session.press('enter')).rejects.toMatchObject({ code: 'not_running' })
    await expect(session.press('ctrl+c')).rejects.toMatchObject({ code: 'not_running' })
    expect(shell.told).toEqual(['first'])
  })

  it('is buffered up to 1 MiB unread, and further input is rejected', async () => {
    const { sessions } = table()
    const shell = hand({ deaf: true })
    const session = await sessions.start(shell.start())
    const half = 'ü'.repeat(256 * 1024)
    const waiting = [session.write(half), session.write(half)]
    for (const more of [session.write('x'), session.press('enter')]) {
      await expect(more).rejects.toMatchObject({
        name: 'ShellError',
        code: 'input_full',
        message: expect.stringContaining('1048576 bytes'),
      })
    }
    shell.exit({ exitCode: 0 })
    await Promise.allSettled(waiting)
    expect(shell.told).toEqual([half])
  })

  it('input of any length is accepted if nothing is unread, and again after reading', async () => {
    const { sessions } = table()
    const session = await sessions.start(hand().start())
    const large = 'x'.repeat(3 * 1024 * 1024)
    expect(await session.write(large)).toBe(large.length)
    expect(await session.write(large)).toBe(large.length)
  })

  it('prevents the session from being idle', async () => {
    const { sessions, host } = table()
    const session = await sessions.start(hand({ dies: ['SIGKILL'] }).start())
    await host.advance(500)
    await session.write('x')
    expect(session.info.updatedMs).toBe(host.now())
    for (const key of ['ctrl+c', 'ctrl+d']) {
      await host.advance(500)
      await session.press(key)
      expect(session.info.updatedMs).toBe(host.now())
    }
  })
})

describe('keys of a session', () => {
  it.each([
    ['enter', '\r'],
    ['tab', '\t'],
    ['esc', '\x1b'],
    ['up', '\x1b[A'],
    ['down', '\x1b[B'],
    ['right', '\x1b[C'],
    ['left', '\x1b[D'],
    ['home', '\x1b[H'],
    ['end', '\x1b[F'],
    ['pgup', '\x1b[5~'],
    ['pgdown', '\x1b[6~'],
    ['backspace', '\x7f'],
    ['delete', '\x1b[3~'],
    ['ctrl+c', '\x03'],
    ['ctrl+d', '\x04'],
    ['ctrl+z', '\x1a'],
    [' Ctrl+Z ', '\x1a'],
    ['UP', '\x1b[A'],
  ])('%j are sent as %j to a terminal', async (key, bytes) => {
    const { sessions } = table()
    const shell = hand({ transport: 'pty' })
    const session = await sessions.start(shell.start())
    expect(await session.press(key)).toBe(bytes.length)
    expect(shell.told).toEqual([bytes])
  })

  it('can be repeated', async () => {
    const { sessions } = table()
    const shell = hand({ transport: 'pty' })
    const session = await sessions.start(shell.start())
    expect(await session.press('down', { repeat: 3 })).toBe(9)
    expect(shell.told).toEqual(['\x1b[B\x1b[B\x1b[B'])
  })

  it('have the form that the program requested', async () => {
    const { sessions } = table()
    const shell = hand({ transport: 'pty' })
    const session = await sessions.start(shell.start())
    shell.print('\x1b[?25;1')
    shell.print('h\x1b=')
    for (const key of ['up', 'home', 'pgup']) await session.press(key)
    shell.print('\x1b[?1l')
    await session.press('up')
    shell.print('\x1b[?12h')
    await session.press('up')
    expect(shell.told).toEqual(['\x1bOA', '\x1bOH', '\x1b[5~', '\x1b[A', '\x1b[A'])
  })

  it('are a signal, the end of input or a line feed without a terminal', async () => {
    const { sessions } = table()
    const shell = hand({ dies: ['SIGKILL'] })
    const session = await sessions.start(shell.start())
    expect(await session.press('ctrl+c', { repeat: 2 })).toBe(0)
    expect(await session.press('enter', { repeat: 2 })).toBe(2)
    expect(await session.press('up')).toBe(3)
    expect(await session.press('ctrl+d')).toBe(0)
    expect(shell.told).toEqual(['[SIGINT]', '[SIGINT]', '\n\n', '\x1b[A', '[closed]'])
    await expect(session.write('x')).rejects.toMatchObject({
      code: 'not_running',
      message: `Cannot write to session "${session.id}": its input is closed`,
    })
    await expect(session.press('ctrl+d')).rejects.toMatchObject({ code: 'not_running' })
  })

  it('are rejected if unknown, with the known ones', async () => {
    const { sessions } = table()
    const session = await sessions.start(hand().start())
    for (const key of ['f1', '', 'constructor', 'x'.repeat(1000)])
      await expect(session.press(key)).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
    await expect(session.press('f1')).rejects.toThrow(/^Cannot press "f1": the keys are enter, tab, esc, up,.* ctrl\+z$/)
  })
})

describe('the terminal of a session', () => {
  it('can be resized', async () => {
    const { sessions } = table()
    const shell = hand({ transport: 'pty' })
    const session = await sessions.start(shell.start())
    await session.resize({ cols: 100, rows: 50 })
    expect(shell.told).toEqual(['[100x50]'])
    expect(session.info.terminal).toEqual({ cols: 100, rows: 50 })
    shell.exit({ exitCode: 0 })
    await session.exited
    await expect(session.resize({ cols: 100, rows: 50 })).rejects.toMatchObject({ code: 'not_running' })
  })

  it('cannot be resized if the session has only a pipe', async () => {
    const { sessions } = table()
    const session = await sessions.start(hand().start({ terminal: { cols: 80, rows: 24 } }))
    await expect(session.resize({ cols: 100, rows: 50 })).rejects.toMatchObject({ name: 'UnsupportedError', capability: 'terminal' })
  })
})

describe('stopping a session', () => {
  it('sends SIGTERM, which is usually enough', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    expect(await session.stop()).toMatchObject({ state: 'stopped', exitCode: 143, signal: 'SIGTERM', escalated: false })
    expect(shell.told).toEqual(['[SIGTERM]'])
    expect(await session.stop()).toMatchObject({ state: 'stopped', escalated: false })
    await session.kill('SIGKILL')
    expect(shell.told).toEqual(['[SIGTERM]'])
  })

  it('sends SIGKILL after graceMs', async () => {
    const { sessions, host } = table()
    const shell = hand({ dies: ['SIGKILL'] })
    const session = await sessions.start(shell.start())
    const stop = session.stop({ graceMs: 500 })
    await host.advance(499)
    expect([shell.told, session.info.state]).toEqual([['[SIGTERM]'], 'running'])
    await host.advance(1)
    expect(await stop).toMatchObject({ state: 'stopped', exitCode: 137, signal: 'SIGKILL', escalated: true })
    expect(host.sleeping).toBe(0)
  })

  it('waits two seconds by default', async () => {
    const { sessions, host } = table()
    const shell = hand({ dies: ['SIGKILL'] })
    const session = await sessions.start(shell.start())
    const stop = session.stop()
    await host.advance(1999)
    expect(shell.told).toEqual(['[SIGTERM]'])
    await host.advance(1)
    expect((await stop).escalated).toBe(true)
  })

  it('stopping by force sends SIGKILL at once, even while another stop waits', async () => {
    const { sessions } = table()
    const shell = hand({ dies: ['SIGKILL'] })
    const session = await sessions.start(shell.start())
    const gentle = session.stop()
    await settle()
    expect(await session.stop({ force: true })).toMatchObject({ exitCode: 137, escalated: false })
    expect(await gentle).toMatchObject({ exitCode: 137, escalated: false })
    expect(shell.told).toEqual(['[SIGTERM]', '[SIGKILL]'])
  })

  it('ends even if the process never reports its exit', async () => {
    const { sessions, host } = table()
    const shell = hand({ dies: [] })
    const session = await sessions.start(shell.start())
    const stop = session.stop()
    await host.advance(4000)
    expect(await stop).toMatchObject({ state: 'stopped', exitCode: null, escalated: true })
    expect(shell.signal?.aborted).toBe(true)
    expect(await session.exited).toEqual({ exitCode: null })
    expect(host.sleeping).toBe(0)
    shell.exit({ exitCode: 5 })
    await settle()
    expect(session.info).toMatchObject({ state: 'stopped', exitCode: 5 })
  })

  it('ends even if signals fail or hang', async () => {
    for (const kill of [() => Promise.reject(new Error('no')), () => new Promise<void>(() => {})]) {
      const { sessions, host } = table()
      const shell = hand()
      const session = await sessions.start(shell.start({ spawn: async () => ({ ...shell.process, kill }) }))
      const stop = session.stop()
      await host.advance(4000)
      expect(await stop).toMatchObject({ state: 'stopped', exitCode: null })
    }
  })

  it('differs from a signal that the program sends itself', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    await session.kill('SIGINT')
    await session.exited
    expect(session.info).toMatchObject({ state: 'exited', exitCode: 130, signal: 'SIGINT' })
  })
})

describe('raw output of a session', () => {
  it('is passed on unchanged, with the kept output first', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('\x1b[31mred')
    shell.print('!')
    shell.print('oops', 'stderr')
    shell.print('\r\nend')
    const heard: ShellOutput[] = []
    const stop = session.onOutput((output) => heard.push(output))
    expect(heard).toEqual([
      { stream: 'stdout', text: '\x1b[31mred!' },
      { stream: 'stderr', text: 'oops' },
      { stream: 'stdout', text: '\r\nend' },
    ])
    shell.print('more')
    stop()
    shell.print('unheard')
    expect(heard.slice(3)).toEqual([{ stream: 'stdout', text: 'more' }])
    expect(textOf(session)).toBe('red!\nendmoreunheard')
  })

  it('is kept up to 65,536 characters, in any pieces', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    const replay = (): string => {
      let text = ''
      session.onOutput((output) => {
        text += `${output.stream === 'stderr' ? 'E' : ''}${output.text}`
      })()
      return text
    }
    shell.print(`${'a'.repeat(1_000_000)}z`)
    expect(replay()).toBe(`${'a'.repeat(65_535)}z`)
    for (let i = 0; i < 70_000; i++) shell.print(i % 2 === 0 ? 'o' : 'e', i % 2 === 0 ? 'stdout' : 'stderr')
    expect(replay()).toBe('oEe'.repeat(32_768))
  })

  it('ignores throwing listeners', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('a')
    const heard: string[] = []
    session.onOutput(() => {
      throw new Error('mine')
    })
    session.onOutput(({ text }) => heard.push(text))
    shell.print('b')
    expect(heard).toEqual(['a', 'b'])
    expect(textOf(session)).toBe('ab')
  })
})

describe('the session table', () => {
  it('reports starts and ends, even if listeners throw', async () => {
    const { sessions } = table({ keepEnded: 0 })
    let told = 0
    sessions.onChange(() => {
      throw new Error('mine')
    })
    const stop = sessions.onChange(() => told++)
    const shell = hand()
    await sessions.start(shell.start())
    expect(told).toBe(1)
    shell.exit({ exitCode: 0 })
    await settle()
    expect(told).toBe(2)
    stop()
    await sessions.start(hand().start())
    expect(told).toBe(2)
  })

  it('passes on the error of a failed start and keeps no session', async () => {
    const { sessions } = table({ max: 1 })
    const failed = new ShellError('spawn_failed', 'no more processes')
    await expect(sessions.start(hand().start({ spawn: () => Promise.reject(failed) }))).rejects.toBe(failed)
    await expect(
      sessions.start(
        hand().start({
          spawn: () => {
            throw failed
          },
        }),
      ),
    ).rejects.toBe(failed)
    expect(sessions.list()).toEqual([])
    await sessions.start(hand().start())
  })

  it('rejects sessions above the maximum, counting starting ones', async () => {
    const { sessions } = table({ max: 2 })
    const shell = hand()
    const results = await Promise.allSettled([
      sessions.start(shell.start()),
      sessions.start(hand().start()),
      sessions.start(hand().start({ name: 'third' })),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: { name: 'ShellError', code: 'too_many_sessions' } })
    shell.exit({ exitCode: 0 })
    await settle()
    await sessions.start(hand().start())
  })

  it('drops the session that ended first', async () => {
    const { sessions } = table({ keepEnded: 2 })
    const shells = [hand(), hand(), hand(), hand()]
    const all: Session[] = []
    for (const shell of shells) all.push(await sessions.start(shell.start()))
    for (const index of [2, 0, 1]) {
      shells[index]?.exit({ exitCode: index })
      await settle()
    }
    expect(sessions.list()).toEqual([all[3], all[1], all[0]])
    expect(sessions.get(all[2]?.id ?? '')).toBeUndefined()
  })

  it('stops sessions that are idle too long', async () => {
    const { sessions, host } = table({ idleMs: 1000 })
    const shell = hand()
    const session = await sessions.start(shell.start())
    await host.advance(900)
    shell.print('busy')
    await host.advance(900)
    await session.write('x')
    await host.advance(999)
    expect(session.info.state).toBe('running')
    await host.advance(1)
    expect(session.info).toMatchObject({ state: 'stopped', signal: 'SIGTERM' })
    expect(host.sleeping).toBe(0)
  })

  it('has no timer after a session ended', async () => {
    const { sessions, host } = table({ idleMs: 2 ** 40 })
    const shell = hand()
    await sessions.start(shell.start())
    expect(host.sleeping).toBe(1)
    shell.exit({ exitCode: 0 })
    await settle()
    expect(host.sleeping).toBe(0)
  })

  it.each([{ max: 0 }, { max: 1.5 }, { idleMs: 0 }, { keepEnded: -1 }, { idleMs: Number.NaN }])('rejects %j', (options) => {
    expect(() => table(options)).toThrow(RangeError)
  })
})

describe('dispose of the session table', () => {
  it('ends all sessions with SIGTERM, then SIGKILL, and rejects new ones', async () => {
    const { sessions, host } = table()
    const gentle = hand()
    const stubborn = hand({ dies: ['SIGKILL'] })
    for (const shell of [gentle, stubborn]) await sessions.start(shell.start())
    const ends = [sessions.dispose(), sessions.dispose()]
    await host.advance(2000)
    await Promise.all(ends)
    expect(gentle.told).toEqual(['[SIGTERM]'])
    expect(stubborn.told).toEqual(['[SIGTERM]', '[SIGKILL]'])
    expect(sessions.list().map(({ info }) => info.state)).toEqual(['stopped', 'stopped'])
    await expect(sessions.start(hand().start())).rejects.toMatchObject({ name: 'ShellError', code: 'unavailable' })
    expect(host.sleeping).toBe(0)
  })

  it('dispose also works before the first session', async () => {
    const { sessions } = table()
    await sessions.dispose()
    await expect(sessions.start(hand().start())).rejects.toMatchObject({ code: 'unavailable' })
    expect(sessions.list()).toEqual([])
  })

  it('aborts starts, and kills processes that start later', async () => {
    const { sessions, host } = table()
    await sessions.start(hand().start())
    const late = hand()
    let arrive: (process: ShellProcess) => void = () => {}
    let signal: AbortSignal | undefined
    const start = sessions.start(
      late.start({
        spawn: (io) => {
          signal = io.signal
          return new Promise((resolve) => {
            arrive = resolve
          })
        },
      }),
    )
    const refused = expect(start).rejects.toMatchObject({ code: 'unavailable' })
    await settle()
    const end = sessions.dispose()
    await refused
    expect(signal?.aborted).toBe(true)
    arrive(late.process)
    await end
    expect(late.told).toEqual(['[SIGKILL]'])
    expect(sessions.list()).toHaveLength(1)
    expect(host.sleeping).toBe(0)
  })

  it('ends even if a start never answers and a process never ends', async () => {
    const { sessions, host } = table()
    await sessions.start(hand({ dies: [] }).start())
    const start = sessions.start(hand().start({ spawn: () => new Promise(() => {}) }))
    const refused = expect(start).rejects.toMatchObject({ code: 'unavailable' })
    await settle()
    const end = sessions.dispose()
    await host.advance(4000)
    await end
    await refused
    expect(host.sleeping).toBe(0)
  })
})

describe('a reused session', () => {
  const key = { kind: 'bash', name: 'dev', cwd: '/workspace', terminal: undefined }

  it('has the same name, directory and terminal, and is running', async () => {
    const { sessions } = table()
    const shell = hand()
    const session = await sessions.start(shell.start({ name: 'dev' }))
    expect(findRunning(sessions, key)).toBe(session)
    expect(findRunning(sessions, { ...key, kind: 'js' })).toBeUndefined()
    expect(findRunning(sessions, { ...key, name: 'other' })).toBeUndefined()
    expect(findRunning(sessions, { ...key, cwd: '/workspace/sub' })).toBeUndefined()
    expect(findRunning(sessions, { ...key, terminal: { cols: 80, rows: 24 } })).toBeUndefined()
    shell.exit({ exitCode: 0 })
    await settle()
    expect(findRunning(sessions, key)).toBeUndefined()
  })

  it('is found by the requested terminal, even if it got none', async () => {
    const { sessions } = table()
    const session = await sessions.start(hand().start({ name: 'dev', terminal: { cols: 80, rows: 24 } }))
    expect(findRunning(sessions, { ...key, terminal: { cols: 120, rows: 36 } })).toBe(session)
  })

  it('may have ignored SIGTERM, but is not being stopped', async () => {
    const { sessions, host } = table()
    const shell = hand({ dies: [] })
    const { session } = await startOrReuse(sessions, shell.start({ name: 'dev' }))
    await session.kill('SIGTERM')
    expect(session.info.stopping).toBe(false)
    expect(await startOrReuse(sessions, hand().start({ name: 'dev' }))).toEqual({ session, reused: true })
    const stopped = session.stop()
    expect(session.info).toMatchObject({ state: 'running', stopping: true })
    const second = await startOrReuse(sessions, hand({ dies: [] }).start({ name: 'dev' }))
    expect(second.reused).toBe(false)
    expect((await startOrReuse(sessions, hand().start({ name: 'dev' }))).session).toBe(second.session)
    await second.session.kill('SIGKILL')
    expect((await startOrReuse(sessions, hand().start({ name: 'dev' }))).reused).toBe(false)
    await host.advance(10_000)
    expect(await stopped).toMatchObject({ state: 'stopped', stopping: false })
  })

  it('is started once for two concurrent calls', async () => {
    const { sessions } = table()
    const start = hand().start({ name: 'dev' })
    const [first, second] = await Promise.all([startOrReuse(sessions, start), startOrReuse(sessions, hand().start({ name: 'dev' }))])
    expect([first.reused, second.reused]).toEqual([false, true])
    expect(second.session).toBe(first.session)
    expect((await startOrReuse(sessions, start)).reused).toBe(true)
    expect(sessions.list()).toHaveLength(1)
  })

  it('is started by the second call if the first start fails', async () => {
    const { sessions } = table()
    const failing = hand().start({ name: 'dev', spawn: () => Promise.reject(new ShellError('spawn_failed', 'no')) })
    const results = await Promise.allSettled([startOrReuse(sessions, failing), startOrReuse(sessions, hand().start({ name: 'dev' }))])
    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: { reused: false } }])
  })
})
