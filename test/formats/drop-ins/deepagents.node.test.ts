// @module-tag drop-ins
import type { BaseMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import {
  type BackendProtocolV2,
  CompositeBackend,
  createDeepAgent,
  type FilesystemPermission,
  isSandboxBackend,
  StateBackend,
} from 'deepagents'
import { createRuntime, createWorkspace, fileTools, searchTools, shellTools, type Workspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type DeepAgentsBackend, deepAgentsBackend } from 'toolport/formats'
import { type ScriptedCall, type ScriptedStep, scriptedModel } from 'toolport/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { bytes, type Files, rejection, runtimeOver, watched, withLinkOut } from './support.js'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const FILES: Files = { 'a.txt': 'one\ntwo\nthree\n', 'src/b.ts': 'const two = 2\n', 'empty.txt': '', 'p.png': PNG }

interface Options {
  readonly permissions?: FilesystemPermission[]
  readonly skills?: string[]
}

/** Runs a deep agent that makes these calls, one entry per step. Returns the answers that the model reads, by the id of the call. */
async function play(backend: BackendProtocolV2, steps: readonly ScriptedStep[], options: Options = {}) {
  const model = scriptedModel([...steps, 'Done.'])
  const agent = createDeepAgent({
    model: new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'none', maxRetries: 0, configuration: { fetch: model.fetch } }),
    backend: backend,
    ...options,
  })
  const { messages } = (await agent.invoke({ messages: [{ role: 'user', content: 'Work.' }] }, { recursionLimit: 200 })) as {
    messages: BaseMessage[]
  }
  const answers = new Map(
    messages.flatMap((message) => (message.getType() === 'tool' ? [[(message as { tool_call_id?: string }).tool_call_id, message]] : [])),
  )
  const text = (id: string): string => answers.get(id)?.text ?? `no answer to ${id}`
  return { text, answers, last: messages.at(-1)?.text, tools: model.requests[0]?.tools ?? [], requests: model.requests }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const call = (id: string, name: string, input: unknown): ScriptedCall => ({ id, name, input })

