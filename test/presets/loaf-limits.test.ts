// @module-tag loaf
import { createRuntime, toModelText } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { createTestRuntime, createTestWorkspace, type FaultOperation } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import scenarios from '../fixtures/patches/scenarios.json' with { type: 'json' }

const memoryShell = () => createJustBashShell({ scratch: createMemoryFs() })

interface Scenario {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
  readonly patch: string
  readonly expected: Readonly<Record<string, string>>
  readonly fails?: boolean
  readonly atomic?: boolean
}

describe('apply_patch of loaf', () => {
  const numbered = (scenarios as readonly unknown[] as readonly Scenario[]).filter(({ name }) => /^\d{3}_/.test(name))

  it('has 25 scenarios', () => expect(numbered.length).toBe(25))

  it.each(numbered)('$name cap:73 cap:74 cap:75', async ({ input, patch, expected, fails }) => {
    const { runtime, files } = createTestRuntime({ files: input, preset: loaf() })
    const call = { name: 'apply_patch', input: { input: patch } }
    const result = await runtime.execute(call)
    const wire = runtime.toWire(result, call) as { readonly ok: boolean; readonly output: unknown; readonly error?: string }
    expect(wire.ok).toBe(fails !== true)
    if (fails) expect(wire.output).toBe(wire.error)
    else expect(wire.output).toMatch(/^Success\. Updated the following files:\n[AMD] \/workspace\//)
    expect(await files()).toEqual(expected)
  })

  it('apply_patch with the option atomic changes all files or none cap:74', async () => {
    const { runtime, files } = createTestRuntime({ files: { 'a.txt': 'x\n' }, preset: loaf({ atomic: true }) })
    const input = '*** Begin Patch\n*** Add File: first.txt\n+one\n*** Update File: a.txt\n@@\n-nope\n+y\n*** End Patch'
    expect((await runtime.execute({ name: 'apply_patch', input: { input } })).ok).toBe(false)
    expect(await files()).toEqual({ 'a.txt': 'x\n' })
  })

  it('quotes 20 of the expected lines and the number of the others', async () => {
    const { runtime } = createTestRuntime({ files: { 'a.txt': 'x\n' }, preset: loaf() })
    const lines = Array.from({ length: 22 }, (_, i) => `line ${i + 1}`)
    const input = `*** Begin Patch\n*** Update File: a.txt\n@@\n${lines.map((line) => `-${line}\n`).join('')}*** End Patch`
    expect(toModelText(await runtime.execute({ name: 'apply_patch', input: { input } }))).toBe(
      `Error: Failed to find expected lines in /workspace/a.txt:\n${lines.slice(0, 20).join('\n')}\n[... 2 more lines]`,
    )
  })

  it('rejects a file that changed since it was read', async () => {
    const { runtime, workspace } = createTestRuntime({ files: { 'a.txt': 'x\n' }, preset: loaf() })
    await runtime.execute({ name: 'read_file', input: { file_path: 'a.txt' } })
    await workspace.writeText('a.txt', 'x\nother\n')
    const input = '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch'
    expect(await runtime.execute({ name: 'apply_patch', input: { input } })).toMatchObject({
      ok: false,
      output: { code: 'ESTALE' },
      error: expect.stringMatching(/^Failed to read file to update \/workspace\/a\.txt: ESTALE/),
    })
    await runtime.execute({ name: 'read_file', input: { file_path: 'a.txt' } })
    expect((await runtime.execute({ name: 'apply_patch', input: { input } })).ok).toBe(true)
  })
})

describe('read_file of loaf', () => {
  const line = (i: number): string => `line ${i} ${'x'.repeat(i % 90)}`
  const LINES = 60_000
  const text = Array.from({ length: LINES }, (_, i) => `${line(i + 1)}\r\n`).join('')
  const open = () => createTestRuntime({ files: { 'big.txt': text }, preset: loaf() }).runtime

  it('reads a large file in pieces, with lines across their boundaries cap:69', async () => {
    const runtime = open()
    expect(text.length).toBeGreaterThan(3_000_000)
    for (const offset of [0, 17_000, 18_500, 19_000, 20_000, 40_000, LINES - 1]) {
      const output = await runtime.call('read_file', { file_path: 'big.txt', offset })
      const count = Math.min(2000, LINES - offset)
      expect(output).toBe(Array.from({ length: count }, (_, i) => `L${offset + i + 1}: ${line(offset + i + 1)}`).join('\n'))
    }
    await expect(runtime.call('read_file', { file_path: 'big.txt', offset: LINES })).rejects.toThrow('offset exceeds file length')
  })

  it('needs no more work for a single line than for what it shows cap:70', async () => {
    const { runtime } = createTestRuntime({ files: { 'one.txt': 'é'.repeat(2_000_000) }, preset: loaf() })
    expect(await runtime.call('read_file', { file_path: 'one.txt' })).toBe(`L1: ${'é'.repeat(500)}`)
  })

  it('rejects a file too large for indentation mode, and names the alternative', async () => {
    const { runtime } = createTestRuntime({
      files: { 'huge.txt': 'x'.repeat(16 * 1024 * 1024 + 1) },
      quotas: { fileBytes: 1e9 },
      preset: loaf(),
    })
    await expect(runtime.call('read_file', { file_path: 'huge.txt', mode: 'indentation' })).rejects.toThrow('use mode "slice"')
  })
})

describe('links in loaf', () => {
  it('are followed inside, and rejected if they lead outside cap:45', async () => {
    const fs = createMemoryFs({ files: { 'real/a.txt': 'in\n' } })
    await fs.symlink?.('real', '/inner')
    await fs.symlink?.('/etc', '/outer')
    const runtime = createRuntime({ fs, root: '/workspace', preset: loaf() })
    expect(await runtime.call('read_file', { file_path: 'inner/a.txt' })).toBe('L1: in')
    expect(await runtime.call('list_dir', { dir_path: '/workspace/inner' })).toBe('Absolute path: /workspace/inner\na.txt')
    for (const [name, input] of [
      ['read_file', { file_path: 'outer/passwd' }],
      ['list_dir', { dir_path: '/workspace/outer' }],
      ['grep_files', { pattern: 'x', path: 'outer' }],
      ['apply_patch', { input: '*** Begin Patch\n*** Add File: outer/x\n+x\n*** End Patch' }],
    ] as const) {
      expect(await runtime.execute({ name, input })).toMatchObject({ ok: false, output: { code: 'symlink_escape', status: 'denied' } })
    }
  })
})

describe('a search of loaf', () => {
  it('times out after 30 seconds cap:72', async () => {
    const faults = { fault: () => new Promise(() => {}), when: ({ method }: FaultOperation) => method === 'read' }
    const { runtime, host } = createTestRuntime({ files: { 'a.txt': 'x' }, faults, preset: loaf() })
    const running = runtime.execute({ name: 'grep_files', input: { pattern: 'x' } })
    while (host.sleeping < 2) await host.yield()
    await host.advance(30_000)
    expect(await running).toMatchObject({ ok: false, error: 'rg timed out after 30 seconds' })
  })

  it('returns at most 2000 paths, 100 by default cap:72', async () => {
    const files = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`d/${String(i).padStart(4, '0')}`, 'hit']))
    const { runtime } = createTestRuntime({ files, preset: loaf() })
    const count = async (input: object): Promise<number> =>
      String(await runtime.call('grep_files', { pattern: 'hit', ...input })).split('\n').length
    expect(await count({})).toBe(100)
    expect(await count({ limit: 99_999 })).toBe(2000)
  })

  it('a search without a match is ok in the runtime, and not ok in the documented format cap:72', async () => {
    const { runtime } = createTestRuntime({ files: { 'a.txt': 'x' }, preset: loaf() })
    const call = { name: 'grep_files', input: { pattern: 'nope' } }
    const result = await runtime.execute(call)
    expect(result).toEqual({ ok: true, output: 'No matches found.' })
    expect(runtime.toWire(result, call)).toEqual({ ok: false, output: 'No matches found.' })
  })
})

