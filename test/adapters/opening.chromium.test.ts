// @module-tag indexeddb
// @module-tag lightning-fs
// @module-tag opfs
import { createIndexedDbFs, type IndexedDbFs } from 'toolport/adapters/indexeddb'
import { createLightningFs, type LightningFs } from 'toolport/adapters/lightning-fs'
import { createOpfs, type OpfsFs } from 'toolport/adapters/opfs'
import { describe, expect, it } from 'vitest'
import { refusal, settled, whenFree } from './browser-storages.js'
import { drop, oddWorker } from './opfs-support.js'

interface Case {
  readonly create: (name: string, openTimeoutMs?: number) => IndexedDbFs | LightningFs | OpfsFs
  /** Makes the browser's call hang until the returned function is called. */
  readonly hang: (name: string) => Promise<() => Promise<unknown> | unknown>
  readonly remove: (name: string) => Promise<unknown>
}

/** Deletes a database while another page has it open and does not close it, so that the deletion hangs. */
async function undeletable(name: string): Promise<() => Promise<unknown>> {
  const held = await settled(indexedDB.open(name))
  const deleted = settled(indexedDB.deleteDatabase(name))
  return () => {
    held.close()
    return deleted
  }
}

/** Holds a lock, like a worker that the browser has not terminated yet. */
function heldLock(name: string): Promise<() => Promise<unknown>> {
  return new Promise((held) => {
    const hold = (): Promise<void> =>
      new Promise((free) => {
        const letGo = (): Promise<unknown> => {
          free()
          return ended
        }
        held(letGo)
      })
    const ended = navigator.locks.request(`toolport-opfs-worker:${name}`, hold)
  })
}

const removeDatabase = (name: string): Promise<unknown> => settled(indexedDB.deleteDatabase(name))

const CASES: Readonly<Record<string, Case>> = {
  indexeddb: {
    create: (name, openTimeoutMs) => createIndexedDbFs({ name, ...(openTimeoutMs !== undefined && { openTimeoutMs }) }),
    hang: (name) => undeletable(`toolport:${name}`),
    remove: (name) => removeDatabase(`toolport:${name}`),
  },
  'lightning-fs': {
    create: (name, openTimeoutMs) => createLightningFs({ name, ...(openTimeoutMs !== undefined && { openTimeoutMs }) }),
    hang: undeletable,
    remove: removeDatabase,
  },
  opfs: {
    create: (name, openTimeoutMs) => createOpfs({ name, ...(openTimeoutMs !== undefined && { openTimeoutMs }) }),
    hang: heldLock,
    remove: drop,
  },
}

describe.each(Object.entries(CASES))('%s: an opening that the browser never answers', (_, { create, hang, remove }) => {
  it('fails with EIO after openTimeoutMs and is retried by the next call', async () => {
    const name = `opening-${crypto.randomUUID()}`
    const letGo = await hang(name)
    const fs = create(name, 200)
    const calls = [fs.write('/a', new Uint8Array(1)), fs.readdir('/')]
    for (const call of calls) await expect(call).rejects.toThrow(refusal('EIO', 'gave no answer for 0.2 s ("openTimeoutMs")'))
    await letGo()
    const patient = create(name, Number.POSITIVE_INFINITY)
    // The opening that came too late was closed, and its lock is free.
    await whenFree(() => patient)
    await patient.write('/a', new Uint8Array(1))
    await patient.close()
    await expect.poll(() => fs.readdir('/').catch(() => [])).toHaveLength(1)
    await fs.close()
    await remove(name)
  })

  it('rejects an openTimeoutMs of 0 or less', () => {
    for (const bad of [0, -1, Number.NaN, '5' as unknown as number])
      expect(() => create('x', bad)).toThrow(
        new TypeError(`Cannot make a storage: "openTimeoutMs" is ${bad}, and must be above 0 (Infinity waits for ever)`),
      )
  })
})

it('opfs: fails with EIO if the worker gets no file system', async () => {
  const name = `opening-${crypto.randomUUID()}`
  const worker = oddWorker({ fail: [{ method: 'getDirectory', error: '', hangs: true }] })
  const fs = createOpfs({ name, worker, openTimeoutMs: 1000 })
  await expect(fs.readdir('/')).rejects.toThrow(refusal('EIO', 'the origin private file system of this browser gave no answer for 1 s'))
  await fs.close()
})