describe('a deep agent over the workspace', () => {
  it('lists, reads, searches, writes, edits, deletes and runs commands through the tools of the runtime', async () => {
    const { runtime, asked } = watched(FILES)
    const { text, last, tools } = await play(deepAgentsBackend(runtime), [
      call('ls', 'ls', { path: '/' }),
      call('read', 'read_file', { file_path: '/a.txt', offset: 1, limit: 1 }),
      call('read-long', 'read_file', { file_path: '/workspace/a.txt' }),
      call('write-long', 'write_file', { file_path: '/workspace/b.txt', content: 'b' }),
      call('empty', 'read_file', { file_path: '/empty.txt' }),
      call('glob', 'glob', { pattern: '**/*.ts' }),
      call('glob-from-root', 'glob', { pattern: '/src/*', path: '/elsewhere' }),
      call('grep', 'grep', { pattern: 'two' }),
      call('grep-from-root', 'grep', { pattern: 'two', glob: '/src/**/*.ts' }),
      call('grep-except', 'grep', { pattern: 'two', glob: '!/src/**' }),
      call('grep-one', 'grep', { pattern: 'two', glob: '*.txt', max_count: 1 }),
      call('write', 'write_file', { file_path: '/new/c.txt', content: 'c\n' }),
      call('edit', 'edit_file', { file_path: '/a.txt', old_string: 'two', new_string: '2' }),
      call('delete', 'delete', { file_path: '/src' }),
      call('execute', 'execute', { command: 'pwd; cat a.txt new/c.txt; echo oops >&2; exit 3' }),
    ])
    expect(tools).toEqual(expect.arrayContaining(['ls', 'read_file', 'write_file', 'edit_file', 'delete', 'glob', 'grep', 'execute']))
    expect(text('ls')).toBe('/a.txt (14 bytes)\n/empty.txt\n/p.png (12 bytes)\n/src/ (directory)')
    expect(text('read')).toBe('@@ lines 2-2 of 3 | next offset 2 @@\ntwo')
    expect(text('read-long')).toMatch(/^Error: .*Use "\/a\.txt"/s)
    expect(text('write-long')).toMatch(/^Error: .*Use "\/b\.txt"/s)
    expect(text('empty')).toBe('System reminder: File exists but has empty contents')
    expect(text('glob')).toBe('/src/b.ts')
    expect(text('glob-from-root')).toBe('/src/b.ts')
    expect(text('grep')).toContain('/a.txt')
    expect(text('grep')).toContain('2: two')
    expect(text('grep')).toContain('/src/b.ts')
    expect(text('grep-from-root')).toContain('/src/b.ts')
    expect(text('grep-except')).toContain('/a.txt')
    expect(text('grep-except')).not.toContain('/src/b.ts')
    expect(text('grep-one')).toContain('/a.txt')
    expect(text('write')).toBe("Successfully wrote to '/new/c.txt'")
    expect(text('edit')).toBe("Successfully replaced 1 occurrence(s) in '/a.txt'")
    expect(text('delete')).toBe('Deleted /src')
    expect(text('execute')).toBe('/workspace\none\n2\nthree\nc\noops\n\n[Command failed with exit code 3]')
    expect(last).toBe('Done.')
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'one\n2\nthree\n', 'empty.txt': '', 'new/c.txt': 'c\n', 'p.png': PNG })
    expect(asked).toEqual(
      expect.arrayContaining(['list_files', 'read_file', 'glob', 'grep', 'write_file', 'edit_file', 'delete_file', 'bash']),
    )
  })

  it('tells the model why a call fails, in the words of the runtime', async () => {
    const runtime = runtimeOver(FILES, { policy: { tools: [{ tools: ['delete_file', 'bash'], action: 'deny', reason: 'not today' }] } })
    const { text, last } = await play(deepAgentsBackend(runtime), [
      call('missing', 'read_file', { file_path: '/none.txt' }),
      call('past-the-end', 'read_file', { file_path: '/a.txt', offset: 9 }),
      call('above', 'ls', { path: '/../etc' }),
      call('no-directory', 'ls', { path: '/none' }),
      call('write-above', 'write_file', { file_path: '/../x', content: 'x' }),
      call('no-match', 'edit_file', { file_path: '/a.txt', old_string: 'four', new_string: '4' }),
      call('no-text', 'edit_file', { file_path: '/none.txt', old_string: '', new_string: 'new' }),
      call('directory', 'read_file', { file_path: '/src' }),
      call('denied', 'delete', { file_path: '/a.txt' }),
      call('denied-command', 'execute', { command: 'ls' }),
    ])
    expect(text('missing')).toMatch(/^Error: ENOENT: Cannot read "\/none\.txt": no such file/)
    expect(text('past-the-end')).toBe('Error: Line offset 9 exceeds file length (3 lines)')
    expect(text('above')).toMatch(/^Error listing files: (?!Error).*outside the workspace/s)
    expect(text('no-directory')).toMatch(/^Error listing files: ENOENT/)
    expect(text('write-above')).toMatch(/^Error: .*outside the workspace/s)
    expect(text('no-match')).toMatch(/^Error: .*old text is not in the file/s)
    expect(text('no-text')).toMatch(/^Error: Cannot edit "\/none\.txt": old_string is empty/)
    expect(text('directory')).toMatch(/^Error: EISDIR/)
    expect(text('denied')).toMatch(/^Error: .*not today/s)
    expect(text('denied-command')).toMatch(/^Error: .*not today/s)
    expect(await runtime.workspace.files()).toEqual(FILES)
    expect(last).toBe('Done.')
  })

  it('gives a denied file no second path', async () => {
    const files = { 'secrets/key': 'hunter2\n' }
    const paths = ['/secrets/key', '/workspace/secrets/key', '//workspace/secrets/key', '/secrets/./key', '/./secrets/key', '/secrets\\key']
    const workspace = (): Workspace => createWorkspace({ fs: createMemoryFs({ files }), backslash: 'separator' })
    const withoutShell = createRuntime({ workspace: workspace(), tools: [...fileTools(), ...searchTools()] })
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    const withShell = createRuntime({ workspace: workspace(), shell, tools: [...fileTools(), ...searchTools(), ...shellTools()] })
    const route = new CompositeBackend(new StateBackend(), { '/files/': deepAgentsBackend(withShell) })
    for (const [runtime, backend, above] of [
      [withoutShell, deepAgentsBackend(withoutShell), ''],
      [withShell, route, '/files'],
    ] as const) {
      const calls = paths.flatMap((path) => {
        const file_path = above + path
        return [
          call(`read ${path}`, 'read_file', { file_path }),
          call(`grep ${path}`, 'grep', { pattern: 'hunt', path: file_path }),
          call(`write ${path}`, 'write_file', { file_path, content: 'x' }),
          call(`edit ${path}`, 'edit_file', { file_path, old_string: 'hunter', new_string: 'x' }),
          call(`delete ${path}`, 'delete', { file_path }),
        ]
      })
      const permissions: FilesystemPermission[] = [{ operations: ['read', 'write'], paths: [`${above}/secrets/**`], mode: 'deny' }]
      const { requests, last } = await play(backend, [calls], { permissions })
      expect(last).toBe('Done.')
      expect(JSON.stringify(requests)).not.toContain('hunter2')
      expect(await runtime.workspace.files()).toEqual(files)
    }
  })

  it('shows an image as an image', async () => {
    const { answers } = await play(deepAgentsBackend(runtimeOver(FILES)), [call('image', 'read_file', { file_path: '/p.png' })])
    expect(JSON.stringify(answers.get('image')?.content)).toContain(Buffer.from(PNG).toString('base64'))
  })

  it('reports other binary files as errors, without parameters of the tools of the runtime', async () => {
    const files = {
      'utf16.txt': Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x62, 0]),
      'latin1.c': Uint8Array.from([0x63, 0xe9, 0x0a]),
      'a.zip': Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]),
    }
    const names = Object.keys(files)
    const { text } = await play(
      deepAgentsBackend(runtimeOver(files)),
      names.map((name) => call(name, 'read_file', { file_path: `/${name}` })),
    )
    for (const name of names) {
      expect(text(name)).toMatch(new RegExp(`^Error: Cannot read "/${name}" as text`))
      expect(text(name)).not.toContain('base64')
    }
  })

  it('shows long lines in full, also those of a result that deepagents has stored in the workspace', async () => {
    const json = JSON.stringify(Array.from({ length: 9_000 }, (_, i) => `item ${i}`))
    const backend = deepAgentsBackend(runtimeOver({ 'long.json': json, 'min.css': `a\n${'x'.repeat(10_000)}\nb\n` }))
    const { text } = await play(backend, [
      call('css', 'read_file', { file_path: '/min.css', offset: 1, limit: 1 }),
      call('long', 'execute', { command: 'cat long.json' }),
      call('stored', 'read_file', { file_path: '/large_tool_results/long.txt' }),
    ])
    expect(text('css')).toBe(`@@ lines 2-2 of 3 | next offset 2 @@\n${'x'.repeat(10_000)}`)
    expect(text('long')).toContain('/large_tool_results/long.txt')
    expect(text('stored')).toContain(json.slice(0, 30_000))
  })

  it('finds a skill in a linked directory', async () => {
    const skill = '---\nname: greet\ndescription: Says hello in Welsh\n---\nSay shwmae.\n'
    const fs = createMemoryFs({ files: { 'shared/greet/SKILL.md': skill, 'skills/readme.txt': 'Skills.' } })
    await fs.symlink?.('../shared/greet', '/skills/greet')
    const backend = deepAgentsBackend(runtimeOver({}, { fs }))
    expect((await backend.ls('/skills')).files).toContainEqual({ path: '/skills/greet/', is_dir: true })
    const { requests } = await play(backend, [], { skills: ['/skills/'] })
    expect(JSON.stringify(requests[0]?.body)).toContain('Says hello in Welsh')
  })

  it('rejects a write to a file that a command has changed since it was read', async () => {
    const { text } = await play(deepAgentsBackend(runtimeOver(FILES)), [
      call('read', 'read_file', { file_path: '/a.txt' }),
      call('change', 'execute', { command: 'echo four >> a.txt' }),
      call('stale', 'write_file', { file_path: '/a.txt', content: 'mine\n' }),
    ])
    expect(text('stale')).toMatch(/^Error: .*ESTALE/s)
  })

  it('serves a part of a CompositeBackend, so that deepagents keeps its own files out of the workspace', async () => {
    const { runtime } = watched({ ...FILES, 'long.txt': `${'x'.repeat(200)}\n`.repeat(600) })
    const backend = new CompositeBackend(deepAgentsBackend(runtime), {
      '/large_tool_results/': new StateBackend(),
    })
    const { text } = await play(backend, [call('long', 'execute', { command: 'cat long.txt' })])
    expect(text('long')).toContain('/large_tool_results/')
    expect(Object.keys(await runtime.workspace.files()).filter((path) => path.includes('large_tool_results'))).toEqual([])
    const routed = new CompositeBackend(new StateBackend(), { '/files/': deepAgentsBackend(runtime) })
    const played = await play(routed, [
      call('ls', 'ls', { path: '/files/src' }),
      call('read', 'read_file', { file_path: '/files/src/b.ts' }),
    ])
    expect(played.text('ls')).toContain('/files/src/b.ts')
    expect(played.text('read')).toContain('const two = 2')
  })
})

