// @module-tag background
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createWorkerRuntime, type WorkerRuntimeOptions } from 'toolport/cloudflare'
import { loaf } from 'toolport/presets/loaf'
import { describe, expect, it } from 'vitest'

/** A new stub each time, because a stub to an aborted object stays broken. */
const stubOf = (object: string) => env.AGENT.getByName(object)

interface Answer {
  readonly ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers
  readonly output: any
  readonly content?: readonly { readonly text: string }[]
  readonly error?: string
}

async function call(object: string, name: string, input: unknown): Promise<Answer> {
  const response = await stubOf(object).fetch('http://agent/', { method: 'POST', body: JSON.stringify({ name, input }) })
  return response.json()
}

const textOf = ({ content }: Answer): string => (content ?? []).map(({ text }) => text).join('\n')

/** Ways in which an object ends while it has running work: aborted from outside, or by itself. */
const CRASHES: Readonly<Record<string, (object: string) => Promise<void>>> = {
  aborted: () => abortAllDurableObjects(),
  crashed: (object) => runInDurableObject(stubOf(object), (_, state) => state.abort('on purpose')).catch(() => undefined),
}

/** Evicts the object. Eviction waits for timers, so nothing may be running. */
const evicted = (object: string): Promise<void> => evictDurableObject(stubOf(object))

const start = async (object: string, command: string, more: object = {}): Promise<string> => {
  const { output } = await call(object, 'bash', { command, run_in_background: true, ...more })
  return output.session_id
}

/** Number of stdout characters that are recorded. */
const recorded = (object: string, id: string): Promise<number> =>
  runInDurableObject(stubOf(object), (_, { storage }) =>
    Number(storage.sql.exec('SELECT stdout_end FROM toolport_sessions WHERE id = ?', id).one().stdout_end),
  )

describe.each(Object.entries(CRASHES))('a Durable Object that is %s while a session runs', (how, restart) => {
  it('reports the session as lost and returns the output printed before', async () => {
    const object = `lost-${how}`
    const session_id = await start(object, 'echo begun; for i in $(seq 100000); do echo "tick $i"; sleep 0.02; done', {
      session_name: 'ticker',
    })
    const first = await call(object, 'read_background_bash', { session_id, wait_ms: 60_000 })
    expect(first.output).toMatchObject({ state: 'running', running: true, stdout: expect.stringMatching(/^begun\n/) })
    const cursor: number = first.output.stdout_cursor
    // The object also records output that nobody has read.
    await expect.poll(() => recorded(object, session_id)).toBeGreaterThan(cursor)
    await restart(object)
    const listed = await call(object, 'list_background_bash', {})
    expect(listed.output).toEqual({ count: 0, sessions: [] })
    expect(textOf(listed)).toContain(`lost in a restart of the host: ${session_id}`)
    const all = await call(object, 'list_background_bash', { include_exited: true })
    expect(all.output.sessions).toMatchObject([
      { session_id, session_name: 'ticker', state: 'lost', running: false, exit_code: null, signal: null },
    ])
    expect(textOf(all)).toContain('lost: it ended with an unknown exit code when its host restarted')
    const rest = await call(object, 'read_background_bash', { session_id, wait_ms: 60_000 })
    expect(rest.output).toMatchObject({ state: 'lost', running: false, exit_code: null, stdout_dropped: 0 })
    expect(`${first.output.stdout}${rest.output.stdout}`).toMatch(/^begun\n(tick \d+\n)+$/)
    expect(rest.output.stdout_cursor).toBe(cursor + rest.output.stdout.length)
    expect(textOf(rest)).toContain('lost: it ended with an unknown exit code when its host restarted')
    expect(textOf(rest)).toContain('its last output before that may be missing, start it again if it is still needed')
    const written = await call(object, 'write_background_bash', { session_id, input: 'x' })
    expect(written).toMatchObject({
      ok: false,
      output: { code: 'not_running' },
      error: expect.stringContaining('lost when the object that ran it was evicted'),
    })
    const stopped = await call(object, 'stop_background_bash', { session_id })
    expect(stopped.output).toMatchObject({ status: 'already_stopped', state: 'lost', escalated: false })
    // The session's name is free again.
    const again = await call(object, 'bash', { command: 'echo again; sleep 1000', run_in_background: true, session_name: 'ticker' })
    expect(again.output).toMatchObject({ status: 'started' })
    expect(again.output.session_id).not.toBe(session_id)
    expect((await call(object, 'read_background_bash', { session_id: again.output.session_id, wait_ms: 60_000 })).output.stdout).toBe(
      'again\n',
    )
    await restart(object)
    const second = await call(object, 'list_background_bash', { include_exited: true })
    expect(second.output.sessions).toMatchObject([
      { session_id: again.output.session_id, state: 'lost', unread_stdout: 0 },
      { session_id, state: 'lost', unread_stdout: 0 },
    ])
    expect((await call(object, 'read_background_bash', { session_id })).output).toMatchObject({
      stdout: '',
      stdout_cursor: rest.output.stdout_cursor,
    })
  })
})

