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

/** Work in memory that never waits for anything gives way nevertheless. The clock stands still, so turns are counted by the work alone. */
it.each([
  ['write_file, kept CRLF', { f: crlf }, 'write_file', { path: 'f', content: lf }, 4],
  ['write_file, to CRLF', {}, 'write_file', { path: 'f', content: lf, eol: 'crlf' }, 3],
  ['write_file, to LF', {}, 'write_file', { path: 'f', content: crlf, eol: 'lf' }, 3],
  ['write_file, append', { f: crlf }, 'write_file', { path: 'f', content: 'y\n', mode: 'append' }, 2],
  ['edit_file, a long file', { f: `a${lf}` }, 'edit_file', { path: 'f', edits: [{ old_string: 'ay', new_string: 'b' }] }, 6],
  ['glob, newest first', many(), 'glob', { pattern: '**', sort: 'newest', limit: 1 }, 5],
  [
    'edit_file, a repeated letter',
    { f: letters },
    'edit_file',
    { path: 'f', edits: [{ old_string: `b${'a'.repeat(9999)}`, new_string: '' }] },
    3,
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
