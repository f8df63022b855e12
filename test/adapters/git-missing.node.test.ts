// @module-tag git
import { createWorkspace } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, expect, it, vi } from 'vitest'
import { refusal } from './git-support.js'

vi.mock('isomorphic-git', () => {
  throw new Error('Cannot find package')
})

afterEach(() => vi.unstubAllGlobals())

const git = createGit({ workspace: createWorkspace({ fs: createMemoryFs() }) })

it('an error names the package that is not installed', async () => {
  await expect(git.init()).rejects.toEqual(refusal('UnsupportedError', 'unsupported', 'the package "isomorphic-git" is not installed'))
})

it('an error names the missing global Buffer', async () => {
  vi.stubGlobal('Buffer', undefined)
  const failed = git.init()
  await expect(failed).rejects.toEqual(refusal('UnsupportedError', 'unsupported', 'needs the global "Buffer"'))
})
