// @module-tag webcontainer
import { createWebContainerFs } from 'toolport/adapters/webcontainer'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { webcontainer } from '../storages/declared/webcontainer.js'
import { FakeContainer, type FakeFaults } from './webcontainer-fake.js'

function contract(where: string, faults: FakeFaults, root?: string): void {
  const create = (): ReturnType<typeof createWebContainerFs> => {
    const container = new FakeContainer()
    container.faults = faults
    return createWebContainerFs({ container: container.api, ...(root !== undefined && { root }) })
  }
  describe(where, () => {
    fsContract({ describe, it }, { ...contractOf(webcontainer), create })
  })
}

contract('the whole working directory', {})
contract('a folder in it, content as a Buffer', { buffers: true }, 'a folder/in it')
