// @module-tag apply-patch
import { once } from 'node:events'
import { chmod, link, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createRuntime, type FsAdapter, FsError, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { loaf } from 'toolport/presets/loaf'
import { createTestHost, type FaultOperation, withFaults } from 'toolport/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { benchOver } from './harness.js'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-patch-'))
  await writeFile(join(root, 'run.sh'), 'echo a\n')
  await chmod(join(root, 'run.sh'), 0o755)
})

afterEach(() => rm(root, { recursive: true }))

const patch = `diff --git a/run.sh b/bin/run
rename from run.sh
rename to bin/run
--- a/run.sh
+++ b/bin/run
@@ -1 +1 @@
-echo a
+echo b
diff --git a/last b/last
new file mode 100644
--- /dev/null
+++ b/last
@@ -0,0 +1 @@
+x
`
const modeOf = async (name: string): Promise<number> => (await stat(join(root, name))).mode & 0o777

it('apply_patch keeps a moved file executable', async () => {
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  await ok('apply_patch', { patch })
  expect(await readFile(join(root, 'bin/run'), 'utf8')).toBe('echo b\n')
  expect(await modeOf('bin/run')).toBe(0o755)
})

it('apply_patch keeps the hard links of a moved file', async () => {
  await link(join(root, 'run.sh'), join(root, 'other'))
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  await ok('apply_patch', { patch: '*** Begin Patch\n*** Update File: run.sh\n*** Move to: a/run\n*** End Patch' })
  await ok('apply_patch', { patch: patch.replaceAll('run.sh', 'a/run') })
  expect(await readFile(join(root, 'other'), 'utf8')).toBe('echo b\n')
  expect(await stat(join(root, 'bin/run'))).toMatchObject({ nlink: 2, ino: (await stat(join(root, 'other'))).ino })
})

it('apply_patch restores a file with its mode, time and hard links', async () => {
  await link(join(root, 'run.sh'), join(root, 'other'))
  await writeFile(join(root, 'z'), 'z\n')
  const before = await stat(join(root, 'run.sh'))
  const fs = withFaults(createNodeFs({ root }), { fault: 'unacknowledged', when: ({ method }) => method === 'unlink' })
  const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
  const { output } = await fail('apply_patch', {
    patch: `${patch.replace('rename to bin/run', 'rename to run2').replace('b/bin/run', 'b/run2')}--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n`,
  })
  // Undoing removes the new file. That call reports an error too, although it has removed the file.
  expect(output.code).toBe('EIO')
  expect(await files()).toEqual({ 'run.sh': 'echo a\n', other: 'echo a\n', z: 'z\n' })
  expect(await modeOf('run.sh')).toBe(0o755)
  expect((await stat(join(root, 'run.sh'))).nlink).toBe(2)
  expect(Math.abs((await stat(join(root, 'run.sh'))).mtimeMs - before.mtimeMs)).toBeLessThan(2)
})

it.each([
  ['changed', ['*** Update File: b', '@@', '-b', '+B'], 'b', 'theirs\n'],
  ['created', ['*** Add File: n', '+n'], 'n', 'theirs\n'],
  ['changed before it is deleted', ['*** Delete File: b'], 'b', 'theirs\n'],
  ['removed', ['*** Delete File: b'], 'b', undefined],
])('apply_patch keeps what another process has %s meanwhile, and reverts the rest', async (_, lines, path, content) => {
  await writeFile(join(root, 'b'), 'b\n')
  const meddle = () => (content === undefined ? rm(join(root, path)) : writeFile(join(root, path), content))
  const fs = withFaults(createNodeFs({ root }), { fault: meddle, at: 1, when: ({ method }) => method === 'write' })
  const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
  const moved = ['*** Update File: run.sh', '*** Move to: bin/run', '@@', '-echo a', '+echo b']
  const { output } = await fail('apply_patch', { patch: ['*** Begin Patch', ...moved, ...lines, '*** End Patch'].join('\n') })
  expect(['ESTALE', 'EEXIST']).toContain(output.code)
  const { b, ...others } = { 'run.sh': 'echo a\n', b: 'b\n' }
  expect(await files()).toEqual({ ...others, ...(path !== 'b' && { b }), ...(content !== undefined && { [path]: content }) })
  expect(await modeOf('run.sh')).toBe(0o755)
})

