// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { JsonValue } from 'toolport'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import type { Bench } from './harness.js'
import type { ShellBenchOptions } from './shell-bench.js'

export type OpenBench = (files?: Readonly<Record<string, string>>, options?: ShellBenchOptions) => Bench | Promise<Bench>

/** On a busy machine, the default grace period may be too short for a stopped command to deliver its output. */
const PATIENT: ShellBenchOptions = { limits: { graceMs: 30_000 } }

const TREE = { 'sub/deep/f.txt': 'one\ntwo\n', 'other/g.txt': 'g\n' }

/** Cases for `bash`, for every shell. */
export function bashCases(open: OpenBench): void {
  describe('the result of bash', () => {
    it('holds both streams and the exit code, and a non-zero one is not a failure cap:36', async () => {
      const { ok, runtime } = await open()
      expect(await ok('bash', { command: 'echo hi; echo oops >&2; exit 3' })).toEqual({
        exit_code: 3,
        stdout: 'hi\n',
        stderr: 'oops\n',
        timed_out: false,
        aborted: false,
        truncated: false,
        cwd: runtime.workspace.root,
        duration_ms: expect.any(Number),
      })
    })

    it('has exit code 127 for an unknown command, and 2 for a syntax error', async () => {
      const { ok } = await open()
      expect(await ok('bash', { command: 'no_such_command_here' })).toMatchObject({ exit_code: 127, stdout: '' })
      expect(await ok('bash', { command: 'if true' })).toMatchObject({ exit_code: 2 })
    })

    it('is plain text for a model', async () => {
      const { read, runtime } = await open(TREE)
      const { root } = runtime.workspace
      expect(await read('bash', { command: 'echo one; echo two' })).toBe('one\ntwo')
      expect(await read('bash', { command: 'true' })).toBe('(no output)')
      expect(await read('bash', { command: 'printf a; printf "b\\n" >&2; exit 4' })).toBe('a\n[stderr]\nb\n[exit code 4]')
      expect(await read('bash', { command: 'echo x >&2' })).toBe('[stderr]\nx')
      expect(await read('bash', { command: 'cd sub; false' })).toBe(`(no output)\n[exit code 1, now in ${root}/sub]`)
      expect(await read('bash', { command: 'echo still' })).toBe(`still\n[now in ${root}/sub]`)
    })

    it('keeps the head and tail of a long stream', async () => {
      const { ok, read } = await open({}, { limits: { shellStreamBytes: 1000 } })
      const output = await ok('bash', { command: 'seq 1 2000' })
      expect(output.truncated).toBe(true)
      expect(output.stdout).toMatch(/^1\n2\n.*\[\.\.\. \d+ bytes left out \.\.\.\].*\n2000\n$/s)
      expect(new TextEncoder().encode(output.stdout).length).toBeLessThanOrEqual(1000)
      expect(await read('bash', { command: 'seq 1 2000' })).toMatch(/\n2000\n\[output cut\]$/)
    })
  })

  describe('two streams that are too long for a model', () => {
    const bytes = (text: string): number => new TextEncoder().encode(text).length
    const limits = { outputBytes: 4000 }
    const both = async (command: string): Promise<{ readonly out: string; readonly err: string; readonly facts: string }> => {
      const text = await (await open({}, { limits })).read('bash', { command })
      expect(bytes(text)).toBeLessThanOrEqual(4000)
      const [, out = '', err = '', facts = ''] = /^(.*)\n\[stderr\]\n(.*)\n\[(.*)\]$/s.exec(text) ?? []
      return { out, err, facts }
    }

    it('are each cut in the middle, with a note', async () => {
      const { out, err, facts } = await both('seq 1 5000; seq 6001 9000 >&2; exit 3')
      expect(out).toMatch(/^1\n2\n.*bytes left out.*\n5000$/s)
      expect(err).toMatch(/^6001\n6002\n.*bytes left out.*\n9000$/s)
      expect(facts).toBe('exit code 3, output cut')
      expect(bytes(err)).toBeGreaterThan(1000)
      expect(bytes(err)).toBeLessThanOrEqual(2000)
      expect(bytes(out)).toBeGreaterThan(1000)
    })

    it('share the space, and a short one is not cut', async () => {
      const long = await both('seq 1 5000; echo oops >&2')
      expect(long).toMatchObject({ err: 'oops', facts: 'output cut' })
      expect(bytes(long.out)).toBeGreaterThan(3000)
      const loud = await both('echo fine; seq 1 5000 >&2')
      expect(loud).toMatchObject({ out: 'fine', facts: 'output cut' })
      expect(bytes(loud.err)).toBeGreaterThan(3000)
    })

    it('are complete in the output', async () => {
      const output = await (await open({}, { limits })).ok('bash', { command: 'seq 1 5000; seq 1 3000 >&2' })
      const numbers = (to: number): string => Array.from({ length: to }, (_, i) => `${i + 1}\n`).join('')
      expect(output).toMatchObject({ stdout: numbers(5000), stderr: numbers(3000), truncated: false })
    })
  })

  it('bash passes stdin completely, and an empty one by default', async () => {
    const { ok } = await open()
    expect(await ok('bash', { command: 'cat', stdin: 'héllo\nworld' })).toMatchObject({ stdout: 'héllo\nworld', exit_code: 0 })
    expect(await ok('bash', { command: 'cat; echo end' })).toMatchObject({ stdout: 'end\n' })
  })

  it('runs a script of 200 KB', async () => {
    const { ok } = await open()
    const command = `${`# ${'x'.repeat(98)}\n`.repeat(2000)}echo done`
    expect(await ok('bash', { command })).toMatchObject({ stdout: 'done\n', exit_code: 0 })
  })

  describe('the session of bash', () => {
    it('keeps the directory and exported variables, also after a failure or exit', async () => {
      const { ok, runtime } = await open(TREE)
      const { root } = runtime.workspace
      expect(await ok('bash', { command: 'cd sub; export A=1 B="two words"; exit 4' })).toMatchObject({
        exit_code: 4,
        cwd: `${root}/sub`,
      })
      expect(await ok('bash', { command: 'pwd; echo "$A-$B"; cd deep' })).toMatchObject({
        stdout: `${root}/sub\n1-two words\n`,
        cwd: `${root}/sub/deep`,
      })
      expect(await ok('bash', { command: 'pwd; echo "$PWD"; cat f.txt; unset A' })).toMatchObject({
        stdout: `${root}/sub/deep\n${root}/sub/deep\none\ntwo\n`,
      })
      expect(await ok('bash', { command: 'echo "[$A][$B]"' })).toMatchObject({ stdout: '[][two words]\n' })
    })

    it('takes cwd, relative to the current directory, and env', async () => {
      const { ok, runtime } = await open(TREE)
      const { root } = runtime.workspace
      expect(await ok('bash', { command: 'pwd', cwd: 'sub' })).toMatchObject({ stdout: `${root}/sub\n`, cwd: `${root}/sub` })
      expect(await ok('bash', { command: 'pwd; echo "$PWD"', cwd: 'deep' })).toMatchObject({ stdout: `${root}/sub/deep\n`.repeat(2) })
      expect(await ok('bash', { command: 'pwd', cwd: '..' })).toMatchObject({ stdout: `${root}/sub\n` })
      expect(await ok('bash', { command: 'pwd', cwd: `${root}/other`, env: { GREETING: 'hé "llo"' } })).toMatchObject({
        stdout: `${root}/other\n`,
      })
      expect(await ok('bash', { command: 'pwd; echo "$GREETING"' })).toMatchObject({ stdout: `${root}/other\nhé "llo"\n` })
    })

    it('starts again with reset_session', async () => {
      const { ok, runtime } = await open(TREE)
      const { root } = runtime.workspace
      await ok('bash', { command: 'export A=1', cwd: 'sub', env: { B: '2' } })
      expect(await ok('bash', { command: 'pwd; echo "[$A][$B]"', reset_session: true })).toMatchObject({ stdout: `${root}\n[][]\n` })
      expect(await ok('bash', { command: 'echo "[$A][$B]"' })).toMatchObject({ stdout: '[][]\n', cwd: root })
      await ok('bash', { command: 'true', cwd: 'sub' })
      expect(await ok('bash', { command: 'pwd', cwd: 'other', reset_session: true })).toMatchObject({ stdout: `${root}/other\n` })
    })

    it('belongs to one runtime', async () => {
      const first = await open(TREE)
      const second = await open(TREE)
      await first.ok('bash', { command: 'cd sub; export A=1' })
      expect(await second.ok('bash', { command: 'echo "[$A]"' })).toMatchObject({ stdout: '[]\n', cwd: second.runtime.workspace.root })
    })

    it('continues from the command that started last, whichever ends last', async () => {
      const { ok, runtime } = await open(TREE)
      await ok('bash', { command: 'true' })
      await Promise.all([ok('bash', { command: 'cd sub; sleep 0.5' }), ok('bash', { command: 'cd other' })])
      expect(await ok('bash', { command: 'true' })).toMatchObject({ cwd: `${runtime.workspace.root}/other` })
    })

    it('can be in a private directory of the shell', async () => {
      const { ok, fail, runtime } = await open()
      expect((await fail('bash', { command: 'pwd', cwd: '/tmp' })).output).toMatchObject({ code: 'path_outside_workspace' })
      expect(await ok('bash', { command: 'cd /tmp' })).toMatchObject({ cwd: '/tmp' })
      expect(await ok('bash', { command: 'pwd' })).toMatchObject({ stdout: '/tmp\n' })
      expect(await ok('bash', { command: 'pwd', cwd: '/tmp' })).toMatchObject({ stdout: '/tmp\n' })
      expect(await ok('bash', { command: 'pwd', cwd: runtime.workspace.root })).toMatchObject({ stdout: `${runtime.workspace.root}\n` })
    })

    it('returns to the root if its directory is gone, with a note', async () => {
      const { ok, read, fail, runtime } = await open(TREE)
      const { root } = runtime.workspace
      await ok('bash', { command: 'cd sub/deep; export A=1' })
      await ok('delete_file', { path: 'sub', recursive: true })
      expect(await ok('bash', { command: 'pwd; echo "$A"' })).toMatchObject({
        stdout: `${root}\n1\n`,
        cwd: root,
        note: `"${root}/sub/deep" no longer exists: the command ran in "${root}"`,
      })
      await ok('bash', { command: 'cd other' })
      await ok('delete_file', { path: 'other', recursive: true })
      await ok('write_file', { path: 'other', content: 'a file now' })
      expect(await read('bash', { command: 'echo x' })).toBe(`["${root}/other" no longer exists: the command ran in "${root}"]\nx`)
      expect((await fail('bash', { command: 'pwd', cwd: 'sub' })).output).toMatchObject({ code: 'ENOENT' })
    })
  })

  it.each([
    ['is missing', 'nope', 'ENOENT'],
    ['is a file', 'other/g.txt', 'ENOTDIR'],
    ['is below a file', 'other/g.txt/x', 'ENOTDIR'],
    ['is empty', '', 'invalid_path'],
    ['leads outside', '../..', 'path_outside_workspace'],
    ['is outside', '/nowhere/else', 'path_outside_workspace'],
    ['contains a NUL', 'a\0b', 'invalid_path'],
  ])('rejects a cwd that %s, and runs nothing', async (_, cwd, code) => {
    const { ok, fail, files } = await open(TREE)
    await ok('bash', { command: 'cd sub; export A=1' })
    const at = cwd === '../..' || cwd === '' || cwd.startsWith('/') ? cwd : `../${cwd}`
    expect((await fail('bash', { command: 'echo x > made; cd /; export A=2', cwd: at, env: { A: '3' } })).output).toMatchObject({ code })
    expect(await files()).toEqual(TREE)
    expect(await ok('bash', { command: 'echo "$A"; cat deep/f.txt' })).toMatchObject({ stdout: '1\none\ntwo\n' })
  })

  describe('a bash command that is ended', () => {
    it('a command ended by its timeout returns its output, and the given cwd and env', async () => {
      const { ok, read, runtime } = await open(TREE)
      const input = { command: 'echo before; cd deep; export B=2; sleep 60; echo after', cwd: 'sub', env: { A: '1' } }
      const output = await withGrowingTime(
        (timeout_ms) => ok('bash', { ...input, timeout_ms, reset_session: true }),
        ({ stdout }) => stdout !== '',
      )
      expect(output).toMatchObject({ exit_code: null, stdout: 'before\n', timed_out: true, aborted: false })
      expect(output).not.toHaveProperty('note')
      expect(await ok('bash', { command: 'pwd; echo "[$A][$B]"' })).toMatchObject({ stdout: `${runtime.workspace.root}/sub\n[1][]\n` })
      expect(await read('bash', { command: 'sleep 60', timeout_ms: 200, reset_session: true })).toMatch(
        /^\(no output\)\n\[timed out after \d+ ms\]$/,
      )
    })

    it('a command ended by the deadline of the call returns its output before the deadline', async () => {
      const { runtime } = await open({}, PATIENT)
      const call = { name: 'bash', input: { command: 'echo before; sleep 60' } }
      const { result, deadlineMs } = await withGrowingTime(
        async (deadlineMs) => ({ result: await runtime.execute(call, { deadlineMs }), deadlineMs }),
        ({ result }) => JSON.stringify(result.output).includes('"stdout":"before'),
      )
      const note = `the deadline of the call (${deadlineMs} ms) passed before timeout_ms`
      expect(result).toMatchObject({ ok: true, output: { stdout: 'before\n', exit_code: null, timed_out: true, aborted: false, note } })
    })

    it('a command ended by its timeout in a tight loop returns its output', async () => {
      const { ok } = await open()
      const output = await withGrowingTime(
        (timeout_ms) => ok('bash', { command: 'echo before; while true; do :; done', timeout_ms }),
        ({ stdout }) => stdout !== '',
      )
      expect(output).toMatchObject({
        stdout: 'before\n',
        exit_code: null,
        timed_out: true,
      })
    })

    it('a command ended by an abort returns its output', async () => {
      const { runtime } = await open({}, PATIENT)
      const controller = new AbortController()
      const call = { name: 'bash', input: { command: 'echo before; exec sleep 60' } }
      const result = await runtime.execute(call, { signal: controller.signal, onProgress: () => controller.abort() })
      expect(result).toMatchObject({ ok: true, output: { stdout: 'before\n', exit_code: null, timed_out: false, aborted: true } })
      expect(result.ok && result.content).toEqual([{ type: 'text', text: 'before\n[aborted]' }])
    })
  })

  describe('progress of bash', () => {
    const watch = async (command: string, options?: ShellBenchOptions): Promise<readonly JsonValue[]> => {
      const { runtime } = await open({}, options)
      const updates: JsonValue[] = []
      await runtime.call('bash', { command }, { onProgress: (update) => updates.push(update) })
      return updates
    }
    const textOf = (updates: readonly JsonValue[], stream: string): string =>
      (updates as readonly { readonly stream: string; readonly text?: string }[])
        .flatMap((update) => (update.stream === stream ? [update.text ?? ''] : []))
        .join('')

    it('streams the output', async () => {
      const updates = await watch('echo one; echo err >&2; sleep 0.2; echo two')
      expect(textOf(updates, 'stdout')).toBe('one\ntwo\n')
      expect(textOf(updates, 'stderr')).toBe('err\n')
    })

    it('ends with a mark when a stream exceeds the limit', async () => {
      const updates = await watch('seq 1 5000; echo err >&2', { limits: { shellStreamBytes: 100 } })
      const all = Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join('')
      expect(textOf(updates, 'stdout')).toBe(all.slice(0, 100))
      expect(updates.filter((update) => JSON.stringify(update).includes('truncated'))).toEqual([{ stream: 'stdout', truncated: true }])
      expect(textOf(updates, 'stderr')).toBe('err\n')
    })

    it('is limited in bytes and splits no character', async () => {
      const updates = await watch('for i in 1 2 3 4 5 6 7 8; do printf "ééé"; done', { limits: { shellStreamBytes: 21 } })
      expect(textOf(updates, 'stdout')).toBe('é'.repeat(10))
      expect(updates.at(-1)).toEqual({ stream: 'stdout', truncated: true })
    })
  })

  describe('files and bash', () => {
    it('are shared with the other tools at once in both directions', async () => {
      const { ok } = await open(TREE)
      await ok('bash', { command: 'mkdir -p new && printf "from bash\\n" > new/a.txt && mv other/g.txt new/' })
      expect(await ok('read_file', { path: 'new/a.txt', numbered: false })).toMatchObject({ text: 'from bash' })
      expect((await ok('glob', { pattern: 'new/*' })).paths).toHaveLength(2)
      await ok('write_file', { path: 'new/b.txt', content: 'from a tool\n' })
      expect(await ok('bash', { command: 'cat new/b.txt new/g.txt; ls new' })).toMatchObject({
        stdout: 'from a tool\ng\na.txt\nb.txt\ng.txt\n',
      })
    })

    it('a file that bash changed since it was read is stale', async () => {
      const { ok, fail, files } = await open({ 'f.txt': 'one\n', 'same.txt': 'one\n' })
      const edit = { path: 'f.txt', edits: [{ old_string: 'two', new_string: 'three' }] }
      await ok('read_file', { path: 'f.txt' })
      await ok('bash', { command: 'echo two >> f.txt' })
      expect((await fail('edit_file', edit)).output).toMatchObject({ code: 'ESTALE', recoverable: true })
      expect((await fail('write_file', { path: 'f.txt', content: 'mine' })).output).toMatchObject({ code: 'ESTALE' })
      expect(await files()).toMatchObject({ 'f.txt': 'one\ntwo\n' })
      await ok('read_file', { path: 'f.txt' })
      await ok('edit_file', edit)
      expect(await ok('bash', { command: 'cat f.txt' })).toMatchObject({ stdout: 'one\nthree\n' })
      await ok('read_file', { path: 'same.txt' })
      await ok('bash', { command: 'printf "two\\n" > same.txt' })
      expect((await fail('write_file', { path: 'same.txt', content: 'mine' })).output).toMatchObject({ code: 'ESTALE' })
    })

    it('a file that bash only read is not stale', async () => {
      const { ok } = await open({ 'f.txt': 'one\n' })
      await ok('read_file', { path: 'f.txt' })
      await ok('bash', { command: 'cat f.txt; grep -c one f.txt; wc -l < f.txt' })
      await ok('edit_file', { path: 'f.txt', edits: [{ old_string: 'one', new_string: 'two' }] })
    })
  })
}

