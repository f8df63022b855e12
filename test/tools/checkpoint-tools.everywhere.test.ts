// @module-tag checkpoints
import { createRuntime, fileTools, metaTools, searchTools } from 'toolport'
import { createMemoryFs, type MemoryFsOptions } from 'toolport/adapters/memory'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { removeAll } from '../workspace/checkpoint-cases.js'
import { withoutMethods } from '../workspace/slow-fs.js'
import { type Bench, benchOver, utf8 } from './harness.js'

function open(files: MemoryFsOptions['files'], options: Partial<Parameters<typeof createRuntime>[0]> = {}): Bench {
  const host = createTestHost()
  const fs = createMemoryFs({ ...(files && { files }), now: () => host.now() })
  return benchOver(createRuntime({ fs, host, tools: [...fileTools(), ...searchTools(), ...metaTools()], ...options }))
}

const FILES = {
  'a.txt': 'one\ntwo\n',
  'dir/b.txt': 'b\n',
  'dir/gone.txt': 'gone\n',
  'pic.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0),
}
const NOW = new Date(createTestHost().now()).toISOString()

/** Makes a checkpoint, and then every kind of change. */
async function changed(): Promise<Bench> {
  const bench = open(FILES)
  const { workspace } = bench.runtime
  await workspace.symlink('a.txt', 'link')
  await workspace.checkpoint({ label: 'before' })
  await bench.ok('write_file', { path: 'a.txt', content: 'one\n2\n' })
  await bench.ok('write_file', { path: 'new/c.txt', content: 'c\n' })
  await bench.ok('delete_file', { path: 'dir/gone.txt' })
  await workspace.writeBytes('pic.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0))
  await workspace.setMeta('dir/b.txt', { mode: 0o755 })
  await bench.ok('delete_file', { path: 'link' })
  await workspace.mkdir('link')
  return bench
}

const CHANGES = [
  { path: '/workspace/a.txt', change: 'modified', kind: 'file', bytes_before: 8, bytes_after: 6 },
  {
    path: '/workspace/dir/b.txt',
    change: 'modified',
    kind: 'file',
    bytes_before: 2,
    bytes_after: 2,
    mode_before: '644',
    mode_after: '755',
  },
  { path: '/workspace/dir/gone.txt', change: 'deleted', kind: 'file', bytes_before: 5 },
  { path: '/workspace/link', change: 'replaced', kind: 'dir', kind_before: 'symlink', bytes_before: 5 },
  { path: '/workspace/new', change: 'created', kind: 'dir' },
  { path: '/workspace/new/c.txt', change: 'created', kind: 'file', bytes_after: 2 },
  { path: '/workspace/pic.png', change: 'modified', kind: 'file', bytes_before: 9, bytes_after: 10 },
]

const DIFF = `--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+2
--- a/dir/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
--- a/link
+++ /dev/null
@@ -1 +0,0 @@
-a.txt
\\ No newline at end of file
--- /dev/null
+++ b/new/c.txt
@@ -0,0 +1 @@
+c
Binary file pic.png differs
`

describe('list_checkpoints', () => {
  it('reports removed checkpoints, and automatic ones continue', async () => {
    const fs = withoutMethods(createMemoryFs(), 'checkpoint')
    const host = createTestHost()
    const bench = benchOver(createRuntime({ fs, host, tools: [...fileTools(), ...metaTools()], checkpoints: { automatic: true } }))
    await bench.ok('write_file', { path: 'a', content: '1' })
    await bench.ok('write_file', { path: 'a', content: '2' })
    await removeAll(fs, '/.toolport-checkpoints')
    await bench.ok('write_file', { path: 'b', content: 'new' })
    expect((await bench.ok('list_checkpoints')).checkpoints).toEqual([{ id: 'c3', time: NOW, label: 'write_file b', lost: ['c1', 'c2'] }])
    expect(await bench.read('list_checkpoints')).toBe(`c3\t${NOW}\twrite_file b\t[older checkpoints removed: c1, c2]`)
    expect((await bench.fail('restore_checkpoint', { checkpoint: 'c1' })).error).toMatch(/its data in "[^"]+" was removed/)
  })

  it('returns an empty list without checkpoints', async () => {
    const bench = open({})
    expect(await bench.ok('list_checkpoints')).toEqual({ checkpoints: [], total: 0, truncated: false })
    expect(await bench.read('list_checkpoints')).toBe('[No checkpoints]')
  })

  it('lists the newest first, with pages that new checkpoints do not shift', async () => {
    const bench = open({})
    const { workspace } = bench.runtime
    for (const label of ['one', 'two', 'three']) await workspace.checkpoint({ label })
    const page = await bench.ok('list_checkpoints', { limit: 2 })
    expect(page).toEqual({
      checkpoints: [
        { id: 'c3', time: NOW, label: 'three' },
        { id: 'c2', time: NOW, label: 'two' },
      ],
      total: 3,
      truncated: true,
      next: 'c2',
    })
    await workspace.checkpoint()
    expect(await bench.ok('list_checkpoints', { limit: 2, cursor: page.next })).toEqual({
      checkpoints: [{ id: 'c1', time: NOW, label: 'one' }],
      total: 4,
      truncated: false,
    })
    expect(await bench.read('list_checkpoints', { limit: 2 })).toBe(
      `c4\t${NOW}\nc3\t${NOW}\tthree\n[There are more: continue with cursor "c3"]`,
    )
    expect((await bench.fail('list_checkpoints', { cursor: 'c77' })).output).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'cursor' }],
    })
  })
})

