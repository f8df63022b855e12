// @module-tag test-kit
import { createTestRuntime, virtualShell } from 'toolport/testing'
import { expect, test } from 'vitest'

test('createTestRuntime allows a test in five lines', async () => {
  const { runtime, files } = createTestRuntime({ files: { 'a.ts': 'const port = 80\n' } })
  await runtime.call('edit_file', { path: 'a.ts', edits: [{ old_string: '80', new_string: '8080' }] })
  expect(await files()).toEqual({ 'a.ts': 'const port = 8080\n' })
})

test('createTestRuntime has the same time, ids and random names in every run', async () => {
  const run = async (): Promise<unknown> => {
    const { runtime, host, calls } = createTestRuntime({ files: { 'a.txt': 'one\n' }, shell: virtualShell() })
    await host.advance(1500)
    await runtime.execute({ name: 'write_file', input: { path: 'b.txt', content: 'two\n' } })
    await runtime.execute({ name: 'bash', input: { command: 'date +%FT%T; echo $RANDOM; mktemp; cat <(echo x); LC_ALL=de_DE ls -l' } })
    await runtime.execute({ name: 'read_file', input: { path: 'missing' } })
    await runtime.dispose()
    return calls
  }
  const calls = await run()
  expect(await run()).toEqual(calls)
  expect(calls).toMatchObject([
    { id: 'call_1', name: 'write_file', result: { ok: true } },
    {
      id: 'call_2',
      name: 'bash',
      result: {
        output: {
          duration_ms: 0,
          stdout: [
            '2025-01-01T00:00:01',
            '89',
            '/tmp/tmp.H88rLSA9CE',
            'x',
            'total 8',
            '-rw-r--r-- 1 user user 4 Jan  1 00:00 a.txt',
            '-rw-r--r-- 1 user user 4 Jan  1 00:00 b.txt',
            '',
          ].join('\n'),
        },
      },
    },
    { id: 'call_3', name: 'read_file', result: { ok: false, output: { code: 'ENOENT', callId: 'call_3' } } },
  ])
})

test('createTestRuntime has no shell and no JavaScript by default', () => {
  const named = ({ runtime }: ReturnType<typeof createTestRuntime>): string[] => runtime.getModelManifest().map(({ name }) => name)
  expect(named(createTestRuntime())).not.toEqual(expect.arrayContaining(['bash']))
  expect(named(createTestRuntime({ shell: virtualShell() }))).toContain('bash')
  expect(named(createTestRuntime({ tools: [] }))).toEqual([])
})

test('createTestRuntime accepts the options of a runtime and its workspace', async () => {
  const { runtime, files } = createTestRuntime({
    files: { 'a/keys': 'secret', 'a/b': 'x' },
    root: '/w',
    cwd: '/w/a',
    now: 5,
    policy: { paths: [{ paths: '**/keys', action: 'deny' }], tools: [{ tools: 'delete_*', action: 'deny' }] },
    checkpoints: { automatic: true, keep: 3 },
  })
  expect(await runtime.execute({ name: 'read_file', input: { path: 'keys' } })).toMatchObject({ output: { code: 'EACCES' } })
  expect(await runtime.execute({ name: 'delete_file', input: { path: 'b' } })).toMatchObject({ output: { status: 'denied' } })
  await runtime.call('write_file', { path: 'b', content: 'y' })
  expect(await runtime.workspace.checkpoints()).toMatchObject([{ time: 5 }])
  expect(await files()).toEqual({ 'a/keys': 'secret', 'a/b': 'y' })
})

test('createTestRuntime lists calls with tool names in the order of their starts, even with repeated ids', async () => {
  const { runtime, calls } = createTestRuntime({ files: { 'a.txt': 'one' } })
  runtime.registry.register({
    name: 'fs.read',
    description: 'd',
    inputSchema: { type: 'object' },
    run: (_, { host }) => host.yield().then(() => null),
  })
  const { alias = '' } = runtime.getModelManifest().find(({ name }) => name === 'fs.read') ?? {}
  await Promise.all([runtime.execute({ id: '1', name: alias }), runtime.execute({ id: '2', name: 'list_files' })])
  await runtime.execute({ id: '1', name: 'glob', input: { pattern: '*' } })
  expect(calls.map(({ id, name }) => [id, name])).toEqual([
    ['1', 'fs.read'],
    ['2', 'list_files'],
    ['1', 'glob'],
  ])
})