/** Cases for shells that keep more state than the directory and exported variables. */
export function bashStateCases(open: OpenBench): void {
  const setUp = 'plain=3; list=(a "b c"); greet() { echo "hello $1"; }; set -o noglob'
  const look = 'echo "[$plain][${#list[@]}:${list[1]}]"; greet you; echo *'

  it('bash keeps shell variables, arrays, functions and options, also after a failure', async () => {
    const { ok } = await open(TREE)
    await ok('bash', { command: `${setUp}; false` })
    expect(await ok('bash', { command: look })).toMatchObject({ stdout: '[3][2:b c]\nhello you\n*\n' })
    await ok('bash', { command: 'plain=4; unset -f greet; set +o noglob' })
    expect(await ok('bash', { command: look })).toMatchObject({ stdout: expect.stringMatching(/^\[4\]\[2:b c\]\nother sub\n$/) })
  })

  it('bash keeps the earlier shell state after a timeout', async () => {
    const { ok } = await open(TREE)
    await ok('bash', { command: setUp })
    expect(await ok('bash', { command: 'plain=5; sleep 60', timeout_ms: 300 })).toMatchObject({ timed_out: true })
    expect(await ok('bash', { command: look })).toMatchObject({ stdout: '[3][2:b c]\nhello you\n*\n' })
  })

  it('reset_session clears the shell state', async () => {
    const { ok } = await open()
    await ok('bash', { command: setUp })
    expect(await ok('bash', { command: 'echo "[$plain][${#list[@]}]"; greet', reset_session: true })).toMatchObject({
      stdout: '[][0]\n',
      exit_code: 127,
    })
    expect(await ok('bash', { command: 'echo "[$plain]"' })).toMatchObject({ stdout: '[]\n' })
  })
}
