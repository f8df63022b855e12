// @module-tag drop-ins
import { Runner } from '@openai/agents'
import { Manifest, SandboxAgent, type SandboxSession, type SandboxSessionState } from '@openai/agents/sandbox'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import type { ToolRuntime } from 'toolport'
import { type OpenAiSandboxSession, openAiSandboxSession } from 'toolport/formats'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { rejection, runtimeOver, watched } from './support.js'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const FILES = { 'add.sh': 'echo $(( $1 - $2 ))\n', 'p.png': PNG }
const sessionOf = (runtime: ToolRuntime, signal?: AbortSignal): OpenAiSandboxSession<Manifest> =>
  openAiSandboxSession(runtime, { manifest: new Manifest({ root: runtime.workspace.root }), ...(signal && { signal }) })

const call = (callId: string, name: string, input: object) => ({
  type: 'function_call' as const,
  callId,
  name,
  arguments: JSON.stringify(input),
  status: 'completed' as const,
})

const edit = (callId: string, operation: { type: 'update_file' | 'create_file'; path: string; diff: string }) => ({
  type: 'apply_patch_call' as const,
  callId,
  status: 'completed' as const,
  operation,
})

describe('a SandboxAgent over the workspace', () => {
  it('runs commands, edits files and views an image through the tools of the runtime', async () => {
    const { runtime, asked } = watched(FILES)
    const diff = '-echo $(( $1 - $2 ))\n+echo $(( $1 + $2 ))\n'
    const model = new ScriptedModel([
      [call('run', 'exec_command', { cmd: 'pwd; bash add.sh 2 3; exit 4' })],
      [edit('edit', { type: 'update_file', path: 'add.sh', diff })],
      [edit('above', { type: 'create_file', path: '../x', diff: '+x\n' })],
      [call('image', 'view_image', { path: 'p.png' })],
      [call('text', 'view_image', { path: 'add.sh' })],
      [call('again', 'exec_command', { cmd: 'bash add.sh 2 3', workdir: '/workspace' })],
      [call('outside', 'exec_command', { cmd: 'pwd', workdir: '/etc' })],
      [assistantMessage('Fixed.')],
    ])
    const agent = new SandboxAgent({ name: 'fixer', model, instructions: 'Fix add.sh.' })
    const result = await new Runner({ tracingDisabled: true }).run(agent, 'Go.', { sandbox: { session: sessionOf(runtime) } })
    expect(result.finalOutput).toBe('Fixed.')
    const outputs = new Map(
      result.newItems.flatMap((item) => {
        const raw = item.rawItem as { readonly type?: string; readonly callId?: string; readonly output?: unknown } | undefined
        return raw?.callId !== undefined && raw.output !== undefined ? [[raw.callId, JSON.stringify(raw.output)]] : []
      }),
    )
    expect(outputs.get('run')).toMatch(/Process exited with code 4\\nOutput:\\n\/workspace\\n-1/)
    expect(outputs.get('above')).toContain('outside the workspace')
    expect(outputs.get('image')).toContain(Buffer.from(PNG).toString('base64'))
    expect(outputs.get('text')).toContain('is not a supported image file')
    expect(outputs.get('again')).toMatch(/code 0\\nOutput:\\n5/)
    expect(outputs.get('outside')).toContain('/etc')
    expect(await runtime.workspace.files()).toEqual({ 'add.sh': 'echo $(( $1 + $2 ))\n', 'p.png': PNG })
    expect(new Set(asked)).toEqual(new Set(['bash', 'read_file', 'apply_patch']))
    model.assertComplete()
  })
})

describe('the session', () => {
  it('reads and lists files', async () => {
    const session = sessionOf(runtimeOver({ 'a.txt': 'one', 'd/b.txt': 'two' }))
    expect(new TextDecoder().decode(await session.readFile({ path: 'd/b.txt' }))).toBe('two')
    expect(await session.listDir({ path: '.' })).toEqual([
      { name: 'a.txt', path: '/workspace/a.txt', type: 'file' },
      { name: 'd', path: '/workspace/d', type: 'dir' },
    ])
    expect(await Promise.all(['d', 'a.txt', 'none'].map((path) => session.pathExists(path)))).toEqual([true, true, false])
    expect(await Promise.all(['d', 'a.txt', 'none'].map((path) => session.directoryExists(path)))).toEqual([true, false, false])
    expect((await rejection(session.listDir({ path: 'none' }))).message).toContain('no such directory')
    expect((await rejection(session.readFile({ path: 'a.txt', maxBytes: 2 }))).message).toContain('EFBIG')
    expect((await rejection(session.readFile({ path: '../x' }))).message).toContain('outside the workspace')
  })

  it('shortens long output in the middle, and reports a denied command', async () => {
    const session = sessionOf(runtimeOver())
    const { output, stdout } = await session.exec({ cmd: 'seq 1 5000', maxOutputTokens: 100 })
    expect(output.length).toBeLessThanOrEqual(400)
    expect(output).toMatch(/^1\n.*5000\n$/s)
    expect(stdout).toContain('2500')
    const denied = sessionOf(runtimeOver({}, { policy: { commands: () => ({ action: 'deny', reason: 'no commands' }) } }))
    expect(await denied.exec({ cmd: 'ls' })).toMatchObject({ exitCode: null, output: expect.stringContaining('no commands') })
  })

  it('has no users, and stops with the signal of its options', async () => {
    const controller = new AbortController()
    const session = sessionOf(runtimeOver(), controller.signal)
    expect((await rejection(session.exec({ cmd: 'id', runAs: 'root' }))).message).toContain('has no users')
    controller.abort(new Error('enough'))
    expect((await rejection(session.exec({ cmd: 'ls' }))).message).toBe('enough')
  })

  it('names what is missing', () => {
    expect(() => openAiSandboxSession(undefined as never, undefined as never)).toThrow(/needs a ToolRuntime/)
    expect(() => openAiSandboxSession(runtimeOver(), undefined as never)).toThrow(/needs options with a "manifest"/)
    expect(() => openAiSandboxSession(runtimeOver({}, { tools: [] }), {} as never)).toThrow('no tool "read_file"')
  })

  it('has the type of the SDK', () => {
    expectTypeOf<OpenAiSandboxSession<Manifest>>().toExtend<SandboxSession<SandboxSessionState>>()
  })
})