describe('diff_checkpoint', () => {
  it('reports created, modified, deleted and replaced entries', async () => {
    const bench = await changed()
    expect(await bench.ok('diff_checkpoint', { checkpoint: 'c1' })).toEqual({
      checkpoint: 'c1',
      to: 'now',
      changes: CHANGES,
      total: 7,
      truncated: false,
      diff: DIFF,
    })
    expect(await bench.read('diff_checkpoint', { checkpoint: 'c1', path: 'dir', diff: false })).toBe(
      'M /workspace/dir/b.txt\tmode 644 to 755\nD /workspace/dir/gone.txt',
    )
  })

  it('compares two checkpoints, in both directions', async () => {
    const bench = open({ f: 'one\n' })
    await bench.runtime.workspace.checkpoint()
    await bench.ok('write_file', { path: 'f', content: 'two\n' })
    await bench.runtime.workspace.checkpoint()
    await bench.ok('write_file', { path: 'f', content: 'three\n' })
    expect((await bench.ok('diff_checkpoint', { checkpoint: 'c1', to: 'c2' })).diff).toBe('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two\n')
    expect((await bench.ok('diff_checkpoint', { checkpoint: 'c2', to: 'c1' })).diff).toBe('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-two\n+one\n')
    expect(await bench.ok('diff_checkpoint', { checkpoint: 'c2', to: 'c2' })).toEqual({
      checkpoint: 'c2',
      to: 'c2',
      changes: [],
      total: 0,
      truncated: false,
      diff: '',
    })
    expect(await bench.read('diff_checkpoint', { checkpoint: 'c2', to: 'c2' })).toBe('[Nothing differs]')
  })

  it('returns pages, each with its own diffs', async () => {
    const bench = await changed()
    const paths: string[] = []
    let diff = ''
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await bench.ok('diff_checkpoint', { checkpoint: 'c1', limit: 2, ...(cursor !== undefined && { cursor }) })
      expect(page.total).toBe(7)
      paths.push(...page.changes.map(({ path }: { path: string }) => path))
      diff += page.diff
      cursor = page.next
      expect(page.truncated).toBe(cursor !== undefined)
    }
    expect(paths).toEqual(CHANGES.map(({ path }) => path))
    expect(diff).toBe(DIFF)
  })

  it('limits the diff in bytes and does not read huge files', async () => {
    const bench = open({ huge: 'x', long: 'l\n', z: 'z' })
    await bench.runtime.workspace.checkpoint()
    await bench.runtime.workspace.writeText('huge', 'x'.repeat(3 * 1024 * 1024))
    await bench.runtime.workspace.writeText('long', Array.from({ length: 9000 }, (_, i) => `line ${i}\n`).join(''))
    for (const name of ['m', 'n']) await bench.runtime.workspace.writeText(name, 'more\n'.repeat(3000))
    await bench.runtime.workspace.writeText('z', 'zz')
    const { diff, total } = await bench.ok('diff_checkpoint', { checkpoint: 'c1' })
    expect(total).toBe(5)
    expect(utf8(diff).length).toBeLessThanOrEqual(33 * 1024)
    expect(diff).toMatch(/^\[diff of huge left out: 3145728 bytes\]\n/)
    expect(diff).toMatch(/\[diff of \d more changes left out\]\n$/)
  })

  it('hides content that a rule forbids to read', async () => {
    const bench = open(
      { '.env': 'KEY=1\n' },
      { policy: { paths: [{ paths: '.env', access: 'read', action: 'deny', reason: 'a secret' }] } },
    )
    await bench.runtime.workspace.checkpoint()
    await bench.runtime.workspace.writeText('.env', 'KEY=2\n')
    expect((await bench.ok('diff_checkpoint', { checkpoint: 'c1' })).diff).toBe('[diff of .env left out: a secret]\n')
  })

  it('omits files without approval, and shows and restores the rest', async () => {
    const policy = { paths: [{ paths: '.env', access: 'read', action: 'ask' }] } as const
    const bench = open({ '.env': 'KEY=1\n', b: '1\n' }, { policy })
    const { workspace } = bench.runtime
    await workspace.checkpoint()
    await workspace.writeText('.env', 'KEY=2\n')
    await workspace.writeText('b', '2\n')
    const { diff } = await bench.ok('diff_checkpoint', { checkpoint: 'c1' })
    expect(diff).toBe('[diff of .env left out: approval is required]\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n')
    expect((await bench.ok('restore_checkpoint', { checkpoint: 'c1' })).total).toBe(2)
    const approving = open({ '.env': 'KEY=1\n' }, { policy: { ...policy, approve: async () => true } })
    await approving.runtime.workspace.checkpoint()
    await approving.runtime.workspace.writeText('.env', 'KEY=2\n')
    expect((await approving.ok('diff_checkpoint', { checkpoint: 'c1' })).diff).toContain('+KEY=2')
  })

  it('lists the existing checkpoints for an unknown one', async () => {
    const bench = open({})
    expect((await bench.fail('diff_checkpoint', { checkpoint: 'c1' })).error).toContain('no checkpoint exists')
    await bench.runtime.workspace.checkpoint()
    for (const input of [{ checkpoint: 'c9' }, { checkpoint: 'c1', to: 'c9' }]) {
      const failed = await bench.fail('diff_checkpoint', input)
      expect(failed.output).toMatchObject({ code: 'no_match', candidates: ['c1'] })
      expect(failed.error).toContain('There is no checkpoint "c9": existing checkpoints: c1')
    }
    expect((await bench.fail('restore_checkpoint', { checkpoint: 'c9' })).output).toMatchObject({ code: 'no_match', candidates: ['c1'] })
  })

  it('rejects an outside path, and returns nothing for an unknown one', async () => {
    const bench = await changed()
    expect((await bench.fail('diff_checkpoint', { checkpoint: 'c1', path: '../x' })).output).toMatchObject({
      code: 'path_outside_workspace',
    })
    expect(await bench.ok('diff_checkpoint', { checkpoint: 'c1', path: 'never' })).toMatchObject({ changes: [], total: 0 })
  })
})

