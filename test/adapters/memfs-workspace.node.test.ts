// @module-tag memfs
import { memfs } from 'memfs'
import { createRuntime, createWorkspace } from 'toolport'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { standard } from 'toolport/presets/standard'
import { describe, expect, it } from 'vitest'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from '../workspace/git-session.js'

describe('a workspace in memfs', () => {
  it('shares its files with other users of the volume, and detects their changes', async () => {
    const { fs, vol } = memfs({ '/project/a.txt': 'one\n', '/outside.txt': 'x' })
    const runtime = createRuntime({ fs: createMemfsFs({ fs, root: '/project' }), preset: standard() })
    await runtime.call('edit_file', { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] })
    await runtime.call('write_file', { path: 'd/b.txt', content: 'new\n' })
    expect(vol.toJSON()).toEqual({ '/project/a.txt': 'two\n', '/project/d/b.txt': 'new\n', '/outside.txt': 'x' })
    vol.writeFileSync('/project/a.txt', 'three\n')
    expect(
      await runtime.execute({ name: 'edit_file', input: { path: 'a.txt', edits: [{ old_string: 'three', new_string: 'four' }] } }),
    ).toMatchObject({
      ok: false,
      output: { code: 'ESTALE' },
    })
  })

  it('isomorphic-git creates the same commits as on every storage', async () => {
    const session = await gitSession(createWorkspace({ fs: createMemfsFs({ fs: memfs().fs }) }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  })
})
