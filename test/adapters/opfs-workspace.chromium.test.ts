// @module-tag opfs
import '../shims/buffer-global.js'
import { createWorkspace } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it } from 'vitest'
import { countStatuses, EXPECTED_STATUSES, expectedIds, gitSession } from '../workspace/git-session.js'
import { newName, opfs, utf8 } from './opfs-support.js'

describe('a workspace in the origin private file system', () => {
  it('is there again for the next runtime: files, a shell’s work, a directory that was moved', async () => {
    const name = newName()
    const first = createBrowserRuntime({ storage: opfs({ name }) })
    await first.call('write_file', { path: 'src/a.txt', content: 'grün\n' })
    await first.call('edit_file', { path: 'src/a.txt', edits: [{ old_string: 'grün', new_string: 'blau' }] })
    await first.call('bash', {
      command: 'mkdir -p out && cp src/a.txt out/b.txt && echo more >> out/b.txt && mv src moved && rm -r out/none; ls out',
    })
    await first.dispose()
    const second = createBrowserRuntime({ storage: opfs({ name }) })
    expect(await second.call('bash', { command: 'cat moved/a.txt out/b.txt; ls' })).toMatchObject({
      stdout: 'blau\nblau\nmore\nmoved\nout\n',
    })
    await second.dispose()
  })

  it('knows what it read: a file that was written since is a conflict, one that was moved is not', async () => {
    const runtime = createBrowserRuntime({ storage: opfs() })
    await runtime.call('write_file', { path: 'a', content: 'one\n' })
    await runtime.workspace.writeText('a', 'two\n')
    const edit = { name: 'edit_file', input: { path: 'a', edits: [{ old_string: 'two', new_string: 'six' }] } }
    expect(await runtime.execute(edit)).toMatchObject({ ok: false, output: { code: 'ESTALE' } })
    await runtime.call('read_file', { path: 'a' })
    await runtime.call('move_file', { from: 'a', to: 'b' })
    expect(await runtime.execute({ ...edit, input: { ...edit.input, path: 'b' } })).toMatchObject({ ok: true })
    await runtime.dispose()
  })

  it('isomorphic-git makes the same commits as everywhere', async () => {
    const workspace = createWorkspace({ fs: opfs() })
    const session = await gitSession(workspace)
    expect(session).toMatchObject(expectedIds(workspace))
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  })

  it('walks 2,000 files in order, and finds the one, after it was opened anew', async () => {
    const name = newName()
    const filled = opfs({ name })
    for (let d = 0; d < 40; d++) {
      await filled.mkdir(`/d${d}`)
      await Promise.all(Array.from({ length: 50 }, (_, i) => filled.write(`/d${d}/f${i}.txt`, utf8(`file ${d} ${i}\n`))))
    }
    await filled.close()
    const workspace = createWorkspace({ fs: opfs({ name }) })
    const paths: string[] = []
    for await (const entries of workspace.walk('.')) for (const { path } of entries) paths.push(path)
    expect(paths).toHaveLength(2040)
    expect([paths[0], paths[1], paths[2039]]).toEqual(['/workspace/d0', '/workspace/d0/f0.txt', '/workspace/d9/f9.txt'])
    expect(await workspace.readText('d33/f42.txt')).toMatchObject({ text: 'file 33 42\n' })
  })
})
