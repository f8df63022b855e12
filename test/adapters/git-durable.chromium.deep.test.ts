// @module-tag git
import '../shims/buffer-if-missing.js'
import { createWorkspace } from 'toolport'
import { expect, it } from 'vitest'
import { DURABLE_IN_CHROMIUM } from '../storages/in-chromium.js'
import { countStatuses, EXPECTED_STATUSES, expectedIds, gitSession } from '../workspace/git-session.js'
import { durableCase } from './git-durable-case.js'

for (const [name, make] of Object.entries(DURABLE_IN_CHROMIUM)) durableCase(name, make)

it.each(Object.entries(DURABLE_IN_CHROMIUM))('isomorphic-git over toNodeFs creates the same commits in %s', async (_, make) => {
  const workspace = createWorkspace({ fs: make(`git-${crypto.randomUUID()}`) })
  const session = await gitSession(workspace)
  expect(session).toMatchObject(expectedIds(workspace))
  expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  await workspace.close()
})
