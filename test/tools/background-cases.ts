// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import type { OpenBench } from './bash-cases.js'
import type { Bench } from './harness.js'

const TREE = { 'sub/deep/f.txt': 'one\ntwo\n' }

/** Reads all unread output until the session has ended. */
export async function readAll({ ok }: Bench, session_id: string): Promise<{ stdout: string; stderr: string; exit_code: number | null }> {
  let stdout = ''
  let stderr = ''
  for (;;) {
    const read = await ok('read_background_bash', { session_id, wait_ms: 20_000 })
    stdout += read.stdout
    stderr += read.stderr
    if (!read.running && !read.stdout_has_more && !read.stderr_has_more) return { stdout, stderr, exit_code: read.exit_code }
  }
}

/** Reads until the output contains the text. */
export async function readUntil({ ok }: Bench, session_id: string, text: string): Promise<string> {
  let stdout = ''
  while (!stdout.includes(text)) {
    const read = await ok('read_background_bash', { session_id, wait_ms: 20_000 })
    stdout += read.stdout
    if (!read.running && !stdout.includes(text)) throw new Error(`ended without ${JSON.stringify(text)}: ${JSON.stringify(stdout)}`)
  }
  return stdout
}

const ID = /^bg-bash-\d+-[0-9a-f]{8}$/