it('apply_patch rejects links out of the directory', async () => {
  await symlink('/etc/hostname', join(root, 'out'))
  await symlink(tmpdir(), join(root, 'dir'))
  const { fail } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  for (const path of ['out', 'dir/toolport-was-here']) {
    const add = `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`
    expect((await fail('apply_patch', { patch: add })).output.code).toBe('symlink_escape')
  }
})

it.each([
  ['indents added lines', ['*** Update File: f', '@@', '-return 1', '+return 2'], 'def f():\r\n    return 1', 'def f():\r\n    return 2'],
  ['keeps CRLF and a missing final newline', ['*** Update File: f', '@@', ' a', '-b', '+c', '+d'], 'a\r\nb', 'a\r\nc\r\nd'],
  ['accepts context lines without a prefix', ['*** Update File: f', '@@', 'a', '-b', '+c'], 'a\nb\n', 'a\nc\n'],
])('apply_patch %s on a directory', async (_, lines, before, after) => {
  await writeFile(join(root, 'f'), before)
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  await ok('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
  expect(await readFile(join(root, 'f'), 'utf8')).toBe(after)
})

it('apply_patch does not move a file through a link, in presets neither', async () => {
  await symlink('target', join(root, 'l'))
  await writeFile(join(root, 'target'), 't\n')
  const input = '*** Begin Patch\n*** Update File: run.sh\n*** Move to: l\n@@\n-echo a\n+echo b\n*** End Patch'
  const fs = createNodeFs({ root })
  for (const [runtime, args] of [
    [createRuntime({ fs, tools: fileTools() }), { patch: input }],
    [createRuntime({ fs, preset: loaf() }), { input }],
  ] as const) {
    expect((await benchOver(runtime).fail('apply_patch', args)).output.code).toBe('EEXIST')
    expect(await readFile(join(root, 'target'), 'utf8')).toBe('t\n')
    expect((await lstat(join(root, 'l'))).isSymbolicLink()).toBe(true)
  }
})

it('apply_patch moves a link without reading its target', async () => {
  await symlink('run.sh', join(root, 'l'))
  await symlink('gone', join(root, 'dangling'))
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  for (const [from, to] of [
    ['l', 'd/m'],
    ['dangling', 'n'],
  ] as const) {
    await ok('apply_patch', { patch: `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n` })
    expect((await lstat(join(root, to))).isSymbolicLink()).toBe(true)
    await expect(lstat(join(root, from))).rejects.toMatchObject({ code: 'ENOENT' })
  }
})

it.each([
  [
    'two moves onto one name',
    '*** Begin Patch\n*** Update File: run.sh\n*** Move to: c\n*** Update File: b\n*** Move to: c\n*** End Patch',
  ],
  ['a deletion without hunks', 'diff --git a/b b/b\ndeleted file mode 100644\nindex e69de29..0000000\n'],
])('apply_patch loses no file by %s', async (_, patch) => {
  await writeFile(join(root, 'b'), 'b\n')
  const { fail, files } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  await fail('apply_patch', { patch })
  expect(await files()).toEqual({ 'run.sh': 'echo a\n', b: 'b\n' })
})

it('apply_patch reports the reason of a failure after restoring a file whose time it could not set', async () => {
  await writeFile(join(root, 'a'), 'a\n')
  const when = ({ method, path = '' }: FaultOperation): boolean =>
    method === 'setMeta' || (method === 'write' && ['/run.sh', '/moved'].includes(path))
  const fs = withFaults(createNodeFs({ root }), { fault: 'EACCES', when })
  const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
  for (const move of ['', '\n*** Move to: moved']) {
    const { output, error } = await fail('apply_patch', {
      patch: `*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** Update File: run.sh${move}\n@@\n-echo a\n+echo b\n*** End Patch`,
    })
    expect(output.code).toBe('EACCES')
    expect(error).toContain(move === '' ? `write "${root}/run.sh"` : `move "${root}/run.sh" to "${root}/moved"`)
    expect(await files()).toEqual({ a: 'a\n', 'run.sh': 'echo a\n' })
  }
})

it('apply_patch removes a deleted file from the read files without checking all others', async () => {
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  const names = Array.from({ length: 60 }, (_, i) => `f${i}`)
  const envelope = (lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
  await ok('apply_patch', { patch: envelope(names.map((name) => `*** Add File: ${name}\n+x`)) })
  const keys = vi.spyOn(Map.prototype, 'keys')
  try {
    await ok('apply_patch', { patch: envelope(names.map((name) => `*** Delete File: ${name}`)) })
    expect(keys.mock.calls.length).toBeLessThan(names.length)
  } finally {
    keys.mockRestore()
  }
})

it('apply_patch swaps two files with their modes and ignores a mode change', async () => {
  await writeFile(join(root, 'b'), 'b\n')
  const { ok } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  const renamed = (from: string, to: string): string => `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`
  const mode = 'diff --git a/b b/b\nold mode 100644\nnew mode 100777\n'
  await ok('apply_patch', { patch: mode + renamed('run.sh', 'b') + renamed('b', 'run.sh') })
  expect([await readFile(join(root, 'run.sh'), 'utf8'), await readFile(join(root, 'b'), 'utf8')]).toEqual(['b\n', 'echo a\n'])
  expect(await modeOf('b')).toBe(0o755)
})

it('apply_patch applies the output of diff -ruN', async () => {
  await writeFile(join(root, 'f'), 'a\n')
  const { ok, files } = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
  const [epoch, now] = ['1970-01-01 00:00:00.000000000 +0000', '2024-05-01 10:00:00.000000000 +0200']
  const patch = `diff -ruN old/f new/f\n--- old/f\t${now}\n+++ new/f\t${epoch}\n@@ -1 +0,0 @@\n-a\ndiff -ruN old/n new/n\n--- old/n\t${epoch}\n+++ new/n\t${now}\n@@ -0,0 +1 @@\n+n\n`
  await ok('apply_patch', { patch })
  expect(await files()).toEqual({ 'run.sh': 'echo a\n', n: 'n\n' })
})

it('apply_patch with many sections needs memory for one large file only', async () => {
  const script = `
    const { workerData, parentPort } = require('node:worker_threads')
    Promise.all(workerData.map((url) => import(url))).then(async ([{ createRuntime, fileTools }, { createMemoryFs }]) => {
      const lines = Array.from({ length: 30_000 }, (_, i) => ('line ' + i + ' ').padEnd(99, '.'))
      const fs = createMemoryFs({ files: { '/f': lines.join('\\n') + '\\n' } })
      const sections = Array.from({ length: 300 }, (_, i) => ['*** Update File: f', '@@', '-' + lines[i * 100], '+changed ' + i])
      const patch = ['*** Begin Patch', ...sections.flat(), '*** End Patch'].join('\\n')
      const runtime = createRuntime({ fs, tools: fileTools() })
      const result = await runtime.execute({ name: 'apply_patch', input: { patch } })
      const { text } = await runtime.workspace.readText('f')
      parentPort.postMessage([result.ok, text.split('\\n').filter((line) => line.startsWith('changed ')).length])
    })`
  const workerData = ['index.js', '../adapters/memory/index.js'].map((path) => new URL(`../../dist/src/${path}`, import.meta.url).href)
  const worker = new Worker(script, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 128 } })
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  expect(answer).toEqual([true, 300])
})

