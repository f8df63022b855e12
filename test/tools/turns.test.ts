// @module-tag runtime
import { createRuntime, createWorkspace, fileTools, searchTools, systemHost } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestHost } from 'toolport/testing'
import { expect, it } from 'vitest'
import { benchOver } from './harness.js'

const FILES = 30_000
const crlf = 'x\r\n'.repeat(1_500_000)
const lf = 'y\n'.repeat(1_500_000)
const many = (): Record<string, string> => Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 50}/f${i}`, 'x']))
const letters = 'a'.repeat(4 * 1024 * 1024)

/** Work in memory must yield although it never waits. The clock stands still, so yields depend only on the amount of work. */
it.each([
  ['write_file, kept CRLF', { f: crlf }, 'write_file', { path: 'f', content: lf }, 4],
  ['write_file, to CRLF', {}, 'write_file', { path: 'f', content: lf, eol: 'crlf' }, 3],
  ['write_file, to LF', {}, 'write_file', { path: 'f', content: crlf, eol: 'lf' }, 3],
  ['write_file, append', { f: crlf }, 'write_file', { path: 'f', content: 'y\n', mode: 'append' }, 2],
  ['edit_file yields on a long file', { f: `a${lf}` }, 'edit_file', { path: 'f', edits: [{ old_string: 'ay', new_string: 'b' }] }, 6],
  ['glob yields while it sorts by newest', many(), 'glob', { pattern: '**', sort: 'newest', limit: 1 }, 5],
  [
    'edit_file yields on a repeated letter',
    { f: letters },
    'edit_file',
    { path: 'f', edits: [{ old_string: `b${'a'.repeat(9999)}`, new_string: '' }] },
    3,
  ],
  [
    'edit_file yields on another Unicode form',
    { f: 'e\u0301'.repeat(1_000_000) },
    'edit_file',
    { path: 'f', edits: [{ old_string: '\u00e9 ', new_string: '' }] },
    18,
  ],
] as const)('%s', async (_, files, name, input, least) => {
  let turns = 0
  const host = {
    ...createTestHost(),
    yield: () => {
      turns++
      return systemHost.yield()
    },
  }
  const workspace = createWorkspace({ fs: createMemoryFs({ files: { ...files } }), host })
  const { run } = benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] }))
  await run(name, input)
  expect(turns).toBeGreaterThanOrEqual(least)
})

/** Input for quadratic or worse algorithms. Without limits, these cases would take minutes or never end. */
it.each([
  ['many marks on one letter', 'edit_file', { path: 'marks', edits: [{ old_string: '\u00e9\u00e9', new_string: '' }] }, 'no_match'],
  ['many combining marks in old_string', 'edit_file', { path: 'f', edits: [{ old_string: pile(400_000), new_string: '' }] }, 'no_match'],
  ['many combining marks in a patch', 'apply_patch', { patch: `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-${pile(400_000)}\n+b\n` }, 'no_match'],
  [
    'many blank lines after a patch',
    'apply_patch',
    { patch: `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n${'\n'.repeat(200_000)}x` },
    'invalid_input',
  ],
  ['many blank lines in a hunk', 'apply_patch', { patch: `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-z\n+b\n${' \n'.repeat(40_000)}` }, 'no_match'],
  ['a name of two million characters', 'apply_patch', { patch: `diff --git "${'\\\\'.repeat(1_000_000)}` }, 'invalid_input'],
])('%s', async (_, name, input, code) => {
  const files = { f: 'a\n', marks: pile(2_000_000) }
  const { fail } = benchOver(createRuntime({ workspace: createWorkspace({ fs: createMemoryFs({ files }) }), tools: fileTools() }))
  expect((await fail(name, input)).output.code).toBe(code)
})

/** One letter with this many combining marks. */
function pile(marks: number): string {
  return `e${'\u0301\u0323'.repeat(marks / 2)}`
}
