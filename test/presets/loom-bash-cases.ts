import type { CreateRuntimeOptions } from 'toolport'
import { expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import type { LoomBench } from './loom-bench.js'

const KIB = 1024

/** Cases for `bash` that are the same for every shell. */
export function loomBashCases(
  open: (files?: Readonly<Record<string, string>>, options?: CreateRuntimeOptions) => Promise<LoomBench>,
): void {
  it('bash runs in the workspace root or in cwd, absolute or relative cap:33 cap:36', async () => {
    const { ok, runtime } = await open({ 'sub/a.txt': 'x' })
    const { root } = runtime.workspace
    expect((await ok('bash', { command: 'pwd' })).stdout).toBe(`${root}\n`)
    expect((await ok('bash', { command: 'pwd', cwd: 'sub' })).stdout).toBe(`${root}/sub\n`)
    expect((await ok('bash', { command: 'pwd', cwd: `${root}/sub/` })).stdout).toBe(`${root}/sub\n`)
    expect((await ok('bash', { command: 'pwd', cwd: '' })).stdout).toBe(`${root}\n`)
    expect((await ok('bash', { command: 'pwd', cwd: null })).stdout).toBe(`${root}\n`)
    expect((await ok('bash', { command: 'cd sub' })).exit_code).toBe(0)
    expect((await ok('bash', { command: 'pwd' })).stdout).toBe(`${root}\n`)
  })

  it('bash shares files with the other tools, and has pipes and both streams cap:32 cap:36', async () => {
    const { ok } = await open({ 'a.txt': 'two\none\n' })
    await ok('edit_file', { path: 'b.txt', edits: [{ old_str: '', new_str: 'three\n' }] })
    expect(await ok('bash', { command: 'cat a.txt b.txt | sort; echo aside >&2; echo four > c.txt; exit 7' })).toEqual({
      exit_code: 7,
      stdout: 'one\nthree\ntwo\n',
      stderr: 'aside\n',
      timed_out: false,
      truncated: false,
    })
    expect((await ok('read_file', { path: 'c.txt' })).contents).toBe('four\n')
  })

  it('edit_file rejects a file that a command changed since it was read cap:27', async () => {
    const { ok, fail, runtime } = await open({ 'a.txt': 'one\n' })
    const edits = [{ old_str: 'o', new_str: '0', replace_all: true }]
    await ok('read_file', { path: 'a.txt' })
    await ok('bash', { command: 'echo "two, longer" > a.txt' })
    expect(await fail('edit_file', { path: 'a.txt', edits })).toBe(
      `Error: IO error: ESTALE: Cannot edit "${runtime.workspace.root}/a.txt": it changed since it was read: read it again`,
    )
    await ok('read_file', { path: 'a.txt' })
    await ok('edit_file', { path: 'a.txt', edits })
    expect((await ok('read_file', { path: 'a.txt' })).contents).toBe('tw0, l0nger\n')
  })

  it('bash keeps the first 256 KiB of each stream, cut at a character, with a mark cap:35 cap:46', async () => {
    const { ok } = await open({ 'fits.txt': 'x'.repeat(256 * KIB), 'long.txt': `x${'ü'.repeat(200_000)}` })
    const fits = await ok('bash', { command: 'cat fits.txt; cat fits.txt >&2' })
    expect([fits.stdout.length, fits.stderr.length, fits.truncated]).toEqual([256 * KIB, 256 * KIB, false])
    const cut = await ok('bash', { command: 'cat long.txt; echo short >&2' })
    expect(cut.stdout === `x${'ü'.repeat(131_071)}`).toBe(true)
    expect([cut.stderr, cut.truncated, cut.exit_code]).toEqual(['short\n', true, 0])
    const other = await ok('bash', { command: 'echo short; cat fits.txt long.txt >&2' })
    expect([other.stdout, other.stderr === 'x'.repeat(256 * KIB), other.truncated]).toEqual(['short\n', true, true])
  })

  it('bash keeps the output before a timeout cap:34', async () => {
    const { ok } = await open()
    await ok('bash', { command: 'true' })
    const output = await withGrowingTime(
      (ms) => ok('bash', { command: 'echo before; echo aside >&2; exec sleep 60', timeout_secs: Math.ceil(ms / 1000) }),
      ({ stderr }) => stderr !== '',
    )
    expect(output).toEqual({
      exit_code: null,
      stdout: 'before\n',
      stderr: 'aside\n',
      timed_out: true,
      truncated: false,
    })
  })

  it('bash reports the deadline of the call as a timeout cap:34', async () => {
    const { ok } = await open()
    await ok('bash', { command: 'true' })
    const output = await withGrowingTime(
      (deadlineMs) => ok('bash', { command: 'echo before; sleep 60' }, { deadlineMs }),
      ({ stdout }) => stdout !== '',
    )
    expect(output).toMatchObject({ exit_code: null, stdout: 'before\n', timed_out: true })
  })

  it('bash keeps the output before an abort, and streams it cap:32', async () => {
    const { ok } = await open()
    const controller = new AbortController()
    const told: unknown[] = []
    const onProgress = (update: unknown): void => {
      told.push(update)
      controller.abort()
    }
    const output = await ok('bash', { command: 'echo before; exec sleep 60' }, { signal: controller.signal, onProgress })
    expect(output).toEqual({ exit_code: null, stdout: 'before\n', stderr: '', timed_out: false, truncated: false })
    expect(told).toEqual([{ stream: 'stdout', text: 'before\n' }])
  })

  it('bash applies the command policy and returns its reason', async () => {
    const policy = { commands: ({ command }: { readonly command: string }) => (/rm/.test(command) ? 'deny' : 'allow') } as const
    const { ok, fail } = await open({ 'a.txt': 'x' }, { policy })
    expect(await fail('bash', { command: 'rm a.txt' })).toBe('Error: Internal error: Cannot run "rm a.txt": a rule of the host forbids it')
    expect((await ok('bash', { command: 'cat a.txt' })).stdout).toBe('x')
  })
}
