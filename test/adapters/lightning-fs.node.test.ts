// @module-tag lightning-fs
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { expect, it, onTestFinished, vi } from 'vitest'

it('createLightningFs fails with ENOTSUP without a page or IndexedDB', async () => {
  const fs = createLightningFs({ name: 'x' })
  await expect(fs.read('/a')).rejects.toMatchObject({ name: 'FsError', code: 'ENOTSUP', path: '/a' })
  await expect(fs.open()).rejects.toThrow('ENOTSUP: Cannot open "/": there is no IndexedDB here')
  vi.stubGlobal('navigator', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  const other = createLightningFs({ name: 'x', indexedDB: {} as IDBFactory, locks: 'none' })
  await expect(other.open()).rejects.toThrow('ENOTSUP: Cannot open "/": this is no page and no worker of one')
  await other.flush()
  await other.close()
  await expect(other.flush()).rejects.toMatchObject({ code: 'EIO' })
})