describe('restore_checkpoint', () => {
  const reversed = (change: string): string => ({ created: 'deleted', deleted: 'created' })[change] ?? change

  it('restores everything, lists the changes, and can be undone', async () => {
    const bench = await changed()
    const after = await bench.files()
    const restored = await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(restored).toMatchObject({ checkpoint: 'c1', undo: 'c2', total: 7, truncated: false })
    expect(restored.changes.map(({ path, change }: { path: string; change: string }) => [path, change])).toEqual(
      CHANGES.map(({ path, change }) => [path, reversed(change)]),
    )
    expect(restored.diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-2\n+two\n')
    expect(await bench.files()).toEqual(FILES)
    expect(await bench.runtime.workspace.readlink('link')).toBe('a.txt')
    expect((await bench.runtime.workspace.lstat('dir/b.txt')).mode).toBe(0o644)
    await bench.ok('restore_checkpoint', { checkpoint: restored.undo })
    expect(await bench.files()).toEqual(after)
    expect((await bench.runtime.workspace.lstat('dir/b.txt')).mode).toBe(0o755)
  })

  it('`dry_run` only lists the changes', async () => {
    const bench = await changed()
    const after = await bench.files()
    const dry = await bench.ok('restore_checkpoint', { checkpoint: 'c1', dry_run: true })
    expect(await bench.files()).toEqual(after)
    expect((await bench.ok('list_checkpoints')).total).toBe(1)
    const { undo: _, ...done } = await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(dry).toEqual({ ...done, dry_run: true })
  })

  it('waits for a running write', async () => {
    const { ok, runtime } = open({ 'a.txt': 'one' })
    const { id } = await runtime.workspace.checkpoint()
    const writing = runtime.workspace.locked(['a.txt'], async (held) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await held.writeText('a.txt', 'three')
    })
    const { changes } = await ok('restore_checkpoint', { checkpoint: id, dry_run: true })
    await writing
    expect(changes).toMatchObject([{ path: '/workspace/a.txt', bytes_before: 5, bytes_after: 3 }])
  })

  it('restores only the given paths and their parents', async () => {
    const bench = await changed()
    expect(await bench.read('restore_checkpoint', { checkpoint: 'c1', paths: ['dir/gone.txt', '/workspace/new'] })).toBe(
      `Restored c1 (3 changes); to undo it, restore c2
A /workspace/dir/gone.txt
D /workspace/new/
D /workspace/new/c.txt
--- /dev/null
+++ b/dir/gone.txt
@@ -0,0 +1 @@
+gone
--- a/new/c.txt
+++ /dev/null
@@ -1 +0,0 @@
-c
`,
    )
    expect(Object.keys(await bench.files())).toEqual(['a.txt', 'dir/b.txt', 'dir/gone.txt', 'pic.png'])
    await bench.ok('delete_file', { path: 'dir', recursive: true })
    const dry = await bench.ok('restore_checkpoint', { checkpoint: 'c1', paths: ['dir/b.txt'], dry_run: true })
    const done = await bench.ok('restore_checkpoint', { checkpoint: 'c1', paths: ['dir/b.txt'] })
    expect(done.changes.map(({ path }: { path: string }) => path)).toEqual(['/workspace/dir', '/workspace/dir/b.txt'])
    expect(dry.changes).toEqual(done.changes)
    for (const dry_run of [true, false]) {
      const failed = await bench.fail('restore_checkpoint', { checkpoint: 'c1', paths: ['never'], dry_run })
      expect(failed.output).toMatchObject({ code: 'ENOENT', path: '/workspace/never' })
    }
  })

  it('changes nothing the second time', async () => {
    const bench = await changed()
    await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(await bench.read('restore_checkpoint', { checkpoint: 'c1' })).toMatch(
      /^Restored c1 \(no changes needed\); to undo it, restore c\d$/,
    )
  })

  it('makes earlier reads stale and forgets deleted files', async () => {
    const bench = await changed()
    await bench.ok('read_file', { path: 'a.txt' })
    await bench.ok('read_file', { path: 'new/c.txt' })
    await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    const edit = { path: 'a.txt', edits: [{ old_string: 'one', new_string: '1' }] }
    expect((await bench.fail('edit_file', edit)).output).toMatchObject({ code: 'ESTALE' })
    await bench.ok('read_file', { path: 'a.txt' })
    await bench.ok('edit_file', edit)
    await bench.ok('write_file', { path: 'new/c.txt', content: 'again\n' })
  })

  it('is rejected in a read-only workspace, where the other checkpoint tools work', async () => {
    const fs = createMemoryFs({ files: { f: '1' } })
    const writer = benchOver(createRuntime({ fs, tools: [...fileTools(), ...metaTools()] }))
    await writer.runtime.workspace.checkpoint()
    await writer.ok('write_file', { path: 'f', content: '2' })
    const reader = benchOver(createRuntime({ fs, tools: metaTools(), policy: { readOnly: true } }))
    expect((await reader.fail('restore_checkpoint', { checkpoint: 'c1' })).output).toMatchObject({ code: 'EROFS' })
    expect((await reader.ok('diff_checkpoint', { checkpoint: 'c1' })).total).toBe(1)
    expect((await reader.ok('list_checkpoints')).total).toBe(1)
    expect(await reader.files()).toEqual({ f: '2' })
  })

  it('restores all paths or none if a rule forbids one', async () => {
    const fs = createMemoryFs({ files: { a: '1', keep: '1' } })
    const bench = benchOver(createRuntime({ fs, tools: [...fileTools(), ...metaTools()] }))
    await bench.runtime.workspace.checkpoint()
    for (const path of ['a', 'keep']) await bench.ok('write_file', { path, content: '2' })
    const bound = benchOver(
      createRuntime({ fs, tools: metaTools(), policy: { paths: [{ paths: 'keep', access: 'write', action: 'deny' }] } }),
    )
    expect((await bound.fail('restore_checkpoint', { checkpoint: 'c1' })).output).toMatchObject({ code: 'EACCES', path: '/workspace/keep' })
    expect(await bound.files()).toEqual({ a: '2', keep: '2' })
    await bound.ok('restore_checkpoint', { checkpoint: 'c1', paths: ['a'] })
    expect(await bound.files()).toEqual({ a: '1', keep: '2' })
  })

  it('does nothing after an abort', async () => {
    const bench = await changed()
    const after = await bench.files()
    const result = await bench.runtime.execute({ name: 'restore_checkpoint', input: { checkpoint: 'c1' } }, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect(await bench.files()).toEqual(after)
  })
})

it('the checkpoint tools have annotations for clients', () => {
  const hints = metaTools().map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint])
  expect(hints).toEqual([
    ['list_checkpoints', true, undefined],
    ['diff_checkpoint', true, undefined],
    ['restore_checkpoint', false, true],
  ])
})
