// @module-tag entries
import { createRuntime, fileTools, type JsonValue, systemHost, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBrowserRuntime } from 'toolport/browser'
import { afterEach, describe, expect, it } from 'vitest'

const opened: ToolRuntime[] = []
const open = (options: Partial<Parameters<typeof createBrowserRuntime>[0]> = {}): ToolRuntime => {
  const runtime = createBrowserRuntime({ storage: 'memory', ...options })
  opened.push(runtime)
  return runtime
}
const names = (runtime: ToolRuntime): string[] => runtime.getModelManifest().map(({ name }) => name)
const bash = (runtime: ToolRuntime, command: string): Promise<JsonValue> => runtime.call('bash', { command })

afterEach(() => Promise.all(opened.splice(0).map((runtime) => runtime.dispose())))

describe('createBrowserRuntime', () => {
  it('gives all tools the same files', async () => {
    const runtime = open({ files: { 'src/a.ts': 'export const a = 1\n' } })
    await runtime.call('edit_file', { path: 'src/a.ts', edits: [{ old_string: '1', new_string: '2' }] })
    expect(await bash(runtime, 'cat src/a.ts; pwd')).toMatchObject({ exit_code: 0, stdout: 'export const a = 2\n/workspace\n' })
    await bash(runtime, 'sed s/a/b/g src/a.ts > src/b.ts')
    expect(await runtime.call('grep', { pattern: 'const b' })).toMatchObject({ matches: [{ path: '/workspace/src/b.ts', line: 1 }] })
  })

  it('has the standard tools, and bash only with a shell cap:17', () => {
    const all = names(open())
    expect(all).toContain('bash')
    expect(names(open({ shell: false }))).toEqual(all.filter((name) => !name.endsWith('bash')))
  })

  it('accepts other tools or another preset', () => {
    expect(names(open({ tools: fileTools() }))).not.toContain('grep')
    expect(names(open({ preset: { name: 'none', tools: [], validation: 'strict' } }))).toEqual([])
  })

  it('passes options to its shell', async () => {
    const runtime = open({ shell: { env: { GREETING: 'hello' } } })
    expect(await bash(runtime, 'echo $GREETING')).toMatchObject({ stdout: 'hello\n' })
  })

  it('accepts another shell as an object or a function of the workspace cap:106', async () => {
    const exec = async (command: string) => ({
      exitCode: 0,
      stdout: `another shell: ${command}`,
      stderr: '',
      timedOut: false,
      aborted: false,
      truncated: false,
      cwd: '/elsewhere',
      env: {},
    })
    const shell = { name: 'other', can: { pty: false, separateStderr: true, hardKill: false, dialect: 'other' }, exec }
    expect(await bash(open({ shell }), 'x')).toMatchObject({ stdout: 'another shell: x', cwd: '/elsewhere' })
    expect(await bash(open({ shell: () => shell }), 'x')).toMatchObject({ stdout: 'another shell: x' })
  })

  it('applies the workspace policy in the shell', async () => {
    const runtime = open({
      files: { 'a.txt': 'a', 'secrets/key': 'hidden' },
      policy: { readOnly: true, paths: [{ paths: 'secrets', action: 'deny' }] },
    })
    expect(await bash(runtime, 'cat a.txt')).toMatchObject({ exit_code: 0, stdout: 'a' })
    expect(await bash(runtime, 'cat secrets/key')).toMatchObject({ stdout: '' })
    expect(await bash(runtime, 'echo b > a.txt')).not.toMatchObject({ exit_code: 0 })
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a', 'secrets/key': 'hidden' })
  })

  it('applies the command policy', async () => {
    const runtime = open({ policy: { commands: ({ command }) => (command.includes('rm') ? 'deny' : 'allow') } })
    expect(await runtime.execute({ name: 'bash', input: { command: 'rm -r .' } })).toMatchObject({
      ok: false,
      output: { status: 'denied', code: 'command_blocked' },
    })
    expect(await bash(runtime, 'echo fine')).toMatchObject({ stdout: 'fine\n' })
  })

  it('limits a workspace in memory by default and by the given quotas', async () => {
    const small = open({ quotas: { bytes: 10 } })
    const write = { path: 'a', content: 'more than ten' }
    expect(await small.execute({ name: 'write_file', input: write })).toMatchObject({ ok: false, output: { code: 'ENOSPC' } })
    expect(await open().execute({ name: 'write_file', input: write })).toMatchObject({ ok: true })
  })

  it('accepts a custom storage and root', async () => {
    const fs = createMemoryFs({ files: { a: 'x' } })
    const runtime = open({ storage: fs, root: '/project', name: 'mine' })
    expect(await bash(runtime, 'pwd; cat a; echo y > b')).toMatchObject({ stdout: '/project\nx' })
    expect(await fs.read('/b')).toEqual(new TextEncoder().encode('y\n'))
  })

  it('takes the time from the host', async () => {
    const runtime = open({ host: { ...systemHost, now: () => 86_400_000 }, files: { a: '' } })
    expect((await runtime.workspace.stat('a')).mtimeMs).toBe(86_400_000)
  })

  it('rejects an unknown storage and lists the known ones', () => {
    const storage = 'localstorage' as 'memory'
    expect(() => createBrowserRuntime({ storage })).toThrow(
      new TypeError('Cannot create a runtime: there is no storage "localstorage". Pass "memory", "indexeddb", "opfs" or an FsAdapter'),
    )
    expect(() => createBrowserRuntime({ storage: undefined as unknown as 'memory' })).toThrow('there is no storage "undefined"')
  })

  it('rejects a persistent storage without a name, and invalid files', () => {
    for (const storage of ['indexeddb', 'opfs'] as const) {
      expect(() => createBrowserRuntime({ storage })).toThrow(`"${storage}" needs a "name"`)
      expect(() => createBrowserRuntime({ storage, name: '' })).toThrow(TypeError)
      expect(() => createBrowserRuntime({ storage, name: 'x', files: { 'a/../b': '' } })).toThrow('".."')
      expect(() => createBrowserRuntime({ storage, name: 'x', files: { a: '', 'a/b': '' } })).toThrow('it is a directory too')
    }
  })

  it('rejects `files` with a custom storage', () => {
    expect(() => createBrowserRuntime({ storage: createMemoryFs(), files: { a: '' } })).toThrow('"files" is not for a storage of your own')
  })

  it('has tools that give the results of createRuntime', async () => {
    const files = { 'a.txt': 'one\ntwo\n' }
    const byHand = createRuntime({ fs: createMemoryFs({ files }), tools: fileTools() })
    const input = { path: 'a.txt' }
    expect(await open({ files }).call('read_file', input)).toEqual(await byHand.call('read_file', input))
    await byHand.dispose()
  })
})
