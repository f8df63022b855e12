// @module-tag indexeddb
import '../shims/buffer-global.js'
import { createWorkspace } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it } from 'vitest'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from '../workspace/git-session.js'
import { indexedDbFs, newName, utf8 } from './indexeddb-support.js'

describe('a workspace in IndexedDB', () => {
  it('is there again for the next runtime: files, a shell’s work, links', async () => {
    const name = newName()
    const first = createBrowserRuntime({ storage: indexedDbFs({ name }) })
    await first.call('write_file', { path: 'src/a.txt', content: 'grün\n' })
    await first.call('write_file', { path: 'src/a.txt', content: 'blau\n' })
    await first.call('bash', {
      command: 'mkdir -p out && cp src/a.txt out/b.txt && echo more >> out/b.txt && mv src moved && ln -s out/b.txt l',
    })
    await first.dispose()
    const second = createBrowserRuntime({ storage: indexedDbFs({ name }) })
    expect(await second.call('bash', { command: 'cat moved/a.txt l; ls' })).toMatchObject({ stdout: 'blau\nblau\nmore\nl\nmoved\nout\n' })
    await second.dispose()
  })

  it('isomorphic-git makes the same commits as everywhere', async () => {
    const session = await gitSession(createWorkspace({ fs: indexedDbFs() }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  })

  it('walks 10,000 files in order, and finds the one, after it was opened anew', async () => {
    const name = newName()
    const filled = indexedDbFs({ name })
    for (let d = 0; d < 100; d++) {
      await filled.mkdir(`/d${d}`)
      await Promise.all(Array.from({ length: 100 }, (_, i) => filled.write(`/d${d}/f${i}.txt`, utf8(`file ${d} ${i}\n`))))
    }
    await filled.close()
    const workspace = createWorkspace({ fs: indexedDbFs({ name }) })
    const paths: string[] = []
    for await (const entries of workspace.walk('.')) for (const { path } of entries) paths.push(path)
    expect(paths).toHaveLength(10_100)
    expect([paths[0], paths[1], paths[10_099]]).toEqual(['/workspace/d0', '/workspace/d0/f0.txt', '/workspace/d99/f99.txt'])
    expect(await workspace.readText('d73/f42.txt')).toMatchObject({ text: 'file 73 42\n' })
  })
})