describe.each(Object.entries({ ...CRASHES, evicted }))('a Durable Object that is %s while no call runs', (how, restart) => {
  it('keeps the state and output of exited and stopped sessions', async () => {
    const object = `ended-${how}`
    const exited = await start(object, 'echo done; echo oops >&2; exit 3')
    const stopped = await start(object, 'echo begun; sleep 1000')
    await expect
      .poll(async () => (await call(object, 'read_background_bash', { session_id: exited, peek: true, wait_ms: 1000 })).output.state)
      .toBe('exited')
    expect((await call(object, 'read_background_bash', { session_id: stopped, peek: true, wait_ms: 60_000 })).output.stdout).toBe('begun\n')
    const before = (await call(object, 'stop_background_bash', { session_id: stopped })).output
    await restart(object)
    expect((await call(object, 'read_background_bash', { session_id: exited })).output).toMatchObject({
      state: 'exited',
      exit_code: 3,
      stdout: 'done\n',
      stderr: 'oops\n',
    })
    const { exit_code, signal } = before
    expect((await call(object, 'read_background_bash', { session_id: stopped })).output).toMatchObject({
      state: 'stopped',
      exit_code,
      signal,
      stdout: 'begun\n',
    })
  })

  it('reports a session that waited for input as lost', async () => {
    const object = `waiting-${how}`
    const session_id = await start(object, 'echo begun; while read line; do echo "got $line"; done')
    await call(object, 'read_background_bash', { session_id, wait_ms: 60_000 })
    await call(object, 'write_background_bash', { session_id, input: 'a' })
    await expect.poll(() => recorded(object, session_id)).toBe('begun\ngot a\n'.length)
    await restart(object)
    expect((await call(object, 'read_background_bash', { session_id })).output).toMatchObject({
      state: 'lost',
      stdout: 'got a\n',
      stdout_dropped: 0,
    })
  })
})

/** Creates runtimes as an object's constructor does. A second runtime on the same storage acts as the runtime of the next object. */
function withRuntimes(
  title: string,
  body: (create: (options?: WorkerRuntimeOptions) => ReturnType<typeof createWorkerRuntime>) => Promise<void>,
): void {
  it(title, () =>
    runInDurableObject(env.AGENT.get(env.AGENT.newUniqueId()), async (_, state) => {
      const ctx = { waitUntil: (promise: Promise<unknown>) => state.waitUntil(promise), storage: state.storage }
      await body((options) => createWorkerRuntime(ctx, options))
    }),
  )
}

describe('the runtime of an object', () => {
  withRuntimes('records a real flood of output in bounded space, and the next object continues it', async (create) => {
    const tools = create()
    const started = (await tools.call('bash', { command: 'yes 0123456789abcde | head -c 8000000; echo end', run_in_background: true })) as {
      session_id: string
    }
    const session = tools.sessions.get(started.session_id)
    await session?.exited
    expect(session?.info).toMatchObject({ state: 'exited', exitCode: 0 })
    const read = create().sessions.get(started.session_id)?.read({ maxChars: 1_000_000 }).stdout
    expect(read).toMatchObject({ cursor: 8_000_004, dropped: 8_000_004 - 300_000, hasMore: false })
    expect(read?.text.slice(-24)).toBe('cde\n0123456789abcde\nend\n')
  })

  withRuntimes('dispose ends its sessions, and the next runtime lists them as stopped', async (create) => {
    const tools = create()
    const { session_id } = (await tools.call('bash', { command: 'echo begun; sleep 1000', run_in_background: true })) as {
      session_id: string
    }
    await tools.sessions.get(session_id)?.wait(60_000)
    await tools.dispose()
    const next = create()
    expect(await next.call('read_background_bash', { session_id })).toMatchObject({ state: 'stopped', stdout: 'begun\n' })
  })

  withRuntimes('reports the nearest documented state to the presets', async (create) => {
    const first = create({ preset: loaf() })
    const started = await first.call('bash', { command: 'echo begun; sleep 1000', run_in_background: true, session_name: 'a' })
    const { session_id } = started as { session_id: string }
    await first.sessions.get(session_id)?.wait(60_000)
    expect(await first.call('read_background_bash', { session_id, max_chars: 3 })).toMatchObject({ running: true, stdout: 'beg' })
    const next = create({ preset: loaf() })
    expect(await next.call('list_background_bash', {})).toMatchObject({ count: 0 })
    expect(await next.call('list_background_bash', { include_exited: true })).toMatchObject({
      sessions: [{ session_id, running: false, status: 'exited' }],
    })
    expect(await next.call('read_background_bash', { session_id })).toMatchObject({
      running: false,
      exit_code: null,
      signal: null,
      stdout: 'un\n',
    })
    expect(await next.call('stop_background_bash', { session_id })).toMatchObject({
      status: 'already_stopped',
      running: false,
      exit_code: null,
    })
    expect(await next.execute({ name: 'write_background_bash', input: { session_id, input: 'x' } })).toMatchObject({
      ok: false,
      output: { code: 'not_running' },
      error: 'background bash session is not running',
    })
  })

  withRuntimes('accepts limits for its sessions, and a custom session table', async (create) => {
    expect(() => create({ sessions: { keepEnded: -1 } })).toThrow(RangeError)
    const tools = create({ sessions: { max: 1, keepEnded: 1 } })
    const run = (command: string) => tools.call('bash', { command, run_in_background: true }) as Promise<{ session_id: string }>
    for (const command of ['echo 1', 'echo 2']) await tools.sessions.get((await run(command)).session_id)?.exited
    expect(tools.sessions.list().map(({ info }) => info.command)).toEqual(['echo 2'])
    await run('sleep 1000')
    await expect(run('echo 3')).rejects.toMatchObject({ result: { output: { code: 'too_many_sessions' } } })
    const shared = create({ sessions: tools.sessions })
    expect(shared.sessions).toBe(tools.sessions)
    const inMemory = create({ storage: 'memory' })
    expect(inMemory.sessions.list()).toEqual([])
  })
})
