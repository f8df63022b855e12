// @module-tag git
import { createWorkspace } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { withFaults } from 'toolport/testing'
import { expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'

it('git reports the first error if a later flush fails too', async () => {
  const memory = createMemoryFs({ files: { a: 'a' } })
  const fs = withFaults({ ...memory, can: { ...memory.can, durableOnAck: false } }, { fault: 'disconnect', when: ({ changes }) => changes })
  fs.faults.stop()
  const git = createGit({ workspace: createWorkspace({ fs }), author: { name: 'A', email: 'a@example.com' } })
  await git.init()
  fs.faults.start()
  const failure = await git.add({ paths: ['a'] }).catch((error: unknown) => error)
  expect(fs.faults.fired.at(-1)?.operation.method).toBe('flush')
  expect(failure).toMatchObject({ code: 'EIO', path: expect.stringContaining('/workspace/.git/objects/') })
})
