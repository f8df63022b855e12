// @module-tag directory
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { base, cleanUp, freshRoot, onDisk, root } from './node-fixture.js'

/** How often a program syncs to disk, counted by Node's trace events. */
async function fsyncsOf(program: string): Promise<number> {
  const file = join(base, 'trace.json')
  const trace = ['--trace-event-categories', 'node.fs.async', '--trace-event-file-pattern', file]
  await promisify(execFile)(process.execPath, [...trace, '--input-type=module', '-e', program])
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8'))
  return traceEvents.filter(({ name, ph }: { name: string; ph: string }) => name === 'fsync' && ph === 'b').length
}

const write = (fsync: unknown): string => `
  import { createNodeFs } from 'toolport/adapters/node'
  const fs = createNodeFs({ root: ${JSON.stringify(root)}, fsync: ${JSON.stringify(fsync)} })
  await fs.write('/file', new TextEncoder().encode('new'))
  await fs.flush()
`

describe('fsync calls of one edit', () => {
  beforeEach(freshRoot)
  afterEach(cleanUp)

  it.each([
    [false, 1],
    [true, 2],
    ['never', 0],
  ])('`fsync: %s` makes %i', async (fsync, count) => {
    writeFileSync(join(root, 'file'), 'old')
    expect(await fsyncsOf(write(fsync))).toBe(count)
    expect(onDisk('file')).toBe('new')
  })
})
