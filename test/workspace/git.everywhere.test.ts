// @module-tag facades
import '../shims/buffer-if-missing.js'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from './git-session.js'

it('isomorphic-git over toNodeFs creates the same commits as on every storage', async () => {
  const session = await gitSession(createWorkspace({ fs: createMemoryFs() }))
  expect(session).toMatchObject(EXPECTED_IDS)
  expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
})
