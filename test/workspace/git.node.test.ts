// @module-tag facades
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import git from 'isomorphic-git'
import { createRuntime, createWorkspace, fileTools, toBashFs, toNodeFs } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { archiveEntries, importEntries } from 'toolport/archive'
import { afterAll, describe, expect, it } from 'vitest'
import { gitEnvironment } from '../setup/native-git.js'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from './git-session.js'

describe('isomorphic-git over toNodeFs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'git-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const native = (...args: string[]): string =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: gitEnvironment(folder),
    })

  it('creates the same commits in memory with the root at /', async () => {
    expect(await gitSession(createWorkspace({ fs: createMemoryFs(), root: '/' }))).toMatchObject(EXPECTED_IDS)
  })

  it('creates a repository in memory that native git accepts as complete', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    expect(await gitSession(workspace)).toMatchObject(EXPECTED_IDS)
    const copy = mkdtempSync(join(tmpdir(), 'git-'))
    const target = createWorkspace({ fs: createNodeFs({ root: copy }) })
    await importEntries(target, archiveEntries(workspace), { links: 'keep' })
    const nativeThere = (...args: string[]): string =>
      execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: copy, encoding: 'utf8', env: gitEnvironment(copy) })
    expect(nativeThere('fsck', '--full', '--strict', '--no-dangling')).toBe('')
    expect(nativeThere('status', '--porcelain')).toBe('')
    rmSync(copy, { recursive: true, force: true })
  })

  it('creates the same commits in a directory, and native git accepts them as complete', async () => {
    const session = await gitSession(createWorkspace({ fs: createNodeFs({ root: folder }) }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
    expect(native('fsck', '--full', '--strict', '--no-dangling')).toBe('')
    expect(native('log', '--format=%H', '-1', 'main').trim()).toBe(session.merged)
    expect(native('rev-parse', 'topic').trim()).toBe(session.onBranch)
    expect(native('log', '--format=%s', '--topo-order', 'main').trim().split('\n').sort()).toEqual([
      'first',
      'merged',
      'on the branch',
      'second',
    ])
    expect(native('status', '--porcelain')).toBe('')
    expect(readlinkSync(join(folder, 'link'))).toBe('src/d1/file1.txt')
  })

  it('sees commits of native git', async () => {
    const workspace = createWorkspace({ fs: createNodeFs({ root: folder }) })
    await workspace.writeText('script.sh', '#!/bin/sh\n')
    await workspace.setMeta('script.sh', { mode: 0o755 })
    native('add', '--chmod=+x', 'script.sh')
    native('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'by git')
    const repo = { fs: toNodeFs(workspace), dir: workspace.root }
    const [last] = await git.log({ ...repo, depth: 1 })
    expect(last?.commit.message).toBe('by git\n')
    expect(last?.oid).toBe(native('rev-parse', 'HEAD').trim())
    expect((await git.statusMatrix(repo)).every(([, ...row]) => row.join() === '1,1,1')).toBe(true)
  })

  it('checks out an executable file without a change for native git', async () => {
    const workspace = createWorkspace({ fs: createNodeFs({ root: folder }) })
    await workspace.remove('script.sh')
    const repo = { fs: toNodeFs(workspace), dir: workspace.root }
    await git.checkout({ ...repo, force: true, filepaths: ['script.sh'] })
    expect(((await workspace.stat('script.sh')).mode ?? 0) & 0o100).toBe(0o100)
    expect(native('status', '--porcelain')).toBe('')
  })

  it('adds files that a tool wrote, and a tool reads what it checks out', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    const runtime = createRuntime({ workspace, tools: fileTools() })
    const repo = { fs: toNodeFs(workspace), dir: workspace.root }
    const author = { name: 'Ada', email: 'ada@example.com', timestamp: 1_700_000_000, timezoneOffset: 0 }
    await git.init(repo)
    await runtime.call('write_file', { path: 'a.txt', content: 'naïve\r\n\u{1f600}' })
    await git.add({ ...repo, filepath: 'a.txt' })
    const oid = await git.commit({ ...repo, message: 'a', author })
    await runtime.call('delete_file', { path: 'a.txt' })
    await git.checkout({ ...repo, force: true })
    expect(await toBashFs(workspace, { scratch: createMemoryFs() }).readFile('/workspace/a.txt')).toBe('naïve\r\n\u{1f600}')
    const { blob } = await git.readBlob({ ...repo, oid, filepath: 'a.txt' })
    expect(new TextDecoder().decode(blob)).toBe('naïve\r\n\u{1f600}')
  })
})
