// @module-tag drop-ins
import type { RuntimePolicy } from 'toolport'
import { openAiShell } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../../contract/shell/case.js'
import { rejection, runtimeOver, watched } from './support.js'

const exit = (exitCode: number | null) => ({ type: 'exit', exitCode })

describe('openAiShell', () => {
  it('runs commands one after another, each in a new shell', async () => {
    const runtime = runtimeOver({ 'sub/a.txt': 'a\n' })
    const shell = openAiShell(runtime)
    expect(await shell.run({ commands: ['cd sub; X=1; export Y=2; ls', 'pwd; echo "<$X$Y>"', 'echo out; echo err >&2; exit 3'] })).toEqual({
      output: [
        { stdout: 'a.txt\n', stderr: '', outcome: exit(0) },
        { stdout: '/workspace\n<>\n', stderr: '', outcome: exit(0) },
        { stdout: 'out\n', stderr: 'err\n', outcome: exit(3) },
      ],
    })
    expect(await shell.run({ commands: [] })).toEqual({ output: [] })
    expect(await runtime.workspace.files()).toEqual({ 'sub/a.txt': 'a\n' })
  })

  it('starts in the given directory with the given variables', async () => {
    const shell = openAiShell(runtimeOver({ 'sub/a.txt': '' }), { cwd: 'sub', env: { NAME: 'ada' } })
    const { output } = await shell.run({ commands: ['pwd; echo $NAME'] })
    expect(output[0]?.stdout).toBe('/workspace/sub\nada\n')
  })

  it('ends a command that exceeds the common timeout', async () => {
    const shell = openAiShell(runtimeOver())
    await shell.run({ commands: ['true'] })
    const { output } = await withGrowingTime(
      (timeoutMs) => shell.run({ commands: ['echo early; sleep 600', 'echo never'], timeoutMs }),
      ({ output }) => output[0]?.stdout !== '',
    )
    expect(output).toEqual([
      { stdout: 'early\n', stderr: '', outcome: { type: 'timeout' } },
      { stdout: '', stderr: 'Not run: earlier commands used up the time.', outcome: { type: 'timeout' } },
    ])
  })

  it.each([0, -1, Number.NaN])('ends at once with a timeout of %d', async (timeoutMs) => {
    const { output } = await openAiShell(runtimeOver()).run({ commands: ['sleep 600'], timeoutMs })
    expect(output).toMatchObject([{ outcome: { type: 'timeout' } }])
  })

  it('is ended by the deadline of the runtime', async () => {
    const runtime = runtimeOver({}, { limits: { deadlineMs: 300 } })
    const { output } = await openAiShell(runtime).run({ commands: ['sleep 600'], timeoutMs: 100_000 })
    expect(output).toMatchObject([{ outcome: { type: 'timeout' } }])
  })

  it('divides the maximum output between commands, and notes what is cut', async () => {
    const shell = openAiShell(runtimeOver())
    const commands = ['seq 1 20000', 'echo short', 'seq 1 20000 >&2']
    const { output, maxOutputLength } = await shell.run({ commands, maxOutputLength: 1000 })
    expect(maxOutputLength).toBe(1000)
    const texts = output.flatMap(({ stdout, stderr }) => [stdout, stderr])
    expect(texts.join('').length).toBeLessThanOrEqual(1000)
    expect(texts.join('').length).toBeGreaterThan(800)
    expect(output[1]?.stdout).toBe('short\n')
    expect(output[0]?.stdout).toMatch(/^1\n2\n[\s\S]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n[\s\S]*\n20000\n$/)
    expect(output[2]?.stderr).toMatch(/bytes left out/)
  })

  it.each([0, 1, 10, -5])('returns at most %d characters', async (maxOutputLength) => {
    const { output } = await openAiShell(runtimeOver()).run({ commands: ['seq 1 1000; seq 1 1000 >&2'], maxOutputLength })
    const [{ stdout, stderr } = { stdout: 'none', stderr: '' }] = output
    expect(stdout.length + stderr.length).toBeLessThanOrEqual(Math.max(0, maxOutputLength))
  })

  it('returns at most the output limit of the runtime', async () => {
    const runtime = runtimeOver({}, { limits: { outputBytes: 4096 } })
    for (const maxOutputLength of [undefined, 10_000_000, Number.NaN]) {
      const { output } = await openAiShell(runtime).run({ commands: ['seq 1 100000', 'seq 1 100000'], maxOutputLength })
      expect(output.map(({ stdout }) => stdout).join('').length).toBeLessThanOrEqual(4096)
    }
  })

  it('reports why each command was denied, and continues', async () => {
    const policy: RuntimePolicy = {
      commands: ({ command }) => (command.includes('rm') ? { action: 'deny', reason: 'nothing is removed here' } : 'allow'),
    }
    const { runtime, asked } = watched({ 'a.txt': 'a\n' }, { policy })
    const { output } = await openAiShell(runtime).run({ commands: ['rm a.txt', 'cat a.txt', ' ', 'echo \0'] })
    expect(output).toEqual([
      { stdout: '', stderr: expect.stringContaining('nothing is removed here'), outcome: exit(null) },
      { stdout: 'a\n', stderr: '', outcome: exit(0) },
      { stdout: '', stderr: expect.stringContaining('is empty'), outcome: exit(null) },
      { stdout: '', stderr: expect.stringContaining('NUL'), outcome: exit(null) },
    ])
    expect(asked).toEqual(['bash', 'bash', 'bash', 'bash'])
  })

  it('asks through the policy of the runtime', async () => {
    const asked: unknown[] = []
    const policy: RuntimePolicy = {
      commands: () => 'ask',
      approve: ({ command }) => {
        asked.push(command)
        return command === 'echo yes'
      },
    }
    const { output } = await openAiShell(runtimeOver({}, { policy })).run({ commands: ['echo yes', 'echo no'] })
    expect(asked).toEqual(['echo yes', 'echo no'])
    expect(output).toMatchObject([
      { stdout: 'yes\n', outcome: exit(0) },
      { stdout: '', outcome: exit(null) },
    ])
  })

  it('stops the running command on abort and runs no other', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const runtime = runtimeOver()
    runtime.on((event) => {
      if (event.type === 'progress') controller.abort(reason)
    })
    const running = openAiShell(runtime, { signal: controller.signal }).run({ commands: ['echo started; sleep 600', 'echo x > late.txt'] })
    expect(await rejection(running)).toBe(reason)
    expect(await runtime.workspace.files()).toEqual({})
  })

  it('names a missing tool of the runtime at once', () => {
    expect(() => openAiShell(runtimeOver({}, { tools: [] }))).toThrow('Cannot offer "shell": the runtime has no tool "bash"')
  })
})
