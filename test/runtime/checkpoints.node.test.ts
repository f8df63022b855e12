// @module-tag checkpoints
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRuntime, defineTool, fileTools, metaTools, shellTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeShell } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp, freshRoot, nodeFs, root } from '../adapters/node-fixture.js'
import { benchOver } from '../tools/harness.js'

beforeEach(freshRoot)
afterEach(cleanUp)

const put = (path: string, text: string): void => writeFileSync(join(root, path), text)
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const isScan = (id: string): boolean => existsSync(join(root, '.toolport-checkpoints/scan', id))

/** A tool that writes with Node's own functions. */
const custom = defineTool({
  name: 'custom',
  description: 'Writes past the workspace.',
  inputSchema: { type: 'object' },
  run: () => put('past', 'custom'),
})
const tools = [...fileTools(), ...shellTools(), ...metaTools(), custom]

describe('automatic checkpoints of a directory', () => {
  it('keep what a file tool changes, and scan before a call that can write anywhere', async () => {
    const runtime = createRuntime({ fs: nodeFs(), tools, shell: createNodeShell(), checkpoints: { automatic: true } })
    const bench = benchOver(runtime)
    put('a', '1')
    put('past', '1')
    await bench.ok('write_file', { path: 'a', content: '2' })
    await bench.ok('edit_file', { path: 'a', edits: [{ old_string: '2', new_string: '3' }] })
    await bench.ok('bash', { command: 'echo shell > past; echo shell > made' })
    await bench.ok('delete_file', { path: 'a' })
    await bench.ok('custom')
    const { checkpoints } = await bench.ok('list_checkpoints')
    expect(checkpoints.map(({ id, label }: { id: string; label: string }) => `${id} ${label} ${isScan(id)}`)).toEqual([
      'c5 custom true',
      'c4 delete_file a false',
      'c3 bash echo shell > past; echo shell > made true',
      'c2 edit_file a false',
      'c1 write_file a false',
    ])
    expect(text('past')).toBe('custom')
    await bench.ok('restore_checkpoint', { checkpoint: 'c5' })
    expect([text('past'), existsSync(join(root, 'a'))]).toEqual(['shell\n', false])
    await bench.ok('restore_checkpoint', { checkpoint: 'c3' })
    expect([text('past'), text('a'), existsSync(join(root, 'made'))]).toEqual(['1', '3', false])
    await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(text('a')).toBe('1')
    await runtime.dispose()
  })

  it('do not scan for a shell that is limited to the workspace', async () => {
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    const runtime = createRuntime({ fs: nodeFs(), tools, shell, checkpoints: { automatic: true } })
    put('a', '1')
    put('b', '1')
    await runtime.call('bash', { command: 'echo 2 > a; rm b; mkdir -p d/e; echo 3 > d/e/f' })
    expect(isScan('c1')).toBe(false)
    await runtime.call('restore_checkpoint', { checkpoint: 'c1' })
    expect(await runtime.workspace.files()).toEqual({ a: '1', b: '1' })
    await runtime.dispose()
  })

  it('reject a shell on a tree too large for a scan, and keep what file tools change', async () => {
    const checkpoints = { automatic: true, bytes: 1000 }
    const runtime = createRuntime({ fs: nodeFs(), tools, shell: createNodeShell(), checkpoints })
    const bench = benchOver(runtime)
    put('large', 'x'.repeat(5000))
    await bench.ok('write_file', { path: 'a', content: '1' })
    const { error } = await bench.fail('bash', { command: 'rm large' })
    expect(error).toMatch(
      /^Cannot run "bash": the checkpoint before it failed: ENOSPC: .*"large".*\.gitignore, or raise checkpoints\.bytes/,
    )
    expect(text('large')).toHaveLength(5000)
    await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(existsSync(join(root, 'a'))).toBe(false)
    rmSync(join(root, 'large'))
    await bench.ok('bash', { command: 'true' })
    await runtime.dispose()
  })
})