describe('bash of loaf', () => {
  // Uses the system's clock, so that commands take real time.
  const open = () => {
    const runtime = createRuntime({ fs: createMemoryFs(), root: '/workspace', shell: memoryShell(), preset: loaf() })
    const bash = async (input: object, signal?: AbortSignal) => {
      const call = { name: 'bash', input }
      return runtime.toWire(await runtime.execute(call, { signal }), call) as {
        readonly ok: boolean
        readonly output: Readonly<Record<string, unknown>>
        readonly error?: string
      }
    }
    return { runtime, bash }
  }

  it('is ended at its timeout, returns its output, and keeps its baseline cap:53 cap:50', async () => {
    const { bash } = open()
    const attempt = (ms: number) =>
      bash({ command: 'echo begun; export A=2; sleep 600', timeout_seconds: Math.ceil(ms / 1000), env: { A: '1' } })
    expect(await withGrowingTime(attempt, ({ output }) => output.stdout !== '')).toMatchObject({
      ok: false,
      output: {
        status: 'error',
        exit_code: null,
        timed_out: true,
        aborted: false,
        stdout: 'begun\n',
        state_captured: false,
        cwd_after: '/workspace',
      },
      error: 'process timed out (no exit code)',
    })
    expect(await bash({ command: 'echo $A' })).toMatchObject({ ok: true, output: { stdout: '1' } })
  })

  it('is ended by the signal of its call cap:53 cap:21', async () => {
    const { runtime, bash } = open()
    const controller = new AbortController()
    runtime.on((event) => {
      if (event.type === 'progress') controller.abort()
    })
    expect(await bash({ command: 'echo begun; sleep 600' }, controller.signal)).toMatchObject({
      ok: false,
      output: { status: 'error', exit_code: null, timed_out: false, aborted: true, stdout: 'begun\n', state_captured: false },
      error: 'process aborted (no exit code)',
    })
  })

  it('has a timeout of 120 seconds, or a given one from 1 to 1200 cap:53', async () => {
    const asked: unknown[] = []
    const inner = memoryShell()
    const { workspace } = createTestWorkspace()
    const shell = inner(workspace)
    const runtime = createRuntime({
      workspace,
      preset: loaf(),
      shell: {
        name: shell.name,
        can: shell.can,
        exec: (command, options) => {
          asked.push(options?.timeoutMs)
          return shell.exec(command, options)
        },
      },
    })
    for (const timeout_seconds of [undefined, 0, -5, Number.NaN, '7', 0.5, 1.9, 600, 1200, 99_999]) {
      await runtime.call('bash', { command: 'true', timeout_seconds })
    }
    expect(asked).toEqual([120, 120, 120, 120, 120, 120, 1, 600, 1200, 1200].map((seconds) => seconds * 1000))
  })

  it('shows a model all of both streams cap:54', async () => {
    const { runtime } = open()
    const result = await runtime.execute({ name: 'bash', input: { command: 'seq 1 60000; seq 1 60000 >&2' } })
    expect(toModelText(result)).toBe(JSON.stringify(result.output))
    expect(toModelText(result).length).toBeGreaterThan(600_000)
  })

  it('starts in the root again if its directory is gone', async () => {
    const { bash } = open()
    await bash({ command: 'mkdir d; cd d; rmdir ../d' })
    expect(await bash({ command: 'pwd' })).toMatchObject({ ok: true, output: { stdout: '/workspace', cwd_before: '/workspace' } })
  })
})

it('answers an invalid call or id in the documented format', async () => {
  const runtime = createRuntime({ fs: createMemoryFs(), preset: loaf() })
  const wireOf = async (call: unknown): Promise<unknown> => runtime.toWire(await runtime.execute(call as never), call as never)
  for (const call of [null, undefined, 5, {}])
    expect(await wireOf(call)).toEqual({
      ok: false,
      output: { status: 'invalid_input', message: expect.any(String) },
      error: expect.any(String),
    })
  for (const [id, callId] of [
    [{ a: 1 }, null],
    ['', null],
    [undefined, null],
    [7, '7'],
    ['c', 'c'],
  ])
    expect(await wireOf({ id, name: 'none' })).toMatchObject({ output: { callId, tool: 'none', status: 'not_found' } })
})
