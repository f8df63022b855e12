// @module-tag background
import { createRuntime } from 'toolport'
import { describe, expect, it } from 'vitest'
import { backgroundCases, readAll, readUntil } from './background-cases.js'
import { benchOver } from './harness.js'
import { realShellBenches } from './real-shell.js'
import { type ShellBenchOptions, shellBenchTools } from './shell-bench.js'

const nodeBench = realShellBenches((ports, options: ShellBenchOptions = {}) =>
  benchOver(createRuntime({ ...options, ...ports, tools: shellBenchTools() })),
)

describe('background sessions on the real shell', () => {
  backgroundCases(nodeBench)

  it('stop_background_bash kills a program that ignores SIGTERM', async () => {
    const bench = await nodeBench()
    const { session_id } = await bench.ok('bash', {
      command: 'trap "" TERM; echo ready; while true; do sleep 0.1; done',
      run_in_background: true,
    })
    await readUntil(bench, session_id, 'ready')
    expect(await bench.ok('stop_background_bash', { session_id, grace_ms: 100 })).toMatchObject({
      state: 'stopped',
      exit_code: 137,
      signal: 'SIGKILL',
      escalated: true,
    })
    expect(await bench.read('stop_background_bash', { session_id })).toBe(
      'The session had already ended\n[stopped (SIGKILL, exit code 137)]',
    )
  })

  it('a session keeps only the end of a flood of output', async () => {
    const bench = await nodeBench()
    const { session_id } = await bench.ok('bash', {
      command: 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end',
      run_in_background: true,
    })
    const session = bench.runtime.sessions.get(session_id)
    await session?.exited
    const { stdout, stdout_cursor, stdout_dropped } = await bench.ok('read_background_bash', { session_id, max_chars: 120_000 })
    expect(stdout).toMatch(/^x+$/)
    expect(stdout_dropped).toBe(3_000_005 - 300_000)
    expect(stdout_cursor).toBe(stdout_dropped + stdout.length)
    expect((await readAll(bench, session_id)).stdout).toMatch(/x\nend\n$/)
  })

  describe('a session on a terminal', () => {
    const open = async (command: string, terminal: Record<string, number> = {}) => {
      const bench = await nodeBench()
      const started = await bench.ok('bash', { command, run_in_background: true, terminal })
      expect(started).toMatchObject({ transport: 'pty' })
      return { bench, session_id: started.session_id as string }
    }

    it('has the given size and can be resized', async () => {
      const { bench, session_id } = await open('trap "stty size" WINCH; stty size; while true; do sleep 0.1; done', { cols: 100, rows: 40 })
      expect(await readUntil(bench, session_id, '\n')).toBe('40 100\n')
      await bench.ok('resize_background_bash', { session_id, cols: 70, rows: 20 })
      expect(await readUntil(bench, session_id, '20 70')).toContain('20 70\n')
      await bench.ok('stop_background_bash', { session_id, force: true })
    })

    it('answers prompts and keys', async () => {
      const { bench, session_id } = await open(
        'read -p "name? " name; echo "hello $name"; stty -icanon -echo; echo keys; head -c 3 | od -An -c; stty sane; echo cat; cat; echo end',
      )
      await readUntil(bench, session_id, 'name? ')
      await bench.ok('write_background_bash', { session_id, input: 'wörld' })
      expect(await readUntil(bench, session_id, 'keys\n')).toBe('wörld\nhello wörld\nkeys\n')
      await bench.ok('write_background_bash', { session_id, key: 'up' })
      expect(await readUntil(bench, session_id, 'cat\n')).toMatch(/033 +\[ +A\ncat\n/)
      await bench.ok('write_background_bash', { session_id, input: 'a line' })
      await readUntil(bench, session_id, 'a line\na line\n')
      await bench.ok('write_background_bash', { session_id, key: 'ctrl+d' })
      expect(await readAll(bench, session_id)).toEqual({ stdout: 'end\n', stderr: '', exit_code: 0 })
    })

    it('is interrupted with ctrl+c', async () => {
      const { bench, session_id } = await open('echo before; sleep 600')
      await readUntil(bench, session_id, 'before')
      await bench.ok('write_background_bash', { session_id, key: 'ctrl+c' })
      expect(await readAll(bench, session_id)).toMatchObject({ exit_code: 130 })
    })
  })
})
