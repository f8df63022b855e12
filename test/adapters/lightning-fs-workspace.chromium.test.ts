// @module-tag lightning-fs
import '../shims/buffer-global.js'
import { createWorkspace } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it } from 'vitest'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from '../workspace/git-session.js'
import { lightningFs, newName } from './lightning-fs-support.js'

describe('a workspace in lightning-fs', () => {
  it('is there again for the next runtime: files, a shell’s work, links', async () => {
    const name = newName()
    const first = createBrowserRuntime({ storage: lightningFs({ name }) })
    await first.call('write_file', { path: 'src/a.txt', content: 'grün\n' })
    await first.call('write_file', { path: 'src/a.txt', content: 'blau\n' })
    await first.call('bash', {
      command: 'mkdir -p out && cp src/a.txt out/b.txt && echo more >> out/b.txt && mv src moved && ln -s out/b.txt l && mv l moved/l',
    })
    await first.dispose()
    const second = createBrowserRuntime({ storage: lightningFs({ name }) })
    expect(await second.call('bash', { command: 'cat moved/a.txt out/b.txt; ls moved; readlink moved/l' })).toMatchObject({
      stdout: 'blau\nblau\nmore\na.txt\nl\nout/b.txt\n',
    })
    await second.dispose()
  })

  it('isomorphic-git makes the same commits as everywhere', async () => {
    const session = await gitSession(createWorkspace({ fs: lightningFs() }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  })
})
