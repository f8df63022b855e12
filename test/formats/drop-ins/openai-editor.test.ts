// @module-tag drop-ins
import type { RuntimeEvent, RuntimePolicy } from 'toolport'
import { type OpenAiEditor, openAiEditor } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { bytes, type Files, rejection, runtimeOver, watched, withLinkOut } from './support.js'

function bench(files: Files = {}, policy: RuntimePolicy & { readonly readOnly?: boolean } = {}) {
  const runtime = runtimeOver(files, { policy })
  const editor = openAiEditor(runtime)
  return {
    runtime,
    editor,
    create: (path: string, diff: string) => editor.createFile({ type: 'create_file', path, diff }),
    update: (path: string, diff: string, moveTo?: string) => editor.updateFile({ type: 'update_file', path, diff, moveTo }),
    remove: (path: string) => editor.deleteFile({ type: 'delete_file', path }),
    files: () => runtime.workspace.files(),
  }
}

const failed = (output: unknown) => ({ status: 'failed', output })

describe('openAiEditor', () => {
  it('creates, changes, moves and removes files', async () => {
    const { create, update, remove, files } = bench()
    expect(await create('src/a.ts', '+one\n+two\n+\n')).toMatchObject({ status: 'completed' })
    expect(await files()).toEqual({ 'src/a.ts': 'one\ntwo\n' })
    const changed = await update('src/a.ts', '@@\n one\n-two\n+2\n')
    expect(changed).toMatchObject({ status: 'completed' })
    expect(changed.output).toContain('+2')
    expect(await update('src/a.ts', ' one\n+more\n', 'lib/b.ts')).toMatchObject({ status: 'completed' })
    expect(await files()).toEqual({ 'lib/b.ts': 'one\nmore\n2\n' })
    expect(await update('/workspace/lib/b.ts', '-one\n')).toMatchObject({ status: 'completed' })
    expect(await remove('lib/b.ts')).toMatchObject({ status: 'completed' })
    expect(await files()).toEqual({})
  })

  it('calls apply_patch, and its policy applies', async () => {
    const { runtime, asked } = watched(
      { 'a.txt': 'a\n' },
      { policy: { tools: [{ tools: 'apply_patch', action: 'deny', reason: 'review' }] } },
    )
    const editor = openAiEditor(runtime)
    expect(await editor.deleteFile({ type: 'delete_file', path: 'a.txt' })).toEqual(failed(expect.stringContaining('review')))
    expect(await editor.updateFile({ type: 'update_file', path: 'a.txt', diff: '-a\n+b\n' })).toEqual(
      failed(expect.stringContaining('review')),
    )
    expect(await editor.createFile({ type: 'create_file', path: 'b.txt', diff: '+b\n' })).toEqual(failed(expect.stringContaining('review')))
    expect(asked).toEqual(['apply_patch', 'read_file', 'apply_patch', 'apply_patch'])
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a\n' })
  })

  it('shows the approver the change', async () => {
    const shown: unknown[] = []
    const { update, files } = bench(
      { 'a.txt': 'a\n' },
      {
        tools: [{ tools: 'apply_patch', action: 'ask' }],
        approve: ({ input }) => {
          shown.push(input)
          return true
        },
      },
    )
    await update('a.txt', '-a\n+b\n')
    expect(shown).toEqual([{ patch: '--- "a/a.txt"\n+++ "b/a.txt"\n@@ -1 +1 @@\n-a\n+b\n' }])
    expect(await files()).toEqual({ 'a.txt': 'b\n' })
  })

  it('changes nothing in a read-only workspace', async () => {
    const { create, update, remove, files } = bench({ 'a.txt': 'a\n' }, { readOnly: true })
    for (const edit of [create('b.txt', '+b'), update('a.txt', '-a\n+b'), remove('a.txt')])
      expect(await edit).toEqual(failed(expect.stringMatching(/read-only|EROFS/)))
    expect(await files()).toEqual({ 'a.txt': 'a\n' })
  })

  it('does not overwrite a file by creating or moving', async () => {
    const { create, update, files } = bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    expect(await create('a.txt', '+x\n')).toEqual(
      failed('Error: a.txt already exists. Change it with update_file, or remove it with delete_file first.'),
    )
    expect(await update('a.txt', '-a\n+x\n', 'b.txt')).toEqual(failed(expect.stringContaining('already exists')))
    expect(await files()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  })

  it('tells the model what to change', async () => {
    const { create, update, remove, files } = bench({ 'a.txt': 'same\nother\nsame\n', 'd/x': '', 'a.bin': bytes(64) })
    expect(await update('a.txt', '-gone\n+x\n')).toEqual(failed(expect.stringContaining('has lines that are not in the file')))
    expect(await update('a.txt', '-same\n+x\n')).toEqual(failed(expect.stringContaining('at more than one place: lines 1, 3')))
    expect(await update('a.txt', '@@ class Nowhere\n-other\n+x\n')).toEqual(
      failed(expect.stringContaining('has the line "@@ class Nowhere"')),
    )
    expect(await update('a.txt', 'other\n')).toEqual(failed(expect.stringContaining("'other'")))
    expect(await update('a.txt', '')).toEqual(failed(expect.stringContaining('it is empty')))
    expect(await update('none.txt', '-a\n+b\n')).toEqual(failed(expect.stringContaining('ENOENT')))
    expect(await update('d', '-a\n+b\n')).toEqual(failed(expect.stringContaining('EISDIR')))
    expect(await update('a.bin', '-a\n+b\n')).toEqual(failed(expect.stringContaining('as text')))
    expect(await create('b.txt', '+a\nb\n')).toEqual(
      failed(expect.stringContaining('line 2 is "b", but every line of a new file begins with "+"')),
    )
    expect(await remove('none.txt')).toEqual(failed(expect.stringContaining('ENOENT')))
    expect(await remove('d')).toEqual(failed(expect.stringContaining('EISDIR')))
    expect(await update('a.txt', ' other\n')).toEqual({
      status: 'completed',
      output: 'No change: a.txt already matches the diff',
    })
    expect(Object.keys(await files())).toEqual(['a.bin', 'a.txt', 'd/x'])
  })

  it.each([
    '*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** End Patch\n',
    '-a\n+b\n*** Delete File: secret.txt\n',
    '*** Delete File: secret.txt\n',
    '-a\n+b\n*** Add File: new.txt\n+x\n',
    '-a\n+b\n*** End Patch\n*** Begin Patch\n*** Delete File: secret.txt\n*** End Patch\n',
    '*** Move to: secret.txt\n-a\n+b\n',
  ])('does not apply a diff to another file: %j', async (diff) => {
    const { update, files } = bench({ 'a.txt': 'a\n', 'secret.txt': 's\n' })
    expect(await update('a.txt', diff)).toEqual(failed(expect.stringContaining('the diff has hunks only')))
    expect(await files()).toEqual({ 'a.txt': 'a\n', 'secret.txt': 's\n' })
  })

  it.each([
    'a b/ c.txt ',
    ' lead.txt',
    'new\nline.txt\n*** Delete File: secret.txt',
    'quote".txt',
    'tab\t.txt',
    'a/b/c.txt',
    'b/x.txt',
    'naïve 🙂.txt',
    '--- a.txt',
  ])('treats the name %j literally', async (path) => {
    const { create, update, remove, runtime } = bench({ 'secret.txt': 's\n' })
    expect(await create(path, '+one\n+two\n')).toMatchObject({ status: 'completed' })
    expect((await runtime.workspace.readText(path)).text).toBe('one\ntwo')
    expect(await update(path, '-two\n+2\n')).toMatchObject({ status: 'completed' })
    expect((await runtime.workspace.readText(path)).text).toBe('one\n2')
    expect(await update(path, '-one\n+1\n', `moved/${path}`)).toMatchObject({ status: 'completed' })
    expect(await remove(`moved/${path}`)).toMatchObject({ status: 'completed' })
    expect(await runtime.workspace.files()).toEqual({ 'secret.txt': 's\n' })
  })

  it.each(['../a.txt', '/etc/passwd', 'x/../../a.txt', '', '\0', 'C:\\a.txt', '/', '.'])('rejects the path %j', async (path) => {
    const { create, update, remove, files } = bench({ 'a.txt': 'a\n' })
    for (const edit of [create(path, '+x'), update(path, '-a\n+b'), remove(path), update('a.txt', '-a\n+b', path || '..')])
      expect(await edit).toMatchObject({ status: 'failed' })
    expect(await files()).toEqual({ 'a.txt': 'a\n' })
  })

  it('rejects links that lead outside', async () => {
    const editor = openAiEditor(await withLinkOut())
    for (const edit of [
      editor.createFile({ type: 'create_file', path: 'out/x', diff: '+x' }),
      editor.updateFile({ type: 'update_file', path: 'out/passwd', diff: '-a\n+b' }),
      editor.deleteFile({ type: 'delete_file', path: 'out/passwd' }),
    ])
      expect(await edit).toEqual(failed(expect.stringContaining('points outside the workspace')))
  })

  it('changes and removes a file that a command changed', async () => {
    const { runtime, update, remove, files } = bench({ 'a.txt': 'one\ntwo\n' })
    await update('a.txt', '-one\n+1\n')
    await runtime.call('bash', { command: 'echo three >> a.txt' })
    expect(await update('a.txt', '-two\n+2\n')).toMatchObject({ status: 'completed' })
    expect(await files()).toEqual({ 'a.txt': '1\n2\nthree\n' })
    await runtime.call('bash', { command: 'echo four >> a.txt' })
    expect(await remove('a.txt')).toMatchObject({ status: 'completed' })
    expect(await files()).toEqual({})
  })

  it('rejects a file that changes between reading and writing', async () => {
    let change: (() => Promise<unknown>) | undefined
    const { runtime, update, files } = bench(
      { 'a.txt': 'one\ntwo\n' },
      {
        tools: [{ tools: 'apply_patch', action: 'ask' }],
        approve: async () => {
          await change?.()
          return true
        },
      },
    )
    change = () => runtime.workspace.writeText('a.txt', 'meanwhile\n')
    expect(await update('a.txt', '-two\n+2\n')).toEqual(failed(expect.stringContaining('Read the file again')))
    expect(await files()).toEqual({ 'a.txt': 'meanwhile\n' })
  })

  it('keeps byte order mark, line ends and large files', async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i}\r\n`)
    const { update, files } = bench({ 'big.txt': `\uFEFF${lines.join('')}`, 'crlf.txt': 'a\r\nb\r\n' })
    expect(await update('big.txt', '@@\n line 150000\n-line 150001\n+changed\n')).toMatchObject({ status: 'completed' })
    lines[150_001] = 'changed\r\n'
    expect((await files())['big.txt'] === `\uFEFF${lines.join('')}`).toBe(true)
    expect(await update('crlf.txt', '-a\n+x\n+y\n')).toMatchObject({ status: 'completed' })
    expect((await files())['crlf.txt']).toBe('x\r\ny\r\nb\r\n')
  })

  it('rejects only with the abort reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const runtime = runtimeOver({ 'a.txt': 'a\n' })
    const editor: OpenAiEditor = openAiEditor(runtime, { signal: controller.signal })
    controller.abort(reason)
    expect(await rejection(editor.updateFile({ type: 'update_file', path: 'a.txt', diff: '-a\n+b\n' }))).toBe(reason)
    expect(await rejection(editor.deleteFile({ type: 'delete_file', path: 'a.txt' }))).toBe(reason)
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a\n' })
  })

  it('names a missing tool of the runtime at once', () => {
    const events: RuntimeEvent[] = []
    expect(() => openAiEditor(runtimeOver({}, { tools: [], hooks: { onEvent: (event) => void events.push(event) } }))).toThrow(
      'Cannot offer "editor": the runtime has no tool "read_file"',
    )
    expect(events).toEqual([])
  })
})
