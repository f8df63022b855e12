// @module-tag opfs
import { createOpfs, type OpfsFs, type OpfsOptions } from 'toolport/adapters/opfs'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { opfs } from '../storages/declared/opfs.js'
import { drop, newName, oddWorker } from './opfs-support.js'

const names = new Map<unknown, string>()

const create = (options: Partial<OpfsOptions>) => (): OpfsFs => {
  const name = newName()
  const fs = createOpfs({ ...options, name })
  names.set(fs, name)
  return fs
}

const dispose = async (fs: { close(): Promise<void> }): Promise<void> => {
  await fs.close()
  await drop(names.get(fs) ?? '')
}

fsContract({ describe, it }, { ...contractOf(opfs), create: create({}), dispose })

// Browsers without `move` put a new content in the place of the old one themselves.
const noMove = create({ worker: oddWorker({ without: ['move'] }) })
fsContract({ describe, it }, { ...contractOf(opfs), name: 'opfs where files cannot be moved', create: noMove, dispose })
