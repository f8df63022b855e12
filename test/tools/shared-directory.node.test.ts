// @module-tag edit-file
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'
import { inOtherProcess } from './two-processes.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-shared-'))
  mkdirSync(join(root, 'd'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const over = (options: Parameters<typeof createWorkspace>[0]): Bench =>
  benchOver(createRuntime({ workspace: createWorkspace(options), tools: fileTools() }))

const insert = (path: string, line: string): unknown => ({ path, edits: [{ old_string: 'end', new_string: `${line}\nend` }] })

describe('two runtimes on one storage do not lose edits', () => {
  const memory = createMemoryFs({ files: { 'd/f': 'end' } })
  it.each<[string, () => [Bench, string][]]>([
    ['one directory', () => [1, 2].map(() => [over({ fs: createNodeFs({ root }) }), 'd/f'])],
    [
      'nested roots',
      () => [
        [over({ fs: createNodeFs({ root }), root: '/workspace' }), 'd/f'],
        [over({ fs: createNodeFs({ root: join(root, 'd') }), root: '/workspace' }), 'f'],
      ],
    ],
    [
      'a mount and a root',
      () => [
        [over({ fs: createMemoryFs(), mounts: { m: createNodeFs({ root }) } }), 'm/d/f'],
        [over({ fs: createNodeFs({ root }) }), 'd/f'],
      ],
    ],
    ['one storage in memory', () => [1, 2].map(() => [over({ fs: memory }), 'd/f'])],
  ])('%s', async (_, make) => {
    writeFileSync(join(root, 'd/f'), 'end')
    const benches = make()
    const calls = Array.from({ length: 40 }, (_, i) => {
      const [bench, path] = benches[i % 2] as [Bench, string]
      return bench.run('edit_file', insert(path, `line ${i}`)).then(({ ok }) => (ok ? `line ${i}` : undefined))
    })
    const done = (await Promise.all(calls)).filter((line) => line !== undefined)
    const [bench, path] = benches[0] as [Bench, string]
    const { text } = await bench.runtime.workspace.readText(path)
    expect(text.split('\n').slice(0, -1).sort()).toEqual(done.sort())
    // A change waits for a change by the other runtime instead of failing, so both have succeeded.
    expect(new Set(done.map((line) => Number(line.slice(5)) % 2)).size).toBe(2)
  })
})

const EDITS = `
const done = []
for (let i = 0; i < 60; i++) {
  const line = process.pid + ' ' + i
  const edited = await call('edit_file', { path: 'd/f', edits: [{ old_string: 'end', new_string: line + '\\nend' }] })
  if (edited.ok) done.push(line)
  else if (edited.output.code !== 'ESTALE') throw new Error(JSON.stringify(edited.output))
  else await call('read_file', { path: 'd/f' })
  const appended = await call('write_file', { path: 'd/f', content: '\\nadded ' + line, mode: 'append' })
  if (appended.ok) done.push('added ' + line)
}
console.log(JSON.stringify(done))
`

it('two processes on one directory lose neither edits nor appends that were reported as done', async () => {
  writeFileSync(join(root, 'd/f'), 'end')
  const done = await Promise.all(['a', 'b'].map((who) => inOtherProcess<string[]>(EDITS, root, who)))
  const lines = readFileSync(join(root, 'd/f'), 'utf8')
    .split('\n')
    .filter((line) => line !== 'end')
  expect(lines.sort()).toEqual(done.flat().sort())
  expect(readdirSync(join(root, 'd'))).toEqual(['f'])
})

it('a change waits while another process holds the lock', async () => {
  const bench = over({ fs: createNodeFs({ root }) })
  writeFileSync(join(root, 'd/f'), 'end')
  const lock = join(root, 'd/.toolport-252f10c83610ebca.lock')
  writeFileSync(lock, '')
  const calls = [bench.ok('edit_file', insert('d/f', 'x')), bench.ok('write_file', { path: 'd/f', content: '!', mode: 'append' })]
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(readFileSync(join(root, 'd/f'), 'utf8')).toBe('end')
  expect((await bench.runtime.workspace.list('d')).map(({ name }) => name)).toEqual(['f'])
  rmSync(lock)
  await Promise.all(calls)
  expect(readFileSync(join(root, 'd/f'), 'utf8')).toBe('x\nend!')
})

it('edits through two names of one file are not lost', async () => {
  writeFileSync(join(root, 'a'), 'end')
  linkSync(join(root, 'a'), join(root, 'b'))
  const { run } = over({ fs: createNodeFs({ root }) })
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const results = await Promise.all(lines.map((line, i) => run('edit_file', insert(i % 2 ? 'a' : 'b', line))))
  const done = lines.filter((_, i) => results[i]?.ok)
  const kept = readFileSync(join(root, 'a'), 'utf8').split('\n')
  expect(kept.sort()).toEqual([...done, 'end'].sort())
  expect(done.length).toBeGreaterThan(0)
})

it('the lock of a crashed process expires', async () => {
  const bench = over({ fs: createNodeFs({ root }) })
  writeFileSync(join(root, 'd/f'), 'end')
  const lock = join(root, 'd/.toolport-252f10c83610ebca.lock')
  writeFileSync(lock, '')
  utimesSync(lock, 0, 0)
  expect((await bench.runtime.workspace.list('d')).length, 'what a crash left is listed').toBe(2)
  await bench.ok('edit_file', insert('d/f', 'x'))
  expect(readFileSync(join(root, 'd/f'), 'utf8')).toBe('x\nend')
  expect(existsSync(lock)).toBe(false)
})
