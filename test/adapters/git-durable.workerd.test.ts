// @module-tag git
import { createWorkspace } from 'toolport'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { createGit } from 'toolport/adapters/git'
import { expect } from 'vitest'
import { countStatuses, EXPECTED_STATUSES, expectedIds, gitAdapterSession, gitSession } from '../workspace/git-session.js'
import { inside } from './durable-object-support.workerd.js'

inside('creates the same commits in a Durable Object, and the next instance finds them', async (storage) => {
  const workspace = createWorkspace({ fs: createDurableObjectFs({ storage }) })
  const session = await gitAdapterSession(workspace)
  expect(session).toMatchObject(expectedIds(workspace))
  expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  const git = createGit({ workspace: createWorkspace({ fs: createDurableObjectFs({ storage }) }) })
  expect((await git.log({ limit: 1 }))[0]?.oid).toBe(session.merged)
  expect(await git.status()).toEqual([])
})

inside('isomorphic-git over toNodeFs creates the same commits in a Durable Object', async (storage) => {
  const workspace = createWorkspace({ fs: createDurableObjectFs({ storage }) })
  const session = await gitSession(workspace)
  expect(session).toMatchObject(expectedIds(workspace))
  expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
})
