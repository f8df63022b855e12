// @module-tag memfs
import * as fs from 'node:fs'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { afterAll, describe, expect, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { memfs } from '../storages/declared/memfs.js'

const base = mkdtempSync(join(tmpdir(), 'toolport-node-like-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const onNode = (root: string) => createMemfsFs({ fs, root, can: { atomicReplace: false, durableOnAck: false, persistence: 'durable' } })

fsContract(
  { describe, it },
  { ...contractOf(memfs), name: 'memfs adapter over Node’s fs', create: () => onNode(mkdtempSync(join(base, 'root-'))) },
)

it('createMemfsFs over node:fs does not touch files outside its root', async () => {
  const root = mkdtempSync(join(base, 'root-'))
  fs.mkdirSync(join(root, 'inside'))
  fs.writeFileSync(join(root, 'outside'), 'x')
  const inner = onNode(join(root, 'inside'))
  await inner.write('/a', new Uint8Array(1))
  await inner.symlink('../outside', '/l')
  await expect(inner.read('/l')).rejects.toMatchObject({ code: 'ELOOP' })
  await inner.rmTree('/l')
  await inner.rmTree('/a')
  expect(readdirSync(root)).toEqual(['inside', 'outside'])
})
