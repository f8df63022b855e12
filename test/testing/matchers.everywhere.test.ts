// @module-tag test-kit
import {
  assertions,
  type CassetteStorage,
  createTestRuntime,
  createTestWorkspace,
  matchers,
  type TestRuntime,
  type ToolportMatchers,
  workspaceSnapshot,
} from 'toolport/testing'
import { expect, it } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter has to be that of Vitest.
  interface Matchers<T = any> extends ToolportMatchers<T> {}
}
expect.extend(matchers)

const FILES = { 'a.ts': 'const port = 80\n', 'b.ts': 'const host = "x"\n', 'logo.png': new Uint8Array([0x89, 0xff]) }

async function edited(): Promise<TestRuntime> {
  const test = createTestRuntime({ files: FILES })
  await test.runtime.execute({ name: 'read_file', input: { path: 'a.ts' } })
  await test.runtime.execute({ name: 'edit_file', input: { path: 'a.ts', edits: [{ old_string: '80', new_string: '8080' }] } })
  await test.runtime.execute({ name: 'delete_file', input: { path: 'b.ts' } })
  await test.runtime.execute({ name: 'write_file', input: { path: 'c/d.txt', content: 'no end' } })
  return test
}

it('toMatchFiles compares texts, patterns, bytes and missing files, and ignores others', async () => {
  const test = await edited()
  await expect(test).toMatchFiles({ 'a.ts': 'const port = 8080\n', 'b.ts': null, 'c/d.txt': /^no/, 'logo.png': FILES['logo.png'] })
  await expect(test.workspace).toMatchFiles({ 'a.ts': expect.stringContaining('8080') })
  await expect(test).not.toMatchFiles({ 'a.ts': 'const port = 80\n' })
  await expect(expect(test).toMatchFiles({ 'a.ts': 'const port = 80\n', 'e.ts': 'x' })).rejects.toThrow(
    /Expected other files: "a.ts" differs:\n[\s\S]*-const port = 80\n\+const port = 8080\n[\s\S]*"e.ts" differs:\n {2}expected: "x"\n {2}found: {4}no such file/,
  )
  await expect(expect(test).not.toMatchFiles({ 'b.ts': null })).rejects.toThrow('Expected other files than b.ts as they are')
})

it('toHaveChanged lists all changes', async () => {
  const test = await edited()
  await expect(test).toHaveChanged(['a.ts', 'b.ts', 'c/d.txt'])
  await expect(test).toHaveChanged({ 'a.ts': /8080/, 'b.ts': null, 'c/d.txt': 'no end' })
  await expect(createTestRuntime({ files: FILES })).toHaveChanged([])
  await expect(expect(test).toHaveChanged({ 'a.ts': /9090/, 'logo.png': null })).rejects.toThrow(
    /"logo.png" has not changed\n"b.ts" has been deleted\n"c\/d.txt" has been created\n"a.ts" differs:/,
  )
})

it('toHaveCalled finds one, none, ordered or all calls', async () => {
  const test = await edited()
  expect(test).toHaveCalled('read_file')
  expect(test).toHaveCalled('edit_file', { path: 'a.ts', edits: [{ new_string: /80/ }] })
  expect(test).toHaveCalled('read_file', ({ path }: { path: string }) => path.endsWith('.ts'))
  expect(test).not.toHaveCalled('read_file', { path: 'b.ts' })
  expect(test).toHaveNeverCalled('bash')
  expect(test).toHaveCalledInOrder(['read_file', ['edit_file', { path: 'a.ts' }], 'write_file'])
  expect(test).not.toHaveCalledInOrder(['edit_file', 'read_file'])
  expect(test).toHaveCalledAll([['write_file', { path: expect.any(String) }], 'read_file'])
  expect(test).not.toHaveCalledAll(['read_file', 'read_file'])
  expect(() => expect(test).toHaveCalledInOrder(['edit_file', ['read_file', { path: 'a.ts' }]])).toThrow(
    'Expected a call of read_file {"path":"a.ts"} after edit_file. The calls were:\n  1. read_file {"path":"a.ts"}\n  2. edit_file',
  )
  expect(() => expect(test).toHaveNeverCalled('read_file')).toThrow('Expected no call of read_file. The calls were:')
})

it('toHaveCalled assigns each call to at most one expectation', () => {
  const calls = [
    { name: 'read_file', input: { path: 'a' } },
    { name: 'read_file', input: { path: 'b' } },
  ]
  expect({ calls }).toHaveCalledAll(['read_file', ['read_file', { path: 'a' }]])
  expect(() => assertions.toHaveCalledAll({ calls }, ['read_file', ['read_file', { path: 'c' }]])).toThrow(
    'Expected calls of read_file {"path":"c"}',
  )
})

it('toMatchWorkspaceSnapshot compares with a snapshot in the test or in a storage', async () => {
  const test = await edited()
  await expect(test).toMatchWorkspaceSnapshot(`
    a.ts
      | const port = 8080
    c/d.txt
      | no end
      (no line break at the end)
    logo.png (base64)
      | if8=
  `)
  let text: string | undefined
  const storage: CassetteStorage = {
    read: async () => text,
    write: async (written) => {
      text = written
    },
  }
  await expect(test).toMatchWorkspaceSnapshot(storage)
  expect(text).toBe(await workspaceSnapshot(test))
  await expect(test).toMatchWorkspaceSnapshot(storage)
  await test.workspace.writeText('a.ts', 'changed\n')
  await expect(expect(test).toMatchWorkspaceSnapshot(storage)).rejects.toThrow(/-\s+\| const port = 8080\n\+\s+\| changed/)
  await expect(test).toMatchWorkspaceSnapshot(storage, { update: true })
  expect(text).toContain('changed')
})

it('assertions throw errors that runners show as a comparison', async () => {
  const test = await edited()
  await assertions.toMatchFiles(test, { 'b.ts': null })
  await assertions.toHaveChanged(test, ['a.ts', 'b.ts', 'c/d.txt'])
  assertions.toHaveCalled(test, 'read_file')
  assertions.toHaveNeverCalled(test, 'bash')
  assertions.toHaveCalledInOrder(test, ['read_file', 'edit_file'])
  expect(() => assertions.toHaveCalled(test, 'bash')).toThrow(
    expect.objectContaining({ name: 'AssertionError', expected: ['bash', undefined], actual: test.calls }),
  )
  await expect(assertions.toMatchWorkspaceSnapshot(test, '')).rejects.toMatchObject({ name: 'AssertionError' })
})

it('a workspace snapshot shows trailing spaces and CRLF, and treats text bytes as text', async () => {
  const of = (text: string) => createTestWorkspace({ files: { 'a.txt': text } })
  const snapshots = await Promise.all(
    ['a\nb\n', 'a \nb\n', 'a\r\nb\r\n', 'a\nb\t\n', 'a\n= "b"\n'].map((text) => workspaceSnapshot(of(text))),
  )
  expect(new Set(snapshots).size).toBe(snapshots.length)
  for (const [index, snapshot] of snapshots.entries())
    for (const [other, text] of ['a\nb\n', 'a \nb\n', 'a\r\nb\r\n', 'a\nb\t\n', 'a\n= "b"\n'].entries())
      expect((await matchers.toMatchWorkspaceSnapshot(of(text), snapshot)).pass).toBe(index === other)
  const bytes = new TextEncoder().encode('hi')
  const test = createTestWorkspace({ files: { 'a.txt': bytes } })
  expect(await matchers.toHaveChanged(test, [])).toMatchObject({ pass: true })
  expect(await matchers.toMatchFiles(test, { 'a.txt': bytes })).toMatchObject({ pass: true })
})
