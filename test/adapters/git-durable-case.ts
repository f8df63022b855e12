import '../shims/buffer-if-missing.js'
import { createWorkspace } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { expect, it } from 'vitest'
import type { FsAdapter } from '../../src/types/fs.js'
import { countStatuses, EXPECTED_STATUSES, expectedIds, gitAdapterSession } from '../workspace/git-session.js'

export function durableCase(name: string, make: (store: string) => FsAdapter): void {
  it(`${name}: creates the same commits and finds them after reopening`, async () => {
    const store = `git-${crypto.randomUUID()}`
    const workspace = createWorkspace({ fs: make(store) })
    const session = await gitAdapterSession(workspace)
    expect(session).toMatchObject(expectedIds(workspace))
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
    await workspace.close()
    const again = createWorkspace({ fs: make(store) })
    const git = createGit({ workspace: again })
    expect((await git.log({ limit: 1 }))[0]?.oid).toBe(session.merged)
    expect(await git.status()).toEqual([])
    await again.close()
  })
}