describe('the backend', () => {
  it('has execute only with bash', async () => {
    expect(isSandboxBackend(deepAgentsBackend(runtimeOver()))).toBe(true)
    const backend = deepAgentsBackend(runtimeOver({}, { tools: [...fileTools(), ...searchTools()] }))
    expect(isSandboxBackend(backend)).toBe(false)
    expect((await play(backend, [])).tools).not.toContain('execute')
  })

  it('shows paths that it accepts again, also where a directory has the name of the root', async () => {
    const backend = deepAgentsBackend(runtimeOver({ 'workspace/a.txt': 'inner', 'a.txt': 'outer' }))
    const { files } = await backend.glob('**/*.txt')
    expect(files?.map(({ path }) => path)).toEqual(['/a.txt', '/workspace/workspace/a.txt'])
    const read = await Promise.all((files ?? []).map(async ({ path }) => (await backend.read(path)).content))
    expect(read).toEqual(['outer', 'inner'])
    const top = deepAgentsBackend(runtimeOver({ 'a.txt': 'x' }, { root: '/' }))
    expect((await top.ls('/')).files).toEqual([{ path: '/a.txt', is_dir: false, size: 1 }])
    expect((await top.glob('/*.txt')).files).toEqual([{ path: '/a.txt', is_dir: false }])
  })

  it('says what is missing from a search', async () => {
    const backend = deepAgentsBackend(runtimeOver(FILES))
    expect(await backend.grep('two', null, null, 1)).toEqual({ matches: [{ path: '/a.txt', line: 2, text: 'two' }], truncated: true })
    expect(await backend.grep('t.o', '/a.txt')).toEqual({ matches: [] })
    expect((await backend.grep('two', '/src', '/src/*.ts')).matches?.map(({ path }) => path)).toEqual(['/src/b.ts'])
    expect(await backend.grep('two', '/none')).toEqual({ error: expect.stringContaining('ENOENT') })
  })

  it('reads and writes media as bytes', async () => {
    const pdf = bytesOf('%PDF-1.7\n\0')
    const large = new Uint8Array(6 * 1024 * 1024)
    large.set(PNG)
    const runtime = runtimeOver({ 'a.pdf': pdf, 'large.png': large })
    const backend = deepAgentsBackend(runtime)
    expect(await backend.read('/a.pdf')).toEqual({ content: pdf, mimeType: 'application/pdf' })
    const { content, mimeType } = await backend.read('/large.png')
    expect([content?.length, mimeType]).toEqual([large.length, 'image/png'])
    expect((await play(backend, [call('png', 'write_file', { file_path: '/b.png', content: btoa('bytes\xff') })])).last).toBe('Done.')
    await backend.write('/c.pdf', 'not base64!')
    expect(await runtime.workspace.files()).toMatchObject({ 'b.png': new Uint8Array([...bytesOf('bytes'), 0xff]), 'c.pdf': 'not base64!' })
  })

  it('normalizes offsets and limits like deepagents', async () => {
    const backend = deepAgentsBackend(runtimeOver(FILES))
    expect(await backend.read('/a.txt', -1, 1.5)).toMatchObject({ content: 'one', startLine: 1, endLine: 1, nextOffset: 1 })
    expect(await backend.read('/a.txt', Number.NaN)).toMatchObject({ content: 'one\ntwo\nthree' })
    expect(await backend.read('/a.txt', 0, 0)).toEqual({ content: '', mimeType: 'text/plain' })
  })

  it('reads whole files, and uploads and downloads bytes', async () => {
    const backend = deepAgentsBackend(runtimeOver({ ...FILES, 'bytes.bin': bytes(70_000) }), { maxFileBytes: 80_000 })
    expect(await backend.readRaw('/a.txt')).toMatchObject({ data: { content: 'one\ntwo\nthree\n', mimeType: 'text/plain' } })
    expect(await backend.readRaw('/none')).toEqual({ error: expect.stringContaining('ENOENT') })
    expect(
      await backend.uploadFiles([
        ['/new/x.bin', bytes(10)],
        ['/../x', bytes(1)],
        ['/src', bytes(1)],
      ]),
    ).toEqual([
      { path: '/new/x.bin', error: null },
      { path: '/../x', error: 'permission_denied' },
      { path: '/src', error: 'is_directory' },
    ])
    expect(await backend.downloadFiles(['/new/x.bin', '/bytes.bin', '/none', '/src', '/../x'])).toEqual([
      { path: '/new/x.bin', content: bytes(10), error: null },
      { path: '/bytes.bin', content: bytes(70_000), error: null },
      { path: '/none', content: null, error: 'file_not_found' },
      { path: '/src', content: null, error: 'is_directory' },
      { path: '/../x', content: null, error: 'permission_denied' },
    ])
    await backend.uploadFiles([['/large.bin', bytes(90_000)]])
    expect(await backend.readRaw('/large.bin')).toEqual({ error: expect.stringContaining('EFBIG') })
  })

  it('follows no link out of the workspace', async () => {
    const backend = deepAgentsBackend(await withLinkOut())
    expect(await backend.read('/out/passwd')).toEqual({ error: expect.stringContaining('outside the workspace') })
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/a.txt', '/out'])
  })

  it('stops with the signal of its options', async () => {
    const controller = new AbortController()
    const runtime = runtimeOver()
    runtime.on((event) => {
      if (event.type === 'progress') controller.abort(new Error('enough'))
    })
    const backend = deepAgentsBackend(runtime, { signal: controller.signal })
    expect((await rejection(Promise.resolve(backend.execute?.('echo up; sleep 600')))).message).toBe('enough')
    expect((await rejection(backend.ls('/'))).message).toBe('enough')
  })

  it('names a missing runtime or tool', () => {
    expect(() => deepAgentsBackend(undefined as never)).toThrow(/needs a ToolRuntime/)
    expect(() => deepAgentsBackend(runtimeOver({}, { tools: [] }))).toThrow('no tool "read_file"')
  })

  it('has the type of the protocol', () => {
    expectTypeOf<DeepAgentsBackend>().toExtend<BackendProtocolV2>()
    expectTypeOf<Exclude<keyof BackendProtocolV2, keyof DeepAgentsBackend>>().toEqualTypeOf<never>()
    expectTypeOf<DeepAgentsBackend>().toExtend<NonNullable<NonNullable<Parameters<typeof createDeepAgent>[0]>['backend']>>()
  })
})
