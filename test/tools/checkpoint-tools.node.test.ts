// @module-tag checkpoints
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { standard } from 'toolport/presets/standard'
import { expect, it } from 'vitest'
import { benchOver } from './harness.js'

it('the checkpoint tools work on a directory that a real shell changes, with automatic checkpoints', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-checkpoints-'))
  try {
    await writeFile(join(root, 'a.txt'), 'one\n')
    await symlink('a.txt', join(root, 'link'))
    const runtime = createRuntime({
      fs: createNodeFs({ root }),
      root: '/workspace',
      preset: standard(),
      shell: createNodeShell(),
      checkpoints: { automatic: true },
    })
    const bench = benchOver(runtime)
    await bench.ok('bash', { command: 'echo two > a.txt; mkdir dir; echo b > dir/b.txt; chmod 700 dir/b.txt; rm link' })
    await writeFile(join(root, 'outside.txt'), 'made by an editor\n')
    await bench.ok('write_file', { path: 'c.txt', content: 'c\n' })
    const { checkpoints } = await bench.ok('list_checkpoints')
    expect(checkpoints.map(({ label }: { label: string }) => label.slice(0, 25))).toEqual(['write_file c.txt', 'bash echo two > a.txt; mk'])
    const { changes, diff } = await bench.ok('diff_checkpoint', { checkpoint: 'c1' })
    expect(changes.map(({ path, change, kind }: Record<string, string>) => `${change} ${kind} ${path}`)).toEqual([
      'modified file /workspace/a.txt',
      'created file /workspace/c.txt',
      'created dir /workspace/dir',
      'created file /workspace/dir/b.txt',
      'deleted symlink /workspace/link',
      'created file /workspace/outside.txt',
    ])
    expect(diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n')
    await bench.ok('restore_checkpoint', { checkpoint: 'c1', paths: ['a.txt', 'link'] })
    expect(await readFile(join(root, 'link'), 'utf8')).toBe('one\n')
    const { undo } = await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(Object.keys(await bench.files())).toEqual(['a.txt'])
    await bench.ok('restore_checkpoint', { checkpoint: undo })
    expect(await readFile(join(root, 'outside.txt'), 'utf8')).toBe('made by an editor\n')
    expect((await runtime.workspace.lstat('dir/b.txt')).mode).toBe(0o700)
    await runtime.dispose()
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
