import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startGitServer } from './git-server.js'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-setup-'))
  mkdirSync(join(folder, 'tmp'))
  vi.stubEnv('TMPDIR', join(folder, 'tmp'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const leftovers = (): string[] => readdirSync(join(folder, 'tmp'))

describe('the git server for tests', () => {
  it('serves the same commits whatever the git config, and leaves nothing behind', async () => {
    const plain = await startGitServer()
    await plain.close()
    const config = '[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = true\n[user]\n\tname = Other\n[log]\n\tshowSignature = true\n'
    mkdirSync(join(folder, 'git'))
    for (const name of ['.gitconfig', 'git/config']) writeFileSync(join(folder, name), config)
    execFileSync('git', ['init', '-q', join(folder, 'other')])
    const before = readdirSync(join(folder, 'other/.git'))
    vi.stubEnv('HOME', folder)
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, '.gitconfig'))
    // Git sets these variables when it runs a hook.
    vi.stubEnv('GIT_DIR', join(folder, 'other/.git'))
    vi.stubEnv('GIT_INDEX_FILE', join(folder, 'other/.git/index'))
    vi.stubEnv('GIT_AUTHOR_NAME', 'Other')
    const odd = await startGitServer()
    const response = await fetch(`${odd.origin}/repo.git/info/refs?service=git-upload-pack`)
    expect(await response.text()).toContain(odd.main[0])
    await odd.close()
    expect([odd.main, odd.topic]).toEqual([plain.main, plain.topic])
    expect(readdirSync(join(folder, 'other/.git'))).toEqual(before)
    expect(leftovers()).toEqual([])
  })

  it('can be closed during an endless response', async () => {
    const { origin, close } = await startGitServer()
    const answer = await fetch(`${origin}/slow/repo.git/git-upload-pack`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-git-upload-pack-request' },
      body: '0000',
    }).catch((error: unknown) => error)
    expect(answer).toBeDefined()
    await close()
    expect(leftovers()).toEqual([])
  })

  it('reports that git http-backend is missing', async () => {
    const real = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
    const without = join(folder, 'git-core')
    mkdirSync(without)
    for (const name of readdirSync(real)) if (name !== 'git-http-backend') symlinkSync(join(real, name), join(without, name))
    vi.stubEnv('GIT_EXEC_PATH', without)
    await expect(startGitServer()).rejects.toThrow('"git http-backend" does not work')
    expect(leftovers()).toEqual([])
  })
})