it.each<[string, () => FsAdapter, number]>([
  ['in memory, half-written', () => ({ ...createMemoryFs(), can: { ...createMemoryFs().can, atomicReplace: false } }), 12 << 20],
  ['in a directory, completely written', () => createNodeFs({ root }), 16 << 20],
])('apply_patch yields while it compares what a failed write of 15 MiB has left %s', async (_, make, written) => {
  const inner = make()
  const text = `old\n${`${'x'.repeat(63)}\n`.repeat(15 << 14)}`
  await inner.write('/large', new TextEncoder().encode(text))
  let hasFailed = false
  let turns = 0
  const turnsAtWrites: number[] = []
  const fs: FsAdapter = {
    ...inner,
    async write(path, bytes, options) {
      turnsAtWrites.push(turns)
      await inner.write(path, hasFailed ? bytes : bytes.subarray(0, written), options)
      if (hasFailed) return
      hasFailed = true
      throw new FsError({ code: 'EIO', op: 'write', path })
    },
    async read(path, options) {
      const bytes = await inner.read(path, options)
      turns = 0
      return bytes
    },
  }
  const still = createTestHost()
  const host = {
    ...still,
    yield() {
      turns++
      return still.yield()
    },
  }
  const { fail, files } = benchOver(createRuntime({ fs, host, tools: fileTools() }))
  await fail('apply_patch', { patch: '*** Begin Patch\n*** Update File: large\n@@\n-old\n+new\n*** End Patch' })
  expect((await files()).large).toBe(text)
  expect(turnsAtWrites[1]).toBeGreaterThanOrEqual(1)
})
