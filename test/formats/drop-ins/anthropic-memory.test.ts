// @module-tag drop-ins
import { anthropicMemory } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { rejection, runtimeOver, watched } from './support.js'

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (char) => char.charCodeAt(0),
)

describe('anthropicMemory', () => {
  it('runs every command', async () => {
    const runtime = runtimeOver()
    const memory = anthropicMemory(runtime)
    const path = '/memories/notes/a.txt'
    expect(await memory.create({ command: 'create', path, file_text: 'one\ntwo\nthree\n' })).toBe(`File created successfully at: ${path}`)
    expect(await memory.view({ command: 'view', path, view_range: [2, 3] })).toBe(
      `Here's the content of ${path} with line numbers:\n     2\ttwo\n     3\tthree`,
    )
    expect(await memory.str_replace({ command: 'str_replace', path, old_str: 'two', new_str: '2' })).toContain(
      'The memory file has been edited.',
    )
    expect(await memory.insert({ command: 'insert', path, insert_line: 0, insert_text: 'zero\n' })).toBe(
      `The file ${path} has been edited.`,
    )
    expect(await memory.view({ command: 'view', path: '/memories' })).toBe(
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n17B\t/memories\n17B\t/memories/notes\n17B\t/memories/notes/a.txt",
    )
    expect(await memory.rename({ command: 'rename', old_path: path, new_path: '/memories/b.txt' })).toBe(
      `Successfully renamed ${path} to /memories/b.txt`,
    )
    expect(await runtime.workspace.files()).toEqual({ 'memories/b.txt': 'zero\none\n2\nthree\n' })
    expect(await memory.delete({ command: 'delete', path: '/memories/b.txt' })).toBe('Successfully deleted /memories/b.txt')
  })

  it('rejects with the text for the model', async () => {
    const memory = anthropicMemory(runtimeOver({ 'secret.txt': 's' }))
    const view = (path: string) => rejection(memory.view({ command: 'view', path }))
    expect((await view('/memories/none')).message).toBe('The path /memories/none does not exist. Please provide a valid path.')
    for (const path of ['/memories/../secret.txt', '/secret.txt', '/memories/%2e%2e/secret.txt', '/memoriesX'])
      expect((await view(path)).message).toMatch(/^Path /)
    expect((await rejection(memory.delete({ command: 'delete', path: '/memories' }))).message).toBe(
      'Cannot delete the /memories directory itself',
    )
  })

  it('runs the command of the handler, even if its input names another', async () => {
    const runtime = runtimeOver({ 'memories/a.txt': 'a\n' })
    const memory = anthropicMemory(runtime)
    const forged = { command: 'delete', path: '/memories/a.txt' } as unknown as { command: 'view'; path: string }
    expect(await memory.view(forged)).toContain('a')
    expect(await runtime.workspace.exists('memories/a.txt')).toBe(true)
  })

  it('returns images in the format of the API', async () => {
    const memory = anthropicMemory(runtimeOver({ 'memories/a.png': PNG }))
    expect(await memory.view({ command: 'view', path: '/memories/a.png' })).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: expect.stringMatching(/^iVBOR/) },
    })
  })

  it('uses the given directory and the path rules of the workspace', async () => {
    const { runtime, asked } = watched({ 'mind/locked/a.txt': 'a' }, { policy: { paths: [{ paths: 'mind/locked', action: 'deny' }] } })
    const memory = anthropicMemory(runtime, { directory: 'mind' })
    const { message } = await rejection(memory.view({ command: 'view', path: '/memories/locked/a.txt' }))
    expect(message).not.toContain('/workspace')
    await memory.create({ command: 'create', path: '/memories/b.txt', file_text: 'b' })
    expect(await runtime.workspace.exists('mind/b.txt')).toBe(true)
    expect(asked).toContain('write_file')
    expect(() => anthropicMemory(runtime, { directory: '../up' })).toThrow(/outside/)
  })

  it('writes nothing in a read-only workspace', async () => {
    const runtime = runtimeOver({ 'memories/a.txt': 'a\n' }, { policy: { readOnly: true } })
    const memory = anthropicMemory(runtime)
    for (const work of [
      memory.create({ command: 'create', path: '/memories/b.txt', file_text: '' }),
      memory.delete({ command: 'delete', path: '/memories/a.txt' }),
      memory.rename({ command: 'rename', old_path: '/memories/a.txt', new_path: '/memories/b.txt' }),
      memory.insert({ command: 'insert', path: '/memories/a.txt', insert_line: 0, insert_text: 'x' }),
    ])
      expect((await rejection(work)).message).toMatch(/read-only/)
    expect(await memory.view({ command: 'view', path: '/memories/a.txt' })).toContain('a')
  })

  it('stops on its own signal or that of a call', async () => {
    const view = { command: 'view', path: '/memories' } as const
    const runtime = runtimeOver({ 'memories/a.txt': '' })
    expect((await rejection(anthropicMemory(runtime, { signal: AbortSignal.abort() }).view(view))).message).toContain('aborted')
    expect((await rejection(anthropicMemory(runtime).view(view, { signal: AbortSignal.abort() }))).message).toContain('aborted')
  })
})