/** Cases for background sessions, for every shell that supports them. */
export function backgroundCases(open: OpenBench): void {
  const start = async (bench: Bench, command: string, input: Record<string, unknown> = {}): Promise<string> =>
    (await bench.ok('bash', { command, run_in_background: true, ...input })).session_id

  it('a session runs beside other calls, can be read meanwhile, and ends by itself', async () => {
    const bench = await open()
    const { ok, runtime } = bench
    const started = await ok('bash', { command: 'echo begun; read line; echo "got $line"; echo oops >&2; exit 3', run_in_background: true })
    expect(started).toMatchObject({
      status: 'started',
      session_id: expect.stringMatching(ID),
      session_name: 'background-bash',
      cwd: runtime.workspace.root,
      transport: 'pipe',
    })
    expect(new Date(started.created_at).toISOString()).toBe(started.created_at)
    const { session_id } = started
    expect(await readUntil(bench, session_id, 'begun\n')).toBe('begun\n')
    expect(await ok('bash', { command: 'echo beside' })).toMatchObject({ stdout: 'beside\n' })
    expect(await ok('write_background_bash', { session_id, input: 'héllo' })).toMatchObject({ bytes_written: 7 })
    expect(await readAll(bench, session_id)).toEqual({ stdout: 'got héllo\n', stderr: 'oops\n', exit_code: 3 })
    expect(await ok('read_background_bash', { session_id })).toMatchObject({ state: 'exited', running: false, exit_code: 3, stdout: '' })
  })

  it('a session starts in the directory and with the variables of the last command, and does not change them', async () => {
    const bench = await open(TREE)
    const { ok, runtime } = bench
    const { root } = runtime.workspace
    await ok('bash', { command: 'cd sub; export A=1' })
    const at = await start(bench, 'pwd; echo "$A"; cd /; export A=2')
    expect(await readAll(bench, at)).toMatchObject({ stdout: `${root}/sub\n1\n` })
    const other = await start(bench, 'pwd; echo "$A"', { cwd: 'deep', env: { A: '3' } })
    expect(await readAll(bench, other)).toMatchObject({ stdout: `${root}/sub/deep\n3\n` })
    expect(await ok('bash', { command: 'pwd; echo "$A"' })).toMatchObject({ stdout: `${root}/sub\n1\n` })
  })

  it('a session starts with the shell variables and functions of the last command', async () => {
    const bench = await open()
    await bench.ok('bash', { command: 'plain=3; list=(a b); greet() { echo "hello $1"; }' })
    const { session_id } = await bench.ok('bash', { command: 'greet "$plain ${#list[@]}"; plain=4', run_in_background: true })
    expect(await readAll(bench, session_id)).toMatchObject({ stdout: 'hello 3 2\n' })
    expect(await bench.ok('bash', { command: 'echo "$plain"' })).toMatchObject({ stdout: '3\n' })
  })

  it('a session starts at the root if its directory is gone, with a note', async () => {
    const bench = await open(TREE)
    const { ok, read, fail, runtime } = bench
    const { root } = runtime.workspace
    await ok('bash', { command: 'cd sub/deep' })
    await ok('delete_file', { path: 'sub', recursive: true })
    expect(await read('bash', { command: 'pwd', run_in_background: true })).toContain(`"${root}/sub/deep" no longer exists`)
    expect((await fail('bash', { command: 'pwd', run_in_background: true, cwd: 'nope' })).output).toMatchObject({ code: 'ENOENT' })
  })

  it('ten sessions keep their outputs separate', async () => {
    const bench = await open()
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, i) => start(bench, `for n in $(seq 1 200); do echo "out ${i} $n"; echo "err ${i} $n" >&2; done`)),
    )
    expect(new Set(ids).size).toBe(10)
    const all = await Promise.all(ids.map((id) => readAll(bench, id)))
    const lines = (what: string, i: number): string => Array.from({ length: 200 }, (_, n) => `${what} ${i} ${n + 1}\n`).join('')
    for (const [i, { stdout, stderr }] of all.entries()) expect([stdout, stderr]).toEqual([lines('out', i), lines('err', i)])
  })

  describe('stop_background_bash', () => {
    it('ends a session and keeps its output', async () => {
      const bench = await open()
      const { ok, read } = bench
      const session_id = await start(bench, 'echo before; sleep 600; echo after')
      await expect.poll(async () => (await ok('list_background_bash')).sessions[0]?.unread_stdout).toBeGreaterThan(0)
      expect(await ok('stop_background_bash', { session_id })).toMatchObject({
        status: 'stopped',
        state: 'stopped',
        running: false,
        exit_code: 143,
        signal: 'SIGTERM',
        escalated: false,
      })
      expect(await ok('stop_background_bash', { session_id })).toMatchObject({ status: 'already_stopped', escalated: false })
      expect(await read('read_background_bash', { session_id })).toBe('before\n[stopped (SIGTERM, exit code 143)]')
      expect((await ok('list_background_bash')).sessions).toEqual([])
    })

    it('`force` kills at once', async () => {
      const bench = await open()
      const session_id = await start(bench, 'sleep 600')
      expect(await bench.ok('stop_background_bash', { session_id, force: true })).toMatchObject({
        state: 'stopped',
        exit_code: 137,
        signal: 'SIGKILL',
        escalated: false,
      })
    })

    it('ends a tight loop', async () => {
      const bench = await open()
      const session_id = await start(bench, 'echo before; while true; do :; done')
      await readUntil(bench, session_id, 'before')
      expect(await bench.ok('stop_background_bash', { session_id, grace_ms: 500 })).toMatchObject({ state: 'stopped', running: false })
    })

    it('is also possible with ctrl+c', async () => {
      const bench = await open()
      const session_id = await start(bench, 'echo before; sleep 600')
      await readUntil(bench, session_id, 'before')
      await bench.ok('write_background_bash', { session_id, key: 'ctrl+c' })
      const { exit_code } = await readAll(bench, session_id)
      expect(exit_code).toBe(130)
    })
  })

  it('ctrl+d ends the input of a session', async () => {
    const bench = await open()
    const { ok, fail } = bench
    const session_id = await start(bench, 'cat; echo end')
    await ok('write_background_bash', { session_id, input: 'one' })
    await ok('write_background_bash', { session_id, input: 'two', append_newline: false })
    await ok('write_background_bash', { session_id, key: 'Ctrl+D' })
    expect(await readAll(bench, session_id)).toEqual({ stdout: 'one\ntwoend\n', stderr: '', exit_code: 0 })
    expect((await fail('write_background_bash', { session_id, input: 'late' })).output).toMatchObject({ code: 'not_running' })
  })

  it('bash with the name of a running session returns it and does not run the command', async () => {
    const bench = await open(TREE)
    const { ok, read } = bench
    const first = await ok('bash', { command: 'sleep 600', run_in_background: true, session_name: 'dev' })
    const again = { command: 'touch made', run_in_background: true, session_name: 'dev' }
    expect(await ok('bash', again)).toMatchObject({
      status: 'reused',
      session_id: first.session_id,
      command: 'sleep 600',
      note: expect.stringContaining('NOT run'),
    })
    expect(await read('bash', again)).toMatch(/NOT run.*\nGoes on running as bg-bash-\S+ \("dev"\): sleep 600\n/)
    expect(await ok('bash', { ...again, command: 'sleep 601', reuse_session: false })).toMatchObject({ status: 'started' })
    expect(await ok('bash', { ...again, command: 'sleep 602', cwd: 'sub' })).toMatchObject({ status: 'started' })
    expect(await ok('bash', { command: 'sleep 603', run_in_background: true })).toMatchObject({ status: 'started' })
    expect(await bench.files()).toEqual(TREE)
    await ok('stop_background_bash', { session_id: first.session_id, force: true })
  })

  it('sessions end with the runtime', async () => {
    const bench = await open()
    const session_id = await start(bench, 'sleep 600')
    const session = bench.runtime.sessions.get(session_id)
    await bench.runtime.dispose()
    expect(session?.info).toMatchObject({ state: 'stopped' })
    expect((await bench.fail('bash', { command: 'sleep 1', run_in_background: true })).output).toMatchObject({ status: 'aborted' })
  })
}
