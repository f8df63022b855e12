// @module-tag loaf
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { createLoaf, type Loaf } from 'toolport/presets/loaf'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { backgroundTests } from './loaf-background-cases.js'
import { type Answered, type Background, backgroundOf } from './loaf-background-support.js'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

function freshRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-loaf-')))
  roots.push(root)
  return root
}

backgroundTests('a shell of this machine', (options, change) =>
  createLoaf({ ...options, fs: createNodeFs({ root: freshRoot() }), shell: (workspace) => change(createNodeShell()(workspace)) }),
)

describe('loaf in the background, on a real terminal', () => {
  const opened: Loaf[] = []
  const make = (): Background => {
    const loaf = createLoaf({ fs: createNodeFs({ root: freshRoot() }), shell: createNodeShell() })
    opened.push(loaf)
    return backgroundOf(loaf)
  }
  const start = async ({ call }: Background, command: string, input: object = {}): Promise<Answered['output']> => {
    const { output, error } = await call('bash', { command, run_in_background: true, ...input })
    expect(error).toBeUndefined()
    return output
  }
  afterEach(async () => {
    for (const loaf of opened.splice(0)) await loaf.dispose()
  })

  it('is the default of bash, with 120 by 36 characters cap:58', async () => {
    const made = make()
    const output = await start(made, '[ -t 0 ] && [ -t 1 ] && stty size; echo oops >&2')
    expect(output).toMatchObject({ transport: 'pty', full_terminal: true, terminal_cols: 120, terminal_rows: 36, pid: expect.any(Number) })
    // A terminal has only one stream.
    expect(await made.ended(output.session_id)).toMatchObject({ stdout: '36 120\noops\n', stderr: '', exit_code: 0 })
  })

  it('has a size from 40 to 400 by 10 to 200 cap:58', async () => {
    const made = make()
    for (const [cols, rows, size] of [
      [80.9, 24, '24 80'],
      [1, 1, '10 40'],
      [9999, 9999, '200 400'],
      ['80', 0, '36 120'],
      [-5, null, '36 120'],
    ] as const) {
      const output = await start(made, 'stty size', { terminal_cols: cols, terminal_rows: rows })
      expect(`${output.terminal_rows} ${output.terminal_cols}`).toBe(size)
      expect(await made.ended(output.session_id)).toMatchObject({ stdout: `${size}\n` })
    }
  })

  it('is resized, and an omitted side stays the same cap:65', async () => {
    const made = make()
    // Polls the size, because bash loses a WINCH that arrives while its trap for the previous one runs.
    const { session_id } = await start(
      made,
      'echo ready; while :; do now=$(stty size); [ "$now" = "$was" ] || echo "$now"; was=$now; sleep 0.05; done',
    )
    await made.until(session_id, 'ready')
    for (const [input, cols, rows] of [
      [{ cols: 100, rows: 30 }, 100, 30],
      [{ cols: 9999, rows: 'x' }, 400, 30],
      [{ cols: -1, rows: 1 }, 400, 10],
    ] as const) {
      expect(await made.call('resize_background_bash', { session_id, ...input })).toEqual({
        ok: true,
        output: { status: 'ok', session_id, transport: 'pty', full_terminal: true, terminal_cols: cols, terminal_rows: rows },
      })
      await made.until(session_id, `${rows} ${cols}`)
    }
    expect((await made.call('list_background_bash', {})).output.sessions[0]).toMatchObject({ terminal_cols: 400, terminal_rows: 10 })
  })

  it('receives keys cap:58 cap:62', async () => {
    const made = make()
    const { session_id } = await start(made, 'stty -echo; echo ready; read -r x; echo "got $x"; sleep 1000')
    await made.until(session_id, 'ready')
    const write = async (input: object): Promise<Answered> => made.call('write_background_bash', { session_id, ...input })
    expect(await write({ input: 'abcd', append_newline: false })).toMatchObject({ output: { bytes_written: 4, transport: 'pty' } })
    expect(await write({ key: 'backspace', repeat: 2 })).toMatchObject({ output: { bytes_written: 2 } })
    expect(await write({ key: 'Enter' })).toMatchObject({ output: { bytes_written: 1 } })
    await made.until(session_id, 'got ab\n')
    await write({ key: 'ctrl+c' })
    expect(await made.ended(session_id)).toMatchObject({ running: false, exit_code: 130, signal: 'SIGINT' })
  })

  it('is not reused for a session on a pipe with the same name cap:57', async () => {
    const made = make()
    const terminal = await start(made, 'read x', { session_name: 'dev' })
    const pipe = await start(made, 'read x', { session_name: 'dev', full_terminal: false })
    expect(pipe).toMatchObject({ status: 'started', transport: 'pipe' })
    expect(await start(made, 'true', { session_name: 'dev' })).toMatchObject({ status: 'reused', session_id: terminal.session_id })
  })

  it('ends together with its programs cap:63 cap:66', async () => {
    const made = make()
    const { session_id } = await start(made, 'echo ready; sh -c "sleep 1000"; echo after')
    await made.until(session_id, 'ready')
    expect(await made.call('stop_background_bash', { session_id })).toMatchObject({ ok: true, output: { status: 'stop_requested' } })
    expect(await made.ended(session_id)).toMatchObject({ exit_code: 143, signal: 'SIGTERM' })
  })

  it('is not killed by stop without force cap:63', async () => {
    const made = make()
    const id = await made.start("trap 'echo refused' TERM; echo ready; while :; do sleep 0.05; done")
    await made.until(id, 'ready')
    expect((await made.call('stop_background_bash', { session_id: id })).output).toEqual({
      status: 'stop_requested',
      session_id: id,
      signal: 'SIGTERM',
      running: true,
      exit_code: null,
    })
    await made.until(id, 'refused')
    expect((await made.call('list_background_bash', {})).output.count).toBe(1)
    await made.call('stop_background_bash', { session_id: id, force: true })
    expect(await made.ended(id)).toMatchObject({ exit_code: 137, signal: 'SIGKILL' })
  })
})
