// @module-tag install
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { expect, it } from 'vitest'
import { installsOn } from './install-storages.js'

it('installs in a directory', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-install-')))
  const fs = createNodeFs({ root })
  try {
    await installsOn(fs)
    expect((await fs.readdir('/')).map(({ name }) => name).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json'])
  } finally {
    await fs.close()
    await rm(root, { recursive: true, force: true })
  }
})
