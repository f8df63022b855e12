// @module-tag move-delete
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, fileTools } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'

let root: string
let real: Bench

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-move-'))
  real = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
})

afterEach(() => rm(root, { recursive: true }))

it('a moved file in a directory can be edited without a new read, although its version changed', async () => {
  await real.ok('write_file', { path: 'd/a', content: 'one' })
  await real.ok('move_file', { from: 'd', to: 'e' })
  await real.ok('edit_file', { path: 'e/a', edits: [{ old_string: 'one', new_string: 'two' }] })
  expect(await real.files()).toEqual({ 'e/a': 'two' })
})

it('move_file rejects incompatible kinds with the same codes as in memory', async () => {
  await real.ok('write_file', { path: 'd/a', content: '' })
  await real.ok('write_file', { path: 'f', content: '' })
  expect((await real.fail('move_file', { from: 'd/a', to: 'd', overwrite: true })).output.code).toBe('EISDIR')
  expect((await real.fail('move_file', { from: 'd', to: 'f', overwrite: true })).output.code).toBe('ENOTDIR')
})
