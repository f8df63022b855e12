import LightningFS from '@isomorphic-git/lightning-fs'
import { memfs } from 'memfs'
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { describe, it } from 'vitest'
import { compare } from '../storages/figures.js'

// `npm run bench:storages`. Not a test, because it only prints ratios.

const timeout = 900_000
const content = (i: number): Uint8Array<ArrayBuffer> => new Uint8Array(1024).fill(i % 251)
const newName = (): string => `bench-${crypto.randomUUID()}`

const each =
  (count: number, call: (i: number) => Promise<unknown>): (() => Promise<void>) =>
  async () => {
    for (let i = 0; i < count; i++) await call(i)
  }

describe('adapters against their libraries, files of 1 KB', () => {
  it('memfs', { timeout }, async () => {
    const bare = memfs().fs.promises
    const ours = createMemfsFs({ fs: memfs().fs })
    const path = (i: number): string => `/f${i % 5000}`
    await compare('memfs, 5,000 writes', {
      floor: each(5000, (i) => bare.writeFile(path(i), content(i))),
      ours: each(5000, (i) => ours.write(path(i), content(i))),
    })
    await compare('memfs, 5,000 reads', {
      floor: each(5000, (i) => bare.readFile(path(i))),
      ours: each(5000, (i) => ours.read(path(i))),
    })
  })

  it('lightning-fs', { timeout }, async () => {
    const bare = new LightningFS(newName()).promises
    const ours = createLightningFs({ name: newName() })
    const path = (i: number): string => `/f${i % 500}`
    await compare('lightning-fs, 200 writes, each stored before the next', {
      floor: each(200, async (i) => {
        await bare.writeFile(path(i), content(i))
        await bare.flush()
      }),
      ours: each(200, async (i) => {
        await ours.write(path(i), content(i))
        await ours.flush()
      }),
    })
    await compare('lightning-fs, 500 writes, stored together', {
      floor: async () => {
        await each(500, (i) => bare.writeFile(path(i), content(i)))()
        await bare.flush()
      },
      ours: async () => {
        await each(500, (i) => ours.write(path(i), content(i)))()
        await ours.flush()
      },
    })
    await compare('lightning-fs, 500 reads', {
      floor: each(500, (i) => bare.readFile(path(i))),
      ours: each(500, (i) => ours.read(path(i))),
    })
    await ours.close()
  })
})
