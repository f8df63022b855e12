// @module-tag drop-ins
import { Runner } from '@openai/agents'
import { Manifest, memory, SandboxAgent, type SandboxSession, type SandboxSessionState, shell } from '@openai/agents/sandbox'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import type { ToolRuntime } from 'toolport'
import { type OpenAiSandboxSession, openAiSandboxSession } from 'toolport/formats'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { withGrowingTime } from '../../contract/shell/case.js'
import { rejection, runtimeOver, watched } from './support.js'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
/** The head of a PNG, and zeros up to a size in MiB. */
const imageOf = (size: number): Uint8Array => {
  const image = new Uint8Array(size * 1024 * 1024)
  image.set(PNG)
  return image
}
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

/** The JSON of what the model reads, by the id of the call. */
const outputsOf = (items: readonly { readonly rawItem?: unknown }[]): Map<string, string> =>
  new Map(
    items.flatMap(({ rawItem }) => {
      const raw = rawItem as { readonly callId?: string; readonly output?: unknown } | undefined
      return raw?.callId !== undefined && raw.output !== undefined ? [[raw.callId, JSON.stringify(raw.output)]] : []
    }),
  )

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
    const outputs = outputsOf(result.newItems)
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

  it('tells the model why an image cannot be viewed', async () => {
    const policy = { paths: [{ paths: 'secret.png', action: 'deny', reason: 'not for you' }] } as const
    const runtime = runtimeOver({ ...FILES, 'secret.png': PNG, 'large.png': imageOf(11) }, { policy })
    const model = new ScriptedModel([
      ...['none.png', '.', 'large.png', 'secret.png'].map((path) => [call(path, 'view_image', { path })]),
      [assistantMessage('Seen.')],
    ])
    const agent = new SandboxAgent({ name: 'viewer', model })
    const { newItems } = await new Runner({ tracingDisabled: true }).run(agent, 'Go.', { sandbox: { session: sessionOf(runtime) } })
    const outputs = outputsOf(newItems)
    expect(outputs.get('none.png')).toContain('was not found')
    expect(outputs.get('.')).toContain('is not a file')
    expect(outputs.get('large.png')).toContain('exceeded the allowed size of 10MB')
    expect(outputs.get('secret.png')).toContain('not for you')
  })

  it('reads a summary of memories: none, or the beginning of a long one', async () => {
    const instructionsWith = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
      const model = new ScriptedModel([[assistantMessage('Done.')]])
      const capabilities = [shell(), memory({ read: { liveUpdate: false }, generate: false })]
      const agent = new SandboxAgent({ name: 'rememberer', model, capabilities })
      const session = sessionOf(runtimeOver(files))
      await new Runner({ tracingDisabled: true }).run(agent, 'Go.', { sandbox: { session } })
      return model.calls[0]?.request.systemInstructions
    }
    expect(await instructionsWith({})).not.toContain('Prefers tabs.')
    expect(await instructionsWith({ 'memories/memory_summary.md': 'Prefers tabs. '.repeat(100_000) })).toContain('Prefers tabs.')
  })
})

describe('the session', () => {
  it('views an image of more than 5 MiB', async () => {
    const { image } = await sessionOf(runtimeOver({ 'six.png': imageOf(6) })).viewImage({ path: 'six.png' })
    expect([image.mediaType, image.data.length]).toEqual(['image/png', 6 * 1024 * 1024])
  })

  it('reads and lists files', async () => {
    const session = sessionOf(runtimeOver({ 'a.txt': 'one', 'd/b.txt': 'two', 'large.txt': 'x'.repeat(2_500_000) }))
    expect(new TextDecoder().decode(await session.readFile({ path: 'd/b.txt' }))).toBe('two')
    expect(await session.listDir({ path: '.' })).toEqual([
      { name: 'a.txt', path: 'a.txt', type: 'file' },
      { name: 'd', path: 'd', type: 'dir' },
      { name: 'large.txt', path: 'large.txt', type: 'file' },
    ])
    expect(await session.listDir({ path: '/workspace/d' })).toEqual([{ name: 'b.txt', path: 'd/b.txt', type: 'file' }])
    expect(await Promise.all(['d', 'a.txt', 'none'].map((path) => session.pathExists(path)))).toEqual([true, true, false])
    expect(await Promise.all(['d', 'a.txt', 'none'].map((path) => session.directoryExists(path)))).toEqual([true, false, false])
    expect(await rejection(session.listDir({ path: 'none' }))).toMatchObject({ code: 'ENOENT' })
    expect(await rejection(session.readFile({ path: 'none' }))).toMatchObject({ code: 'ENOENT' })
    expect(new TextDecoder().decode(await session.readFile({ path: 'a.txt', maxBytes: 2 }))).toBe('on')
    expect(await session.readFile({ path: 'large.txt', maxBytes: 2_000_000 })).toHaveLength(2_000_000)
    expect(await session.readFile({ path: 'large.txt', maxBytes: 9_000_000 })).toHaveLength(2_500_000)
    expect((await rejection(session.readFile({ path: '../x' }))).message).toContain('outside the workspace')
  })

  it('calls no tool to find out whether a path exists', async () => {
    const { runtime, asked } = watched(FILES)
    const session = sessionOf(runtime)
    expect([await session.pathExists('add.sh'), await session.directoryExists('add.sh')]).toEqual([true, false])
    expect(asked).toEqual([])
  })

  it('rejects a manifest with another root, entries or variables', () => {
    const create = (init: ConstructorParameters<typeof Manifest>[0]) => () =>
      openAiSandboxSession(runtimeOver({}, { root: '/repo' }), { manifest: new Manifest(init) })
    expect(create({})).toThrow('the manifest has the root "/workspace". Pass new Manifest({ root: "/repo" })')
    expect(create({ root: '/repo', entries: { 'a.txt': { type: 'file', content: 'a' } } })).toThrow('the manifest has "entries"')
    expect(create({ root: '/repo', environment: { A: '1' } })).toThrow('the manifest has "environment"')
    expect(create({ root: '/repo' })).not.toThrow()
  })

  it('shortens long output in the middle, and reports a denied command', async () => {
    const session = sessionOf(runtimeOver())
    const { output, stdout } = await session.exec({ cmd: 'seq 1 5000', maxOutputTokens: 100 })
    expect(output.length).toBeLessThanOrEqual(400)
    expect(output).toMatch(/^1\n.*5000\n$/s)
    expect(stdout).toContain('2500')
    expect((await session.exec({ cmd: 'printf x' })).output).toBe('x')
    expect((await session.exec({ cmd: 'printf x; printf y >&2' })).output).toBe('x\ny')
    expect((await session.exec({ cmd: 'seq 1 5000', maxOutputTokens: -1 })).output.length).toBeLessThan(100)
    const denied = sessionOf(runtimeOver({}, { policy: { commands: () => ({ action: 'deny', reason: 'no commands' }) } }))
    expect(await denied.exec({ cmd: 'ls' })).toMatchObject({ exitCode: null, output: expect.stringContaining('no commands') })
  })

  it('reports a timeout on a line of its own', async () => {
    const { stderr, exitCode } = await withGrowingTime(
      (deadlineMs) => sessionOf(runtimeOver({}, { limits: { deadlineMs } })).exec({ cmd: 'printf oops >&2; sleep 600' }),
      (result) => result.stderr?.startsWith('oops') === true,
    )
    expect([stderr, exitCode]).toEqual(['oops\n[timed out: the runtime ended the command]\n', 124])
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
