// @module-tag branches
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { branchWorkspace, createWorkspace, type Workspace } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, expect, it } from 'vitest'

let root: string
let workspace: Workspace

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-branch-'))
  for (const name of ['written', 'edited', 'removed', 'changed']) writeFileSync(join(root, name), 'old\n')
  workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

it('touch, chmod and rewriting equal bytes by another process are no conflict with a commit', async () => {
  const branch = branchWorkspace(workspace)
  const change = async (): Promise<void> => {
    await branch.workspace.writeText('written', 'new\n')
    await branch.workspace.writeText('edited', 'more\n', { mode: 'append' })
    await branch.workspace.remove('removed')
    await branch.workspace.remove('dir', { recursive: true })
    await branch.workspace.writeText('changed', 'new\n')
  }
  mkdirSync(join(root, 'dir/sub'), { recursive: true })
  writeFileSync(join(root, 'dir/sub/f'), 'old\n')
  await change()
  for (const name of ['written', 'edited', 'removed', 'dir/sub/f']) {
    writeFileSync(join(root, name), 'old\n')
    utimesSync(join(root, name), 1, 1)
    chmodSync(join(root, name), 0o755)
  }
  writeFileSync(join(root, 'changed'), 'alt\n')
  expect((await branch.commit()).conflicts).toEqual([{ path: '/workspace/changed', reason: 'it was changed meanwhile' }])
  await branch.workspace.remove('changed')
  await branch.discard()
  await change()
  utimesSync(join(root, 'written'), 2, 2)
  expect((await branch.commit()).conflicts).toEqual([])
  expect(readFileSync(join(root, 'edited'), 'utf8')).toBe('old\nmore\n')
  expect(statSync(join(root, 'written')).mode & 0o777).toBe(0o755)
  expect(existsSync(join(root, 'removed'))).toBe(false)
  expect(existsSync(join(root, 'dir'))).toBe(false)
})

it.skipIf(process.platform === 'win32')('a FIFO in a directory that a branch moves stays, and the commit reports it', async () => {
  mkdirSync(join(root, 'd'))
  writeFileSync(join(root, 'd/f'), 'f')
  execFileSync('mkfifo', [join(root, 'd/pipe')])
  const branch = branchWorkspace(workspace)
  await branch.workspace.move('d', 'e')
  expect(await branch.commit()).toMatchObject({ conflicts: [], left: ['/workspace/d'] })
  expect(existsSync(join(root, 'd/pipe'))).toBe(true)
  expect(readFileSync(join(root, 'e/f'), 'utf8')).toBe('f')
})
